package storetest

// This file tests runs: starting, repeating, fencing, finishing, the journal and receipts.

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"codemode/runtime"
)

// journal wants the kinds of a run's entries, numbered from 1.
func (f *fixture) journal(runID string, kinds ...runtime.EntryKind) []runtime.Entry {
	f.Helper()
	entries, err := f.store.Journal(f.ctx, runID)
	f.ok(err)
	var got []runtime.EntryKind
	for i, e := range entries {
		got = append(got, e.Kind)
		if e.N != i+1 {
			f.Errorf("entry %d has number %d", i+1, e.N)
		}
	}
	if diff := cmp.Diff(kinds, got); diff != "" {
		f.Fatalf("journal of %s (-want +got):\n%s", runID, diff)
	}
	return entries
}

func testStart(f *fixture) {
	op := f.op()
	f.ok(f.store.Start(f.ctx, op, runRecord("run_1", nil)))
	f.ok(f.store.Start(f.ctx, op, runRecord("run_1", nil)))
	e := f.fails(f.store.Start(f.ctx, f.op(), runRecord("run_1", nil)), runtime.Conflict)
	if !strings.Contains(e.Message, "run_1") {
		f.Errorf("message %q does not name the run", e.Message)
	}
	entries := f.journal("run_1", runtime.EntryStarted)
	want := runtime.Entry{N: 1, Kind: runtime.EntryStarted, At: clock(0), Data: json.RawMessage(`{"seed":1}`)}
	if diff := cmp.Diff(want, entries[0]); diff != "" {
		f.Errorf("entry (-want +got):\n%s", diff)
	}
	_, err := f.store.Journal(f.ctx, "run_2")
	f.fails(err, runtime.NotFound)
}

func testRepeats(f *fixture) {
	f.ok(f.store.Start(f.ctx, "start", runRecord("run_1", map[string]runtime.Budget{"run": {runtime.Calls: 5}})))
	first, err := f.begin(f.store, "begin 1", "run_1", "call_1")
	f.ok(err)
	_, err = f.begin(f.store, "begin 2", "run_1", "call_2")
	f.ok(err)
	ended, err := f.store.EndCall(f.ctx, "end 1", outcome("run_1", "call_1", []string{"run"}, one, nil))
	f.ok(err)
	f.ok(f.store.Append(f.ctx, "append", "run_1", 1, entry(runtime.EntryProgress, 3, `"a"`), entry(runtime.EntryProgress, 4, `"b"`)))
	f.ok(f.store.Finish(f.ctx, "finish", 1, receipt("rcpt_1", "run_1", runtime.Finished)))

	for range 2 { // also through a new handle, and after the run has ended
		again, err := f.begin(f.store, "begin 1", "run_1", "call_1")
		f.ok(err)
		f.balances(again, first)
		again, err = f.store.EndCall(f.ctx, "end 1", outcome("run_1", "call_1", []string{"run"}, one, nil))
		f.ok(err)
		f.balances(again, ended)
		f.ok(f.store.Append(f.ctx, "append", "run_1", 1, entry(runtime.EntryProgress, 3, `"a"`), entry(runtime.EntryProgress, 4, `"b"`)))
		f.ok(f.store.Finish(f.ctx, "finish", 1, receipt("rcpt_1", "run_1", runtime.Finished)))
		f.journal("run_1", runtime.EntryStarted, runtime.EntryCalled, runtime.EntryCalled, runtime.EntrySettled,
			runtime.EntryProgress, runtime.EntryProgress, runtime.EntryFinished)
		f.reopen()
	}

	// An id that did one thing is refused for another; the same id in another run is another operation.
	f.ok(f.store.Start(f.ctx, "start", runRecord("run_2", map[string]runtime.Budget{"run": {runtime.Calls: 5}})))
	_, err = f.begin(f.store, "begin 1", "run_2", "call_1")
	f.ok(err)
	_, err = f.begin(f.store, "begin 1", "run_2", "call_2")
	f.fails(err, runtime.Conflict)
	_, err = f.store.EndCall(f.ctx, "begin 1", outcome("run_2", "call_1", []string{"run"}, nil, nil))
	f.fails(err, runtime.Conflict)

	// What failed left nothing, so its repeat is tried anew.
	_, err = f.store.EndCall(f.ctx, "end 2", outcome("run_2", "call_2", []string{"run"}, nil, nil))
	f.fails(err, runtime.NotFound)
	_, err = f.begin(f.store, "begin 2", "run_2", "call_2")
	f.ok(err)
	_, err = f.store.EndCall(f.ctx, "end 2", outcome("run_2", "call_2", []string{"run"}, nil, nil))
	f.ok(err)
}

func testFencing(f *fixture) {
	run := runRecord("run_1", map[string]runtime.Budget{"run": {runtime.Calls: 5}})
	run.Epoch = 7
	f.ok(f.store.Start(f.ctx, f.op(), run))
	for _, epoch := range []int64{6, 8, 0, -7, math.MaxInt64} {
		in := intent("run_1", "call_1", []string{"run"}, one)
		in.Epoch = epoch
		_, err := f.store.BeginCall(f.ctx, f.op(), in)
		f.fails(err, runtime.Conflict)
		out := outcome("run_1", "call_1", []string{"run"}, nil, nil)
		out.Epoch = epoch
		_, err = f.store.EndCall(f.ctx, f.op(), out)
		f.fails(err, runtime.Conflict)
		f.fails(f.store.Append(f.ctx, f.op(), "run_1", epoch, entry(runtime.EntryProgress, 1, `1`)), runtime.Conflict)
		f.fails(f.store.Finish(f.ctx, f.op(), epoch, receipt("rcpt_1", "run_1", runtime.Finished)), runtime.Conflict)
	}
	f.journal("run_1", runtime.EntryStarted)
	f.ok(f.store.Append(f.ctx, f.op(), "run_1", 7, entry(runtime.EntryProgress, 1, `1`)))
}

func testFinish(f *fixture) {
	f.fails(f.store.Finish(f.ctx, f.op(), 1, receipt("rcpt_0", "run_0", runtime.Finished)), runtime.NotFound)
	for i, state := range []runtime.State{runtime.Finished, runtime.Failed, runtime.WasCancelled, runtime.Expired} {
		runID, rcpt := fmt.Sprintf("run_%d", i), fmt.Sprintf("rcpt_%d", i)
		f.ok(f.store.Start(f.ctx, f.op(), runRecord(runID, map[string]runtime.Budget{"run": {runtime.Calls: 5}})))
		for _, bad := range []runtime.State{runtime.Prepared, runtime.Running, "", "done"} {
			f.fails(f.store.Finish(f.ctx, f.op(), 1, receipt(rcpt, runID, bad)), runtime.Conflict)
		}
		f.ok(f.store.Finish(f.ctx, f.op(), 1, receipt(rcpt, runID, state)))
		f.fails(f.store.Finish(f.ctx, f.op(), 1, receipt("rcpt_other", runID, runtime.Finished)), runtime.Conflict)
		_, err := f.begin(f.store, f.op(), runID, "call_1")
		f.fails(err, runtime.Conflict)
		f.fails(f.store.Append(f.ctx, f.op(), runID, 1, entry(runtime.EntryProgress, 1, `1`)), runtime.Conflict)
		entries := f.journal(runID, runtime.EntryStarted, runtime.EntryFinished)
		if !entries[1].At.Equal(clock(9)) || !strings.Contains(string(entries[1].Data), rcpt) {
			f.Errorf("finished entry is %+v", entries[1])
		}
	}
	f.ok(f.store.Start(f.ctx, f.op(), runRecord("run_last", nil)))
	f.fails(f.store.Finish(f.ctx, f.op(), 1, receipt("rcpt_0", "run_last", runtime.Finished)), runtime.Conflict)
}

func testReceipts(f *fixture) {
	list, err := f.store.Receipts(f.ctx, 10)
	f.ok(err)
	if len(list) != 0 {
		f.Errorf("an empty store lists %d receipts", len(list))
	}
	for i := range 5 {
		runID := fmt.Sprintf("run_%d", i)
		f.ok(f.store.Start(f.ctx, f.op(), runRecord(runID, nil)))
		r := receipt(fmt.Sprintf("rcpt_%d", i), runID, runtime.Failed)
		r.Reason, r.Error = runtime.ReasonScript, runtime.Errorf(runtime.ScriptFailed, "it threw <&>\u2028\ufffd").WithHint("look")
		f.ok(f.store.Finish(f.ctx, f.op(), 1, r))
	}
	f.reopen()
	want := receipt("rcpt_3", "run_3", runtime.Failed)
	want.Reason, want.Error = runtime.ReasonScript, runtime.Errorf(runtime.ScriptFailed, "it threw <&>\u2028\ufffd").WithHint("look")
	for _, id := range []string{"rcpt_3", "run_3"} {
		got, err := f.store.Receipt(f.ctx, id)
		f.ok(err)
		if diff := cmp.Diff(want, got); diff != "" {
			f.Errorf("receipt by %s (-want +got):\n%s", id, diff)
		}
	}
	for _, id := range []string{"rcpt_9", "", "rcpt_3' OR '1'='1", "%"} {
		_, err := f.store.Receipt(f.ctx, id)
		f.fails(err, runtime.NotFound)
	}
	list, err = f.store.Receipts(f.ctx, 2)
	f.ok(err)
	summary := func(i string) runtime.ReceiptSummary {
		return runtime.ReceiptSummary{ReceiptID: "rcpt_" + i, RunID: "run_" + i, State: runtime.Failed, Reason: runtime.ReasonScript, Started: clock(0), Calls: 1}
	}
	if diff := cmp.Diff([]runtime.ReceiptSummary{summary("4"), summary("3")}, list); diff != "" {
		f.Errorf("listing (-want +got):\n%s", diff)
	}
	for limit, n := range map[int]int{0: 0, -1: 0, 5: 5, math.MaxInt: 5} {
		if list, err := f.store.Receipts(f.ctx, limit); err != nil || len(list) != n {
			f.Errorf("limit %d lists %d receipts (%v), want %d", limit, len(list), err, n)
		}
	}
}

// testNoReceipt leaves a run behind as a killed process does, started before one that finished after it.
func testNoReceipt(f *fixture) {
	began := runRecord("run_left", map[string]runtime.Budget{"run": {runtime.Calls: 5}})
	began.Started.At = clock(7)
	f.ok(f.store.Start(f.ctx, f.op(), runRecord("run_first", nil)))
	f.ok(f.store.Start(f.ctx, f.op(), began))
	f.ok(f.store.Start(f.ctx, f.op(), runRecord("run_last", nil)))
	f.ok(f.store.Finish(f.ctx, f.op(), 1, receipt("rcpt_last", "run_last", runtime.Finished)))
	f.ok(f.store.Finish(f.ctx, f.op(), 1, receipt("rcpt_first", "run_first", runtime.Finished)))
	for _, call := range []string{"call_1", "call_2"} {
		_, err := f.begin(f.store, f.op(), "run_left", call)
		f.ok(err)
	}
	_, err := f.store.EndCall(f.ctx, f.op(), outcome("run_left", "call_1", []string{"run"}, nil, nil))
	f.ok(err)
	f.reopen()

	ended := func(name string) runtime.ReceiptSummary {
		return runtime.ReceiptSummary{ReceiptID: "rcpt_" + name, RunID: "run_" + name, State: runtime.Finished, Started: clock(0), Calls: 1}
	}
	left := runtime.ReceiptSummary{RunID: "run_left", State: runtime.Running, Started: clock(7), Calls: 2}
	list, err := f.store.Receipts(f.ctx, 2)
	f.ok(err)
	if diff := cmp.Diff([]runtime.ReceiptSummary{ended("last"), left}, list); diff != "" {
		f.Errorf("listing of 2 (-want +got):\n%s", diff)
	}
	_, err = f.store.Receipt(f.ctx, "run_left")
	if e := f.fails(err, runtime.NotFound); !strings.Contains(e.Message, "run_left") || !strings.Contains(e.Message, "did not end") || !strings.Contains(e.Hint, "journal") {
		f.Errorf("the error does not say that run_left did not end, and where to look: %v", e)
	}
	_, err = f.store.Receipt(f.ctx, "run_none")
	if e := f.fails(err, runtime.NotFound); strings.Contains(e.Error(), "did not end") {
		f.Errorf("of a run that never was it says: %v", e)
	}

	r := receipt("rcpt_left", "run_left", runtime.Finished)
	f.ok(f.store.Finish(f.ctx, f.op(), 1, r))
	list, err = f.store.Receipts(f.ctx, 10)
	f.ok(err)
	if diff := cmp.Diff([]runtime.ReceiptSummary{ended("last"), ended("left"), ended("first")}, list); diff != "" {
		f.Errorf("listing once it has ended (-want +got):\n%s", diff)
	}
	_, err = f.store.Receipt(f.ctx, "run_left")
	f.ok(err)
}

func testOrder(f *fixture) {
	f.ok(f.store.Start(f.ctx, f.op(), runRecord("run_1", nil)))
	var want []string
	for i := range 30 {
		var batch []runtime.Entry
		for j := range i%4 + 1 {
			text := fmt.Sprintf(`"%d.%d"`, i, j)
			want = append(want, text)
			// Times run backwards: the order is that of appending.
			batch = append(batch, runtime.Entry{N: 77, Kind: runtime.EntryCheckpoint, At: clock(-i), Data: json.RawMessage(text)})
		}
		f.ok(f.store.Append(f.ctx, f.op(), "run_1", 1, batch...))
		f.fails(f.store.Append(f.ctx, f.op(), "run_1", 2, batch...), runtime.Conflict)
	}
	entries := f.journal("run_1", append([]runtime.EntryKind{runtime.EntryStarted}, slices.Repeat([]runtime.EntryKind{runtime.EntryCheckpoint}, len(want))...)...)
	var got []string
	for _, e := range entries[1:] {
		got = append(got, string(e.Data))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		f.Errorf("order (-want +got):\n%s", diff)
	}
}

func testUnsettled(f *fixture) {
	f.ok(f.store.Start(f.ctx, f.op(), runRecord("run_1", map[string]runtime.Budget{"run": {runtime.Calls: 5}})))
	for _, call := range []string{"call_1", "call_2", "call_3"} {
		_, err := f.begin(f.store, f.op(), "run_1", call)
		f.ok(err)
	}
	_, err := f.store.EndCall(f.ctx, f.op(), outcome("run_1", "call_2", []string{"run"}, nil, nil))
	f.ok(err)
	f.reopen()
	if got := f.unsettled("run_1"); !slices.Equal(got, []string{"call_1", "call_3"}) {
		f.Errorf("unsettled calls are %q", got)
	}
	// The reservation of a call whose outcome is not known stays taken until it is settled.
	left, err := f.store.EndCall(f.ctx, f.op(), outcome("run_1", "call_3", []string{"run"}, one, nil))
	f.ok(err)
	f.balances(left, runtime.Balance{"run": {runtime.Calls: 3}})
}

// unsettled finds the calls of a journal that began and did not end.
func (f *fixture) unsettled(runID string) []string {
	f.Helper()
	entries, err := f.store.Journal(f.ctx, runID)
	f.ok(err)
	var open []string
	for _, e := range entries {
		var call struct {
			ID string `json:"call_id"`
		}
		f.ok(json.Unmarshal(e.Data, &call))
		switch e.Kind {
		case runtime.EntryCalled:
			open = append(open, call.ID)
		case runtime.EntrySettled:
			open = slices.DeleteFunc(open, func(id string) bool { return id == call.ID })
		}
	}
	return open
}

func testCancelled(f *fixture) {
	f.ok(f.store.Start(f.ctx, f.op(), runRecord("run_1", map[string]runtime.Budget{"run": {runtime.Calls: 5}})))
	ctx, cancel := context.WithCancel(f.ctx)
	cancel()
	_, err := f.store.BeginCall(ctx, "begin", intent("run_1", "call_1", []string{"run"}, one))
	f.fails(err, runtime.Cancelled)
	_, err = f.store.Journal(ctx, "run_1")
	f.fails(err, runtime.Cancelled)
	left, err := f.begin(f.store, "begin", "run_1", "call_1")
	f.ok(err)
	f.balances(left, runtime.Balance{"run": {runtime.Calls: 4}})
}

func testClosed(f *fixture) {
	other := f.handle()
	f.ok(f.store.Start(f.ctx, f.op(), runRecord("run_1", nil)))
	f.ok(f.store.Close())
	f.ok(f.store.Close())
	f.fails(f.store.Append(f.ctx, f.op(), "run_1", 1, entry(runtime.EntryProgress, 1, `1`)), runtime.Unavailable)
	_, err := f.store.Receipts(f.ctx, 1)
	f.fails(err, runtime.Unavailable)
	f.ok(other.Append(f.ctx, f.op(), "run_1", 1, entry(runtime.EntryProgress, 1, `1`)))
}
