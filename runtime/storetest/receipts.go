package storetest

// This file tests receipts and the listing of runs.

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"codemode/runtime"
)

// failedReceipt has text that is easily changed on its way.
func failedReceipt(i int) runtime.Receipt {
	r := receipt(fmt.Sprintf("rcpt_%d", i), fmt.Sprintf("run_%d", i), runtime.Failed)
	r.Reason, r.Error = runtime.ReasonScript, runtime.Errorf(runtime.ScriptFailed, "it threw <&>\u2028\ufffd").WithHint("look")
	return r
}

func testReceipts(f *fixture) {
	list, err := f.store.Receipts(f.ctx, 10)
	f.ok(err)
	if len(list) != 0 {
		f.Errorf("an empty store lists %d receipts", len(list))
	}
	for i := range 5 {
		f.start(fmt.Sprintf("run_%d", i))
		f.ok(f.store.Finish(f.ctx, f.op(), 1, failedReceipt(i)))
	}
	f.reopen()
	for _, id := range []string{"rcpt_3", "run_3"} {
		got, err := f.store.Receipt(f.ctx, id)
		f.ok(err)
		if diff := cmp.Diff(failedReceipt(3), got); diff != "" {
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
		return runtime.ReceiptSummary{ReceiptID: "rcpt_" + i, RunID: "run_" + i, State: runtime.Failed, Reason: runtime.ReasonScript, Started: at(0), Calls: 1}
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

// testNoReceipt leaves runs behind, one as a killed process does and one that is suspended, started
// before one that finished after them.
func testNoReceipt(f *fixture) {
	called := entry(runtime.EntryCalled, 8, `{"seq":1}`)
	f.start("first")
	f.ok(f.store.Start(f.ctx, f.op(), runRecord("left"), time.Hour, entry(runtime.EntryStarted, 7, `{}`), called))
	f.ok(f.store.Start(f.ctx, f.op(), runRecord("asks"), time.Hour, entry(runtime.EntryStarted, 6, `{}`)))
	f.start("last")
	f.finish("last", 1)
	f.finish("first", 1)
	f.ok(f.store.Append(f.ctx, f.op(), "left", 1, called, entry(runtime.EntrySettled, 9, `{"seq":1}`), note))
	f.ok(f.store.Suspend(f.ctx, f.op(), "asks", 1, called, called, called, entry(runtime.EntrySuspended, 9, `{}`)))
	f.reopen()

	ended := func(runID string) runtime.ReceiptSummary {
		return runtime.ReceiptSummary{ReceiptID: "rcpt_" + runID, RunID: runID, State: runtime.Finished, Started: at(0), Calls: 1}
	}
	asks := runtime.ReceiptSummary{RunID: "asks", State: runtime.Suspended, Started: at(6), Calls: 3}
	left := runtime.ReceiptSummary{RunID: "left", State: runtime.Running, Started: at(7), Calls: 2}
	f.lists(3, ended("last"), asks, left)

	_, err := f.store.Receipt(f.ctx, "left")
	if e := f.fails(err, runtime.NotFound); !strings.Contains(e.Message, "left") || !strings.Contains(e.Message, "did not end") || !strings.Contains(e.Hint, "journal") {
		f.Errorf("the error does not say that the run did not end, and where to look: %v", e)
	}
	_, err = f.store.Receipt(f.ctx, "none")
	if e := f.fails(err, runtime.NotFound); strings.Contains(e.Error(), "did not end") {
		f.Errorf("of a run that never was it says: %v", e)
	}

	f.finish("left", 1)
	f.lists(10, ended("last"), asks, ended("left"), ended("first"))
	_, err = f.store.Receipt(f.ctx, "left")
	f.ok(err)
}

func (f *fixture) lists(limit int, want ...runtime.ReceiptSummary) {
	f.Helper()
	list, err := f.store.Receipts(f.ctx, limit)
	f.ok(err)
	if diff := cmp.Diff(want, list); diff != "" {
		f.Errorf("listing of %d (-want +got):\n%s", limit, diff)
	}
}
