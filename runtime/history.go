package runtime

// This file reads a journal back: what a run did so far, for the process that goes on with it, repeats
// it, or writes its receipt.

import (
	"context"
	"encoding/json"
	"slices"
)

// history is what a journal tells of a run.
type history struct {
	entries []Entry
	started started
	// calls are the script's, by number, as they were made; a refused one is known by its settlement.
	calls map[int]CallEntry
	// settled are the deliveries in their order, without those that came too late.
	settled []CallEntry
	// records are those of capability calls, steps of flows and late ones included.
	records []CallRecord
	// charged are those that began, steps included.
	charged  []CallRecord
	answers  map[int]json.RawMessage
	progress int
	finished bool
}

func (s *Service) history(ctx context.Context, runID string) (*history, *Error) {
	entries, err := s.Store.Journal(ctx, runID)
	if err != nil {
		return nil, AsError(err)
	}
	h := &history{entries: entries, calls: map[int]CallEntry{}, answers: map[int]json.RawMessage{}}
	for _, e := range entries {
		if err := h.read(e); err != nil {
			return nil, Errorf(Internal, "entry %d of the journal of run %s cannot be read", e.N, runID).
				WithHint("the store is damaged, or was written by another version").WithCause(err)
		}
	}
	return h, nil
}

func (h *history) read(e Entry) error {
	switch e.Kind {
	case EntryStarted:
		return json.Unmarshal(e.Data, &h.started)
	case EntryCalled:
		return h.readCall(e, func(c CallEntry) { h.calls[c.Seq] = c })
	case EntrySettled:
		return h.readCall(e, h.settle)
	case EntryAnswered:
		var a answered
		if err := json.Unmarshal(e.Data, &a); err != nil {
			return err
		}
		h.answers[a.Seq] = a.Value
	case EntryProgress:
		h.progress++
	case EntryFinished:
		h.finished = true
	}
	return nil
}

// readCall leaves out steps of flows, but for their records.
func (h *history) readCall(e Entry, take func(CallEntry)) error {
	var c CallEntry
	if err := json.Unmarshal(e.Data, &c); err != nil {
		return err
	}
	if e.Kind == EntryCalled && c.Record != nil {
		h.charged = append(h.charged, *c.Record)
	}
	if c.isStep() {
		if e.Kind == EntrySettled {
			h.records = append(h.records, *c.Record)
		}
		return nil
	}
	take(c)
	return nil
}

func (h *history) settle(c CallEntry) {
	if _, called := h.calls[c.Seq]; !called {
		h.calls[c.Seq] = c
	}
	if c.Record != nil {
		h.records = append(h.records, *c.Record)
	}
	if !c.Late {
		h.settled = append(h.settled, c)
	}
}

// verify compares a call that a script makes with the recorded one of its number.
func (h *history) verify(c StubCall) *Error {
	was, recorded := h.calls[c.Seq]
	is := entryOf(c)
	if !recorded || was.Helper == is.Helper && was.Method == is.Method && was.ArgsSHA256 == is.ArgsSHA256 {
		return nil
	}
	err := Errorf(Conflict, "the script went another way than its journal says: call %d was %s, and is %s now", c.Seq, was.say(), is.say()).
		WithHint("the script is a function of its journal, so this is a fault of the service, or another version of it; start a new run")
	if was.Helper == is.Helper && was.Method == is.Method {
		err.Message += " with other arguments"
	}
	err.Pos, err.Call = &is.At, c.Method
	return err
}

func (e CallEntry) say() string {
	if e.Helper != "" {
		return string(e.Helper)
	}
	return "tools." + e.Method
}

// open are the questions that nobody has answered, in the order asked.
func (h *history) open() []Question {
	var out []Question
	for seq, c := range h.calls {
		_, answered := h.answers[seq]
		if c.Helper == HelperAsk && !answered && !h.hasSettled(seq) {
			out = append(out, questionOf(c))
		}
	}
	slices.SortFunc(out, func(a, b Question) int { return a.Seq - b.Seq })
	return out
}

func (h *history) hasSettled(seq int) bool {
	return slices.ContainsFunc(h.settled, func(c CallEntry) bool { return c.Seq == seq })
}

// charge takes from the accounts what the recorded calls were charged.
func (h *history) charge(a *accounts) {
	for _, c := range h.charged {
		a.take([]string{runAccount, c.Grant}, map[Dimension]int64{Calls: 1})
	}
}
