package template

// This file renders URLs and name=value pairs. A slot is percent-encoded for its component; one in
// the host may only be a host name.

import (
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"
)

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
		if several, ok, err := f.renderSpread(p, escape); ok || err != nil {
			if err != nil {
				return "", err
			}
			out = append(out, several...)
			continue
		}
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

// renderSpread renders a pair whose value is {name*} and stands for several; ok is false for any other.
func (f *filler) renderSpread(p pair, escape escaper) (out []string, ok bool, err error) {
	if len(p.value) != 1 || p.value[0].slot == nil || p.value[0].slot.spread != asPairs || hasSlot(p.name) {
		return nil, false, nil
	}
	s := p.value[0].slot
	name, _, err := f.fill(encodeLiterals(p.name), escape)
	if err != nil {
		return nil, false, err
	}
	pairs, ok, err := f.pairs("", s)
	for _, one := range pairs {
		key := name
		if one[0] != "" {
			if key, err = escape(s, one[0]); err != nil {
				return nil, true, err
			}
		}
		value, err := escape(s, one[1])
		if err != nil {
			return nil, true, err
		}
		out = append(out, key+"="+value)
	}
	return out, ok, err
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
