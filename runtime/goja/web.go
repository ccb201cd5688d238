package goja

// This file holds what URL, TextEncoder, TextDecoder, atob and btoa of web.js are made with: texts and
// bytes go in, texts and bytes come out.

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	neturl "net/url"
	"strings"
	"unicode/utf8"

	js "github.com/dop251/goja"
	"github.com/nlnwa/whatwg-url/url"
)

//go:embed web.js
var webSource string

// webNatives are what web.js needs of Go.
func (r *run) webNatives() map[string]func(js.FunctionCall) js.Value {
	return map[string]func(js.FunctionCall) js.Value{
		"parseURL":  r.nativeParseURL,
		"changeURL": r.nativeChangeURL,
		"readForm":  r.nativeReadForm,
		"writeForm": r.nativeWriteForm,
		"utf8": func(c js.FunctionCall) js.Value {
			return r.vm.ToValue(r.vm.NewArrayBuffer([]byte(usv(c.Argument(0)))))
		},
		"text":   r.nativeText,
		"atob":   r.nativeAtob,
		"base64": r.nativeBase64,
	}
}

// usv is a text with U+FFFD in the place of halves of surrogate pairs, as the URL and Encoding standards
// have it.
func usv(v js.Value) string { return strings.ToValidUTF8(v.String(), "\uFFFD") }

// maxURL bounds a URL: the parser works rune by rune.
const maxURL = 1 << 20

// nativeParseURL returns the parts of a URL, undefined for what is none.
func (r *run) nativeParseURL(c js.FunctionCall) js.Value {
	text, base := usv(c.Argument(0)), c.Argument(1)
	if len(text) > maxURL {
		return js.Undefined()
	}
	var u *url.Url
	var err error
	if js.IsUndefined(base) {
		u, err = url.Parse(text)
	} else if len(usv(base)) <= maxURL {
		u, err = url.ParseRef(usv(base), text)
	}
	if err != nil || u == nil {
		return js.Undefined()
	}
	return r.parts(u)
}

// nativeChangeURL returns the parts of a URL of which one was set, as the standard's setters do it: a
// value that does not fit changes nothing.
func (r *run) nativeChangeURL(c js.FunctionCall) js.Value {
	value := usv(c.Argument(2))
	u, err := url.Parse(c.Argument(0).String())
	if err != nil || len(value) > maxURL {
		return js.Undefined()
	}
	set := map[string]func(string){
		"protocol": u.SetProtocol, "username": u.SetUsername, "password": u.SetPassword, "host": u.SetHost, "hostname": u.SetHostname,
		"port": u.SetPort, "pathname": u.SetPathname, "search": u.SetSearch, "hash": u.SetHash,
	}[c.Argument(1).String()]
	if set == nil {
		return js.Undefined()
	}
	set(value)
	return r.parts(u)
}

func (r *run) parts(u *url.Url) js.Value {
	o := r.vm.NewObject()
	for name, text := range map[string]string{
		"href": u.Href(false), "protocol": u.Protocol(), "username": u.Username(), "password": u.Password(), "host": u.Host(), "hostname": u.Hostname(),
		"port": u.Port(), "pathname": u.Pathname(), "search": u.Search(), "hash": u.Hash(), "origin": origin(u),
	} {
		r.set(o, name, r.vm.ToValue(text))
	}
	return o
}

// origin is "null" for a scheme that has none; that of a blob is the one of the URL in its path.
func origin(u *url.Url) string {
	switch u.Scheme() {
	case "http", "https", "ws", "wss", "ftp":
		return u.Protocol() + "//" + u.Host()
	case "blob":
		if inner, err := url.Parse(u.Pathname()); err == nil && (inner.Scheme() == "http" || inner.Scheme() == "https") {
			return origin(inner)
		}
	}
	return "null"
}

// nativeReadForm returns the names and values of a query in turn.
func (r *run) nativeReadForm(c js.FunctionCall) js.Value {
	var out []any
	for pair := range strings.SplitSeq(usv(c.Argument(0)), "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		out = append(out, unescapeForm(name), unescapeForm(value))
	}
	return r.vm.NewArray(out...)
}

// unescapeForm leaves a "%" that no two digits follow as it is.
func unescapeForm(s string) string {
	s = strings.ReplaceAll(s, "+", " ")
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := neturl.PathUnescape(s[i : i+3]); err == nil {
				b.WriteString(c)
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}

// formSet is where the standard's form encoding differs from Go's.
var formSet = strings.NewReplacer("~", "%7E", "%2A", "*")

// nativeWriteForm writes names and values, given in turn, as a query.
func (r *run) nativeWriteForm(c js.FunctionCall) js.Value {
	var b strings.Builder
	for i := 0; i+1 < len(c.Arguments); i += 2 {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(formSet.Replace(neturl.QueryEscape(usv(c.Arguments[i]))) + "=" + formSet.Replace(neturl.QueryEscape(usv(c.Arguments[i+1]))))
	}
	return r.vm.ToValue(b.String())
}

// nativeText decodes UTF-8: bytes, whether a mark at the start stays, whether what is none is an error,
// of which undefined tells.
func (r *run) nativeText(c js.FunctionCall) js.Value {
	b, _ := c.Argument(0).Export().([]byte)
	if !c.Argument(1).ToBoolean() {
		b = bytes.TrimPrefix(b, []byte("\uFEFF"))
	}
	if c.Argument(2).ToBoolean() && !utf8.Valid(b) {
		return js.Undefined()
	}
	return r.vm.ToValue(decodeUTF8(b))
}

// decodeUTF8 puts one U+FFFD in the place of each longest part of a character, as the Encoding standard
// does; Go's own conversion puts one for each byte.
func decodeUTF8(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var out strings.Builder
	for len(b) > 0 {
		c, n := utf8.DecodeRune(b)
		if c == utf8.RuneError && n == 1 {
			n = cutShort(b)
		}
		out.WriteRune(c)
		b = b[n:]
	}
	return out.String()
}

// cutShort is how many bytes at the start of b, which hold no character, are the beginning of one.
func cutShort(b []byte) int {
	n := 1
	for n < min(len(b), utf8.UTFMax) && !utf8.FullRune(b[:n+1]) {
		n++
	}
	if n == 1 || utf8.FullRune(b[:n]) {
		return 1
	}
	return n
}

// nativeAtob decodes base64 to a text of characters up to U+00FF; undefined for what is none.
func (r *run) nativeAtob(c js.FunctionCall) js.Value {
	text := strings.Map(func(c rune) rune {
		if strings.ContainsRune("\t\n\f\r ", c) {
			return -1
		}
		return c
	}, c.Argument(0).String())
	if len(text)%4 == 0 {
		text = strings.TrimSuffix(strings.TrimSuffix(text, "="), "=")
	}
	raw, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil || strings.ContainsAny(text, "\r\n") {
		return js.Undefined()
	}
	wide := make([]rune, len(raw))
	for i, b := range raw {
		wide[i] = rune(b)
	}
	return r.vm.ToValue(string(wide))
}

// nativeBase64 encodes a text of characters up to U+00FF; undefined for another.
func (r *run) nativeBase64(c js.FunctionCall) js.Value {
	text := c.Argument(0).String()
	raw := make([]byte, 0, len(text))
	for _, c := range text {
		if c > 0xFF {
			return js.Undefined()
		}
		raw = append(raw, byte(c))
	}
	return r.vm.ToValue(base64.StdEncoding.EncodeToString(raw))
}
