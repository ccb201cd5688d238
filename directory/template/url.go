package template

// This file parses and renders the URL of an http template (RFC 3986). A slot is percent-encoded
// for its component; one in the host may only be a host name.

import (
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"
)

// urlTemplate is a URL cut into its components before slots are looked for.
type urlTemplate struct {
	base     []part   // a slot at the very start that gives scheme and host, else nil
	scheme   string   // "https"
	userinfo []part   // before "@", or nil
	host     []part   // with the port
	segments [][]part // of the path, between slashes; nil without a path
	query    []pair   // nil without a query
}

// pair is one name=value of a query or form.
type pair struct {
	name  []part
	value []part
	bare  bool // no "="
}

// parseURL reads an absolute http or https URL. "$1/path" is allowed too: then the slot's value is
// the absolute URL that the path is added to.
func parseURL(b *builder, text string) (*urlTemplate, error) {
	if i := strings.IndexByte(text, '#'); i >= 0 {
		return nil, fmt.Errorf("%w: url: a fragment is never sent; leave out %q", ErrTemplate, "#")
	}
	u := &urlTemplate{}
	rest, err := u.parseOrigin(b, text)
	if err != nil {
		return nil, err
	}
	path, query, hasQuery := strings.Cut(rest, "?")
	u.parsePath(b, path)
	if hasQuery {
		u.query = parsePairs(b, query, URLQuery)
	}
	return u, nil
}

var schemeRE = regexp.MustCompile(`(?i)^(https?)://`)

func (u *urlTemplate) parseOrigin(b *builder, text string) (rest string, err error) {
	if strings.HasPrefix(text, "$") {
		return u.parseBase(b, text)
	}
	m := schemeRE.FindStringSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("%w: url: must start with http:// or https://", ErrTemplate)
	}
	u.scheme = strings.ToLower(m[1])
	text = text[len(m[0]):]
	end := span(text, func(c byte) bool { return c != '/' && c != '?' })
	authority, rest := text[:end], text[end:]
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		u.userinfo = b.lex(authority[:at], place{ctx: URLHost})
		authority = authority[at+1:]
	}
	u.host = b.lex(authority, place{ctx: URLHost})
	return rest, u.checkOrigin(authority)
}

func (u *urlTemplate) checkOrigin(authority string) error {
	if authority == "" {
		return fmt.Errorf("%w: url: no host", ErrTemplate)
	}
	for _, p := range u.userinfo {
		if p.slot != nil && p.slot.Form != Secret {
			return fmt.Errorf("%w: url: %s stands before @; only a secret may", ErrTemplate, p.slot.src)
		}
	}
	for _, p := range u.host {
		if p.slot == nil && !hostRE.MatchString(p.lit) {
			return fmt.Errorf("%w: url: not a host: %q", ErrTemplate, p.lit)
		}
	}
	return nil
}

func (u *urlTemplate) parseBase(b *builder, text string) (rest string, err error) {
	end := span(text, func(c byte) bool { return c != '/' && c != '?' })
	u.base = b.lex(text[:end], place{ctx: URLHost, hint: "url"})
	if len(u.base) != 1 || u.base[0].slot == nil {
		return "", fmt.Errorf("%w: url: must start with http:// or https://, or with one slot that gives the whole start", ErrTemplate)
	}
	return text[end:], nil
}

func (u *urlTemplate) parsePath(b *builder, path string) {
	if path == "" {
		return
	}
	before := ""
	for _, segment := range strings.Split(path[1:], "/") {
		parts := b.lex(segment, place{ctx: URLPath, hint: before})
		u.segments = append(u.segments, parts)
		if !hasSlot(parts) {
			before = segment
		}
	}
}

// parsePairs cuts name=value pairs; it serves queries and forms.
func parsePairs(b *builder, text string, ctx Context) []pair {
	pairs := []pair{}
	if text == "" {
		return pairs
	}
	for _, one := range strings.Split(text, "&") {
		name, value, ok := strings.Cut(one, "=")
		p := pair{name: b.lex(name, place{ctx: ctx}), bare: !ok}
		if ok {
			hint := name
			if hasSlot(p.name) {
				hint = ""
			}
			p.value = b.lex(value, place{ctx: ctx, hint: hint})
		}
		pairs = append(pairs, p)
	}
	return pairs
}

// origin is the literal "scheme://host" or "" when a slot stands in it.
func (u *urlTemplate) origin() string {
	if u.base != nil || hasSlot(u.host) {
		return ""
	}
	host := ""
	for _, p := range u.host {
		host += p.lit
	}
	return u.scheme + "://" + strings.ToLower(host)
}

func (f *filler) renderURL(u *urlTemplate) (string, error) {
	start, err := f.renderOrigin(u)
	if err != nil {
		return "", err
	}
	path, err := f.renderPath(u.segments)
	if err != nil {
		return "", err
	}
	query, err := f.renderPairs(u.query, escapeQuery)
	if err != nil {
		return "", err
	}
	if query != "" {
		query = "?" + query
	}
	if u.base != nil && path != "" {
		start = strings.TrimSuffix(start, "/")
	}
	return checkURL(start + path + query)
}

func checkURL(text string) (string, error) {
	parsed, err := url.Parse(text)
	if err != nil || parsed.Host == "" || strings.ContainsAny(text, "\r\n\x00 ") {
		return "", fmt.Errorf("%w: the rendered url is not valid", ErrStructure)
	}
	return text, nil
}

func (f *filler) renderOrigin(u *urlTemplate) (string, error) {
	if u.base != nil {
		return f.renderBase(u)
	}
	user, _, err := f.fill(u.userinfo, func(_ *slot, s string) (string, error) { return percent(s), nil })
	if err != nil {
		return "", err
	}
	host, _, err := f.fill(u.host, escapeHost)
	if err != nil {
		return "", err
	}
	if !validHost(host) || movedHost(u.host, host) {
		return "", fmt.Errorf("%w: url: the value would name another host", ErrStructure)
	}
	if u.userinfo != nil {
		user += "@"
	}
	return u.scheme + "://" + user + host, nil
}

// movedHost reports whether a raw slot within a host brought labels of its own.
func movedHost(parts []part, host string) bool {
	if !hasRaw(parts) || len(parts) == 1 {
		return false
	}
	dots := 0
	for _, p := range parts {
		dots += strings.Count(p.lit, ".")
	}
	return strings.Count(host, ".") != dots
}

// renderBase takes an absolute URL from the caller. Followed by a path it must not have a query.
func (f *filler) renderBase(u *urlTemplate) (string, error) {
	text, absent, err := f.text(u.base[0].slot)
	if err != nil {
		return "", err
	}
	parsed, perr := url.Parse(text)
	switch {
	case absent, perr != nil, !schemeRE.MatchString(text), !validHost(parsed.Host):
		return "", fmt.Errorf("%w: %s must be an absolute http or https url", ErrValue, u.base[0].slot.src)
	case parsed.User != nil, strings.ContainsAny(text, "#\\ "):
		return "", fmt.Errorf("%w: %s must be a url without user, fragment, space or backslash", ErrValue, u.base[0].slot.src)
	case strings.Contains(text, "?") && (u.segments != nil || u.query != nil):
		return "", fmt.Errorf("%w: %s must be a url without a query", ErrValue, u.base[0].slot.src)
	}
	return text, nil
}

// hostRE matches what literal text of a host may hold.
var hostRE = regexp.MustCompile(`^[A-Za-z0-9._:\[\]-]+$`)

var (
	labelRE = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
	portRE  = regexp.MustCompile(`^[0-9]{1,5}$`)
	nameRE  = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)
)

// escapeHost refuses what is no host name: nothing can be escaped there.
func escapeHost(s *slot, text string) (string, error) {
	ok := false
	switch {
	case s.Whole:
		ok = validHost(text)
	case strings.HasSuffix(s.Before, ":"):
		ok = portRE.MatchString(text)
	default:
		ok = labelRE.MatchString(text)
	}
	if !ok {
		return "", fmt.Errorf("%w: not a host name", ErrValue)
	}
	return text, nil
}

// validHost accepts a name or address with an optional port.
func validHost(hostport string) bool {
	host, port := hostport, ""
	if h, p, err := net.SplitHostPort(hostport); err == nil {
		host, port = h, p
		if !portRE.MatchString(port) {
			return false
		}
	} else if inner, ok := strings.CutPrefix(host, "["); ok {
		host = strings.TrimSuffix(inner, "]")
	}
	return net.ParseIP(host) != nil || nameRE.MatchString(host)
}

func (f *filler) renderPath(segments [][]part) (string, error) {
	var out strings.Builder
	for _, parts := range segments {
		text, err := f.renderSegment(parts)
		if err != nil {
			return "", err
		}
		out.WriteString("/" + text)
	}
	return out.String(), nil
}

func (f *filler) renderSegment(parts []part) (string, error) {
	text, absent, err := f.fill(encodeLiterals(parts), func(s *slot, v string) (string, error) {
		if v == "" && s.Whole {
			return "", fmt.Errorf("%w: an empty path segment would name another resource", ErrValue)
		}
		return percent(v), nil
	})
	if err != nil || absent || !hasSlot(parts) {
		return text, err
	}
	if hasRaw(parts) && (strings.ContainsAny(text, "/?#\\") || !validPercent(text)) {
		return "", fmt.Errorf("%w: a raw slot changed the url's path", ErrStructure)
	}
	if plain := strings.ReplaceAll(strings.ToLower(text), "%2e", "."); plain == "." || plain == ".." {
		return "", fmt.Errorf("%w: %q as a path segment would name another resource", ErrStructure, plain)
	}
	return text, nil
}

// renderPairs renders name=value pairs. A pair whose whole value is absent is dropped.
func (f *filler) renderPairs(pairs []pair, escape escaper) (string, error) {
	var out []string
	for _, p := range pairs {
		text, absent, err := f.renderPair(p, escape)
		if err != nil {
			return "", err
		}
		if !absent {
			out = append(out, text)
		}
	}
	return strings.Join(out, "&"), nil
}

func (f *filler) renderPair(p pair, escape escaper) (text string, absent bool, err error) {
	name, absent, err := f.fill(encodeLiterals(p.name), escape)
	if err != nil || absent {
		return "", absent, err
	}
	if hasRaw(p.name) && (strings.ContainsAny(name, "&=#") || !validPercent(name)) {
		return "", false, fmt.Errorf("%w: a raw slot changed a parameter's name", ErrStructure)
	}
	if p.bare {
		return name, false, nil
	}
	value, absent, err := f.fill(encodeLiterals(p.value), escape)
	if err != nil || absent {
		return "", absent, err
	}
	if hasRaw(p.value) && (strings.ContainsAny(value, "&;#") || !validPercent(value)) {
		return "", false, fmt.Errorf("%w: a raw slot changed the parameters", ErrStructure)
	}
	return name + "=" + value, false, nil
}

func escapeQuery(_ *slot, text string) (string, error) { return percent(text), nil }

func escapeForm(_ *slot, text string) (string, error) { return url.QueryEscape(text), nil }

// percent encodes everything but the unreserved characters of RFC 3986.
func percent(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }

// encodeLiterals percent-encodes what an author wrote plainly and a URL cannot hold: spaces,
// controls, quotes and characters beyond ASCII. Existing escapes stay.
func encodeLiterals(parts []part) []part {
	out := make([]part, len(parts))
	for i, p := range parts {
		out[i] = p
		if p.slot == nil {
			out[i].lit = encodeLiteral(p.lit)
		}
	}
	return out
}

func encodeLiteral(text string) string {
	var out strings.Builder
	for i := range len(text) {
		c := text[i]
		if c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 || c == '%' && !validPercent(text[i:min(i+3, len(text))]) {
			fmt.Fprintf(&out, "%%%02X", c)
			continue
		}
		out.WriteByte(c)
	}
	return out.String()
}

// validPercent reports whether every byte of text may stand in a URL and every "%" starts an escape.
func validPercent(text string) bool {
	for i := range len(text) {
		if text[i] <= ' ' || text[i] >= 0x7f {
			return false
		}
		if text[i] == '%' && (i+2 >= len(text) || !isHex(text[i+1]) || !isHex(text[i+2])) {
			return false
		}
	}
	return true
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}
