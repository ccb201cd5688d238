// Package storetest is the one suite that every runtime.Store must pass.
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) storetest.Place {
//			path, clock := filepath.Join(t.TempDir(), "store.db"), storetest.NewClock()
//			return storetest.Place{Open: func() runtime.Store { return open(t, path, clock.Now) }, Now: clock.Now, Pass: clock.Pass}
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
	"sync"
	"testing"
	"time"

	"codemode/runtime"
)

// Place is an empty store for one test.
type Place struct {
	// Open opens it. Every call is another handle, as another process would have; the suite closes them.
	Open func() runtime.Store
	// Now is the clock of its leases and deadlines.
	Now func() time.Time
	// Pass lets time pass on it; a store whose clock can't be set sleeps.
	Pass func(time.Duration)
}

// Fresh makes a place.
type Fresh func(t *testing.T) Place

// Clock is one that stands still until it is told to pass. It is safe for concurrent use.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock starts at a time that is not that of the machine, so that who reads the wrong one is told.
func NewClock() *Clock { return &Clock{now: time.Date(2031, 5, 1, 9, 0, 0, 987654321, time.UTC)} }

// Now is the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Pass moves it on.
func (c *Clock) Pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Run runs the suite, a subtest for each promise.
func Run(t *testing.T, fresh Fresh) {
	for _, part := range []struct {
		name string
		test func(*fixture)
	}{
		{"Start", testStart},
		{"JournalIsNumberedWithoutGaps", testOrder},
		{"LongJournal", testLongJournal},
		{"SuspendAndGoOn", testSuspend},
		{"FinishChecksTheState", testFinish},
		{"Receipts", testReceipts},
		{"RunsWithoutReceipt", testNoReceipt},
		{"RepeatedOperations", testRepeats},
		{"OperationIDsOfOthers", testOtherOperation},
		{"FailedOperationsLeaveNothing", testFailedLeaveNothing},
		{"Claim", testClaim},
		{"Fencing", testFencing},
		{"Renew", testRenew},
		{"EndedLeaseThatNobodyClaimed", testEndedLease},
		{"Cancel", testCancel},
		{"Answer", testAnswer},
		{"Overdue", testOverdue},
		{"Checkpoints", testCheckpoints},
		{"RepeatedCheckpoints", testRepeatedCheckpoints},
		{"FencedCheckpoints", testFencedCheckpoints},
		{"Blobs", testBlobs},
		{"BigPayloads", testBig},
		{"HostileText", testHostile},
		{"BadRequests", testBadRequests},
		{"CancelledContext", testCancelledContext},
		{"Closed", testClosed},
		{"ClaimRaces", testClaimRaces},
		{"ConcurrentRuns", testConcurrentRuns},
		{"ConcurrentAppendsOfOneRun", testConcurrentAppends},
		{"ConcurrentRepeats", testConcurrentRepeats},
	} {
		t.Run(part.name, func(t *testing.T) {
			f := &fixture{T: t, Place: fresh(t), ctx: t.Context()}
			f.store = f.handle()
			part.test(f)
		})
	}
}

// fixture is one test's store.
type fixture struct {
	*testing.T
	Place
	ctx    context.Context
	store  runtime.Store
	others []runtime.Store // further handles, for what runs in parallel
	ops    int
}

// lease is how long a run is held in tests that let it end.
const lease = 2 * time.Second

// handle opens the store once more.
func (f *fixture) handle() runtime.Store {
	f.Helper()
	s := f.Open()
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

// start starts a run that is held for an hour.
func (f *fixture) start(runID string) {
	f.Helper()
	f.ok(f.store.Start(f.ctx, f.op(), runRecord(runID), time.Hour, started))
}

func (f *fixture) suspend(runID string, epoch int64) {
	f.Helper()
	f.ok(f.store.Suspend(f.ctx, f.op(), runID, epoch))
}

func (f *fixture) claim(runID string, want int64) {
	f.Helper()
	epoch, err := f.store.Claim(f.ctx, f.op(), runID, time.Hour)
	f.ok(err)
	if epoch != want {
		f.Fatalf("claimed %s at epoch %d, want %d", runID, epoch, want)
	}
}

// finish ends a run under the receipt "rcpt_" and its id.
func (f *fixture) finish(runID string, epoch int64) {
	f.Helper()
	f.ok(f.store.Finish(f.ctx, f.op(), epoch, receipt("rcpt_"+runID, runID, runtime.Finished)))
}

func (f *fixture) status(runID string) runtime.RunStatus {
	f.Helper()
	status, err := f.store.Run(f.ctx, runID)
	f.ok(err)
	return status
}

// at is a time that every store can keep.
func at(n int) time.Time { return time.Date(2026, 3, 1, 12, 0, n, 123456789, time.UTC) }

func entry(kind runtime.EntryKind, n int, data string) runtime.Entry {
	return runtime.Entry{Kind: kind, At: at(n), Data: json.RawMessage(data)}
}

var (
	started = entry(runtime.EntryStarted, 0, `{"seed":1}`)
	note    = entry(runtime.EntryProgress, 1, `"on the way"`)
	answer  = entry(runtime.EntryAnswered, 5, `{"seq":1,"value":"yes"}`)
)

func runRecord(id string) runtime.RunRecord {
	return runtime.RunRecord{RunID: id, Task: "task_1", Request: json.RawMessage(`{"script":"return 1"}`)}
}

func receipt(id, runID string, state runtime.State) runtime.Receipt {
	return runtime.Receipt{ReceiptID: id, RunID: runID, Principal: "user:ana", Agent: "agent:misc", State: state,
		Started: at(0), Finished: at(9), ScriptSHA256: "sha256:00", ContractsSHA256: "sha256:01", GrantsSHA256: "sha256:02", Check: "off",
		Calls:   []runtime.CallRecord{{Seq: 1, CallID: "call_1", Method: "crm.list", State: "finished", Started: at(1)}},
		Budgets: map[string]runtime.Budget{"run": {runtime.Calls: 1 << 62}}, Versions: map[string]string{"codemode": "1"}}
}
