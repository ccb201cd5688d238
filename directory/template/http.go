package template

// This file parses and renders http templates: method, URL, headers and body.

import (
	"fmt"
	"maps"
	"net/textproto"
	"slices"
	"strings"
)

// header is one request header of the row.
type header struct {
	name  string // canonical
	value []part
}

// ownHeaders belong to the connection or to the destination policy; no row may set them.
var ownHeaders = []string{"Host", "Content-Length", "Transfer-Encoding", "Connection", "Upgrade", "Te", "Trailer", "Keep-Alive", "Proxy-Authorization", "Proxy-Connection", "Expect"}

func (t *Template) parseHTTP(b *builder, src Source) (err error) {
	method, url := splitTarget(src.Target)
	if method == "" {
		method = "GET"
		if strings.TrimSpace(src.Content) != "" {
			method = "POST"
		}
	}
	t.method = method
	if t.url, err = parseURL(b, url); err != nil {
		return err
	}
	if t.headers, err = parseHeaders(b, src.Headers); err != nil {
		return err
	}
	t.body, err = parseBody(b, src.Content)
	return err
}

// splitTarget cuts "METHOD url". The method is "" where there is none.
func splitTarget(target string) (method, url string) {
	target = strings.TrimSpace(target)
	first, rest, ok := strings.Cut(target, " ")
	isMethod := ok && span(first, func(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' }) == len(first)
	if !isMethod {
		return "", target
	}
	return strings.ToUpper(first), strings.TrimSpace(rest)
}

func parseHeaders(b *builder, headers map[string]string) ([]header, error) {
	var out []header
	for _, key := range slices.Sorted(maps.Keys(headers)) {
		name := textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(key))
		switch {
		case name == "" || span(name, isHeaderByte) != len(name):
			return nil, fmt.Errorf("%w: header name %q is not a token", ErrTemplate, key)
		case slices.Contains(ownHeaders, name):
			return nil, fmt.Errorf("%w: header %s is not the row's to set", ErrTemplate, name)
		case slices.ContainsFunc(out, func(h header) bool { return h.name == name }):
			return nil, fmt.Errorf("%w: header %s stands twice", ErrTemplate, name)
		case !validHeader(strings.TrimSpace(headers[key])):
			return nil, fmt.Errorf("%w: header %s holds control characters", ErrTemplate, name)
		}
		value := b.lex(strings.TrimSpace(headers[key]), place{ctx: Header, hint: name})
		out = append(out, header{name: name, value: value})
	}
	return out, nil
}

// isHeaderByte matches a token of RFC 9110 section 5.6.2.
func isHeaderByte(c byte) bool {
	return isNameByte(c) || strings.IndexByte("!#%&'*+-.^`|~", c) >= 0
}

func validHeader(value string) bool {
	return !strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}

// Request renders an http template. Errors match ErrValue, ErrStructure or ErrSecret.
func (t *Template) Request(v Values) (*Request, error) {
	if err := t.want(HTTP); err != nil {
		return nil, err
	}
	f := &filler{v: v}
	url, err := f.renderURL(t.url)
	if err != nil {
		return nil, fmt.Errorf("url: %w", err)
	}
	req := &Request{Method: t.method, URL: url, Header: map[string]string{}}
	if err := f.renderHeaders(req, t.headers); err != nil {
		return nil, err
	}
	text, mediaType, err := f.renderBody(t.body)
	if err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	if own := req.Header["Content-Type"]; mediaType == jsonType && own != "" && !strings.Contains(strings.ToLower(own), "json") {
		if text, err = f.wholeText(t.body, text); err != nil {
			return nil, fmt.Errorf("body: %w", err)
		}
	}
	if mediaType == "" {
		delete(req.Header, "Content-Type") // without a body there is nothing that it says
	} else {
		req.Body = []byte(text)
		req.setType(mediaType)
	}
	return req, nil
}

// wholeText is a body that is one bare slot, as the text of a content type that is not JSON.
func (f *filler) wholeText(b body, text string) (string, error) {
	if b.json.kind != slotNode || !strings.HasPrefix(text, `"`) {
		return text, nil
	}
	return textOf([]byte(text))
}

// setType keeps the content type that the row's headers give.
func (r *Request) setType(mediaType string) {
	r.ContentType = mediaType
	if own, ok := r.Header["Content-Type"]; ok {
		r.ContentType = own
		delete(r.Header, "Content-Type")
	}
}

// renderHeaders leaves out a header whose whole value is absent: an empty one says something else
// than none.
func (f *filler) renderHeaders(req *Request, headers []header) error {
	for _, h := range headers {
		value, absent, err := f.fill(h.value, escapeHeader)
		if err != nil {
			return fmt.Errorf("header %s: %w", h.name, err)
		}
		if absent {
			continue
		}
		if !validHeader(value) {
			return fmt.Errorf("header %s: %w: control characters", h.name, ErrStructure)
		}
		if value != strings.TrimSpace(value) && hasSlot(h.value) {
			return fmt.Errorf("header %s: %w: white space at its ends is not sent", h.name, ErrValue)
		}
		req.Header[h.name] = value
	}
	return nil
}

// escapeHeader refuses what would end a header; nothing can be escaped there.
func escapeHeader(_ *slot, text string) (string, error) {
	if !validHeader(text) {
		return "", fmt.Errorf("%w: line breaks and control characters cannot stand in a header", ErrValue)
	}
	return text, nil
}
