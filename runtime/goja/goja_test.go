package goja

// This file tests the engine alone, on bundles written by hand; package worker runs real scripts.

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"codemode/directory/contract"
	"codemode/runtime"

	js "github.com/dop251/goja"
)

// service is the other end of a port: it settles calls one by one, in the order that pick says, and
// says of questions that they wait for a person.
type service struct {
	settle func(context.Context, runtime.StubCall) runtime.Settlement // nil echoes the arguments
	pick   func(open []runtime.StubCall) int                          // the index of the next; nil is the first

	open, made []runtime.StubCall
	order      []int
	console    []string
}

func (s *service) Call(c runtime.StubCall) { s.open, s.made = append(s.open, c), append(s.made, c) }

func (s *service) Next(ctx context.Context, pending []int) (int, runtime.Settlement, error) {
	if len(pending) > 0 && len(s.open) == 0 {
		return 0, runtime.Settlement{}, nil
	}
	i := 0
	if s.pick != nil {
		i = s.pick(s.open)
	}
	c := s.open[i]
	s.open = slices.Delete(slices.Clone(s.open), i, i+1)
	s.order = append(s.order, c.Seq)
	out := runtime.Settlement{Result: c.Args, NowUnixMillis: int64(1000 + len(s.order))}
	if c.Helper == runtime.HelperAsk {
		return c.Seq, runtime.Settlement{Pending: true}, nil
	}
	if s.settle != nil {
		out = s.settle(ctx, c)
	}
	return c.Seq, out, ctx.Err()
}

func (s *service) Console(l runtime.ConsoleLine)              { s.console = append(s.console, l.Text) }
func (*service) Progress(string)                              {}
func (*service) Artifact(runtime.ArtifactData) *runtime.Error { return nil }

func exec(t testing.TB, ctx context.Context, body string, s *service) runtime.Outcome {
	t.Helper()
	engine, err := New()
	if err != nil {
		t.Fatal(err)
	}
	b := runtime.Bundle{Code: "(async function __top(){" + body + "\n})", Places: []runtime.Place{{Line: 1, Column: 24, Author: runtime.Pos{File: "main.ts", Line: 1, Column: 1}}}}
	p := runtime.Program{Methods: []string{"a.b"}, Script: runtime.Script{Entry: "main.ts", Files: []runtime.SourceFile{{Name: "main.ts"}}}}
	vm, err := engine.Prepare()
	if err != nil {
		t.Fatal(err)
	}
	return vm.Run(ctx, p, b, s)
}

func newVM(t testing.TB) *run {
	t.Helper()
	engine, err := New()
	if err != nil {
		t.Fatal(err)
	}
	vm, err := engine.Prepare()
	if err != nil {
		t.Fatal(err)
	}
	vm.run.begin(context.Background(), runtime.Program{}, runtime.Bundle{}, &service{})
	return vm.run
}

func TestDeadlineInterrupts(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if out := exec(t, ctx, "for (;;) {}", &service{}); out.Reason != runtime.ReasonWall || out.Err == nil {
		t.Errorf("%+v", out)
	}
}

func TestDeadlineWhileWaiting(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	h := &service{settle: func(ctx context.Context, _ runtime.StubCall) runtime.Settlement {
		<-ctx.Done()
		return runtime.Settlement{}
	}}
	if out := exec(t, ctx, "try { await tools.a.b() } finally { for (;;) {} }", h); out.Reason != runtime.ReasonWall {
		t.Errorf("%+v", out)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	h := &service{settle: func(ctx context.Context, _ runtime.StubCall) runtime.Settlement {
		cancel()
		<-ctx.Done()
		return runtime.Settlement{}
	}}
	if out := exec(t, ctx, "await tools.a.b()", h); out.Reason != runtime.ReasonCancelled || out.Err.Code != runtime.Cancelled {
		t.Errorf("%+v", out)
	}
}

// A result that is no JSON is the service's mistake: the script sees that and no more.
func TestResultNoJSON(t *testing.T) {
	h := &service{settle: func(context.Context, runtime.StubCall) runtime.Settlement {
		return runtime.Settlement{Result: []byte(`{"a":`)}
	}}
	out := exec(t, context.Background(), "try { await tools.a.b() } catch (e) { return [e.code, e.message] }", h)
	if string(out.Result) != `["internal","the result of a.b cannot be read"]` {
		t.Errorf("%s %v", out.Result, out.Err)
	}
}

// No Go value is within a script's reach: everything it can get at by own names and prototypes is a
// primitive, a function of the language or a plain object, and nothing prints Go's names.
func TestNoGoObjects(t *testing.T) {
	out := exec(t, context.Background(), `
const seen = new Set(), bad = [];
const walk = (v, path) => {
  if (typeof v === "string" && path.length < 200 && (/\(\*|goja\.|codemode\/|\.func\d|-fm\b/.test(v)) && !/^(prelude|\.?toString)/.test(path)) bad.push(path + " = " + v.slice(0, 80));
  if ((typeof v !== "object" && typeof v !== "function") || v === null || seen.has(v)) return;
  seen.add(v);
  if (typeof v === "function" && /\[native code\]/.test(Function.prototype.toString.call(v))) walk(Function.prototype.toString.call(v), path + "()");
  for (const k of Reflect.ownKeys(v)) {
    const d = Reflect.getOwnPropertyDescriptor(v, k);
    for (const part of [d.value, d.get, d.set]) walk(part, path + "." + String(k));
    if (d.get) { try { walk(d.get.call(v), path + "." + String(k)) } catch {} }
  }
  walk(Object.getPrototypeOf(v), path + ".__proto__");
};
walk(globalThis, "");
const p = tools.a.b({});
walk(p, "promise");
walk(await p, "result");
try { await tools.a.b(1) } catch (e) { walk(e, "error") }
try { inputs.x.y } catch (e) { walk(e, "error2") }
return bad`, &service{})
	if out.Err != nil || string(out.Result) != "[]" {
		t.Errorf("%s %v", out.Result, out.Err)
	}
}

func TestAppendNumber(t *testing.T) {
	for f, want := range map[float64]string{0: "0", math.Copysign(0, -1): "0", 1: "1", -1.5: "-1.5", 1<<53 - 1: "9007199254740991", 1 << 53: "9.007199254740992e+15",
		-(1 << 60): "-1.152921504606847e+18", 1e300: "1e+300", 1e-7: "1e-07", 0.1: "0.1"} {
		got := string(appendNumber(nil, f))
		var back float64
		if err := json.Unmarshal([]byte(got), &back); err != nil || got != want || back != f {
			t.Errorf("%v is %s, want %s (%v)", f, got, want, err)
		}
	}
}

// FuzzJSON: text is read if and only if encoding/json reads it, and comes out as the same value.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5,-0,1e3,"x\u00e9\n\ud83d\ude00",true,false,null,{}]}`, `[]`, `"\ud800"`, `12345678901234567890`, `{"a":1,"a":2}`, `{"__proto__":{"x":1}}`, " [ 1 , 2 ] ", `01`, `1.`, `"\x"`, "\"\t\"", `[1,]`, `nul`} {
		f.Add(s)
	}
	r := newVM(f)
	f.Fuzz(func(t *testing.T, text string) {
		if text == "" || len(text) > 4096 || strings.Contains(text, "\ufffd") || !json.Valid([]byte(text)) && strings.ToValidUTF8(text, "") != text {
			return
		}
		var out []byte
		var refusal *encodeError
		err := r.guarded(func() { out, refusal = r.encode(r.decode([]byte(text), nil), "v", 1<<20) })
		if valid := json.Valid([]byte(text)); valid != (err == nil) {
			t.Fatalf("%q: valid %v, read: %v", text, valid, err)
		}
		if err != nil || refusal != nil {
			return
		}
		want, err := contract.Canonical([]byte(text))
		if err != nil {
			return // duplicate keys and lone surrogates, which it refuses
		}
		got, err := contract.Canonical(out)
		if err != nil || !bytes.Equal(normal(t, want), normal(t, got)) {
			t.Errorf("%q became %s (%v)", text, out, err)
		}
	})
}

// normal gives numbers in one form, since 1e3 and 1000 are one number to a script.
func normal(t *testing.T, doc []byte) []byte {
	var v any
	if err := json.Unmarshal(doc, &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func FuzzPathFault(f *testing.F) {
	for _, s := range []string{"a/b.txt", "../x", "/x", "a\\b", "a//b", "", "C:x", "a\x00b", "x/.."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if pathFault(path) != "" {
			return
		}
		if strings.HasPrefix(path, "/") || strings.Contains("/"+path+"/", "/../") || strings.ContainsAny(path, "\x00\\\n") || len(path) > 400 {
			t.Errorf("%q is taken", path)
		}
	})
}

func TestBigIntTree(t *testing.T) {
	r := newVM(t)
	var v js.Value
	if err := r.guarded(func() { v = r.decode([]byte(`[{"x~/y":7}]`), []string{"/0/x~0~1y"}) }); err != nil {
		t.Fatal(err)
	}
	item := v.ToObject(r.vm).Get("0").ToObject(r.vm).Get("x~/y")
	if _, ok := item.Export().(interface{ IsInt64() bool }); !ok {
		t.Errorf("%T", item.Export())
	}
}
