package diff

// This file matches changes with what a person has reviewed.
//
//	[{"name": "crm.listContacts", "from": "sha256:...", "to": "sha256:...", "reason": "...", "by": "ana"}]

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
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
		if first, twice := seen[a.id()]; twice {
			return nil, fmt.Errorf("entry %d: the same as entry %d", i+1, first)
		}
		seen[a.id()] = i + 1
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
	widenings := map[[3]string][]int{} // more than one only where names are not unique
	for i, c := range r.Changes {
		if c.Widens {
			id := [3]string{c.Name, c.From, c.To}
			widenings[id] = append(widenings[id], i)
		}
	}
	for _, a := range list {
		at := widenings[a.id()]
		for _, i := range at {
			r.Changes[i].Acknowledged = &a
		}
		if len(at) == 0 {
			r.Unused = append(r.Unused, a)
		}
	}
}

// id says which change it is about.
func (a Acknowledgement) id() [3]string { return [3]string{a.Name, a.From, a.To} }

// Acknowledged is the list with entries for what is open, as a file that is reviewed: sorted by name
// and digests, indented, an entry twice only once. Errors: an entry that ParseAcknowledged would refuse.
func (r Report) Acknowledged(list []Acknowledgement, reason, by string) (text []byte, added int, err error) {
	all, have := slices.Clone(list), map[[3]string]bool{}
	for _, a := range list {
		have[a.id()] = true
	}
	for _, c := range r.Open() {
		a := Acknowledgement{Name: c.Name, From: c.From, To: c.To, Reason: reason, By: by}
		if wrong := a.wrong(); wrong != "" {
			return nil, 0, fmt.Errorf("%s: %s", c.Name, wrong)
		}
		if !have[a.id()] {
			all, have[a.id()], added = append(all, a), true, added+1
		}
	}
	slices.SortFunc(all, func(a, b Acknowledgement) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.From, b.From), strings.Compare(a.To, b.To))
	})
	if all == nil {
		all = []Acknowledgement{}
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err = enc.Encode(all)
	return out.Bytes(), added, err
}
