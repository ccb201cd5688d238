package storetest

// This file tests many callers at once, in one handle and over several.

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"codemode/runtime"
)

const (
	handles = 4
	callers = 16
)

// inParallel runs the callers, each on one of several handles, and waits for all.
func (f *fixture) inParallel(do func(s runtime.Store, caller int)) {
	f.Helper()
	stores := f.handles()
	var wait sync.WaitGroup
	for caller := range callers {
		wait.Go(func() { do(stores[caller%handles], caller) })
	}
	wait.Wait()
}

// handles are the store and further ones, opened once.
func (f *fixture) handles() []runtime.Store {
	f.Helper()
	for len(f.others) < handles-1 {
		f.others = append(f.others, f.handle())
	}
	return append([]runtime.Store{f.store}, f.others...)
}

// testClaimRaces lets all callers claim the same run at once, again and again, some runs suspended and
// some left behind: each has one winner, and its former holder none of it.
func testClaimRaces(f *fixture) {
	for race := range 50 {
		runID := fmt.Sprint("run_", race)
		f.ok(f.store.Start(f.ctx, f.op(), runRecord(runID), lease, started))
		if race%2 == 0 {
			f.suspend(runID, 1)
		} else {
			f.Pass(lease)
		}
		f.raceFor(runID)
		f.fails(f.store.Append(f.ctx, f.op(), runID, 1, note), runtime.Conflict)
		f.journal(runID, runtime.EntryStarted, runtime.EntryProgress)
	}
}

func (f *fixture) raceFor(runID string) {
	f.Helper()
	var won atomic.Int64
	f.inParallel(func(s runtime.Store, caller int) {
		epoch, err := s.Claim(f.ctx, fmt.Sprint("claim ", caller), runID, time.Hour)
		switch {
		case err == nil && epoch == 2:
			won.Add(1)
			if err := s.Append(f.ctx, "append", runID, epoch, note); err != nil {
				f.Errorf("the winner of %s: %v", runID, err)
			}
		case err == nil || runtime.AsError(err).Code != runtime.Conflict:
			f.Errorf("claim of %s: epoch %d, %v", runID, epoch, err)
		}
	})
	if n := won.Load(); n != 1 {
		f.Errorf("%s was claimed by %d callers", runID, n)
	}
}

// testConcurrentRuns lets every caller write a run of its own, and all race for one id.
func testConcurrentRuns(f *fixture) {
	const appends = 15
	var won atomic.Int64
	f.inParallel(func(s runtime.Store, caller int) {
		if err := s.Start(f.ctx, fmt.Sprintf("start %d", caller), runRecord("run_shared"), time.Hour, started); err == nil {
			won.Add(1)
		}
		runID := fmt.Sprint("run_", caller)
		err := s.Start(f.ctx, "start", runRecord(runID), time.Hour, started)
		for i := range appends {
			first := entry(runtime.EntryCalled, 1, fmt.Sprintf(`"%d called %d"`, caller, i))
			second := entry(runtime.EntrySettled, 2, fmt.Sprintf(`"%d settled %d"`, caller, i))
			first.Relaxed, second.Relaxed = i%2 == 0, i%2 == 0
			err = errors.Join(err, s.Append(f.ctx, fmt.Sprint("append ", i), runID, 1, first, second))
		}
		if err = errors.Join(err, s.Finish(f.ctx, "finish", 1, receipt("rcpt_"+runID, runID, runtime.Finished))); err != nil {
			f.Errorf("%s: %v", runID, err)
		}
	})
	if won.Load() != 1 {
		f.Errorf("%d callers started the same run", won.Load())
	}
	for caller := range callers {
		entries := f.numbered(fmt.Sprint("run_", caller))
		if len(entries) != 2+2*appends {
			f.Fatalf("run_%d has %d entries", caller, len(entries))
		}
		for i := range appends {
			if got := string(entries[1+2*i].Data); got != fmt.Sprintf(`"%d called %d"`, caller, i) {
				f.Fatalf("entry %d of run_%d is %s", 2+2*i, caller, got)
			}
		}
	}
	list, err := f.store.Receipts(f.ctx, math.MaxInt)
	f.ok(err)
	if len(list) != callers+1 { // and run_shared, which nobody finished
		f.Errorf("%d runs, want %d", len(list), callers+1)
	}
}

// testConcurrentAppends writes one run from all sides, its holder's and answers from outside: each
// batch stands together and nothing is lost.
func testConcurrentAppends(f *fixture) {
	const each = 10
	f.start("run_1")
	f.inParallel(func(s runtime.Store, caller int) {
		for i := range each {
			name := fmt.Sprintf(`"%d.%d"`, caller, i)
			e := runtime.Entry{Kind: runtime.EntryProgress, At: at(1), Data: json.RawMessage(name), Relaxed: i%3 == 0}
			do := func() error { return s.Append(f.ctx, name, "run_1", 1, e, e) }
			if caller%4 == 0 {
				do = func() error { return s.Answer(f.ctx, name, "run_1", e) }
			}
			if err := do(); err != nil {
				f.Errorf("%s: %v", name, err)
			}
		}
	})
	var got []string
	for _, e := range f.numbered("run_1")[1:] {
		got = append(got, string(e.Data))
	}
	if want := callers * each * 7 / 4; len(got) != want {
		f.Errorf("%d entries, want %d", len(got), want)
	}
	if got = slices.Compact(got); len(got) != callers*each {
		f.Errorf("%d batches stand together, want %d", len(got), callers*each)
	}
}

// testConcurrentRepeats sends the same operations from all sides, as after lost replies: each is done once.
func testConcurrentRepeats(f *fixture) {
	f.start("run_1")
	f.start("run_2")
	f.suspend("run_2", 1)
	f.inParallel(func(s runtime.Store, _ int) {
		for i := range 5 {
			if err := s.Append(f.ctx, fmt.Sprint("append ", i), "run_1", 1, note); err != nil {
				f.Errorf("append %d: %v", i, err)
			}
		}
		if epoch, err := s.Claim(f.ctx, "claim", "run_2", time.Hour); err != nil || epoch != 2 {
			f.Errorf("claim: epoch %d, %v", epoch, err)
		}
	})
	f.journal("run_1", append([]runtime.EntryKind{runtime.EntryStarted}, slices.Repeat([]runtime.EntryKind{runtime.EntryProgress}, 5)...)...)
	f.standsAt(runtime.RunStatus{RunRecord: runRecord("run_2"), State: runtime.Running, Epoch: 2, Held: true})
}
