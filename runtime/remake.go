package runtime

// This file makes a run's journal again from what its repetition did, and holds it against the one that
// is kept.

import (
	"encoding/json"
	"fmt"
)

// remade is what a repetition did: the calls that the script made, by number, and what it reported.
type remade struct {
	calls    map[int]CallEntry
	progress []string
}

// differences compares entry by entry. What came from outside the script (results, answers, ids, times)
// is given to the repetition, so it is the same; what the script did is put in the place of what it did
// then.
func (m remade) differences(h *history, begun started) []string {
	var out []string
	reports := 0
	for _, e := range h.entries {
		was, is := any(nil), any(nil)
		switch e.Kind {
		case EntryStarted:
			was, is = h.started, begun
		case EntryCalled, EntrySettled:
			was, is = m.call(e)
		case EntryProgress:
			was, is = m.report(e, reports)
			reports++
		}
		if a, b := asText(was), asText(is); a != b {
			out = append(out, fmt.Sprintf("entry %d (%s) was %s, and is %s now", e.N, e.Kind, a, b))
		}
	}
	return out
}

// call makes the entry of a call again; nil where the script did not make the call. Steps of flows are
// the service's own.
func (m remade) call(e Entry) (was, is any) {
	var c CallEntry
	if json.Unmarshal(e.Data, &c) != nil || c.isStep() {
		return nil, nil
	}
	made, ok := m.calls[c.Seq]
	if !ok {
		return c, nil
	}
	again := c
	again.Helper, again.Method, again.ArgsSHA256, again.At, again.Args = made.Helper, made.Method, made.ArgsSHA256, made.At, made.Args
	if c.Record != nil {
		record := *c.Record
		record.Method, record.ArgsSHA256, record.At = made.Method, made.ArgsSHA256, made.At
		again.Record = &record
	}
	return c, again
}

func (m remade) report(e Entry, n int) (was, is any) {
	if n >= len(m.progress) {
		return e.Data, nil
	}
	return e.Data, progressed{m.progress[n]}
}

func asText(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	if string(raw) == "null" {
		return "nothing"
	}
	return string(raw)
}
