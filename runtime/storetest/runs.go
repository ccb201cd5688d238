package storetest

// This file tests a run's life: starting, its journal, suspending, finishing.

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"codemode/runtime"
)

// journal wants the kinds of a run's entries, numbered from 1.
func (f *fixture) journal(runID string, kinds ...runtime.EntryKind) []runtime.Entry {
	f.Helper()
	entries := f.numbered(runID)
	var got []runtime.EntryKind
	for _, e := range entries {
		got = append(got, e.Kind)
	}
	if diff := cmp.Diff(kinds, got); diff != "" {
		f.Fatalf("journal of %s (-want +got):\n%s", runID, diff)
	}
	return entries
}

func (f *fixture) numbered(runID string) []runtime.Entry {
	f.Helper()
	entries, err := f.store.Journal(f.ctx, runID)
	f.ok(err)
	for i, e := range entries {
		if e.N != i+1 {
			f.Fatalf("entry %d of %s has number %d", i+1, runID, e.N)
		}
	}
	return entries
}

func (f *fixture) standsAt(want runtime.RunStatus) {
	f.Helper()
	if diff := cmp.Diff(want, f.status(want.RunID)); diff != "" {
		f.Fatalf("run (-want +got):\n%s", diff)
	}
}

func testStart(f *fixture) {
	record := runRecord("run_1")
	record.Deadline = f.Now().Add(time.Hour).UTC()
	op := f.op()
	f.ok(f.store.Start(f.ctx, op, record, time.Hour, started, note))
	f.ok(f.store.Start(f.ctx, op, record, time.Hour, started, note))
	e := f.fails(f.store.Start(f.ctx, f.op(), record, time.Hour, started), runtime.Conflict)
	if !strings.Contains(e.Message, "run_1") {
		f.Errorf("message %q does not name the run", e.Message)
	}
	entries := f.journal("run_1", runtime.EntryStarted, runtime.EntryProgress)
	want := runtime.Entry{N: 1, Kind: runtime.EntryStarted, At: at(0), Data: json.RawMessage(`{"seed":1}`)}
	if diff := cmp.Diff(want, entries[0]); diff != "" {
		f.Errorf("entry (-want +got):\n%s", diff)
	}
	f.reopen()
	f.standsAt(runtime.RunStatus{RunRecord: record, State: runtime.Running, Epoch: 1, Held: true})

	bare := runtime.RunRecord{RunID: "run_bare"}
	f.ok(f.store.Start(f.ctx, f.op(), bare, time.Hour))
	f.standsAt(runtime.RunStatus{RunRecord: bare, State: runtime.Running, Epoch: 1, Held: true})
	f.journal("run_bare")

	_, err := f.store.Journal(f.ctx, "run_none")
	f.fails(err, runtime.NotFound)
	_, err = f.store.Run(f.ctx, "run_none")
	f.fails(err, runtime.NotFound)
}

func testOrder(f *fixture) {
	f.start("run_1")
	var want []string
	for i := range 30 {
		var batch []runtime.Entry
		for j := range i%4 + 1 {
			text := fmt.Sprintf(`"%d.%d"`, i, j)
			want = append(want, text)
			// Times run backwards: the order is that of appending.
			batch = append(batch, runtime.Entry{N: 77, Kind: runtime.EntryCheckpoint, At: at(-i), Data: json.RawMessage(text), Relaxed: j%2 == 0})
		}
		f.ok(f.store.Append(f.ctx, f.op(), "run_1", 1, batch...))
		f.fails(f.store.Append(f.ctx, f.op(), "run_1", 2, batch...), runtime.Conflict)
	}
	f.reopen()
	entries := f.journal("run_1", append([]runtime.EntryKind{runtime.EntryStarted}, slices.Repeat([]runtime.EntryKind{runtime.EntryCheckpoint}, len(want))...)...)
	var got []string
	for _, e := range entries[1:] {
		got = append(got, string(e.Data))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		f.Errorf("order (-want +got):\n%s", diff)
	}
}

// testLongJournal writes 10,000 entries in two operations, with another run's between them.
func testLongJournal(f *fixture) {
	f.start("run_1")
	f.start("run_2")
	batch := make([]runtime.Entry, 5000)
	for half := range 2 {
		for i := range batch {
			batch[i] = entry(runtime.EntrySettled, i%60, fmt.Sprintf(`{"seq":%d,"text":%q}`, half*len(batch)+i, strings.Repeat("x", i%300)))
			batch[i].Relaxed = i%3 > 0
		}
		f.ok(f.store.Append(f.ctx, f.op(), "run_1", 1, batch...))
		f.ok(f.store.Append(f.ctx, f.op(), "run_2", 1, note))
	}
	entries := f.numbered("run_1")
	if len(entries) != 1+2*len(batch) {
		f.Fatalf("the journal has %d entries", len(entries))
	}
	for i, e := range entries[1:] {
		if !strings.HasPrefix(string(e.Data), fmt.Sprintf(`{"seq":%d,`, i)) {
			f.Fatalf("entry %d is %s", e.N, e.Data)
		}
	}
	f.journal("run_2", runtime.EntryStarted, runtime.EntryProgress, runtime.EntryProgress)
}

func testSuspend(f *fixture) {
	f.fails(f.store.Suspend(f.ctx, f.op(), "run_1", 1), runtime.NotFound)
	f.start("run_1")
	f.ok(f.store.Suspend(f.ctx, f.op(), "run_1", 1, note, entry(runtime.EntrySuspended, 2, `{"waiting":[3]}`)))
	f.standsAt(runtime.RunStatus{RunRecord: runRecord("run_1"), State: runtime.Suspended, Epoch: 1})

	// Nobody holds it now, not even who suspended it.
	f.fails(f.store.Append(f.ctx, f.op(), "run_1", 1, note), runtime.Conflict)
	f.fails(f.store.Suspend(f.ctx, f.op(), "run_1", 1), runtime.Conflict)
	f.fails(f.store.Finish(f.ctx, f.op(), 1, receipt("rcpt_1", "run_1", runtime.Expired)), runtime.Conflict)
	f.journal("run_1", runtime.EntryStarted, runtime.EntryProgress, runtime.EntrySuspended)

	f.reopen()
	f.claim("run_1", 2)
	f.standsAt(runtime.RunStatus{RunRecord: runRecord("run_1"), State: runtime.Running, Epoch: 2, Held: true})
	f.ok(f.store.Append(f.ctx, f.op(), "run_1", 2, entry(runtime.EntryResumed, 3, `{}`)))
	f.suspend("run_1", 2)
	f.claim("run_1", 3)
	f.finish("run_1", 3)
	f.journal("run_1", runtime.EntryStarted, runtime.EntryProgress, runtime.EntrySuspended, runtime.EntryResumed, runtime.EntryFinished)
}

func testFinish(f *fixture) {
	f.fails(f.store.Finish(f.ctx, f.op(), 1, receipt("rcpt_0", "run_0", runtime.Finished)), runtime.NotFound)
	for i, state := range []runtime.State{runtime.Finished, runtime.Failed, runtime.WasCancelled, runtime.Expired} {
		runID, rcpt := fmt.Sprintf("run_%d", i), fmt.Sprintf("rcpt_%d", i)
		f.start(runID)
		for _, bad := range []runtime.State{runtime.Prepared, runtime.Running, runtime.Suspended, "", "done"} {
			f.fails(f.store.Finish(f.ctx, f.op(), 1, receipt(rcpt, runID, bad), note), runtime.Conflict)
		}
		f.ok(f.store.Finish(f.ctx, f.op(), 1, receipt(rcpt, runID, state), note))
		f.standsAt(runtime.RunStatus{RunRecord: runRecord(runID), State: state, Epoch: 1})
		f.isOver(runID)
		entries := f.journal(runID, runtime.EntryStarted, runtime.EntryProgress, runtime.EntryFinished)
		if last := entries[2]; !last.At.Equal(at(9)) || !strings.Contains(string(last.Data), rcpt) {
			f.Errorf("finished entry is %+v", last)
		}
	}
	f.start("run_last") // a receipt's id is taken once
	f.fails(f.store.Finish(f.ctx, f.op(), 1, receipt("rcpt_0", "run_last", runtime.Finished)), runtime.Conflict)
	f.standsAt(runtime.RunStatus{RunRecord: runRecord("run_last"), State: runtime.Running, Epoch: 1, Held: true})
}

// isOver wants every operation refused.
func (f *fixture) isOver(runID string) {
	f.Helper()
	f.fails(f.store.Start(f.ctx, f.op(), runRecord(runID), time.Hour, started), runtime.Conflict)
	f.fails(f.store.Append(f.ctx, f.op(), runID, 1, note), runtime.Conflict)
	f.fails(f.store.Suspend(f.ctx, f.op(), runID, 1, note), runtime.Conflict)
	f.fails(f.store.Finish(f.ctx, f.op(), 1, receipt("rcpt_other", runID, runtime.Finished)), runtime.Conflict)
	_, err := f.store.Claim(f.ctx, f.op(), runID, time.Hour)
	f.fails(err, runtime.Conflict)
	_, err = f.store.Renew(f.ctx, runID, 1, time.Hour)
	f.fails(err, runtime.Conflict)
	f.fails(f.store.Cancel(f.ctx, f.op(), runID), runtime.Conflict)
	f.fails(f.store.Answer(f.ctx, f.op(), runID, answer), runtime.Conflict)
}
