package directory

// This file finds credentials that stand in rows, and in what was learnt of them. A finding says where and of what kind, never
// what.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// secretPattern is a shape that is a credential.
type secretPattern struct {
	kind string
	re   *regexp.Regexp
	// needs are lower-case texts of which one must stand there; without them the expression, which
	// is slow on long text, is not tried.
	needs []string
	// digit demands one, since words can have the shape too ("bearer authentication").
	digit bool
}

// secretShapes are credentials wherever they stand, prose included.
var secretShapes = []secretPattern{
	{kind: "an AWS access key", needs: []string{"akia", "asia"}, re: regexp.MustCompile(`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`)},
	{kind: "a GitHub token", needs: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"}, re: regexp.MustCompile(`\bgh[pousr]_[0-9A-Za-z]{20,}|\bgithub_pat_[0-9A-Za-z_]{20,}`)},
	{kind: "a GitLab token", needs: []string{"glpat-"}, re: regexp.MustCompile(`\bglpat-[0-9A-Za-z_-]{16,}`)},
	{kind: "a Slack token", needs: []string{"xox"}, re: regexp.MustCompile(`\bxox[abeoprs]-[0-9A-Za-z-]{10,}`)},
	{kind: "a Slack webhook", needs: []string{"hooks.slack.com"}, re: regexp.MustCompile(`hooks\.slack\.com/services/[A-Z0-9]+/[A-Z0-9]+/[0-9A-Za-z]{10,}`)},
	{kind: "an API key", needs: []string{"sk-", "sk_", "pk-", "pk_", "rk-", "rk_"}, re: regexp.MustCompile(`\b(?:sk|pk|rk)[-_][0-9A-Za-z_-]{16,}`), digit: true},
	{kind: "a Google API key", needs: []string{"aiza"}, re: regexp.MustCompile(`\bAIza[0-9A-Za-z_-]{30,}`)},
	{kind: "a private key", needs: []string{"private key-----"}, re: regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----`)},
	{kind: "a JSON web token", needs: []string{"eyj"}, re: regexp.MustCompile(`\beyJ[0-9A-Za-z_-]{8,}\.eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}`)},
	{kind: "a bearer token", needs: []string{"bearer"}, re: regexp.MustCompile(`(?i)\bbearer\s+[0-9A-Za-z._~+/=-]{8,}`), digit: true},
	{kind: "basic credentials", needs: []string{"basic"}, re: regexp.MustCompile(`(?i)\bbasic\s+[0-9A-Za-z+/]{12,}={0,2}`), digit: true},
	{kind: "a password in a URL", needs: []string{"@"}, re: regexp.MustCompile(`[a-z][a-z0-9+.-]*://[^\s/:@]*:[^\s/@$]+@`)},
}

// namedSecrets are values beside a name that says so. In prose such a name is mostly documentation.
var namedSecrets = []secretPattern{
	{kind: "a credential", needs: []string{"key", "token", "secret", "passw"}, re: regexp.MustCompile(`(?i)(?:^|["'?&;:\s-])(?:api[_-]?key|access[_-]?token|auth[_-]?token|client[_-]?secret|secret[_-]?key|secret|passwd|password|token)["']?\s*[=:]\s*["']?[0-9A-Za-z._~+/-]{6,}`)},
}

// placeholderRE is what documentation puts in the place of a credential.
var placeholderRE = regexp.MustCompile(`(?i)(?:^|[^a-z0-9])(?:your|my|example|placeholder|redacted|string|required|optional)(?:[^a-z0-9]|$)|x{4,}|<|\.\.\.`)

func (l *linter) secrets(r *Row) {
	callable := map[string]string{"target": r.Target, "template": r.Template}
	prose := map[string]string{"description": r.Description, "when_to_use": r.WhenToUse}
	if head, ok := strings.CutSuffix(strings.TrimSpace(strings.ReplaceAll(r.Content, "\r\n", "\n")), r.Template); ok {
		prose["documentation"] = head
	}
	for _, name := range r.operations() {
		callable["operation "+name] = r.TargetMap[name].Target + "\n" + r.TargetMap[name].Content
	}
	for i, example := range r.Examples {
		prose[fmt.Sprintf("example %d", i+1)] = string(example)
	}
	l.secretsIn(r, callable, append(slices.Clone(secretShapes), namedSecrets...))
	l.secretsIn(r, prose, secretShapes)
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		if kind := secretInHeader(name, r.Headers[name]); kind != "" {
			l.secret(r, kind, "header "+name)
		}
	}
}

func (l *linter) secret(r *Row, kind, where string) {
	l.error(r, "secret_in_row", fmt.Sprintf("%s stands in %s", kind, where), "revoke it, and write $NAME for a secret that the service fills in")
}

// observed looks at the texts of observed.json, keys included: what was learnt of results can hold a piece
// of one.
func (l *linter) observed(d *Directory) {
	for ref, o := range d.Observed {
		for _, raw := range []json.RawMessage{o.Schema, o.Seen} {
			if kind := secretInJSON(raw); kind != "" {
				l.findings = append(l.findings, Finding{File: d.observed, Line: d.observedAt[ref], Key: clipped(ref), Severity: SeverityError, Rule: "secret_in_observed",
					Message: kind + " stands in what was learnt", Hint: "revoke it; remove the entry and learn it again"})
				break
			}
		}
	}
}

func secretInJSON(raw json.RawMessage) string {
	dec := json.NewDecoder(bytes.NewReader(raw))
	for {
		token, err := dec.Token()
		if err != nil {
			return ""
		}
		if text, ok := token.(string); ok {
			if kind := SecretKind(text); kind != "" {
				return kind
			}
		}
	}
}

func (l *linter) secretsIn(r *Row, texts map[string]string, patterns []secretPattern) {
	for _, where := range slices.Sorted(maps.Keys(texts)) {
		if kind := secretIn(texts[where], patterns); kind != "" {
			l.secret(r, kind, where)
		}
	}
}

// secretIn returns the kind of the first credential in text, or "".
func secretIn(text string, patterns []secretPattern) string {
	lower := strings.ToLower(text)
	for _, p := range patterns {
		if !slices.ContainsFunc(p.needs, func(need string) bool { return strings.Contains(lower, need) }) {
			continue
		}
		for _, found := range p.re.FindAllString(text, -1) {
			if !placeholderRE.MatchString(found) && (!p.digit || strings.ContainsAny(found, "0123456789")) {
				return p.kind
			}
		}
	}
	return ""
}

// SecretKind says of what kind the first credential in a text is, such as "an AWS access key"; "" where
// none is found.
func SecretKind(text string) string {
	if kind := secretIn(text, secretShapes); kind != "" {
		return kind
	}
	return secretIn(text, namedSecrets)
}

func secretInHeader(name, value string) string {
	if kind := secretIn(value, secretShapes); kind != "" {
		return kind
	}
	if len(LiteralCredentials(name, value)) == 0 || placeholderRE.MatchString(value) {
		return ""
	}
	return "a credential"
}
