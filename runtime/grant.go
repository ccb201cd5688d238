package runtime

// This file holds grants: what one agent may do for one principal, until when, and what it may spend.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"codemode/directory/contract"
)

// Grant answers five questions: for whom and which agent, which resource, which operations, until
// when, and which calls need a decision. The zero Grant permits nothing.
type Grant struct {
	Principal string `json:"principal"` // "user:ana"
	Agent     string `json:"agent"`     // "agent:misc"
	// Resource is a pattern over row keys: "*", "CRM_*".
	Resource string `json:"resource"`
	// Operations are patterns over names: "crm.listContacts", "cli.*", "*".
	Operations []string `json:"operations"`
	// When is a CEL condition over args; "" always holds.
	When string `json:"when"`
	// Expires is "task" (with the task) or a time as RFC 3339 writes it; "" means "task".
	Expires   string    `json:"expires"`
	Decisions Decisions `json:"decisions"`
	// Egress are the origins ("https://api.example.com") that calls may reach. Loopback and private
	// addresses are reached only when they are named.
	Egress []string `json:"egress"`
	Budget Budget   `json:"budget"`
}

// Decisions says which calls wait for a person.
type Decisions struct {
	// Required lists effects ("irreversible") and operation patterns. Nil, when the grant does not
	// say, means every write; an empty list means none.
	Required []string `json:"required"`
	// Mode is "suspend" or "simulate"; "" means "suspend".
	Mode string `json:"mode"`
}

// ParseGrants reads a grant file: one grant, or an array of them. An error says where and what.
func ParseGrants(file string, text []byte) ([]Grant, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, grantError(file, "the file is empty").WithHint(`an empty grant is written {}`)
	}
	var grants []Grant
	var err error
	if bytes.TrimSpace(text)[0] == '[' {
		err = decodeStrict(text, &grants)
	} else {
		grants = make([]Grant, 1)
		err = decodeStrict(text, &grants[0])
	}
	if err != nil {
		return nil, grantError(file, "%s", placed(text, err))
	}
	for i := range grants {
		if err := grants[i].check(); err != nil {
			return nil, grantError(file, "grant %d: %v", i+1, err)
		}
	}
	return grants, nil
}

func grantError(file, format string, args ...any) *Error {
	return Errorf(InvalidArgument, "grant file %s: %s", file, fmt.Sprintf(format, args...))
}

func decodeStrict(text []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("there is more after the first JSON value")
	}
	return nil
}

// placed adds the line and column to a JSON error that knows its offset.
func placed(text []byte, err error) string {
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at := PosIn(string(text), int(min(syntax.Offset, int64(len(text)))))
		return fmt.Sprintf("line %d, column %d: %v", at.Line, at.Column, err)
	case errors.As(err, &typ):
		at := PosIn(string(text), int(min(typ.Offset, int64(len(text)))))
		return fmt.Sprintf("line %d, column %d: %s is a %s, want %s", at.Line, at.Column, cmp.Or(typ.Field, "the value"), typ.Value, goWord(typ.Type.String()))
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "the JSON ends too early"
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

func goWord(t string) string {
	switch {
	case strings.HasPrefix(t, "int"):
		return "a whole number"
	case strings.HasPrefix(t, "[]"):
		return "an array of " + strings.TrimPrefix(t, "[]") + "s"
	case strings.Contains(t, "."):
		return "an object"
	}
	return "a " + t
}

func (g Grant) check() error {
	if g.Empty() {
		return nil
	}
	if g.Principal == "" || g.Agent == "" {
		return errors.New(`principal and agent must be named, as "user:ana" and "agent:misc"`)
	}
	for _, p := range append(slices.Clone(g.Operations), g.Resource) {
		if _, err := path.Match(p, ""); err != nil {
			return fmt.Errorf("%q is no pattern: a name with * in it", p)
		}
	}
	if _, err := g.expiry(); err != nil {
		return err
	}
	if err := g.Decisions.check(); err != nil {
		return err
	}
	for _, origin := range g.Egress {
		if err := checkOrigin(origin); err != nil {
			return err
		}
	}
	return nil
}

// Empty reports a grant that permits nothing.
func (g Grant) Empty() bool { return len(g.Operations) == 0 }

func (d Decisions) check() error {
	if !slices.Contains([]string{"", "suspend", "simulate"}, d.Mode) {
		return fmt.Errorf(`decisions.mode is %q, want "suspend" or "simulate"`, d.Mode)
	}
	for _, r := range d.Required {
		if _, err := path.Match(r, ""); err != nil || !isEffect(r) && !strings.ContainsAny(r, ".*") {
			return fmt.Errorf("decisions.required has %q, want an effect (read, reversible, irreversible) or an operation pattern", r)
		}
	}
	return nil
}

func isEffect(s string) bool {
	return slices.Contains([]string{string(contract.Read), string(contract.Reversible), string(contract.Irreversible)}, s)
}

// checkOrigin accepts "scheme://host[:port]" and nothing more (RFC 6454).
func checkOrigin(origin string) error {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil ||
		strings.TrimSuffix(origin, "/") != u.Scheme+"://"+u.Host || strings.Contains(u.Host, "*") {
		return fmt.Errorf("egress has %q, want an origin such as https://api.example.com", origin)
	}
	return nil
}

// expiry is when the grant ends; the zero time when it ends with the task.
func (g Grant) expiry() (time.Time, error) {
	if g.Expires == "" || g.Expires == "task" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, g.Expires)
	if err != nil {
		return time.Time{}, fmt.Errorf(`expires is %q, want "task" or a time such as 2030-01-31T12:00:00Z`, g.Expires)
	}
	return t, nil
}

// Covers reports whether the grant names the contract: its operation and its resource.
func (g Grant) Covers(c contract.Contract) bool {
	return matchesAny(g.Operations, c.Name) && (g.Resource == "*" || matchesAny([]string{g.Resource}, c.Key))
}

// Expired reports whether the grant has ended at now.
func (g Grant) Expired(now time.Time) bool {
	t, err := g.expiry()
	return err != nil || !t.IsZero() && !now.Before(t)
}

// NeedsDecision reports whether a person must decide on a call of the contract.
func (g Grant) NeedsDecision(c contract.Contract) bool {
	if g.Decisions.Required == nil {
		return c.Effect != contract.Read
	}
	return slices.ContainsFunc(g.Decisions.Required, func(r string) bool {
		return r == string(c.Effect) || !isEffect(r) && matchesAny([]string{r}, c.Name)
	})
}

// matchesAny matches "*" against everything; elsewhere a star stands for any text without a slash.
func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := path.Match(p, name)
		return p == "*" || err == nil && ok
	})
}
