package accuracy

// This file replays recorded calls through real runs: a script a task makes the task's calls, the worker,
// the Gate and the store are the real ones, and the invoker answers with what was recorded.

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"codemode/runtime"
	"codemode/runtime/assemble"
)

// ReplayCount is how the replayed calls ended.
type ReplayCount struct {
	Scripts int `json:"scripts"`
	Crashed int `json:"crashed"`
	Invoked int `json:"invoked"`
	// Refused calls do not fit their declared arguments. Their results are fed through a call whose
	// arguments are not checked.
	Refused int `json:"refused"`
	Untyped int `json:"untyped"`
	// Delivered results are what the script had in hand, equal to what was recorded.
	Delivered int `json:"delivered"`
	Mismatch  int `json:"mismatch"`
	// Wide results fit their schema, and hold an integer past 2^53 where a number is declared: it
	// arrives as bigint, every digit kept, and the Gate marks the result.
	Wide int `json:"wide"`
	// MarkedOtherwise are results that the Gate took for fit and the validator alone did not, or the
	// other way round.
	MarkedOtherwise int `json:"marked_otherwise"`
}

// replay answers the calls of one task in their order.
type replay struct {
	mu   sync.Mutex
	next map[string][]*recordedCall // by method
}

func (r *replay) Invoke(_ context.Context, in runtime.Invocation) (runtime.Reply, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	queue := r.next[in.Contract.Name]
	at := slices.IndexFunc(queue, func(c *recordedCall) bool { return sameValue(c.Args, in.Args) })
	if at < 0 {
		return runtime.Reply{}, runtime.Errorf(runtime.NotFound, "no further result of %s was recorded for these arguments", in.Contract.Name)
	}
	result := queue[at].Result
	r.next[in.Contract.Name] = slices.Delete(queue, at, at+1)
	return runtime.Reply{Result: result, Bytes: int64(len(result))}, nil
}

func replayCalls(ctx context.Context, calls []*recordedCall, rows, store string) (ReplayCount, error) {
	var count ReplayCount
	system, err := assemble.Open(ctx, assemble.Config{Directory: rows, Store: store, Check: runtime.CheckOff})
	if err != nil {
		return count, err
	}
	defer system.Close()
	for len(calls) > 0 {
		n := 1
		for n < len(calls) && calls[n].task == calls[0].task {
			n++
		}
		if err := count.task(ctx, system, calls[:n]); err != nil {
			return count, err
		}
		calls = calls[n:]
	}
	return count, nil
}

// outcome is what the script says of one call.
type outcome struct {
	Result json.RawMessage `json:"result"`
	Code   string          `json:"code"`
	Keys   int             `json:"keys"`
}

// task runs one script. Calls that are refused come again one by one without argument types.
func (count *ReplayCount) task(ctx context.Context, system *assemble.System, calls []*recordedCall) error {
	r := &replay{next: map[string][]*recordedCall{}}
	for _, c := range calls {
		r.next[c.contract.Name] = append(r.next[c.contract.Name], c)
	}
	system.Service.Invoker = r
	result := system.Service.Run(ctx, runtime.Request{
		Sources: []runtime.Source{{Name: "main.ts", Text: taskScript(calls)}}, Check: runtime.CheckOff, Grants: []runtime.Grant{everything()},
	})
	count.Scripts++
	var outcomes []outcome
	if result.State != runtime.Finished || json.Unmarshal(result.Result, &outcomes) != nil || len(outcomes) != len(calls) {
		count.Crashed++
		return nil
	}
	if len(result.Calls) != len(calls) {
		return fmt.Errorf("replay: %d calls recorded, %d made", len(result.Calls), len(calls))
	}
	for i, c := range calls {
		if outcomes[i].Code == string(runtime.InvalidArgument) {
			count.Refused++
			count.untyped(ctx, system, c)
			continue
		}
		count.Invoked++
		count.mark(c, result.Calls[i], outcomes[i].Result)
	}
	return nil
}

// untyped feeds the result of a refused call through the Gate without its check of arguments.
func (count *ReplayCount) untyped(ctx context.Context, system *assemble.System, c *recordedCall) {
	single := &replay{next: map[string][]*recordedCall{c.contract.Name: {c}}}
	result := system.Service.Call(ctx, runtime.CallRequest{Method: c.contract.Name, Args: c.Args, Grants: []runtime.Grant{everything()}, Invoker: single, Untyped: true})
	if len(result.Calls) == 1 && result.State == runtime.Finished {
		count.Untyped++
		count.mark(c, result.Calls[0], result.Result)
	}
}

// mark counts what became of one result.
func (count *ReplayCount) mark(c *recordedCall, record runtime.CallRecord, got json.RawMessage) {
	if record.ResultState == "mismatch" {
		count.Mismatch++
	}
	switch marked := record.ResultState == "mismatch"; {
	case marked && len(c.misfits) == 0 && strings.Contains(record.ResultMismatch, "arrives as bigint"):
		count.Wide++
	case marked != (len(c.misfits) > 0):
		count.MarkedOtherwise++
	}
	if sameValue(got, c.Result) {
		count.Delivered++
	}
}

// sameValue compares as JavaScript would: 37.0 is 37.
func sameValue(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// taskScript makes the calls one after another and works with each result as a script would that knows
// only that it is some value.
func taskScript(calls []*recordedCall) string {
	var s strings.Builder
	s.WriteString("const out: unknown[] = [];\n" +
		"async function one(call: () => Promise<unknown>) {\n" +
		"  try {\n" +
		"    const result = await call();\n" +
		"    const keys = result !== null && typeof result === \"object\" ? Object.keys(result).length : 0;\n" +
		"    out.push({ result, keys, text: `${JSON.stringify(result)}`.length, code: \"\" });\n" +
		"  } catch (e) {\n" +
		"    out.push({ result: null, keys: 0, code: (e as { code?: string }).code ?? \"thrown\" });\n" +
		"  }\n" +
		"}\n")
	for _, c := range calls {
		ns, method, _ := strings.Cut(c.contract.Name, ".")
		fmt.Fprintf(&s, "await one(() => tools[%s][%s](%s));\n", strconv.Quote(ns), strconv.Quote(method), c.Args)
	}
	s.WriteString("return out;\n")
	return s.String()
}

// everything is a grant that lets all calls through, without decisions.
func everything() runtime.Grant {
	return runtime.Grant{
		Principal: "user:replay", Agent: "agent:replay", Resource: "*", Operations: []string{"*"}, Expires: "task",
		Decisions: runtime.Decisions{Required: []string{}, Mode: "suspend"}, Budget: runtime.Budget{runtime.Calls: 200, runtime.WallMillis: 60_000},
	}
}
