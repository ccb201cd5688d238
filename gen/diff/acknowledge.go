package diff

// This file matches changes with what a person has reviewed.
//
//	[{"name": "crm.listContacts", "from": "sha256:...", "to": "sha256:...", "reason": "...", "by": "ana"}]

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// Acknowledgement says that a person has looked at one change and lets it be.
type Acknowledgement struct {
	// Name is the method's name after the change.
	Name string `json:"name"`
	// From and To are the digests of the contract before and after; From is "" for one that is new.
	From   string `json:"from"`
	To     string `json:"to"`
	Reason string `json:"reason"`
	By     string `json:"by"`
}

// maxAcknowledged caps a list.
const maxAcknowledged = 100_000

var digestForm = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// ParseAcknowledged reads a list. Errors name the entry, counted from 1: a field that is unknown,
// missing or no digest, and an entry twice.
func ParseAcknowledged(text []byte) ([]Acknowledgement, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	var list []Acknowledgement
	if err := dec.Decode(&list); err != nil {
		return nil, fmt.Errorf("want a list of {name, from, to, reason, by}: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("text after the list")
	}
	if len(list) > maxAcknowledged {
		return nil, fmt.Errorf("more than %d entries", maxAcknowledged)
	}
	seen := map[[3]string]int{}
	for i, a := range list {
		if wrong := a.wrong(); wrong != "" {
			return nil, fmt.Errorf("entry %d: %s", i+1, wrong)
		}
		id := [3]string{a.Name, a.From, a.To}
		if first, twice := seen[id]; twice {
			return nil, fmt.Errorf("entry %d: the same as entry %d", i+1, first)
		}
		seen[id] = i + 1
	}
	return list, nil
}

func (a Acknowledgement) wrong() string {
	switch {
	case a.Name == "":
		return "name is missing"
	case a.From != "" && !digestForm.MatchString(a.From):
		return `from is no digest, nor "" for a new operation`
	case !digestForm.MatchString(a.To):
		return "to is no digest"
	case strings.TrimSpace(a.Reason) == "":
		return "reason is missing; say why the change is right"
	case strings.TrimSpace(a.By) == "":
		return "by is missing; say who reviewed it"
	}
	return ""
}

// Acknowledge marks the changes that the list names by exactly their two digests. Those that match no
// widening are Unused.
func (r *Report) Acknowledge(list []Acknowledgement) {
	for _, a := range list {
		used := false
		for i := range r.Changes {
			if c := &r.Changes[i]; c.Widens && c.Name == a.Name && c.From == a.From && c.To == a.To {
				c.Acknowledged, used = &a, true
			}
		}
		if !used {
			r.Unused = append(r.Unused, a)
		}
	}
}
