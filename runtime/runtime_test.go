package runtime

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"testing"
)

func TestCheckBlocksAndExplains(t *testing.T) {
	s, store, _ := newFakeService()
	s.Checker = fakeChecker(func(CheckRequest) ([]Diagnostic, error) {
		return []Diagnostic{
			{File: "main.ts", Line: 3, Column: 7, Code: "TS2339", Severity: SeverityError, Message: "crm has no method lst", Missing: "crm.lst"},
			{File: "main.ts", Line: 4, Column: 1, Code: "TS2339", Severity: SeverityError, Message: "crm has no method add", Missing: "crm.add"},
			{File: "main.ts", Line: 5, Column: 1, Code: "TS2345", Severity: SeverityError, Message: "wrong type", Method: "crm.list"},
		}, nil
	})
	result := s.Run(context.Background(), request(grant("crm.list")))
	if result.State != Failed || result.Reason != ReasonCheck || len(store.entries()) != 0 || len(result.Calls) != 0 {
		t.Fatalf("state %s, reason %s, %d entries; want a failed check and nothing recorded", result.State, result.Reason, len(store.entries()))
	}
	near, exists, again := result.Diagnostics[0], result.Diagnostics[1], result.Diagnostics[2]
	if near.Hint != "did you mean crm.list?" || near.Declaration != "declaration of crm.list" {
		t.Errorf("diagnostic = %+v, want the near name and its declaration", near)
	}
	if exists.Hint != "crm.add exists, but is not granted to this run" {
		t.Errorf("hint = %q", exists.Hint)
	}
	if again.Declaration != "" {
		t.Error("the same declaration is given twice")
	}
	if p := result.Error.Pos; p == nil || p.Line != 3 || p.Column != 7 {
		t.Errorf("error at %+v, want 3:7", p)
	}
}

func TestRunEndsForItsReason(t *testing.T) {
	tests := []struct {
		name    string
		outcome Outcome
		err     error
		change  func(*Service, *memoryStore, *Request)
		state   State
		reason  Reason
	}{
		{name: "finished", outcome: Outcome{Result: json.RawMessage(`1`)}, state: Finished},
		{name: "limit", outcome: Outcome{Reason: ReasonWall, Err: Errorf(Timeout, "over 1 ms")}, state: Failed, reason: ReasonWall},
		{name: "script", outcome: Outcome{Reason: ReasonScript, Err: Errorf(ScriptFailed, "x is not a function")}, state: Failed, reason: ReasonScript},
		{name: "budget forged", outcome: Outcome{Reason: ReasonScript, Err: Errorf(BudgetExhausted, "no calls left")}, state: Failed, reason: ReasonScript},
		{name: "no worker", err: Errorf(Unavailable, "no worker binary"), state: Failed, reason: ReasonUnavail},
		{name: "cancelled", err: Errorf(Cancelled, "interrupted"), state: WasCancelled, reason: ReasonCancelled},
		{name: "own fault", err: errors.New("a bug"), state: Failed, reason: ReasonInternal},
		{name: "not accepted", change: func(s *Service, _ *memoryStore, _ *Request) {
			s.Accept = func([]Source, Limits) (Script, Reason, *Error) {
				return Script{}, ReasonNesting, Errorf(InvalidArgument, "too deep")
			}
		}, state: Failed, reason: ReasonNesting},
		{name: "no checker", change: func(s *Service, _ *memoryStore, _ *Request) { s.Checker = nil }, state: Failed, reason: ReasonUnavail},
		{name: "check takes too long", change: func(s *Service, _ *memoryStore, _ *Request) {
			s.Checker = fakeChecker(func(CheckRequest) ([]Diagnostic, error) { return nil, Errorf(Timeout, "slow") })
		}, state: Failed, reason: ReasonCheckTime},
		{name: "store locked", change: func(_ *Service, m *memoryStore, _ *Request) { m.fail["Start"] = Errorf(Unavailable, "locked") }, state: Failed, reason: ReasonUnavail},
		{name: "receipt lost", outcome: Outcome{Result: json.RawMessage(`1`)}, change: func(_ *Service, m *memoryStore, _ *Request) {
			m.fail["Finish"] = Errorf(Unavailable, "full")
		}, state: Failed, reason: ReasonUnavail},
		{name: "two principals", change: func(_ *Service, _ *memoryStore, r *Request) {
			r.Grants = append(r.Grants, with(grant("*"), func(g *Grant) { g.Principal = "user:bob" }))
		}, state: Failed, reason: ReasonInput},
		{name: "unenforced dimension", change: func(_ *Service, _ *memoryStore, r *Request) {
			r.Grants[0].Budget = Budget{CostMicroUSD: 1}
		}, state: Failed, reason: ReasonInput},
		{name: "memory too small", change: func(_ *Service, _ *memoryStore, r *Request) {
			r.Grants[0].Budget = Budget{MemoryBytes: LeastMemory - 1}
		}, state: Failed, reason: ReasonInput},
		{name: "least memory", change: func(_ *Service, _ *memoryStore, r *Request) { r.Grants[0].Budget = Budget{MemoryBytes: LeastMemory} }, state: Finished},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, store, _ := newFakeService()
			s.Workers = fakeWorkers(func(context.Context, Program, Host) (Outcome, error) { return tt.outcome, tt.err })
			req := request(grant("crm.*"))
			if tt.change != nil {
				tt.change(s, store, &req)
			}
			result := s.Run(context.Background(), req)
			if result.State != tt.state || result.Reason != tt.reason {
				t.Errorf("state %s, reason %q (%v); want %s, %q", result.State, result.Reason, result.Error, tt.state, tt.reason)
			}
			if (result.Error == nil) != (tt.state == Finished) {
				t.Errorf("error = %v", result.Error)
			}
		})
	}
}

func TestUncaughtBudgetEndsForTheBudget(t *testing.T) {
	s, _, _ := newFakeService()
	s.Workers = fakeWorkers(func(ctx context.Context, _ Program, h Host) (Outcome, error) {
		return Outcome{Reason: ReasonScript, Err: callOf(ctx, h, stub(1, "crm.list")).Err}, nil
	})
	result := s.Run(context.Background(), request(with(grant("*"), func(g *Grant) { g.Budget = Budget{Calls: 0} })))
	if result.Reason != ReasonCalls {
		t.Errorf("reason = %q, want %q", result.Reason, ReasonCalls)
	}
}

func TestLimitsTakeTheLowerOfAllLevels(t *testing.T) {
	s, _, _ := newFakeService()
	s.Maximum = Budget{WallMillis: 5_000}
	var got Limits
	s.Workers = fakeWorkers(func(_ context.Context, p Program, _ Host) (Outcome, error) {
		got = p.Limits
		return Outcome{Result: json.RawMessage("null")}, nil
	})
	wide := with(grant("*"), func(g *Grant) { g.Budget = Budget{WallMillis: 60_000, MemoryBytes: 128 << 20} })
	tight := with(grant("*"), func(g *Grant) { g.Budget = Budget{OutputBytes: 10} })
	s.Run(context.Background(), request(wide, tight))
	if got.WallMillis != 5_000 || got.MemoryBytes != 128<<20 || got.OutputBytes != 10 {
		t.Errorf("limits = %+v", got)
	}
}

func TestMaximumIsTheOperators(t *testing.T) {
	s, _, _ := newFakeService()
	s.Maximum = Budget{WallMillis: 3_600_000}
	var got Limits
	s.Workers = fakeWorkers(func(_ context.Context, p Program, _ Host) (Outcome, error) {
		got = p.Limits
		return Outcome{Result: json.RawMessage("null")}, nil
	})
	s.Run(context.Background(), request(with(grant("*"), func(g *Grant) { g.Budget = Budget{WallMillis: 3_000_000, MemoryBytes: 1 << 40} })))
	if got.WallMillis != 3_000_000 || got.MemoryBytes != 1<<30 {
		t.Errorf("limits = %+v", got)
	}
}

func TestOutputBytesHoldForASingleCall(t *testing.T) {
	s, _, _ := newFakeService()
	tight := with(grant("*"), func(g *Grant) { g.Budget = Budget{OutputBytes: 5} })
	result := s.Call(context.Background(), CallRequest{Method: "crm.list", Args: json.RawMessage(`{}`), Grants: []Grant{tight}})
	if result.Reason != ReasonOutput || result.Error == nil || result.Error.Code != ResultTooLarge || string(result.Result) != "null" {
		t.Errorf("%+v", result)
	}
	if len(result.Calls) != 1 || result.Calls[0].State != "finished" {
		t.Errorf("the call that was made is recorded as %+v", result.Calls)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"billing.createInvoice", "crm.addContact", "crm.listContacts", "crm.listDeals"}
	for asked, want := range map[string]string{
		"crm.listContact":  "crm.listContacts",
		"crm.lsitContacts": "crm.listContacts",
		"crn":              "crm",
		"crm.launchRocket": "",
	} {
		got := nearest(asked, names)
		if want == "" && len(got) > 0 || want != "" && (len(got) == 0 || got[0] != want) {
			t.Errorf("nearest(%q) = %q, want %q first", asked, got, want)
		}
	}
}

func TestArtifactPathsGoTogether(t *testing.T) {
	r := &run{service: &Service{Store: newMemoryStore()}}
	for _, tt := range []struct {
		path string
		ok   bool
	}{
		{"a/b", true}, {"a/b", true}, {"a", false}, {"a/b/c", false}, {"a/bc", true}, {"a/b.txt", true}, {"x", true}, {"x/y", false},
	} {
		if err := r.Artifact(t.Context(), ArtifactData{Path: tt.path}); (err == nil) != tt.ok || err != nil && err.Code != InvalidArgument {
			t.Errorf("%s: %v", tt.path, err)
		}
	}
	if n := len(r.files()); n != 4 {
		t.Errorf("%d artifacts are kept, want 4", n)
	}
}

// TestScriptDigest holds that anybody can compute a receipt's script digest: the values are sha256sum's.
func TestScriptDigest(t *testing.T) {
	one := []Source{{Name: "main.ts", Text: "return 1\n"}}
	if got, want := scriptDigest(one), "sha256:"+sumOf("return 1\n"); got != want {
		t.Errorf("one file: %s, want %s", got, want)
	}
	two := append(one, Source{Name: "b.ts", Text: "export {}"})
	want := "sha256:" + sumOf(`{"b.ts":"sha256:`+sumOf("export {}")+`","main.ts":"sha256:`+sumOf("return 1\n")+`"}`)
	if got := scriptDigest(two); got != want {
		t.Errorf("two files: %s, want %s", got, want)
	}
}

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
