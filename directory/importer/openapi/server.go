package openapi

// This file finds where an operation is, and which secrets it wants.

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"github.com/pb33f/go-yaml"
)

// server is the base of the operation's URL: the operation's own, its path's, or the document's first.
func (o *operation) server() (string, error) {
	if o.d.opts.BaseURL != "" {
		return baseURL(o.d.opts.BaseURL)
	}
	for _, n := range []*yaml.Node{o.node, o.item, o.d.root} {
		list := items(o.d.get(n, "servers"))
		if len(list) == 0 {
			continue
		}
		if len(list) > 1 {
			o.d.findings.lose(o.key, list[1].Line, "servers after the first", "")
		}
		return baseURL(o.filled(list[0]))
	}
	return baseURL("/") // the specification's default
}

// filled is a server's URL with the defaults of its variables.
func (o *operation) filled(n *yaml.Node) string {
	text := o.d.text(o.d.get(n, "url"))
	for _, v := range o.d.pairs(o.d.get(n, "variables")) {
		text = strings.ReplaceAll(text, "{"+v.name+"}", o.d.text(o.d.get(v.value, "default")))
		o.d.findings.lose(o.key, v.line, "server variables: their defaults are written", "")
	}
	return text
}

func baseURL(text string) (string, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || strings.ContainsAny(text, "{}$\\ \t\r\n") || text != strings.Map(ascii, text):
		return "", errors.New("its server's url can't be written; give another base url")
	case u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return "", fmt.Errorf("its server %s names no host; give a base url", clip(text))
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "", errors.New("its server's url holds more than a host and a path; give another base url")
	}
	return strings.TrimSuffix(text, "/"), nil
}

func ascii(r rune) rune {
	if r <= ' ' || r > unicode.MaxASCII || r == 0x7f {
		return -1
	}
	return r
}

// security writes the first alternative that a row can carry: its secrets by name, never a value.
func (o *operation) security() {
	list := o.d.get(o.node, "security")
	if list == nil {
		list = o.d.get(o.d.root, "security")
	}
	alternatives := items(list)
	for i, requirement := range alternatives {
		schemes := o.d.pairs(requirement)
		if len(schemes) == 0 {
			if i > 0 || len(alternatives) > 1 {
				o.d.findings.note(o.key, o.line, "optional_auth", "an operation may be called without credentials, and its row calls it so", "give the row an auth, if the calls need one")
			}
			return
		}
	}
	for i, requirement := range alternatives {
		if !o.allCarried(requirement) {
			continue
		}
		for _, scheme := range o.d.pairs(requirement) {
			o.attach(scheme.name)
		}
		if i > 0 || len(alternatives) > 1 {
			o.d.findings.lose(o.key, o.line, "alternative security requirements", "")
		}
		return
	}
	if len(alternatives) > 0 {
		o.d.findings.lose(o.key, o.line, "security schemes that a row has no place for", "give the row an auth")
	}
}

// scheme is a security scheme with the template of its place.
type scheme struct{ auth, header, value, query, cookie string }

// allCarried reports whether a row has a place for every scheme of a requirement: one auth, and
// headers, queries and cookies beside it.
func (o *operation) allCarried(requirement *yaml.Node) bool {
	auths := 0
	for _, p := range o.d.pairs(requirement) {
		s, ok := o.scheme(p.name)
		if !ok {
			return false
		}
		if s.auth != "" {
			auths++
		}
	}
	return auths <= 1
}

// scheme reads one by name. OAuth and OpenID Connect end in a bearer token, which the operator gets.
func (o *operation) scheme(name string) (scheme, bool) {
	n, err := o.d.resolve(o.d.get(o.d.get(o.d.get(o.d.root, "components"), "securitySchemes"), name))
	if err != nil || n == nil {
		return scheme{}, false
	}
	secret, place := o.d.secretName(name), o.d.text(o.d.get(n, "name"))
	switch kind := strings.ToLower(o.d.text(o.d.get(n, "type"))); kind {
	case "http":
		way := strings.ToLower(o.d.text(o.d.get(n, "scheme")))
		return scheme{auth: way + ":" + secret}, way == "bearer" || way == "basic"
	case "oauth2", "openidconnect":
		return scheme{auth: "bearer:" + secret}, true
	case "apikey":
		switch in := o.d.text(o.d.get(n, "in")); {
		case in == "query" && place != "":
			return scheme{query: wire(place) + "=$" + secret}, true
		case in == "header" && token.MatchString(place):
			return scheme{header: place, value: "$" + secret}, true
		case in == "cookie" && token.MatchString(place) && !strings.Contains(place, "$"):
			return scheme{cookie: place + "=$" + secret}, true
		}
	}
	return scheme{}, false
}

func (o *operation) attach(name string) {
	s, _ := o.scheme(name)
	n, _ := o.d.resolve(o.d.get(o.d.get(o.d.get(o.d.root, "components"), "securitySchemes"), name))
	if kind := o.d.text(o.d.get(n, "type")); strings.EqualFold(kind, "oauth2") || strings.EqualFold(kind, "openIdConnect") {
		o.d.findings.lose(o.key, n.Line, "OAuth flows and scopes: the secret is an access token", "")
	}
	switch {
	case s.auth != "":
		o.row.Auth = s.auth
	case s.header != "":
		o.headers[s.header] = s.value
	case s.query != "":
		o.query = append(o.query, s.query)
	case s.cookie != "":
		o.cookie(s.cookie)
	}
}

// secretName is the name of a scheme's secret: upper case, the server's name first.
func (d *document) secretName(scheme string) string {
	name := strings.ToUpper(slug(d.server + "_" + scheme))
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "API_" + name
	}
	return name
}
