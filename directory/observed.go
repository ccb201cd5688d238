package directory

// This file reads observed.json: schemas of results that were learnt from recorded ones, for rows that
// do not declare theirs. codemode learn --merge writes it.
//
//	{"CRM_LIST": {"results": 12, "schema": {"type": "array"}, "seen": {...}, "recordings": ["5f0c..."]}}
//
// "seen" is what package gen/learn adds further results to, "recordings" what those results came from;
// nothing here reads them.

import (
	"encoding/json"
	"fmt"
	"path/filepath"
)

// Observation is what recorded results say of one operation's result.
type Observation struct {
	// Results is how many were recorded, at least 1.
	Results int `json:"results"`
	// Schema is a JSON Schema document that describes each of them.
	Schema json.RawMessage `json:"schema"`
	// Seen is the summary that the schema was made of.
	Seen json.RawMessage `json:"seen,omitempty"`
	// Recordings name what was merged, so that none counts twice; see package gen/learn.
	Recordings []string `json:"recordings,omitempty"`
}

// loadObserved reads the file. What cannot be used of it is a finding: results stay unknown then.
func (l *loader) loadObserved(path string, d *Directory, known map[string]bool) error {
	file := filepath.ToSlash(path)
	members, err := l.sideMembers(path)
	if err != nil {
		return fmt.Errorf("observed results %s:%w; correct or remove it", file, err)
	}
	seen := map[string]int{}
	observed := map[string]Observation{}
	d.Observed, d.observed, d.observedAt = observed, file, seen
	var keys []string
	for _, m := range members {
		if first, twice := seen[m.name]; twice {
			l.observedFinding(file, m, SeverityError, "duplicate_observation", fmt.Sprintf("the row has an entry at line %d already", first), "remove one of the two")
			continue
		}
		seen[m.name] = m.line
		o, problem := l.observation(m.value)
		switch {
		case problem != "":
			l.observedFinding(file, m, SeverityError, "malformed_observation", problem, "remove the entry and learn it again")
		case !known[m.name]:
			if keys == nil {
				keys = sortedKeys(known)
			}
			hint := "remove the entry"
			if near := nearest(m.name, keys); near != "" {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
			observed[m.name] = o
			l.observedFinding(file, m, SeverityWarning, "unknown_row", "the directory has no such row", hint)
		default:
			observed[m.name] = o
		}
	}
	d.observe(observed)
	return nil
}

// observe hands each row its observations, by operation.
func (d *Directory) observe(by map[string]Observation) {
	if len(by) == 0 {
		return
	}
	for i := range d.Rows {
		r := &d.Rows[i]
		names := r.operations()
		if len(names) == 0 {
			names = []string{""}
		}
		for _, name := range names {
			if o, ok := by[Reference(r.Key, name)]; ok {
				if r.Observed == nil {
					r.Observed = map[string]Observation{}
				}
				r.Observed[name] = o
			}
		}
	}
}

// observation reads one entry, or says why it cannot be used.
func (l *loader) observation(raw json.RawMessage) (Observation, string) {
	var o Observation
	if f := checkJSON(raw, max(l.opts.MaxDepth, maxObservedDepth)); f != nil {
		return o, f.message
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		return o, wrongType(err)
	}
	schema := string(o.Schema)
	switch {
	case o.Results < 1:
		return o, `"results" is how many were recorded, at least 1`
	case schema != "true" && schema != "false" && (len(schema) == 0 || schema[0] != '{'):
		return o, `"schema" is an object, or true`
	}
	return o, ""
}

// maxObservedDepth bounds the nesting of an entry: a summary stands a few levels deeper than the
// results it was made of.
const maxObservedDepth = 256

func (l *loader) observedFinding(file string, m member, severity Severity, rule, message, hint string) {
	l.find(Finding{File: file, Line: m.line, Key: clipped(m.name), Severity: severity, Rule: rule, Message: message, Hint: hint})
}

// References are those of all rows, also of disabled ones, sorted.
func (d *Directory) References() []string { return sortedKeys(d.references()) }
