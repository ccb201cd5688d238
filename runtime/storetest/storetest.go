// Package storetest is the one suite that every runtime.Store must pass.
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) func() runtime.Store {
//			path := filepath.Join(t.TempDir(), "store.db")
//			return func() runtime.Store { return open(t, path) }
//		})
//	}
//
// It tests what the interface promises. What one store alone can suffer (a full disk, a lost
// connection, a killed process) stands in that store's own tests.
package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"codemode/runtime"
)

// Fresh makes an empty store for one test and returns how to open it. Every call of open is another
// handle on the same store, as another process would have; the suite closes them.
type Fresh func(t *testing.T) (open func() runtime.Store)

// Run runs the suite, a subtest for each promise.
func Run(t *testing.T, fresh Fresh) {
	for _, part := range []struct {
		name string
		test func(*fixture)
	}{
		{"Start", testStart},
		{"BeginReservesAllOrNothing", testReserve},
		{"MissingDimensionIsUnlimited", testUnlimited},
		{"EndSettlesOnce", testSettle},
		{"AmountsNeverGoNegative", testNeverNegative},
		{"IntegersAreExact", testExact},
		{"RepeatedOperations", testRepeats},
		{"Fencing", testFencing},
		{"FinishChecksTheState", testFinish},
		{"Receipts", testReceipts},
		{"RunsWithoutReceipt", testNoReceipt},
		{"JournalIsNumberedWithoutGaps", testOrder},
		{"CrashBetweenBeginAndEnd", testUnsettled},
		{"BigPayloads", testBig},
		{"HostileText", testHostile},
		{"BadRequests", testBadRequests},
		{"Cancelled", testCancelled},
		{"ConcurrentReservations", testConcurrent},
		{"ConcurrentRuns", testConcurrentRuns},
		{"ConcurrentRepeats", testConcurrentRepeats},
		{"Closed", testClosed},
	} {
		t.Run(part.name, func(t *testing.T) {
			f := &fixture{T: t, ctx: t.Context(), open: fresh(t)}
			f.store = f.handle()
			part.test(f)
		})
	}
}

// fixture is one test's store.
type fixture struct {
	*testing.T
	ctx   context.Context
	open  func() runtime.Store
	store runtime.Store
	ops   int
}

// handle opens the store once more.
func (f *fixture) handle() runtime.Store {
	f.Helper()
	s := f.open()
	f.Cleanup(func() {
		if err := s.Close(); err != nil {
			f.Errorf("close: %v", err)
		}
	})
	return s
}

// reopen closes the first handle and opens another, as a new process would.
func (f *fixture) reopen() {
	f.Helper()
	f.ok(f.store.Close())
	f.store = f.handle()
}

func (f *fixture) op() string { f.ops++; return fmt.Sprintf("op_%d", f.ops) }

func (f *fixture) ok(err error) {
	f.Helper()
	if err != nil {
		f.Fatalf("unexpected error: %v", err)
	}
}

// fails wants an Error with the code and a message.
func (f *fixture) fails(err error, code runtime.Code) *runtime.Error {
	f.Helper()
	var e *runtime.Error
	if !errors.As(err, &e) || e.Code != code || e.Message == "" {
		f.Fatalf("error is %v, want code %s", err, code)
	}
	return e
}

// clock is a time that every store can keep.
func clock(n int) time.Time { return time.Date(2026, 3, 1, 12, 0, n, 123456789, time.UTC) }

func entry(kind runtime.EntryKind, n int, data string) runtime.Entry {
	return runtime.Entry{Kind: kind, At: clock(n), Data: json.RawMessage(data)}
}

func runRecord(id string, accounts map[string]runtime.Budget) runtime.RunRecord {
	return runtime.RunRecord{RunID: id, Epoch: 1, Accounts: accounts, Started: entry(runtime.EntryStarted, 0, `{"seed":1}`)}
}

func intent(runID, callID string, accounts []string, charge map[runtime.Dimension]int64) runtime.CallIntent {
	return runtime.CallIntent{RunID: runID, CallID: callID, Epoch: 1, Seq: 1, Method: "crm.list", Accounts: accounts, Charge: charge,
		Entry: entry(runtime.EntryCalled, 1, callData(callID))}
}

func outcome(runID, callID string, accounts []string, release, charge map[runtime.Dimension]int64) runtime.CallOutcome {
	return runtime.CallOutcome{RunID: runID, CallID: callID, Epoch: 1, Accounts: accounts, Release: release, Charge: charge,
		Entry: entry(runtime.EntrySettled, 2, callData(callID))}
}

func receipt(id, runID string, state runtime.State) runtime.Receipt {
	return runtime.Receipt{ReceiptID: id, RunID: runID, Principal: "user:ana", Agent: "agent:misc", State: state,
		Started: clock(0), Finished: clock(9), ScriptSHA256: "sha256:00", ContractsSHA256: "sha256:01", GrantsSHA256: "sha256:02", Check: "off",
		Calls:   []runtime.CallRecord{{Seq: 1, CallID: "call_1", Method: "crm.list", State: "finished", Started: clock(1)}},
		Budgets: map[string]runtime.Budget{"run": {runtime.Calls: 1 << 62}}, Versions: map[string]string{"codemode": "1"}}
}

func callData(callID string) string {
	quoted, err := json.Marshal(callID)
	if err != nil {
		return err.Error()
	}
	return `{"call_id":` + string(quoted) + `}`
}

// begin reserves one call of the account "run".
func (f *fixture) begin(s runtime.Store, op, runID, callID string) (runtime.Balance, error) {
	return s.BeginCall(f.ctx, op, intent(runID, callID, []string{"run"}, one))
}

var one = map[runtime.Dimension]int64{runtime.Calls: 1}
