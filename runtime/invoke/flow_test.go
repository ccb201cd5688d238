package invoke

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/runtime"
)

// gate lets the steps of a flow through to the invoker and records them, as the Gate does.
type gate struct {
	inv       *Invoker
	contracts []contract.Contract
	passed    []string
}

func (g *gate) step(ctx context.Context, key, operation string, args json.RawMessage) (json.RawMessage, error) {
	g.passed = append(g.passed, strings.TrimSpace(key+" "+operation)+" "+string(args))
	for _, c := range g.contracts {
		if c.Key == key && c.Operation == operation {
			reply, err := g.inv.Invoke(ctx, runtime.Invocation{Contract: c, Args: args, Step: g.step})
			return reply.Result, err
		}
	}
	return nil, errors.New("no contract " + key)
}

func withParams(c contract.Contract, params string) contract.Contract {
	c.Params = json.RawMessage(params)
	return c
}

// flowOf makes an invoker of the functions below and one flow.
func flowOf(t *testing.T, flow string, more ...directory.Row) *gate {
	t.Helper()
	echo := func(_ context.Context, args []json.RawMessage) (json.RawMessage, error) { return json.Marshal(args) }
	g := &gate{contracts: []contract.Contract{
		withParams(contractOf("ECHO", "s", "n", "any"), `{"properties":{"s":{"type":"string"},"n":{"anyOf":[{"$ref":"#/$defs/count"},{"type":"null"}]},"any":{}},"$defs":{"count":{"type":"integer"}}}`),
		contractOf("ID", "v"), withParams(contractOf("ONE"), `{"properties":{"only":{"type":"boolean"}}}`), contractOf("OBJ"),
		contractOf("TAIL", "a", "rest"), contractOf("FAIL", "v"), contractOf("FLOW", "a", "b"),
	}}
	rows := append([]directory.Row{
		{Key: "ECHO", Type: directory.Fn, Template: `[$1,$2,$3]`, Target: "echo"},
		{Key: "ID", Type: directory.Fn, Template: `[$1]`, Target: "id"},
		{Key: "ONE", Type: directory.Fn, Target: "id"}, {Key: "OBJ", Type: directory.Fn, Target: "id"},
		{Key: "TAIL", Type: directory.Fn, Template: `["$1","$2+"]`, Target: "echo"},
		{Key: "FAIL", Type: directory.Fn, Target: "fail"},
		{Key: "FLOW", Type: directory.Flow, Template: flow},
	}, more...)
	for _, row := range more {
		c := contractOf(row.Key, "v")
		for op := range row.TargetMap {
			c.Operation = op
		}
		g.contracts = append(g.contracts, c)
	}
	g.inv = newInvoker(t, Config{Rows: rows, Contracts: g.contracts, Functions: map[string]Func{
		"echo": echo,
		"id":   func(_ context.Context, args []json.RawMessage) (json.RawMessage, error) { return args[0], nil },
		"fail": func(context.Context, []json.RawMessage) (json.RawMessage, error) {
			return nil, runtime.Errorf(runtime.Conflict, "taken")
		},
	}})
	return g
}

func (g *gate) flow(t *testing.T, args string) (runtime.Reply, error) {
	return g.inv.Invoke(t.Context(), runtime.Invocation{Contract: contractOf("FLOW", "a", "b"), Args: json.RawMessage(args), Step: g.step})
}

func TestFlows(t *testing.T) {
	for _, tc := range []struct{ name, flow, args, want string }{
		{"types survive", `ID:$1 > ID:$PREV`, `{"a":{"n":9007199254740993,"x":[null,1.50]}}`, `{"n":9007199254740993,"x":[null,1.50]}`},
		{"text becomes what the parameter takes", `ECHO:10|10|10`, `{}`, `["10",10,"10"]`},
		{"values become what the parameter takes", `ECHO:$1|$2|$1`, `{"a":10,"b":"10"}`, `["10",10,10]`},
		{"what does not fit stays", `ECHO:x|many|y`, `{}`, `["x","many","y"]`},
		{"kept results", `ID:$1 => first > ID:$2 => second > ECHO:$first|$second|$PREV`, `{"a":"one","b":2}`, `["one",2,2]`},
		{"text around", `ID:"<$1>" > ID:[$PREV]`, `{"a":"x"}`, `["<x>"]`},
		{"an absent argument", `ECHO:$1|$2|z`, `{"a":"x"}`, `["x",null,"z"]`},
		{"the only parameter", `ONE:true`, `{}`, `"{\"only\":true}"`},
		{"the tail", `TAIL:x|$1|y|$2`, `{"a":"1|2","b":3}`, `["x","1|2|y|3"]`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			g := flowOf(t, tc.flow)
			reply, err := g.flow(t, tc.args)
			if tc.name == "the only parameter" { // a row without a template gets its object
				tc.want = `{"only":true}`
			}
			if err != nil || string(reply.Result) != tc.want {
				t.Errorf("got %s, %v; want %s (steps %q)", reply.Result, err, tc.want, g.passed)
			}
		})
	}
}

func TestHostileValuesPassFlowsUnharmed(t *testing.T) {
	url, last := server(t, "text/plain", hostile)
	g := flowOf(t, `ID:$1 => kept > SEND:$PREV > ECHO:$kept|1|$PREV`, directory.Row{Key: "SEND", Type: directory.HTTP, Target: "POST " + url + "/$1", Template: `{"v":"$1"}`})
	reply, err := g.flow(t, `{"a":`+string(hostileJSON)+`}`)
	if err != nil {
		t.Fatal(err)
	}
	var out []any
	if err := json.Unmarshal(reply.Result, &out); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{hostile, 1.0, hostile}, out); diff != "" {
		t.Error(diff)
	}
	var body struct{ V string }
	if err := json.Unmarshal([]byte(last.Body), &body); err != nil || body.V != hostile {
		t.Errorf("the http step got %q", last.Body)
	}
}

func TestFlowStepsIntoATargetMap(t *testing.T) {
	url, last := server(t, "text/plain", "ok")
	crm := directory.Row{Key: "CRM", Type: directory.HTTP, TargetMap: map[string]directory.Operation{"get": {Target: "GET " + url + "/c/$1"}}}
	g := flowOf(t, `CRM:get|$1`, crm)
	if _, err := g.flow(t, `{"a":"x|y"}`); err != nil || last.URI != "/c/x%7Cy" {
		t.Errorf("sent %+v, %v", last, err)
	}
	for _, flow := range []string{`CRM:gone|x`, `CRM:$1`, `CRM`, `NOROW:x`} {
		g := flowOf(t, flow, crm)
		_, err := g.flow(t, `{"a":"no"}`)
		wantCode(t, err, runtime.Unavailable)
	}
}

func TestFlowFailures(t *testing.T) {
	g := flowOf(t, `ID:$1 > FAIL:x > ID:y`)
	_, err := g.flow(t, `{"a":1}`)
	e := wantCode(t, err, runtime.Conflict)
	if e.Message != "step FAIL: taken; the steps before it were performed" || len(g.passed) != 2 {
		t.Errorf("%v after %q", e, g.passed)
	}
	g = flowOf(t, `ID:$1|extra`)
	_, err = g.flow(t, `{"a":1}`)
	wantCode(t, err, runtime.InvalidArgument)
	if len(g.passed) != 0 {
		t.Errorf("passed %q", g.passed)
	}
	_, err = g.inv.Invoke(t.Context(), runtime.Invocation{Contract: contractOf("FLOW"), Args: json.RawMessage("{}")})
	wantCode(t, err, runtime.Unavailable)
}

func TestFlowMayNotCallItself(t *testing.T) {
	for name, tc := range map[string]struct {
		flow string
		more []directory.Row
	}{
		"at once":    {flow: `FLOW:$1`},
		"in a round": {flow: `OTHER:$1`, more: []directory.Row{{Key: "OTHER", Type: directory.Flow, Template: `FLOW:$1`}}},
	} {
		t.Run(name, func(t *testing.T) {
			g := flowOf(t, tc.flow, tc.more...)
			_, err := g.flow(t, `{"a":1}`)
			if e := wantCode(t, err, runtime.Unavailable); !strings.Contains(e.Message, "calls itself") {
				t.Errorf("%v", e)
			}
		})
	}
}

func TestBind(t *testing.T) {
	c := withParams(contractOf("K"), `{"properties":{"a":{"type":"integer"},"b":{"enum":["1",true]},"c":{"const":5}}}`)
	raw := func(values ...string) []json.RawMessage {
		var out []json.RawMessage
		for _, v := range values {
			if v == "" {
				out = append(out, nil)
				continue
			}
			out = append(out, json.RawMessage(v))
		}
		return out
	}
	for _, tc := range []struct {
		positional []string
		tail       int
		args       []json.RawMessage
		want       string
	}{
		{[]string{"a", "b", "c"}, 0, raw(`"7"`, `true`, `"5"`), `{"a":7,"b":true,"c":5}`},
		{[]string{"a", "b"}, 0, raw(``, `1`), `{"b":"1"}`},
		{[]string{"a", "", "b"}, 0, raw(`"1.5"`, `"dropped"`, `"1"`), `{"a":"1.5","b":"1"}`},
		{nil, 0, raw(`{"x":1}`), `{"x":1}`},
		{nil, 0, nil, `{}`},
		{[]string{"x"}, 1, raw(`"p"`, ``, `2`), `{"x":"p||2"}`},
		{[]string{"a"}, 0, raw(`"1"`, `"2"`), ``},
		{nil, 0, raw(`"1"`), ``},
	} {
		got, err := Bind(c, tc.positional, tc.tail, tc.args)
		if (err != nil) != (tc.want == "") || string(got) != tc.want {
			t.Errorf("Bind(%q, %d, %s) = %s, %v; want %s", tc.positional, tc.tail, tc.args, got, err, tc.want)
		}
	}
}
