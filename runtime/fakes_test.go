package runtime

// This file holds the doubles of a service's parts: structs of functions, no more.

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"codemode/directory/contract"
)

type fakeChecker func(CheckRequest) ([]Diagnostic, error)

func (f fakeChecker) Check(_ context.Context, req CheckRequest) ([]Diagnostic, error) { return f(req) }

type fakeWorkers func(context.Context, Program, Host) (Outcome, error)

func (f fakeWorkers) Run(ctx context.Context, p Program, h Host) (Outcome, error) {
	counted := &countedHost{Host: h}
	out, err := f(ctx, p, counted)
	out.Settled = int(counted.settled.Load())
	return out, err
}

// countedHost counts what a script of a test takes, as a worker does.
type countedHost struct {
	Host
	settled atomic.Int64
}

func (h *countedHost) Call(ctx context.Context, c StubCall, settle func(Settlement)) {
	h.Host.Call(ctx, c, func(s Settlement) {
		if !s.Pending {
			h.settled.Add(1)
		}
		settle(s)
	})
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

// memoryStore keeps runs as a store does, in memory, and can be told to fail an operation.
type memoryStore struct {
	mu          sync.Mutex
	runs        map[string]*RunStatus
	journals    map[string][]Entry
	receipts    map[string]Receipt
	checkpoints map[string]Checkpoint
	blobs       map[string][]byte
	ops         map[string]bool
	fail        map[string]error // by method
	appended    func(Entry)      // told of each entry before it is kept
	lose        func() bool      // tells that the holder has lost the run just now
	receipt     Receipt          // the last one
}

func newMemoryStore() *memoryStore {
	return &memoryStore{
		runs: map[string]*RunStatus{}, journals: map[string][]Entry{}, receipts: map[string]Receipt{}, checkpoints: map[string]Checkpoint{},
		blobs: map[string][]byte{}, ops: map[string]bool{}, fail: map[string]error{},
	}
}

// holding runs fn on a run that the caller holds.
func (m *memoryStore) holding(op, runID string, epoch int64, method string, fn func(*RunStatus)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r := m.runs[runID]; r != nil && m.lose != nil && m.lose() {
		r.Held = false
	}
	switch r := m.runs[runID]; {
	case m.fail[method] != nil:
		return m.fail[method]
	case r == nil:
		return Errorf(NotFound, "no run")
	case m.ops[op]:
		return nil
	case r.Epoch != epoch || !r.Held:
		return Errorf(Conflict, "another holds it")
	default:
		m.ops[op] = true
		fn(r)
		return nil
	}
}

func (m *memoryStore) put(runID string, entries []Entry) {
	for _, e := range entries {
		if m.appended != nil {
			m.appended(e)
		}
		e.N = len(m.journals[runID]) + 1
		m.journals[runID] = append(m.journals[runID], e)
	}
}

func (m *memoryStore) Start(_ context.Context, _ string, r RunRecord, _ time.Duration, entries ...Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.runs[r.RunID] = &RunStatus{RunRecord: r, State: Running, Epoch: 1, Held: true}
	m.put(r.RunID, entries)
	return m.fail["Start"]
}

func (m *memoryStore) Append(_ context.Context, op, runID string, epoch int64, entries ...Entry) error {
	for _, e := range entries {
		if err := m.fail["Append "+string(e.Kind)]; err != nil {
			return err
		}
	}
	return m.holding(op, runID, epoch, "Append", func(*RunStatus) { m.put(runID, entries) })
}

func (m *memoryStore) Suspend(_ context.Context, op, runID string, epoch int64, entries ...Entry) error {
	return m.holding(op, runID, epoch, "Suspend", func(r *RunStatus) {
		m.put(runID, entries)
		r.State, r.Held = Suspended, false
	})
}

func (m *memoryStore) Finish(_ context.Context, op string, epoch int64, rc Receipt, entries ...Entry) error {
	return m.holding(op, rc.RunID, epoch, "Finish", func(r *RunStatus) {
		m.put(rc.RunID, append(entries, Entry{Kind: EntryFinished}))
		r.State, r.Held = rc.State, false
		m.receipt, m.receipts[rc.RunID] = rc, rc
	})
}

func (m *memoryStore) Claim(_ context.Context, _, runID string, _ time.Duration) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.runs[runID]
	if r.Held || !r.State.CanBecome(Expired) {
		return 0, Errorf(Conflict, "held or ended")
	}
	r.State, r.Held = Running, true
	r.Epoch++
	return r.Epoch, nil
}

func (m *memoryStore) Renew(_ context.Context, runID string, epoch int64, _ time.Duration) (bool, error) {
	var cancelled bool
	err := m.holding("", runID, epoch, "Renew", func(r *RunStatus) { cancelled = r.Cancelled })
	return cancelled, err
}

func (m *memoryStore) Cancel(_ context.Context, _, runID string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.runs[runID].Cancelled = true
	return m.fail["Cancel"]
}

func (m *memoryStore) Answer(_ context.Context, _, runID string, e Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.put(runID, []Entry{e})
	return m.fail["Answer"]
}

func (m *memoryStore) Run(_ context.Context, runID string) (RunStatus, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r := m.runs[runID]; r != nil {
		return *r, nil
	}
	return RunStatus{}, Errorf(NotFound, "no run %s", runID)
}

func (m *memoryStore) Overdue(context.Context, int) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []string
	for id, r := range m.runs {
		if !r.Held && r.State.CanBecome(Expired) && r.Deadline.Before(time.Now()) {
			out = append(out, id)
		}
	}
	return out, nil
}

func (m *memoryStore) Journal(_ context.Context, runID string) ([]Entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.journals[runID]), nil
}

func (m *memoryStore) Receipt(_ context.Context, id string) (Receipt, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r, ok := m.receipts[id]; ok {
		return r, nil
	}
	return Receipt{}, Errorf(NotFound, "no receipt")
}

func (m *memoryStore) Receipts(context.Context, int) ([]ReceiptSummary, error) {
	return nil, errors.New("not asked for here")
}

func (m *memoryStore) SaveCheckpoint(_ context.Context, _ string, _ int64, c Checkpoint) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.checkpoints[c.Task+"/"+c.Name] = c
	return nil
}

func (m *memoryStore) Checkpoint(_ context.Context, task, name string) (Checkpoint, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c, ok := m.checkpoints[task+"/"+name]; ok {
		return c, nil
	}
	return Checkpoint{}, Errorf(NotFound, "no checkpoint")
}

func (m *memoryStore) PutBlob(_ context.Context, digest string, bytes []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fail["PutBlob"]; err != nil {
		return err
	}
	m.blobs[digest] = bytes
	return nil
}

func (m *memoryStore) Blob(_ context.Context, digest string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if b, ok := m.blobs[digest]; ok {
		return b, nil
	}
	return nil, Errorf(NotFound, "no blob")
}

func (m *memoryStore) Close() error { return nil }

// entries are those of all runs, and kinds their kinds.
func (m *memoryStore) entries() (out []Entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, j := range m.journals {
		out = append(out, j...)
	}
	return out
}

func (m *memoryStore) kinds() (out []EntryKind) {
	for _, e := range m.entries() {
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
	store, settled := newMemoryStore(), &[]Settlement{}
	s := &Service{
		Surface: Surface{
			Contracts: []contract.Contract{
				sealed("CRM_ADD", "crm.add", contract.Irreversible),
				sealed("CRM_LIST", "crm.list", contract.Read),
				sealed("FLOW_ALL", "flow.all", contract.Read),
			},
			Granted: func(_, _, _ []string) string { return "" },
			Declare: func(c contract.Contract) string { return "declaration of " + c.Name },
		},
		Accept: func(files []Source, _ Limits) (Script, Reason, *Error) {
			script := Script{Entry: files[0].Name}
			for _, f := range files {
				script.Files = append(script.Files, SourceFile{Name: f.Name, Text: f.Text, Module: f.Text})
			}
			return script, NoReason, nil
		},
		Checker: fakeChecker(func(CheckRequest) ([]Diagnostic, error) { return nil, nil }),
		Workers: fakeWorkers(func(ctx context.Context, _ Program, h Host) (Outcome, error) {
			for _, c := range calls {
				*settled = append(*settled, callOf(ctx, h, c))
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

// callOf makes one call and waits for its settlement.
func callOf(ctx context.Context, h Host, c StubCall) Settlement {
	settled := make(chan Settlement, 1)
	h.Call(ctx, c, func(s Settlement) { settled <- s })
	return <-settled
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
