package runtime

// This file holds the doubles of a service's parts: structs of functions, no more.

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"codemode/directory/contract"
)

type fakeChecker func(CheckRequest) ([]Diagnostic, error)

func (f fakeChecker) Check(_ context.Context, req CheckRequest) ([]Diagnostic, error) { return f(req) }

type fakeWorkers func(context.Context, Program, Host) (Outcome, error)

func (f fakeWorkers) Run(ctx context.Context, p Program, h Host) (Outcome, error) {
	return f(ctx, p, h)
}

type fakeInvoker func(context.Context, Invocation) (Reply, error)

func (f fakeInvoker) Invoke(ctx context.Context, in Invocation) (Reply, error) { return f(ctx, in) }

type fakeValidator func(schema, value json.RawMessage) error

func (f fakeValidator) Validate(schema, value json.RawMessage) error { return f(schema, value) }

func (f fakeValidator) ValidateResult(schema, value json.RawMessage) error { return f(schema, value) }

type fakeConditions func(expr string) (Condition, error)

func (f fakeConditions) Compile(expr string, _ json.RawMessage) (Condition, error) { return f(expr) }

type fakeCondition func(args json.RawMessage) (bool, error)

func (f fakeCondition) Holds(args json.RawMessage) (bool, error) { return f(args) }

// memoryStore keeps one run, with real accounting, and can be told to fail an operation.
type memoryStore struct {
	mu       sync.Mutex
	accounts map[string]Budget
	entries  []Entry
	receipt  Receipt
	fail     map[string]error // by method
}

func (m *memoryStore) Start(_ context.Context, _ string, r RunRecord) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.accounts, m.entries = r.Accounts, append(m.entries, r.Started)
	return m.fail["Start"]
}

func (m *memoryStore) BeginCall(_ context.Context, _ string, in CallIntent) (Balance, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fail["BeginCall"]; err != nil {
		return nil, err
	}
	for _, a := range in.Accounts {
		if left, limited := m.accounts[a][Calls]; limited && left < in.Charge[Calls] {
			return nil, Errorf(BudgetExhausted, "%s has no calls left", a)
		}
	}
	out := Balance{}
	for _, a := range in.Accounts {
		b := m.accounts[a].Tighten(nil)
		if _, limited := b[Calls]; limited {
			b[Calls] -= in.Charge[Calls]
		}
		m.accounts[a], out[a] = b, b
	}
	m.entries = append(m.entries, in.Entry)
	return out, nil
}

func (m *memoryStore) EndCall(_ context.Context, _ string, out CallOutcome) (Balance, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fail["EndCall"]; err != nil {
		return nil, err
	}
	m.entries = append(m.entries, out.Entry)
	left := Balance{}
	for _, a := range out.Accounts {
		left[a] = m.accounts[a]
	}
	return left, nil
}

func (m *memoryStore) Append(context.Context, string, string, int64, ...Entry) error { return nil }

func (m *memoryStore) Finish(_ context.Context, _ string, _ int64, r Receipt) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.receipt = r
	return m.fail["Finish"]
}

func (m *memoryStore) Journal(context.Context, string) ([]Entry, error) { return m.entries, nil }
func (m *memoryStore) Receipt(context.Context, string) (Receipt, error) { return m.receipt, nil }
func (m *memoryStore) Receipts(context.Context, int) ([]ReceiptSummary, error) {
	return nil, errors.New("not asked for here")
}
func (m *memoryStore) Close() error { return nil }

func (m *memoryStore) kinds() (out []EntryKind) {
	for _, e := range m.entries {
		out = append(out, e.Kind)
	}
	return out
}

// sealed makes a contract for the tests' directory.
func sealed(key, name string, effect contract.Effect) contract.Contract {
	c := contract.Contract{
		Key: key, Name: name, Version: 1, Effect: effect, Placement: contract.Remote,
		Params: json.RawMessage(`{"type":"object"}`), Result: json.RawMessage(`true`),
	}
	if err := c.Seal(); err != nil {
		panic(err)
	}
	return c
}

// newFakeService is a service of three methods whose worker makes the given calls, one after another.
func newFakeService(calls ...StubCall) (*Service, *memoryStore, *[]Settlement) {
	store, settled := &memoryStore{fail: map[string]error{}}, &[]Settlement{}
	s := &Service{
		Surface: Surface{
			Contracts: []contract.Contract{
				sealed("CRM_ADD", "crm.add", contract.Irreversible),
				sealed("CRM_LIST", "crm.list", contract.Read),
				sealed("FLOW_ALL", "flow.all", contract.Read),
			},
			Granted: func(_, _ []string) string { return "" },
			Declare: func(c contract.Contract) string { return "declaration of " + c.Name },
		},
		Checker: fakeChecker(func(CheckRequest) ([]Diagnostic, error) { return nil, nil }),
		Workers: fakeWorkers(func(ctx context.Context, _ Program, h Host) (Outcome, error) {
			for _, c := range calls {
				*settled = append(*settled, h.Call(ctx, c))
			}
			if ctx.Err() != nil {
				return Outcome{Reason: ReasonCancelled, Err: Errorf(Cancelled, "killed")}, nil
			}
			return Outcome{Result: json.RawMessage(`"done"`)}, nil
		}),
		Invoker: fakeInvoker(func(context.Context, Invocation) (Reply, error) {
			return Reply{Result: json.RawMessage(`{"ok":true}`)}, nil
		}),
		Validator:  fakeValidator(func(_, _ json.RawMessage) error { return nil }),
		Conditions: fakeConditions(func(string) (Condition, error) { return nil, errors.New("unused") }),
		Store:      store,
		Now:        time.Now,
	}
	return s, store, settled
}

func stub(seq int, method string) StubCall {
	return StubCall{Seq: seq, Method: method, Args: json.RawMessage(`{}`), At: Pos{"main.ts", seq, 1}}
}

func grant(operations ...string) Grant {
	return Grant{Principal: "user:ana", Agent: "agent:misc", Resource: "*", Operations: operations, Decisions: Decisions{Required: []string{}}}
}

func request(grants ...Grant) Request {
	return Request{Sources: []Source{{"main.ts", "return 1"}}, Grants: grants}
}
