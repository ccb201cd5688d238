package storetest

// This file tests budgets: reserving, settling, exactness.

import (
	"errors"
	"math"
	"strings"

	"github.com/google/go-cmp/cmp"

	"codemode/runtime"
)

func (f *fixture) balances(got runtime.Balance, want runtime.Balance) {
	f.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		f.Fatalf("balance (-want +got):\n%s", diff)
	}
}

func testReserve(f *fixture) {
	f.ok(f.store.Start(f.ctx, f.op(), runRecord("run_1", map[string]runtime.Budget{
		"run":     {runtime.Calls: 10, runtime.EgressBytes: 100},
		"grant:0": {runtime.Calls: 2},
		"other":   {runtime.Calls: 7},
	})))
	both := []string{"run", "grant:0"}
	left, err := f.store.BeginCall(f.ctx, f.op(), intent("run_1", "call_1", both, map[runtime.Dimension]int64{runtime.Calls: 1, runtime.EgressBytes: 40}))
	f.ok(err)
	f.balances(left, runtime.Balance{"run": {runtime.Calls: 9, runtime.EgressBytes: 60}, "grant:0": {runtime.Calls: 1}})

	_, err = f.store.BeginCall(f.ctx, f.op(), intent("run_1", "call_2", both, map[runtime.Dimension]int64{runtime.Calls: 2}))
	e := f.fails(err, runtime.BudgetExhausted)
	for _, want := range []string{"grant:0", "calls", "2", "1"} {
		if !strings.Contains(e.Message, want) {
			f.Errorf("message %q does not name %q", e.Message, want)
		}
	}
	var why *runtime.Exhausted
	if !errors.As(err, &why) || *why != (runtime.Exhausted{Account: "grant:0", Dimension: runtime.Calls, Asked: 2, Left: 1}) {
		f.Errorf("cause is %+v", why)
	}

	// The refused call left nothing: not in the first account, not in the journal, not its id.
	left, err = f.store.BeginCall(f.ctx, f.op(), intent("run_1", "call_2", both, one))
	f.ok(err)
	f.balances(left, runtime.Balance{"run": {runtime.Calls: 8, runtime.EgressBytes: 60}, "grant:0": {runtime.Calls: 0}})
	f.journal("run_1", runtime.EntryStarted, runtime.EntryCalled, runtime.EntryCalled)
}

func testUnlimited(f *fixture) {
	f.ok(f.store.Start(f.ctx, f.op(), runRecord("run_1", map[string]runtime.Budget{"run": {runtime.Calls: 5}, "free": nil})))
	left, err := f.store.BeginCall(f.ctx, f.op(), intent("run_1", "call_1", []string{"run", "free"},
		map[runtime.Dimension]int64{runtime.Calls: 1, runtime.CostMicroUSD: math.MaxInt64}))
	f.ok(err)
	f.balances(left, runtime.Balance{"run": {runtime.Calls: 4}, "free": {}})
	left, err = f.store.EndCall(f.ctx, f.op(), outcome("run_1", "call_1", []string{"run", "free"},
		map[runtime.Dimension]int64{runtime.CostMicroUSD: 5}, nil))
	f.ok(err)
	f.balances(left, runtime.Balance{"run": {runtime.Calls: 4}, "free": {}})
}

func testSettle(f *fixture) {
	f.ok(f.store.Start(f.ctx, f.op(), runRecord("run_1", map[string]runtime.Budget{"run": {runtime.Calls: 10, runtime.OutputBytes: 1000}})))
	_, err := f.store.BeginCall(f.ctx, f.op(), intent("run_1", "call_1", []string{"run"}, map[runtime.Dimension]int64{runtime.Calls: 1, runtime.OutputBytes: 600}))
	f.ok(err)
	left, err := f.store.EndCall(f.ctx, f.op(), outcome("run_1", "call_1", []string{"run"},
		map[runtime.Dimension]int64{runtime.OutputBytes: 500}, map[runtime.Dimension]int64{runtime.Calls: 2}))
	f.ok(err)
	want := runtime.Balance{"run": {runtime.Calls: 7, runtime.OutputBytes: 900}}
	f.balances(left, want)

	_, err = f.store.EndCall(f.ctx, f.op(), outcome("run_1", "call_1", []string{"run"}, map[runtime.Dimension]int64{runtime.OutputBytes: 100}, nil))
	f.fails(err, runtime.Conflict)
	_, err = f.store.EndCall(f.ctx, f.op(), outcome("run_1", "call_unknown", []string{"run"}, nil, nil))
	f.fails(err, runtime.NotFound)
	_, err = f.begin(f.store, f.op(), "run_1", "call_1")
	f.fails(err, runtime.Conflict)

	left, err = f.begin(f.store, f.op(), "run_1", "call_2")
	f.ok(err)
	f.balances(left, runtime.Balance{"run": {runtime.Calls: 6, runtime.OutputBytes: 900}})
	f.journal("run_1", runtime.EntryStarted, runtime.EntryCalled, runtime.EntrySettled, runtime.EntryCalled)
}

func testNeverNegative(f *fixture) {
	f.ok(f.store.Start(f.ctx, f.op(), runRecord("run_1", map[string]runtime.Budget{"run": {runtime.Calls: 2, runtime.EgressBytes: 10}, "other": {runtime.Calls: 2}})))
	for _, budget := range []runtime.Budget{{runtime.Calls: -1}, {"beer": 1}} {
		f.fails(f.store.Start(f.ctx, f.op(), runRecord("run_bad", map[string]runtime.Budget{"run": budget})), runtime.InvalidArgument)
	}
	_, err := f.store.BeginCall(f.ctx, f.op(), intent("run_1", "call_0", []string{"run"}, map[runtime.Dimension]int64{runtime.Calls: -1}))
	f.fails(err, runtime.InvalidArgument)
	_, err = f.begin(f.store, f.op(), "run_1", "call_1")
	f.ok(err)
	for name, bad := range map[string]runtime.CallOutcome{
		"a negative release":         outcome("run_1", "call_1", []string{"run"}, map[runtime.Dimension]int64{runtime.Calls: -5}, nil),
		"a negative charge":          outcome("run_1", "call_1", []string{"run"}, nil, map[runtime.Dimension]int64{runtime.Calls: math.MinInt64}),
		"more than was reserved":     outcome("run_1", "call_1", []string{"run"}, map[runtime.Dimension]int64{runtime.Calls: 2}, nil),
		"another dimension":          outcome("run_1", "call_1", []string{"run"}, map[runtime.Dimension]int64{runtime.EgressBytes: 1}, nil),
		"an account not charged":     outcome("run_1", "call_1", []string{"other"}, one, nil),
		"an account named twice":     outcome("run_1", "call_1", []string{"run", "run"}, one, nil),
		"an account that is not one": outcome("run_1", "call_1", []string{"nobody"}, one, nil),
	} {
		_, err := f.store.EndCall(f.ctx, f.op(), bad)
		if f.fails(err, runtime.InvalidArgument); f.Failed() {
			f.Fatalf("for %s", name)
		}
	}
	// What was used beyond the reservation counts, but an account ends at 0.
	left, err := f.store.EndCall(f.ctx, f.op(), outcome("run_1", "call_1", []string{"run"}, nil,
		map[runtime.Dimension]int64{runtime.Calls: math.MaxInt64, runtime.EgressBytes: 11}))
	f.ok(err)
	f.balances(left, runtime.Balance{"run": {runtime.Calls: 0, runtime.EgressBytes: 0}})
	_, err = f.begin(f.store, f.op(), "run_1", "call_2")
	f.fails(err, runtime.BudgetExhausted)
}

func testExact(f *fixture) {
	f.ok(f.store.Start(f.ctx, f.op(), runRecord("run_1", map[string]runtime.Budget{"run": {runtime.CostMicroUSD: math.MaxInt64}})))
	charge := map[runtime.Dimension]int64{runtime.CostMicroUSD: 1<<53 + 1}
	left, err := f.store.BeginCall(f.ctx, f.op(), intent("run_1", "call_1", []string{"run"}, charge))
	f.ok(err)
	f.balances(left, runtime.Balance{"run": {runtime.CostMicroUSD: math.MaxInt64 - (1<<53 + 1)}})
	f.reopen()
	left, err = f.store.EndCall(f.ctx, f.op(), outcome("run_1", "call_1", []string{"run"}, charge, map[runtime.Dimension]int64{runtime.CostMicroUSD: 1}))
	f.ok(err)
	f.balances(left, runtime.Balance{"run": {runtime.CostMicroUSD: math.MaxInt64 - 1}})
}
