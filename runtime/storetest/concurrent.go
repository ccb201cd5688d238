package storetest

// This file tests many callers at once, in one handle and over several.

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"codemode/runtime"
)

const (
	handles = 4
	callers = 16
)

// inParallel runs the callers, each on one of several handles, and waits for all.
func (f *fixture) inParallel(do func(s runtime.Store, caller int)) {
	f.Helper()
	stores := []runtime.Store{f.store}
	for len(stores) < handles {
		stores = append(stores, f.handle())
	}
	var wait sync.WaitGroup
	for caller := range callers {
		wait.Go(func() { do(stores[caller%handles], caller) })
	}
	wait.Wait()
}

// testConcurrent reserves from all sides until all is gone: exactly the limit is granted, in every
// account, and each caller gets its answer.
func testConcurrent(f *fixture) {
	const limit = 70
	f.ok(f.store.Start(f.ctx, f.op(), runRecord("run_1", map[string]runtime.Budget{
		"run": {runtime.Calls: limit}, "grant:0": {runtime.Calls: limit + 5}, "tenant": {runtime.Calls: 1000}})))
	accounts := []string{"run", "grant:0", "tenant"}
	var granted, refused atomic.Int64
	f.inParallel(func(s runtime.Store, caller int) {
		for i := range 8 {
			call := fmt.Sprintf("call_%d_%d", caller, i)
			_, err := s.BeginCall(f.ctx, "begin "+call, intent("run_1", call, accounts, one))
			if e := (*runtime.Error)(nil); errors.As(err, &e) && e.Code == runtime.BudgetExhausted {
				refused.Add(1)
				continue
			}
			if err != nil {
				f.Errorf("%s: %v", call, err)
				continue
			}
			granted.Add(1)
			if _, err := s.EndCall(f.ctx, "end "+call, outcome("run_1", call, accounts, nil, nil)); err != nil {
				f.Errorf("%s: %v", call, err)
			}
		}
	})
	if granted.Load() != limit || refused.Load() != 8*callers-limit {
		f.Errorf("granted %d, refused %d, want %d and %d", granted.Load(), refused.Load(), limit, 8*callers-limit)
	}
	entries, err := f.store.Journal(f.ctx, "run_1")
	f.ok(err)
	for i, e := range entries {
		if e.N != i+1 {
			f.Fatalf("entry %d has number %d", i+1, e.N)
		}
	}
	if len(entries) != 1+2*limit {
		f.Errorf("journal has %d entries, want %d", len(entries), 1+2*limit)
	}
	left, err := f.store.BeginCall(f.ctx, f.op(), intent("run_1", "call_last", []string{"grant:0", "tenant"}, one))
	f.ok(err)
	f.balances(left, runtime.Balance{"grant:0": {runtime.Calls: 4}, "tenant": {runtime.Calls: 1000 - limit - 1}})
}

// testConcurrentRuns lets every caller start and finish runs of its own, and all race for one id.
func testConcurrentRuns(f *fixture) {
	var won atomic.Int64
	f.inParallel(func(s runtime.Store, caller int) {
		if err := s.Start(f.ctx, fmt.Sprintf("start %d", caller), runRecord("run_shared", nil)); err == nil {
			won.Add(1)
		}
		for i := range 3 {
			id := fmt.Sprintf("%d_%d", caller, i)
			err := errors.Join(s.Start(f.ctx, "start", runRecord("run_"+id, nil)),
				s.Finish(f.ctx, "finish", 1, receipt("rcpt_"+id, "run_"+id, runtime.Finished)))
			if err != nil {
				f.Errorf("run %s: %v", id, err)
			}
		}
	})
	if won.Load() != 1 {
		f.Errorf("%d callers started the same run", won.Load())
	}
	list, err := f.store.Receipts(f.ctx, 1000)
	f.ok(err)
	if len(list) != 3*callers+1 { // and run_shared, which nobody finished
		f.Errorf("%d runs, want %d", len(list), 3*callers+1)
	}
}

// testConcurrentRepeats sends the same operation from all sides, as after lost replies: it is done once.
func testConcurrentRepeats(f *fixture) {
	f.ok(f.store.Start(f.ctx, f.op(), runRecord("run_1", map[string]runtime.Budget{"run": {runtime.Calls: 100}})))
	f.inParallel(func(s runtime.Store, caller int) {
		for i := range 5 {
			call := fmt.Sprintf("call_%d", i)
			if _, err := f.begin(s, "begin "+call, "run_1", call); err != nil {
				f.Errorf("begin %s: %v", call, err)
			}
			if _, err := s.EndCall(f.ctx, "end "+call, outcome("run_1", call, []string{"run"}, nil, nil)); err != nil {
				f.Errorf("end %s: %v", call, err)
			}
		}
	})
	left, err := f.begin(f.store, f.op(), "run_1", "call_last")
	f.ok(err)
	f.balances(left, runtime.Balance{"run": {runtime.Calls: 94}})
}
