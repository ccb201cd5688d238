package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"
)

func TestGateRefusesBeforeInvoking(t *testing.T) {
	past := time.Now().Add(-time.Hour).Format(time.RFC3339)
	tests := []struct {
		name   string
		grants []Grant
		change func(*Service, *memoryStore)
		code   Code
		reason Reason
	}{
		{name: "not granted", grants: []Grant{grant("crm.list")}, code: NotGranted},
		{name: "no grant at all", grants: []Grant{{}}, code: NotGranted},
		{name: "another resource", grants: []Grant{with(grant("*"), func(g *Grant) { g.Resource = "BILLING_*" })}, code: NotGranted},
		{name: "expired", grants: []Grant{with(grant("*"), func(g *Grant) { g.Expires = past })}, code: GrantExpired},
		{name: "bad arguments", grants: []Grant{grant("*")}, code: InvalidArgument, change: func(s *Service, _ *memoryStore) {
			s.Validator = fakeValidator(func(_, _ json.RawMessage) error { return Errorf(InvalidArgument, "missing argument %q", "id") })
		}},
		{name: "condition", grants: []Grant{with(grant("*"), func(g *Grant) { g.When = "false" })}, code: NotGranted, change: func(s *Service, _ *memoryStore) {
			s.Conditions = fakeConditions(func(string) (Condition, error) {
				return fakeCondition(func(json.RawMessage) (bool, error) { return false, nil }), nil
			})
		}},
		{name: "condition that fails", grants: []Grant{with(grant("*"), func(g *Grant) { g.When = "x" })}, code: NotGranted, change: func(s *Service, _ *memoryStore) {
			s.Conditions = fakeConditions(func(string) (Condition, error) {
				return fakeCondition(func(json.RawMessage) (bool, error) { return true, errors.New("overflow") }), nil
			})
		}},
		{name: "decision by effect", grants: []Grant{with(grant("*"), func(g *Grant) { g.Decisions.Required = []string{"irreversible"} })}, code: NeedsDecision, reason: ReasonDecision},
		{name: "decision by operation", grants: []Grant{with(grant("*"), func(g *Grant) { g.Decisions.Required = []string{"crm.a*"} })}, code: NeedsDecision, reason: ReasonDecision},
		{name: "decision unsaid", grants: []Grant{with(grant("*"), func(g *Grant) { g.Decisions.Required = nil })}, code: NeedsDecision, reason: ReasonDecision},
		{name: "decision of a later grant", grants: []Grant{grant("*"), with(grant("crm.*"), func(g *Grant) { g.Decisions.Required = []string{"irreversible"} })}, code: NeedsDecision, reason: ReasonDecision},
		{name: "no calls left", grants: []Grant{with(grant("*"), func(g *Grant) { g.Budget = Budget{Calls: 0} })}, code: BudgetExhausted},
		{name: "store gone", grants: []Grant{grant("*")}, code: Unavailable, reason: ReasonUnavail, change: func(_ *Service, m *memoryStore) {
			m.fail["Append called"] = Errorf(Unavailable, "the store is locked")
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, store, settled := newFakeService(stub(1, "crm.add"))
			s.Invoker = fakeInvoker(func(context.Context, Invocation) (Reply, error) {
				t.Error("invoked")
				return Reply{}, nil
			})
			if tt.change != nil {
				tt.change(s, store)
			}
			result := s.Run(context.Background(), request(tt.grants...))
			if result.Reason != tt.reason {
				t.Errorf("reason = %q (%v), want %q", result.Reason, result.Error, tt.reason)
			}
			if err := (*settled)[0].Err; err == nil || err.Code != tt.code || err.Call != "crm.add" || err.Pos == nil {
				t.Errorf("settled with %+v, want code %s with its call and place", err, tt.code)
			}
			if got := result.Calls[0]; got.State != "refused" || got.Code != tt.code {
				t.Errorf("record = %+v, want refused with %s", got, tt.code)
			}
			if slices.Contains(store.kinds(), EntryCalled) {
				t.Error("an intent was journaled")
			}
		})
	}
}

func with(g Grant, change func(*Grant)) Grant {
	change(&g)
	return g
}

func TestGateRecordsWhatHappened(t *testing.T) {
	s, store, settled := newFakeService(stub(1, "crm.list"), stub(2, "crm.add"))
	s.Validator = fakeValidator(func(schema, _ json.RawMessage) error {
		if string(schema) == `{"type":"string"}` {
			return Errorf(InvalidArgument, "got object, want string")
		}
		return nil
	})
	s.Surface.Contracts[1].Result = json.RawMessage(`{"type":"string"}`)
	s.Invoker = fakeInvoker(func(_ context.Context, in Invocation) (Reply, error) {
		if in.Contract.Name == "crm.add" {
			return Reply{}, &Error{Code: Conflict, Message: "exists", Status: 409, Cause: errors.New("secret")}
		}
		return Reply{Result: json.RawMessage(`{"n":9007199254740993}`), Status: 200}, nil
	})
	result := s.Run(context.Background(), request(with(grant("crm.*"), func(g *Grant) { g.Budget = Budget{Calls: 5} })))

	if result.State != Finished || string(result.Result) != `"done"` {
		t.Fatalf("result = %s %s %v", result.State, result.Result, result.Error)
	}
	list, add := result.Calls[0], result.Calls[1]
	if list.ResultState != "mismatch" || list.ResultMismatch == "" || list.Status != 200 {
		t.Errorf("list = %+v, want a recorded mismatch", list)
	}
	if add.State != "failed" || add.Code != Conflict || add.Status != 409 {
		t.Errorf("add = %+v, want failed with conflict", add)
	}
	if s := (*settled)[0]; string(s.Result) != `{"n":9007199254740993}` || !slices.Equal(s.BigInts, []string{"/n"}) {
		t.Errorf("settled %s bigints %q, want the value as it came", s.Result, s.BigInts)
	}
	if (*settled)[1].Err.Cause != nil {
		t.Error("a cause reached the script")
	}
	if list.Before["grant:1"][Calls] != 5 || list.After["grant:1"][Calls] != 4 || add.After["grant:1"][Calls] != 3 {
		t.Errorf("budgets: before %v, after %v, then %v", list.Before, list.After, add.After)
	}
	want := []EntryKind{EntryStarted, EntryCalled, EntrySettled, EntryCalled, EntrySettled, EntryFinished}
	if !slices.Equal(store.kinds(), want) {
		t.Errorf("journal = %q, want %q", store.kinds(), want)
	}
	r := store.receipt
	if r.ScriptSHA256 == "" || r.ContractsSHA256 == "" || r.GrantsSHA256 == "" || r.ResultSHA256 == "" || r.Principal != "user:ana" || r.Budgets["grant:1"][Calls] != 3 {
		t.Errorf("receipt = %+v", r)
	}
	if result.Usage.Calls != 2 || result.Receipt != r.ReceiptID {
		t.Errorf("usage = %+v, receipt = %q", result.Usage, result.Receipt)
	}
}

func TestGateStepsOfAFlow(t *testing.T) {
	s, _, settled := newFakeService(stub(1, "flow.all"))
	s.Invoker = fakeInvoker(func(ctx context.Context, in Invocation) (Reply, error) {
		if in.Contract.Name != "flow.all" {
			return Reply{Result: json.RawMessage(`1`)}, nil
		}
		if _, err := in.Step(ctx, "CRM_LIST", "", json.RawMessage(`{}`)); err != nil {
			return Reply{}, err
		}
		result, err := in.Step(ctx, "CRM_ADD", "", json.RawMessage(`{}`))
		return Reply{Result: result}, err
	})
	result := s.Run(context.Background(), request(grant("flow.*")))
	if (*settled)[0].Err != nil || string((*settled)[0].Result) != "1" {
		t.Fatalf("settled = %+v", (*settled)[0])
	}
	var got []string
	for _, c := range result.Calls {
		got = append(got, c.Method)
	}
	if !slices.Equal(got, []string{"flow.all", "crm.list", "crm.add"}) || result.Calls[2].Parent != result.Calls[0].CallID || result.Calls[2].Step != 2 {
		t.Errorf("calls = %q, last %+v", got, result.Calls[2])
	}
	// The steps are judged under the flow's own grant: a decision it demands is demanded of them too.
	s, _, _ = newFakeService(stub(1, "flow.all"))
	s.Invoker = fakeInvoker(func(ctx context.Context, in Invocation) (Reply, error) {
		if in.Contract.Name == "crm.add" {
			t.Error("invoked")
		}
		result, err := in.Step(ctx, "CRM_ADD", "", json.RawMessage(`{}`))
		return Reply{Result: result}, err
	})
	result = s.Run(context.Background(), request(with(grant("flow.*"), func(g *Grant) { g.Decisions.Required = []string{"irreversible"} })))
	if result.Reason != ReasonDecision {
		t.Errorf("reason = %q, want %q", result.Reason, ReasonDecision)
	}
}

func TestGateStopsFlowsThatCallThemselves(t *testing.T) {
	s, _, settled := newFakeService(stub(1, "flow.all"))
	s.Invoker = fakeInvoker(func(ctx context.Context, in Invocation) (Reply, error) {
		result, err := in.Step(ctx, "FLOW_ALL", "", json.RawMessage(`{}`))
		return Reply{Result: result}, err
	})
	result := s.Run(context.Background(), request(grant("flow.*")))
	if err := (*settled)[0].Err; err == nil || err.Code != Refused || len(result.Calls) != maxFlowDepth+1 {
		t.Errorf("err = %v after %d calls, want refused after %d", err, len(result.Calls), maxFlowDepth+1)
	}
}

func TestEffectWithoutItsRecordEndsTheRun(t *testing.T) {
	s, store, settled := newFakeService(stub(1, "crm.add"), stub(2, "crm.add"))
	store.fail["Append settled"] = Errorf(Unavailable, "the disk is full")
	result := s.Run(context.Background(), request(grant("*")))
	if result.Reason != ReasonUnavail || (*settled)[0].Err.Code != Unavailable {
		t.Errorf("reason = %q, settled %+v; want unavailable", result.Reason, (*settled)[0].Err)
	}
	if !slices.Contains(store.kinds(), EntryCalled) {
		t.Error("the intent is lost")
	}
}

func TestGrantsAreTriedInOrder(t *testing.T) {
	s, _, _ := newFakeService(stub(1, "crm.list"), stub(2, "crm.add"))
	result := s.Run(context.Background(), request(grant("crm.list"), grant("crm.*")))
	if result.Calls[0].Grant != "grant:1" || result.Calls[1].Grant != "grant:2" {
		t.Errorf("charged %s and %s, want grant:1 and grant:2", result.Calls[0].Grant, result.Calls[1].Grant)
	}
}

// TestRunHaltsAtQuiescence holds that a call which needs a decision does not cut off the calls that
// have begun, and that none begins after it.
func TestRunHaltsAtQuiescence(t *testing.T) {
	s, _, _ := newFakeService()
	begun, finish := make(chan struct{}), make(chan struct{})
	s.Invoker = fakeInvoker(func(ctx context.Context, in Invocation) (Reply, error) {
		if in.Contract.Name != "crm.list" {
			t.Errorf("%s was invoked", in.Contract.Name)
		}
		close(begun)
		<-finish
		return Reply{Result: json.RawMessage(`1`)}, ctx.Err()
	})
	s.Workers = fakeWorkers(func(ctx context.Context, _ Program, h Host) (Outcome, error) {
		settled := make(chan Settlement, 3)
		call := func(seq int, method string) { go func() { settled <- callOf(ctx, h, stub(seq, method)) }() }
		call(1, "crm.list")
		<-begun
		call(2, "crm.add")
		call(3, "crm.add")
		select {
		case <-settled:
			t.Error("a settlement was delivered while a call was active")
		case <-time.After(20 * time.Millisecond):
		}
		close(finish)
		for range 3 {
			<-settled
		}
		<-ctx.Done()
		return Outcome{Reason: ReasonCancelled, Err: Errorf(Cancelled, "killed")}, nil
	})
	result := s.Run(context.Background(), request(with(grant("crm.*"), func(g *Grant) { g.Decisions.Required = []string{"irreversible"} })))
	if result.Reason != ReasonDecision {
		t.Errorf("reason = %q (%v), want %q", result.Reason, result.Error, ReasonDecision)
	}
	if first := result.Calls[0]; first.State != "finished" || result.Calls[1].State != "refused" || result.Calls[2].State != "refused" {
		t.Errorf("calls = %+v, want the first finished and the others refused", result.Calls)
	}
}
