package directory

// This file lints where a row goes: the function, method or endpoint, the credential, and dollars
// that are sent as they stand.

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"codemode/directory/template"
)

// key warns of characters that a name cannot hold: two keys that differ in them alone collide.
func (l *linter) key(r *Row) {
	l.lossy(r, "the key", r.Key)
	for _, name := range r.operations() {
		l.lossy(r, "operation "+name, name)
	}
}

// escapedRE matches what an importer writes for a character that no key may hold.
var escapedRE = regexp.MustCompile(`%[0-9A-F]{2}`)

func (l *linter) lossy(r *Row, what, key string) {
	var lost []string
	for _, c := range escapedRE.ReplaceAllString(key, "") {
		kept := unicode.In(c, unicode.L, unicode.M, unicode.Nd) || strings.ContainsRune("/.:_- ", c)
		if text := fmt.Sprintf("%q", string(c)); !kept && !slices.Contains(lost, text) && len(lost) < 5 {
			lost = append(lost, text)
		}
	}
	if lost != nil {
		l.warn(r, "lossy_key", fmt.Sprintf("%s holds %s, which its name in scripts leaves out", what, strings.Join(lost, ", ")), "use letters, digits and _ . - /")
	}
}

// methods are what an http row is known to send.
var methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions}

// method tells a misspelt method from one that is only rare.
func (l *linter) method(r *Row, p part, method string) {
	near := nearest(method, methods)
	switch {
	case method == "" || slices.Contains(methods, method):
	case method == http.MethodConnect || method == http.MethodTrace:
		l.error(r, "unknown_method", fmt.Sprintf("%s%s is never sent", p.prefix(), method), "use "+strings.Join(methods, ", "))
	case near != "":
		l.error(r, "unknown_method", fmt.Sprintf("%sno HTTP method is called %q", p.prefix(), method), fmt.Sprintf("did you mean %q?", near))
	default:
		l.warn(r, "unknown_method", fmt.Sprintf("%s%q is no common HTTP method", p.prefix(), method), "use "+strings.Join(methods, ", ")+", unless the destination wants it so")
	}
}

// target asks for one where the template does not hold it.
func (l *linter) target(r *Row) {
	missing := strings.TrimSpace(r.Target) == ""
	switch {
	case len(r.TargetMap) > 0:
	case r.Type == Fn && missing:
		l.warn(r, "missing_target", "the row names no function; the one called "+r.Key+", like the row, is taken", "name the function in target")
	case r.Type == MCP && missing:
		l.error(r, "missing_target", "the row names no MCP server", "name the server in target")
	case (r.Type == Agent || r.Type == Dispatch) && missing:
		l.error(r, "missing_target", "the row names no endpoint", "write the endpoint's URL in target")
	case r.Type == Agent || r.Type == Dispatch:
		l.endpoint(r)
	}
}

// endpoint lints the target of an agent or dispatch row, which is sent to as a request is.
func (l *linter) endpoint(r *Row) {
	target := strings.TrimSpace(r.Target)
	if !strings.HasPrefix(strings.ToUpper(target), "POST ") {
		target = "POST " + target
	}
	t, err := template.Parse(template.Source{Kind: template.HTTP, Target: target, Headers: r.Headers})
	if err != nil {
		message, _ := strings.CutPrefix(err.Error(), template.ErrTemplate.Error()+": ")
		l.error(r, "invalid_template", "the endpoint: "+message, "")
		return
	}
	l.lowerCase(r, part{}, t.Dollars)
}

// lowerCase reports "$name" in lower or mixed case. Where a credential may stand it is one that is
// sent as it is written; elsewhere it may be meant so.
func (l *linter) lowerCase(r *Row, p part, dollars []template.Dollar) {
	var said []string
	for _, d := range dollars {
		if d.Reason != "lower case" || slices.Contains(said, string(d.Context)+d.Text) {
			continue
		}
		said = append(said, string(d.Context)+d.Text)
		upper := strings.ToUpper(d.Text)
		switch d.Context {
		case template.Header:
			if len(r.TargetMap) == 0 || p.operation == r.operations()[0] { // the headers are all operations'
				l.error(r, "lower_case_secret", d.Text+" stands in a header and is sent as it is; secrets are upper case: "+upper, "write "+upper+", or $1 for an argument")
			}
		case template.URLHost, template.URLQuery:
			l.error(r, "lower_case_secret", fmt.Sprintf("%s%s stands in the URL and is sent as it is; secrets are upper case: %s", p.prefix(), d.Text, upper), "write "+upper+", or $1 for an argument")
		default:
			l.warn(r, "dollar_as_text", fmt.Sprintf("%s%s is kept as text: arguments are numbered, secrets upper case, and no earlier step of a flow is named so", p.prefix(), d.Text),
				"write $1 for an argument, "+upper+" for a secret, or leave it if it is meant so")
		}
	}
}

// credential lints auth: NAME, bearer:NAME, basic:NAME or header:FIELD:NAME.
func (l *linter) credential(r *Row) {
	auth := strings.TrimSpace(r.Auth)
	kind, name, ok := strings.Cut(auth, ":")
	if !ok {
		kind, name = "bearer", auth
	}
	if name == "" && !ok || strings.EqualFold(name, "none") {
		return
	}
	field := "Authorization"
	if kind == "header" {
		field, name, _ = strings.Cut(name, ":")
	}
	const forms = "write NAME, bearer:NAME, basic:NAME or header:FIELD:NAME"
	plain := strings.TrimPrefix(name, "$")
	switch {
	case !slices.Contains([]string{"bearer", "basic", "header"}, kind):
		l.error(r, "invalid_auth", fmt.Sprintf("auth has no kind %q", cut(kind)), forms)
	case strings.TrimSpace(field) == "" || !secretName.MatchString(plain):
		l.error(r, "invalid_auth", "auth does not name a secret", forms)
	case plain != strings.ToUpper(plain):
		l.error(r, "lower_case_secret", "auth names "+cut(name)+"; secrets are upper case: "+cut(strings.ToUpper(plain)), forms)
	case plain != name:
		l.error(r, "invalid_auth", "auth names a secret with a $", "write the name alone: "+cut(plain))
	}
}

// secretName matches a secret's name in any case.
var secretName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]+$`)

// cut bounds what a message quotes of a row.
func cut(text string) string {
	if runes := []rune(text); len(runes) > 60 {
		return string(runes[:60]) + "..."
	}
	return text
}
