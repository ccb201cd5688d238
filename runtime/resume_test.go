package runtime

// This file holds the tests of runs that are taken up again. Their worker is a double: a script written in
// Go, which is given settlements one a turn, as an engine gives them.

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// machine runs a script in Go: start makes the first calls, and each settlement may make others.
type machine struct {
	ctx     context.Context
	host    Host
	seq     int
	open    map[int]func(Settlement)
	pending map[int]bool
	inbox   chan delivery
	trace   []string
	done    json.RawMessage
	stopped bool
}

type delivery struct {
	seq int
	s   Settlement
}

// call makes a call; then is its continuation.
func (m *machine) call(c StubCall, then func(Settlement)) {
	m.seq++
	c.Seq, c.At = m.seq, Pos{"main.ts", m.seq, 1}
	if c.Args == nil {
		c.Args = json.RawMessage(`{}`)
	}
	seq := m.seq
	m.open[seq] = then
	m.host.Call(m.ctx, c, func(s Settlement) { m.inbox <- delivery{seq, s} })
}

func (m *machine) tool(method, args string, then func(Settlement)) {
	m.call(StubCall{Method: method, Args: json.RawMessage(args)}, then)
}

func (m *machine) run() Outcome {
	for m.done == nil {
		if m.waits() {
			return Outcome{Waiting: sortedKeys(m.open)}
		}
		select {
		case d := <-m.inbox:
			if d.s.Pending {
				m.pending[d.seq] = true
				continue
			}
			then := m.open[d.seq]
			delete(m.open, d.seq)
			m.trace = append(m.trace, fmt.Sprintf("%d:%s:%v", d.seq, d.s.Result, d.s.Err != nil))
			then(d.s)
		case <-m.ctx.Done():
			return Outcome{Reason: ReasonCancelled, Err: Errorf(Cancelled, "killed")}
		}
	}
	return Outcome{Result: m.done}
}

// waits reports whether only calls are open that wait for a person.
func (m *machine) waits() bool {
	for seq := range m.open {
		if !m.pending[seq] {
			return false
		}
	}
	return len(m.open) > 0
}

func sortedKeys[V any](m map[int]V) []int {
	var out []int
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// onMachine makes the service run the script, and returns the traces of its runs.
func onMachine(s *Service, script func(*machine)) *[][]string {
	var mu sync.Mutex
	traces := &[][]string{}
	s.Workers = fakeWorkers(func(ctx context.Context, _ Program, h Host) (Outcome, error) {
		m := &machine{ctx: ctx, host: h, open: map[int]func(Settlement){}, pending: map[int]bool{}, inbox: make(chan delivery, 1000)}
		script(m)
		out := m.run()
		mu.Lock()
		*traces = append(*traces, m.trace)
		mu.Unlock()
		return out, nil
	})
	return traces
}

// race makes three reads, and a write once two of them are in: in which order decides its arguments.
func race(m *machine) {
	var in []string
	took := func(s Settlement) {
		if in = append(in, string(s.Result)); len(in) == 4 {
			m.finish(in)
		}
	}
	for i := range 3 {
		m.tool("crm.list", fmt.Sprintf(`{"i":%d}`, i), func(s Settlement) {
			took(s)
			if len(in) == 2 {
				m.tool("crm.add", `{"winners":"`+strings.Join(in, "+")+`"}`, took)
			}
		})
	}
}

func (m *machine) finish(in []string) {
	raw, _ := json.Marshal(in)
	m.done = raw
}

// jittery answers reads after a random while, and counts writes.
func jittery(writes *atomic.Int64) fakeInvoker {
	var n atomic.Int64
	return func(ctx context.Context, in Invocation) (Reply, error) {
		if in.Contract.Name == "crm.add" {
			writes.Add(1)
			return Reply{Result: json.RawMessage(`0`)}, nil
		}
		time.Sleep(time.Duration(n.Add(1)*7%5) * time.Millisecond)
		var args struct{ I int }
		_ = json.Unmarshal(in.Args, &args)
		return Reply{Result: json.RawMessage(fmt.Sprint(args.I + 1))}, nil
	}
}

func TestReplayRepeatsTheOrder(t *testing.T) {
	for range 20 {
		s, _, _ := newFakeService()
		var writes atomic.Int64
		s.Invoker = jittery(&writes)
		traces := onMachine(s, race)
		result := s.Run(context.Background(), request(grant("*")))
		if result.State != Finished {
			t.Fatalf("%s %v", result.State, result.Error)
		}
		again, replayed := s.Replay(context.Background(), result.RunID, Events{})
		if !replayed.Identical || string(again.Result) != string(result.Result) {
			t.Fatalf("%s, then %s: %q", result.Result, again.Result, replayed.Differences)
		}
		if !slices.Equal((*traces)[0], (*traces)[1]) {
			t.Errorf("the script saw %q, then %q", (*traces)[0], (*traces)[1])
		}
		if writes.Load() != 1 {
			t.Errorf("%d writes, want the one of the run", writes.Load())
		}
	}
}

func TestReplayTellsADivergence(t *testing.T) {
	s, _, _ := newFakeService()
	var writes atomic.Int64
	s.Invoker = jittery(&writes)
	onMachine(s, race)
	result := s.Run(context.Background(), request(grant("*")))
	onMachine(s, func(m *machine) {
		m.tool("crm.list", `{"i":0}`, func(Settlement) { m.done = json.RawMessage("1") })
		m.tool("crm.list", `{"i":7}`, func(Settlement) {})
	})
	_, replayed := s.Replay(context.Background(), result.RunID, Events{})
	if replayed.Identical || !strings.Contains(strings.Join(replayed.Differences, " "), "call 2 was tools.crm.list, and is tools.crm.list now with other arguments") {
		t.Errorf("%+v", replayed)
	}
}

// TestResumeAtEveryStep cuts a run off when each of its entries is about to be kept, as if the process
// had died, and resumes it.
func TestResumeAtEveryStep(t *testing.T) {
	for step := 1; step <= 12; step++ {
		s, store, _ := newFakeService()
		var writes atomic.Int64
		s.Invoker = jittery(&writes)
		onMachine(s, race)
		lost := cutAt(store, step)
		result := s.Run(context.Background(), request(grant("*")))
		if !lost() {
			if result.State != Finished {
				t.Fatalf("step %d: %s %v", step, result.State, result.Error)
			}
			continue
		}
		resumed := s.Resume(context.Background(), result.RunID, Events{})
		if resumed.State != Finished {
			t.Fatalf("step %d: %s, %v", step, resumed.State, resumed.Error)
		}
		var calls int
		for _, c := range resumed.Calls {
			if c.Method == "crm.add" && c.Code != OutcomeUnknown {
				calls++
			}
		}
		if writes.Load() > 1 || int64(calls) > writes.Load() {
			t.Errorf("step %d: %d writes, %d recorded as made", step, writes.Load(), calls)
		}
		if _, replayed := s.Replay(context.Background(), result.RunID, Events{}); !replayed.Identical {
			t.Errorf("step %d: %q", step, replayed.Differences)
		}
	}
}

// cutAt makes the store lose the run's holder when the nth entry comes.
func cutAt(store *memoryStore, n int) (lost func() bool) {
	var cut bool
	seen := 0
	store.appended = func(Entry) { seen++ }
	store.lose = func() bool {
		if seen >= n && !cut {
			cut = true
			return true
		}
		return false
	}
	return func() bool { return cut }
}

func TestQuestionsSuspendAndAnswersResume(t *testing.T) {
	s, _, _ := newFakeService()
	var writes atomic.Int64
	s.Invoker = jittery(&writes)
	traces := onMachine(s, func(m *machine) {
		var got []string
		end := func(s Settlement) {
			if got = append(got, string(s.Result)); len(got) == 3 {
				m.finish(got)
			}
		}
		m.call(StubCall{Helper: HelperAsk, Args: json.RawMessage(`{"question":"how many?","schema":{"type":"integer"}}`)}, end)
		m.tool("crm.add", `{}`, end)
		m.call(StubCall{Helper: HelperAsk, Args: json.RawMessage(`{"question":"sure?"}`)}, end)
	})
	ctx := context.Background()
	result := s.Run(ctx, request(grant("*")))
	if result.State != Suspended || len(result.Questions) != 2 || result.Receipt != "" || result.Questions[0].Question != "how many?" {
		t.Fatalf("%s with %+v (%v)", result.State, result.Questions, result.Error)
	}
	if _, err := s.Answer(ctx, result.RunID, 0, json.RawMessage(`1`), "user:ana"); err == nil || err.Code != InvalidArgument {
		t.Errorf("an answer to one of two: %v", err)
	}
	s.Validator = fakeValidator(func(_, v json.RawMessage) error {
		if string(v) == `"x"` {
			return Errorf(InvalidArgument, "got string, want integer")
		}
		return nil
	})
	if _, err := s.Answer(ctx, result.RunID, 1, json.RawMessage(`"x"`), "user:ana"); err == nil || err.Code != InvalidArgument {
		t.Errorf("an answer that does not fit: %v", err)
	}
	if _, err := s.Answer(ctx, result.RunID, 1, json.RawMessage(`4`), "user:ana"); err != nil {
		t.Fatal(err)
	}
	half := s.Resume(ctx, result.RunID, Events{})
	if half.State != Suspended || len(half.Questions) != 1 || half.Questions[0].Seq != 3 {
		t.Fatalf("%s with %+v (%v), want the other question", half.State, half.Questions, half.Error)
	}
	if _, err := s.Answer(ctx, result.RunID, 0, json.RawMessage(`true`), "user:ana"); err != nil {
		t.Fatal(err)
	}
	whole := s.Resume(ctx, result.RunID, Events{})
	if whole.State != Finished || writes.Load() != 1 || len(whole.Calls) != 1 || whole.Receipt == "" {
		t.Fatalf("%s after %d writes, calls %+v, %v", whole.State, writes.Load(), whole.Calls, whole.Error)
	}
	if string(whole.Result) != `["0","4","true"]` {
		t.Errorf("result %s", whole.Result)
	}
	if last := s.Resume(ctx, result.RunID, Events{}); last.Error == nil || last.Error.Code != Conflict {
		t.Errorf("a run that has ended was resumed: %+v", last.Error)
	}
	if !slices.Equal((*traces)[1][:len((*traces)[0])], (*traces)[0]) {
		t.Errorf("%q does not begin as %q", (*traces)[1], (*traces)[0])
	}
}

func TestCancelOfASuspendedRun(t *testing.T) {
	s, store, _ := newFakeService()
	onMachine(s, func(m *machine) {
		m.tool("crm.add", `{}`, func(Settlement) {})
		m.call(StubCall{Helper: HelperAsk, Args: json.RawMessage(`{"question":"?"}`)}, func(Settlement) {})
	})
	ctx := context.Background()
	result := s.Run(ctx, request(grant("*")))
	state, err := s.Cancel(ctx, result.RunID)
	if err != nil || state != WasCancelled || store.receipt.State != WasCancelled {
		t.Fatalf("%s, %v, receipt %+v", state, err, store.receipt)
	}
	if _, again := s.Replay(ctx, result.RunID, Events{}); store.receipt.Settlements != 1 || again.Settlements != 1 || again.Recorded != 1 {
		t.Errorf("%d settlements in the receipt; repeated %+v", store.receipt.Settlements, again)
	}
	if c := store.receipt.Calls; len(c) != 1 || c[0].State != "finished" {
		t.Errorf("the receipt has the calls %+v, want the one that was made", c)
	}
	if state, err := s.Cancel(ctx, result.RunID); err != nil || state != WasCancelled {
		t.Errorf("cancelled twice: %s, %v", state, err)
	}
}

func TestSweepExpires(t *testing.T) {
	s, store, _ := newFakeService()
	onMachine(s, func(m *machine) {
		m.call(StubCall{Helper: HelperAsk, Args: json.RawMessage(`{"question":"?"}`)}, func(Settlement) {})
	})
	ctx := context.Background()
	result := s.Run(ctx, request(grant("*")))
	if n, err := s.Sweep(ctx); n != 0 || err != nil {
		t.Fatalf("%d, %v before the deadline", n, err)
	}
	store.runs[result.RunID].Deadline = time.Now().Add(-time.Minute)
	if n, err := s.Sweep(ctx); n != 1 || err != nil || store.receipt.State != Expired || store.receipt.Reason != ReasonExpired {
		t.Errorf("%d, %v, receipt %+v", n, err, store.receipt)
	}
}

func TestResumeUnderOtherGrants(t *testing.T) {
	s, _, _ := newFakeService()
	onMachine(s, func(m *machine) {
		m.call(StubCall{Helper: HelperAsk, Args: json.RawMessage(`{"question":"?"}`)}, func(s Settlement) { m.finish(nil) })
	})
	ctx := context.Background()
	own := grant("*")
	result := s.Run(ctx, request(own))
	if _, err := s.Answer(ctx, result.RunID, 0, json.RawMessage("1"), "user:ana"); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Grant){
		"principal": func(g *Grant) { g.Principal = "user:eve" }, "agent": func(g *Grant) { g.Agent = "agent:eve" }, "egress": func(g *Grant) { g.Egress = []string{"https://example.com"} },
	} {
		other := own
		change(&other)
		if r := s.ResumeUnder(ctx, []Grant{other}, result.RunID, Events{}); r.Error == nil || r.Error.Code != NotFound {
			t.Errorf("resumed under another %s: %s %v", name, r.State, r.Error)
		}
	}
	if r := s.ResumeUnder(ctx, []Grant{own}, "run_none", Events{}); r.Error == nil || r.Error.Code != NotFound {
		t.Errorf("%s %v", r.State, r.Error)
	}
	if r := s.ResumeUnder(ctx, []Grant{own}, result.RunID, Events{}); r.State != Finished {
		t.Errorf("%s %v", r.State, r.Error)
	}
}

func TestResumeRefusesOtherContracts(t *testing.T) {
	s, _, _ := newFakeService()
	onMachine(s, func(m *machine) {
		m.call(StubCall{Helper: HelperAsk, Args: json.RawMessage(`{"question":"?"}`)}, func(Settlement) {})
	})
	ctx := context.Background()
	result := s.Run(ctx, request(grant("*")))
	s.Surface.Contracts[0].Digest = "sha256:other"
	if got := s.Resume(ctx, result.RunID, Events{}); got.Error == nil || got.Error.Code != Conflict || !strings.Contains(got.Error.Message, "not those that the run began with") {
		t.Errorf("%+v", got.Error)
	}
}

func TestCheckpointsHoldUnderTheSameBasis(t *testing.T) {
	s, _, _ := newFakeService()
	load := func(name string, into *Settlement) func(*machine) {
		return func(m *machine) {
			m.call(StubCall{Helper: HelperLoad, Args: json.RawMessage(`{"name":"` + name + `"}`)}, func(s Settlement) { *into, m.done = s, json.RawMessage("1") })
		}
	}
	onMachine(s, func(m *machine) {
		m.call(StubCall{Helper: HelperSave, Args: json.RawMessage(`{"name":"page","value":7}`)}, func(s Settlement) { m.done = json.RawMessage("1") })
	})
	req := request(grant("*"))
	req.Task = "import"
	ctx := context.Background()
	if r := s.Run(ctx, req); r.State != Finished {
		t.Fatal(r.Error)
	}
	var got Settlement
	onMachine(s, load("page", &got))
	if s.Run(ctx, req); string(got.Result) != `{"value":7}` {
		t.Errorf("loaded %s, %v", got.Result, got.Err)
	}
	onMachine(s, load("page", &got))
	theirs := req
	theirs.Grants = []Grant{grant("*")}
	theirs.Grants[0].Principal = "user:ben"
	if s.Run(ctx, theirs); string(got.Result) != `{}` {
		t.Errorf("another's task of the same name: loaded %s, %v", got.Result, got.Err)
	}
	onMachine(s, load("other", &got))
	if s.Run(ctx, req); string(got.Result) != `{}` {
		t.Errorf("loaded %s, %v", got.Result, got.Err)
	}
	onMachine(s, load("page", &got))
	req.Sources = []Source{{"main.ts", "return 2"}}
	if s.Run(ctx, req); got.Err == nil || got.Err.Code != Conflict || !strings.Contains(got.Err.Message, "another script") {
		t.Errorf("loaded %s, %v; want it refused", got.Result, got.Err)
	}
}

func TestLargeResultsAreReadInParts(t *testing.T) {
	s, _, _ := newFakeService()
	text := `"` + strings.Repeat("ä", 3<<20) + `"`
	s.Invoker = fakeInvoker(func(context.Context, Invocation) (Reply, error) { return Reply{Result: json.RawMessage(text)}, nil })
	var failed *Error
	var read strings.Builder
	onMachine(s, func(m *machine) {
		var next func(Settlement)
		ask := func(from int64) {
			m.call(StubCall{Helper: HelperRead, Args: json.RawMessage(fmt.Sprintf(`{"handle":%q,"offset":%d,"bytes":99999}`, failed.Handle, from))}, next)
		}
		next = func(s Settlement) {
			var part struct {
				Text        string
				Next, Bytes int64
			}
			if err := json.Unmarshal(s.Result, &part); err != nil || part.Bytes != int64(len(text)) {
				t.Errorf("part %.80s %v", s.Result, s.Err)
			}
			read.WriteString(part.Text)
			if part.Next > 0 {
				ask(part.Next)
				return
			}
			m.done = json.RawMessage("1")
		}
		m.tool("crm.list", `{}`, func(s Settlement) { failed = s.Err; ask(0) })
	})
	result := s.Run(context.Background(), request(grant("*")))
	if result.State != Finished || failed == nil || failed.Code != ResultTooLarge || read.String() != text {
		t.Errorf("%s, %v; read %d of %d bytes", result.State, failed, read.Len(), len(text))
	}
	onMachine(s, func(m *machine) {
		m.call(StubCall{Helper: HelperRead, Args: json.RawMessage(`{"handle":"` + failed.Handle + `"}`)}, func(s Settlement) {
			failed, m.done = s.Err, json.RawMessage("1")
		})
	})
	if s.Run(context.Background(), request(grant("*"))); failed == nil || failed.Code != NotFound {
		t.Errorf("another run read it: %v", failed)
	}
}
