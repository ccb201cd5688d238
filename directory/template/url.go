package template

// This file parses the URL of an http template (RFC 3986) into components.

import (
	"fmt"
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
		p := pair{name: b.lex(name, place{ctx: ctx, name: true}), bare: !ok}
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

// hostRE matches what literal text of a host may hold.
var hostRE = regexp.MustCompile(`^[A-Za-z0-9._:\[\]-]+$`)
