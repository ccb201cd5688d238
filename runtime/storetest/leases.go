package storetest

// This file tests who holds a run: claims, leases, fencing, and what reaches a run from outside.

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"codemode/runtime"
)

func testClaim(f *fixture) {
	_, err := f.store.Claim(f.ctx, f.op(), "run_1", lease)
	f.fails(err, runtime.NotFound)
	f.ok(f.store.Start(f.ctx, f.op(), runRecord("run_1"), lease, started))
	other := f.handle()
	for _, s := range []runtime.Store{f.store, other} {
		_, err = s.Claim(f.ctx, f.op(), "run_1", lease)
		if e := f.fails(err, runtime.Conflict); !strings.Contains(e.Message, "held") || e.Hint == "" {
			f.Errorf("the error does not say that the run is held, and what to do: %v", e)
		}
	}
	f.Pass(lease)
	f.standsAt(runtime.RunStatus{RunRecord: runRecord("run_1"), State: runtime.Running, Epoch: 1})
	epoch, err := other.Claim(f.ctx, f.op(), "run_1", lease)
	f.ok(err)
	if epoch != 2 {
		f.Errorf("claimed at epoch %d, want 2", epoch)
	}
	_, err = f.store.Claim(f.ctx, f.op(), "run_1", lease)
	f.fails(err, runtime.Conflict)
	f.suspend("run_1", 2)
	f.claim("run_1", 3) // at once: a suspended run is held by nobody
	f.journal("run_1", runtime.EntryStarted)
}

// testFencing takes a run over and holds that its former holder, and all that never held it, can do nothing.
func testFencing(f *fixture) {
	f.ok(f.store.Start(f.ctx, f.op(), runRecord("run_1"), lease, started))
	f.Pass(lease)
	f.claim("run_1", 2)
	for _, epoch := range []int64{1, 3, 0, -2, math.MaxInt64, math.MinInt64} {
		f.fails(f.store.Append(f.ctx, f.op(), "run_1", epoch, note), runtime.Conflict)
		f.fails(f.store.Suspend(f.ctx, f.op(), "run_1", epoch, note), runtime.Conflict)
		f.fails(f.store.Finish(f.ctx, f.op(), epoch, receipt("rcpt_1", "run_1", runtime.Finished), note), runtime.Conflict)
		_, err := f.store.Renew(f.ctx, "run_1", epoch, lease)
		f.fails(err, runtime.Conflict)
	}
	f.journal("run_1", runtime.EntryStarted)
	f.standsAt(runtime.RunStatus{RunRecord: runRecord("run_1"), State: runtime.Running, Epoch: 2, Held: true})
	f.ok(f.store.Append(f.ctx, f.op(), "run_1", 2, note))
	f.finish("run_1", 2)
}

func testRenew(f *fixture) {
	_, err := f.store.Renew(f.ctx, "run_1", 1, lease)
	f.fails(err, runtime.NotFound)
	f.ok(f.store.Start(f.ctx, f.op(), runRecord("run_1"), lease, started))
	for range 3 { // together longer than the lease
		f.Pass(lease / 2)
		cancelled, err := f.store.Renew(f.ctx, "run_1", 1, lease)
		f.ok(err)
		if cancelled {
			f.Error("a run that nobody cancelled is told to be")
		}
	}
	if !f.status("run_1").Held {
		f.Error("a renewed lease has ended")
	}
	_, err = f.store.Claim(f.ctx, f.op(), "run_1", lease)
	f.fails(err, runtime.Conflict)
	f.Pass(lease)
	f.claim("run_1", 2)
	_, err = f.store.Renew(f.ctx, "run_1", 1, time.Hour)
	f.fails(err, runtime.Conflict)
	f.suspend("run_1", 2)
	_, err = f.store.Renew(f.ctx, "run_1", 2, time.Hour)
	f.fails(err, runtime.Conflict)
	f.journal("run_1", runtime.EntryStarted) // renewing leaves no trace
}

// testEndedLease holds that a lease that ended late (the holder's machine slept) costs the holder
// nothing while nobody claimed the run: the epoch fences, not the clock.
func testEndedLease(f *fixture) {
	for i, goOn := range []func(runID string) error{
		func(runID string) error { return f.store.Append(f.ctx, f.op(), runID, 1, note) },
		func(runID string) error { _, err := f.store.Renew(f.ctx, runID, 1, time.Hour); return err },
		func(runID string) error { return f.store.Suspend(f.ctx, f.op(), runID, 1, note) },
		func(runID string) error {
			return f.store.Finish(f.ctx, f.op(), 1, receipt("rcpt_1", runID, runtime.Finished))
		},
	} {
		runID := fmt.Sprint("run_", i)
		f.ok(f.store.Start(f.ctx, f.op(), runRecord(runID), lease, started))
		f.Pass(lease)
		if f.status(runID).Held {
			f.Fatalf("%s is held after its lease", runID)
		}
		f.ok(goOn(runID))
		if held := f.status(runID).Held; held != (i == 1) { // only a renewal holds it again
			f.Errorf("%s: held is %t", runID, held)
		}
	}
}

func testCancel(f *fixture) {
	f.fails(f.store.Cancel(f.ctx, f.op(), "run_1"), runtime.NotFound)
	f.start("run_1")
	f.ok(f.handle().Cancel(f.ctx, f.op(), "run_1"))
	f.ok(f.store.Cancel(f.ctx, f.op(), "run_1")) // who asks again is not refused
	want := runtime.RunStatus{RunRecord: runRecord("run_1"), State: runtime.Running, Epoch: 1, Held: true, Cancelled: true}
	f.standsAt(want)
	f.renewTellsCancelled("run_1", 1)
	f.ok(f.store.Append(f.ctx, f.op(), "run_1", 1, note)) // its holder ends it, in its own time
	f.suspend("run_1", 1)
	f.claim("run_1", 2)
	want.Epoch = 2
	f.standsAt(want)
	f.renewTellsCancelled("run_1", 2)
	f.finish("run_1", 2)

	f.start("run_2")
	f.suspend("run_2", 1)
	f.ok(f.store.Cancel(f.ctx, f.op(), "run_2"))
	f.standsAt(runtime.RunStatus{RunRecord: runRecord("run_2"), State: runtime.Suspended, Epoch: 1, Cancelled: true})
	f.claim("run_2", 2)
	f.renewTellsCancelled("run_2", 2)
	f.journal("run_2", runtime.EntryStarted)
}

func (f *fixture) renewTellsCancelled(runID string, epoch int64) {
	f.Helper()
	cancelled, err := f.store.Renew(f.ctx, runID, epoch, time.Hour)
	f.ok(err)
	if !cancelled {
		f.Errorf("renewing %s does not tell that it was cancelled", runID)
	}
}

func testAnswer(f *fixture) {
	f.fails(f.store.Answer(f.ctx, f.op(), "run_1", answer), runtime.NotFound)
	f.start("run_1")
	f.ok(f.store.Answer(f.ctx, "answer 1", "run_1", answer))
	f.ok(f.store.Append(f.ctx, f.op(), "run_1", 1, note)) // its holder does not lose it
	f.suspend("run_1", 1)
	second := entry(runtime.EntryAnswered, 6, `{"seq":2,"value":"no"}`)
	f.ok(f.handle().Answer(f.ctx, "answer 2", "run_1", second))
	f.standsAt(runtime.RunStatus{RunRecord: runRecord("run_1"), State: runtime.Suspended, Epoch: 1}) // who claims it goes on

	later := second
	later.At = at(30)
	f.ok(f.store.Answer(f.ctx, "answer 2", "run_1", later)) // the same again, at another time
	for _, other := range []runtime.Entry{answer, entry(runtime.EntryAnswered, 6, `{"seq":2,"value":"yes"}`), entry(runtime.EntryProgress, 6, string(second.Data))} {
		f.fails(f.store.Answer(f.ctx, "answer 2", "run_1", other), runtime.Conflict)
	}
	entries := f.journal("run_1", runtime.EntryStarted, runtime.EntryAnswered, runtime.EntryProgress, runtime.EntryAnswered)
	if diff := cmp.Diff(string(second.Data), string(entries[3].Data)); diff != "" || !entries[3].At.Equal(at(6)) {
		f.Errorf("the answer is %+v", entries[3])
	}
	f.claim("run_1", 2)
	f.finish("run_1", 2)
	f.fails(f.store.Answer(f.ctx, "answer 3", "run_1", answer), runtime.Conflict)
	f.ok(f.store.Answer(f.ctx, "answer 2", "run_1", second))
}

func testOverdue(f *fixture) {
	f.overdue(10)
	due := func(runID string, in time.Duration, hold time.Duration) {
		f.Helper()
		record := runRecord(runID)
		record.Deadline = f.Now().Add(in)
		f.ok(f.store.Start(f.ctx, f.op(), record, hold, started))
	}
	due("second", -time.Minute, time.Hour)
	due("first", -time.Hour, time.Hour)
	due("held", -time.Hour*2, time.Hour)
	due("left", -time.Second, lease)
	due("ended", -time.Hour*3, time.Hour)
	due("soon", lease/2, time.Hour)
	due("later", time.Hour, time.Hour)
	f.start("never")
	for _, runID := range []string{"second", "first", "soon", "later", "never"} {
		f.suspend(runID, 1)
	}
	f.finish("ended", 1)
	f.overdue(10, "first", "second")
	f.reopen()
	f.Pass(lease)
	f.overdue(10, "first", "second", "left", "soon")
	f.overdue(3, "first", "second", "left")
	f.overdue(math.MaxInt, "first", "second", "left", "soon")
	f.overdue(0)
	f.overdue(-1)

	f.claim("first", 2)
	f.overdue(10, "second", "left", "soon")
	f.ok(f.store.Finish(f.ctx, f.op(), 2, receipt("rcpt_first", "first", runtime.Expired)))
	f.suspend("held", 1)
	f.overdue(1, "held")
	f.overdue(10, "held", "second", "left", "soon")
}

func (f *fixture) overdue(limit int, want ...string) {
	f.Helper()
	got, err := f.store.Overdue(f.ctx, limit)
	f.ok(err)
	if !slices.Equal(got, want) {
		f.Fatalf("at most %d overdue runs are %q, want %q", limit, got, want)
	}
}
