package storetest

// This file tests operation ids: an operation that is sent again is done once.

import (
	"encoding/json"
	"strings"
	"time"

	"codemode/runtime"
)

func testRepeats(f *fixture) {
	steps := []func() error{
		func() error { return f.store.Start(f.ctx, "start", runRecord("run_1"), time.Hour, started) },
		func() error { return f.store.Append(f.ctx, "append", "run_1", 1, note, note) },
		func() error { return f.store.Suspend(f.ctx, "suspend", "run_1", 1, note) },
		func() error { return f.store.Answer(f.ctx, "answer", "run_1", answer) },
		func() error { return f.claimed("claim", "run_1", 2) },
		func() error { return f.store.Cancel(f.ctx, "cancel", "run_1") },
		func() error { return f.store.Suspend(f.ctx, "suspend again", "run_1", 2) },
		func() error { return f.claimed("claim again", "run_1", 3) },
		func() error {
			return f.store.Finish(f.ctx, "finish", 3, receipt("rcpt_1", "run_1", runtime.Finished), note)
		},
	}
	kinds := []runtime.EntryKind{runtime.EntryStarted, runtime.EntryProgress, runtime.EntryProgress, runtime.EntryProgress, runtime.EntryAnswered}
	for i, step := range steps {
		f.ok(step())
		for _, earlier := range steps[:i+1] { // in whatever state the run is, and whoever holds it
			f.ok(earlier())
		}
	}
	f.reopen()
	for _, step := range steps {
		f.ok(step())
	}
	f.journal("run_1", append(kinds, runtime.EntryProgress, runtime.EntryFinished)...)
	f.standsAt(runtime.RunStatus{RunRecord: runRecord("run_1"), State: runtime.Finished, Epoch: 3, Cancelled: true})
}

func (f *fixture) claimed(op, runID string, want int64) error {
	epoch, err := f.store.Claim(f.ctx, op, runID, time.Hour)
	if err == nil && epoch != want {
		f.Errorf("claim %s returned epoch %d, want %d", op, epoch, want)
	}
	return err
}

// testOtherOperation gives each operation the id of another one, in a state in which it could be done.
func testOtherOperation(f *fixture) {
	f.ok(f.store.Start(f.ctx, "start", runRecord("run_1"), time.Hour, started))
	f.ok(f.store.Append(f.ctx, "append", "run_1", 1, note))
	e := f.fails(f.store.Append(f.ctx, "start", "run_1", 1, note), runtime.Conflict)
	if !strings.Contains(e.Message, `"start"`) {
		f.Errorf("message %q does not name the operation", e.Message)
	}
	for _, used := range []string{"start", "append"} {
		f.fails(f.store.Suspend(f.ctx, used, "run_1", 1), runtime.Conflict)
		f.fails(f.store.Answer(f.ctx, used, "run_1", answer), runtime.Conflict)
		f.fails(f.store.Cancel(f.ctx, used, "run_1"), runtime.Conflict)
		f.fails(f.store.Finish(f.ctx, used, 1, receipt("rcpt_1", "run_1", runtime.Finished)), runtime.Conflict)
	}
	f.ok(f.store.Answer(f.ctx, "answer", "run_1", answer))
	f.fails(f.store.Append(f.ctx, "answer", "run_1", 1, answer), runtime.Conflict)
	f.ok(f.store.Suspend(f.ctx, "suspend", "run_1", 1))
	for _, used := range []string{"start", "append", "answer", "suspend"} {
		_, err := f.store.Claim(f.ctx, used, "run_1", time.Hour)
		f.fails(err, runtime.Conflict)
	}
	f.ok(f.claimed("claim", "run_1", 2))
	f.fails(f.store.Finish(f.ctx, "claim", 2, receipt("rcpt_1", "run_1", runtime.Finished)), runtime.Conflict)
	f.ok(f.store.Finish(f.ctx, "finish", 2, receipt("rcpt_1", "run_1", runtime.Finished)))
	f.fails(f.store.Finish(f.ctx, "finish", 2, receipt("rcpt_2", "run_1", runtime.Finished)), runtime.Conflict)
	f.journal("run_1", runtime.EntryStarted, runtime.EntryProgress, runtime.EntryAnswered, runtime.EntryFinished)

	f.ok(f.store.Start(f.ctx, "start", runRecord("run_2"), time.Hour, started)) // another run, another operation
	f.ok(f.store.Append(f.ctx, "append", "run_2", 1, note))
	f.journal("run_2", runtime.EntryStarted, runtime.EntryProgress)
}

// testFailedLeaveNothing repeats what failed: it is tried anew.
func testFailedLeaveNothing(f *fixture) {
	f.fails(f.store.Append(f.ctx, "append", "run_1", 1, note), runtime.NotFound)
	f.start("run_1")
	_, err := f.store.Claim(f.ctx, "claim", "run_1", time.Hour)
	f.fails(err, runtime.Conflict)
	bad := note
	bad.Data = json.RawMessage(`{`)
	f.fails(f.store.Append(f.ctx, "append", "run_1", 1, note, bad), runtime.InvalidArgument)
	f.fails(f.store.Suspend(f.ctx, "suspend", "run_1", 1, note, bad), runtime.InvalidArgument)
	bad = note
	bad.At = time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC)
	f.fails(f.store.Append(f.ctx, "append", "run_1", 1, note, bad), runtime.InvalidArgument)
	f.fails(f.store.Finish(f.ctx, "suspend", 1, receipt("rcpt_1", "run_1", runtime.Finished), note, bad), runtime.InvalidArgument)
	f.journal("run_1", runtime.EntryStarted)

	f.ok(f.store.Append(f.ctx, "append", "run_1", 1, note))
	f.ok(f.store.Suspend(f.ctx, "suspend", "run_1", 1))
	f.ok(f.claimed("claim", "run_1", 2))
	f.journal("run_1", runtime.EntryStarted, runtime.EntryProgress)
}
