package runtime

// This file tests what bounds a run beside its budgets.

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// Refused calls cost no budget, and each stands in the receipt: a script that goes on for ever with them would
// make one that no store takes.
func TestRefusedCallsEnd(t *testing.T) {
	service, store, _ := newFakeService()
	made := 0
	service.Workers = fakeWorkers(func(ctx context.Context, _ Program, h Host) (Outcome, error) {
		for ctx.Err() == nil && made < 2*maxRefused {
			made++
			callOf(ctx, h, stub(made, "crm.nope"))
		}
		return Outcome{Reason: ReasonCancelled, Err: Errorf(Cancelled, "killed")}, nil
	})
	result := service.Run(t.Context(), request(grant("*")))
	if result.Reason != ReasonCalls || result.Error.Code != BudgetExhausted || result.Error.Hint == "" {
		t.Errorf("%s: %v", result.Reason, result.Error)
	}
	if made != maxRefused+1 || len(store.receipt.Calls) != made {
		t.Errorf("%d calls, %d in the receipt", made, len(store.receipt.Calls))
	}
}

// Checkpoints and parts of results are bounded together.
func TestKeptBytesAreBounded(t *testing.T) {
	service, _, _ := newFakeService()
	saved := 0
	service.Workers = fakeWorkers(func(ctx context.Context, _ Program, h Host) (Outcome, error) {
		value := strings.Repeat("x", maxCheckpoint-2)
		for seq := 1; ; seq++ {
			s := callOf(ctx, h, StubCall{Seq: seq, Helper: HelperSave, Args: json.RawMessage(fmt.Sprintf(`{"name":"c%d","value":%q}`, seq, value))})
			if s.Err != nil {
				return Outcome{Reason: ReasonScript, Err: s.Err}, nil
			}
			saved++
		}
	})
	result := service.Run(t.Context(), request(grant("*")))
	if result.Error == nil || result.Error.Code != BudgetExhausted || saved != maxKept/maxCheckpoint {
		t.Errorf("%d checkpoints, then %v", saved, result.Error)
	}
}

// A store that is slow to take a run in is named, and not the script.
func TestSlowStoreIsNamed(t *testing.T) {
	late := Outcome{Reason: ReasonWall, Err: Errorf(Timeout, "the script ran longer than 1000 ms")}
	if out := (&run{entering: 2 * slowStore}).blameStore(late); out.Reason != ReasonUnavail || !strings.Contains(out.Err.Message, "took 2000 ms") {
		t.Errorf("%s: %v", out.Reason, out.Err)
	}
	if out := (&run{entering: 20 * time.Millisecond}).blameStore(late); out.Reason != ReasonWall {
		t.Errorf("%s: %v", out.Reason, out.Err)
	}
}

// A run that the store does not take ends for that, with what its script has shown; no call of it is made.
func TestRunThatCantBeEntered(t *testing.T) {
	service, store, settled := newFakeService(stub(1, "crm.add"))
	store.fail["Start"] = Errorf(Unavailable, "the disk is full").WithHint("make room")
	calls := service.Workers
	service.Workers = fakeWorkers(func(ctx context.Context, p Program, h Host) (Outcome, error) {
		h.Console(ConsoleLine{Level: "log", Text: "begun"})
		return calls.Run(ctx, p, h)
	})
	service.Invoker = fakeInvoker(func(context.Context, Invocation) (Reply, error) {
		t.Error("a call of a run that nobody records was made")
		return Reply{}, nil
	})
	result := service.Run(t.Context(), request(grant("*")))
	if result.State != Failed || result.Reason != ReasonUnavail || result.Error.Message != "the disk is full" || result.Result != nil && string(result.Result) != "null" {
		t.Errorf("%s, %s: %v, %s", result.State, result.Reason, result.Error, result.Result)
	}
	if len(result.Console) != 1 || len(*settled) != 1 || (*settled)[0].Err == nil {
		t.Errorf("%+v, %+v", result.Console, *settled)
	}
}
