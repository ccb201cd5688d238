package legacy

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/runtime"
)

// gate answers with reply and keeps what it was asked.
type gate struct {
	calls []Call
	reply func(Call) (runtime.Reply, error)
}

func (g *gate) Pass(_ context.Context, c Call) (runtime.Reply, error) {
	g.calls = append(g.calls, c)
	return g.reply(c)
}

func dispatcher(reply func(Call) (runtime.Reply, error)) (*Dispatcher, *gate) {
	g := &gate{reply: reply}
	return New(Config{
		Rows: []directory.Row{{Key: "FN", Type: directory.Fn}, {Key: "HTTP", Type: directory.HTTP}, {Key: "AGENT", Type: directory.Agent},
			{Key: "REMOTE", Type: directory.Dispatch}, {Key: "CRM", Type: directory.HTTP}, {Key: "NOCONTRACT", Type: directory.Fn}},
		Contracts: []contract.Contract{{Key: "FN"}, {Key: "HTTP"}, {Key: "AGENT"}, {Key: "REMOTE"}, {Key: "CRM", Operation: "get"}, {Key: "CRM", Operation: "add"}},
		Gate:      g, MaxBodyBytes: 100,
	}), g
}

func echo(c Call) (runtime.Reply, error) {
	raw, err := json.Marshal(c.Args)
	return runtime.Reply{Result: raw}, err
}

func TestBodies(t *testing.T) {
	for _, tc := range []struct{ key, body, want string }{
		{"FN", `a|b`, `["a","b"]`},
		{"FN", `123|x`, `["123","x"]`},
		{"FN", `123`, `[123]`},
		{"FN", ` {"a": 1} `, `[{"a":1}]`},
		{"FN", `{"a":1}|x`, Malformed},
		{"FN", `{"a":`, Malformed},
		{"FN", ` [x`, Malformed},
		{"FN", `a|`, `["a",""]`},
		{"FN", `|`, `["",""]`},
		{"FN", ``, `null`},
		{"FN", `a\|b`, `["a\\","b"]`},
		{"FN", `"q"|$1 $$1`, `["\"q\"","$1 $$1"]`},
		{"CRM", `get|42|x`, `["42","x"]`},
		{"CRM", `add`, `[]`},
		{"CRM", `"add"`, `[]`},
		{"CRM", `gone|x`, `ERR:invalid_argument:CRM has no operation "gone"; it has add, get`},
		{"CRM", ``, `ERR:invalid_argument:CRM has no operation ""; it has add, get`},
		{"GONE", `x`, `ERR:not_found:there is no row "GONE"`},
		{"NOCONTRACT", `x`, `ERR:not_found:there is no row "NOCONTRACT"`},
		{"FN", "a\xff", `ERR:invalid_argument:value does not fit its place: the body is not valid UTF-8`},
		{"FN", strings.Repeat("a", 101), `ERR:invalid_argument:the body has 101 bytes, more than 100`},
	} {
		d, g := dispatcher(echo)
		if got := d.Dispatch(t.Context(), tc.key, tc.body); got != tc.want {
			t.Errorf("%s %q: got %s, want %s", tc.key, tc.body, got, tc.want)
		}
		if refused := strings.HasPrefix(tc.want, "ERR:"); refused != (len(g.calls) == 0) {
			t.Errorf("%s %q: %d calls", tc.key, tc.body, len(g.calls))
		}
	}
}

func TestAnswers(t *testing.T) {
	reply := func(status int, result string) func(Call) (runtime.Reply, error) {
		return func(Call) (runtime.Reply, error) {
			return runtime.Reply{Status: status, Result: json.RawMessage(result)}, nil
		}
	}
	failing := func(err error) func(Call) (runtime.Reply, error) {
		return func(Call) (runtime.Reply, error) { return runtime.Reply{}, err }
	}
	missing := runtime.Errorf(runtime.NotFound, "http://x answered 404 Not Found")
	missing.Detail, missing.Status = "no\nsuch thing", 404
	for _, tc := range []struct {
		key   string
		reply func(Call) (runtime.Reply, error)
		want  string
	}{
		{"HTTP", reply(200, `{"id": 9007199254740993}`), `HTTP 200:{"id": 9007199254740993}`},
		{"HTTP", reply(201, `"a\nb|c"`), "HTTP 201:a\nb|c"},
		{"HTTP", reply(204, `""`), "HTTP 204:"},
		{"HTTP", reply(200, `"\"abc\""`), `HTTP 200:"abc"`},
		{"FN", reply(0, `"plain"`), "plain"},
		{"FN", reply(0, `null`), "null"},
		{"FN", reply(0, `12`), "12"},
		{"AGENT", reply(200, `"done"`), "done"},
		{"REMOTE", reply(200, `"ok"`), "HTTP 200:ok"},
		{"REMOTE", reply(0, `"ok"`), "ok"},
		{"HTTP", failing(missing), "ERR:not_found:http://x answered 404 Not Found: no such thing"},
		{"HTTP", failing(errors.New("inner /path")), "ERR:internal:the service failed"},
		{"FN", failing(runtime.Errorf(runtime.NotGranted, "no grant permits it").WithHint("ask")), "ERR:not_granted:no grant permits it"},
	} {
		d, _ := dispatcher(tc.reply)
		if got := d.Dispatch(t.Context(), tc.key, "x"); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.key, got, tc.want)
		}
	}
}

// Whatever text comes in, an answer comes out, and a malformed one reaches no gate.
func FuzzDispatch(f *testing.F) {
	for _, s := range []string{"", "a|b", "{", `{"a":1}`, "get|x", "\x00", "[1]|", `"x"`} {
		f.Add("CRM", s)
		f.Add("FN", s)
	}
	f.Fuzz(func(t *testing.T, key, body string) {
		d, g := dispatcher(echo)
		answer := d.Dispatch(t.Context(), key, body)
		if answer == Malformed && len(g.calls) > 0 {
			t.Fatalf("%q %q reached the gate", key, body)
		}
		for _, c := range g.calls {
			for _, a := range c.Args {
				if !json.Valid(a) {
					t.Fatalf("%q: argument %q is no JSON", body, a)
				}
			}
		}
	})
}
