package library_test

// This file compares the declarations with the engine, both ways: every declared name is found in a
// VM made as for a script, and every name of that VM is declared or deliberately left out.

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"codemode/gen/ts"
	"codemode/runtime"
	"codemode/runtime/accept"
	"codemode/runtime/esbuild"
	"codemode/runtime/goja"
	"codemode/runtime/goja/library"
)

// samples are values of the interfaces whose objects are not the prototype of a global constructor,
// or have members of their own. The expression stands in a script.
var samples = map[string]string{
	"Function": `function f() {}`, "CallableFunction": `function f() {}`, "NewableFunction": `class {}`,
	"IArguments": `(function () { return arguments; })(1)`, "TemplateStringsArray": "((s) => s)`x`",
	"Array": `[1]`, "ReadonlyArray": `[1]`, "ArrayLike": `[1]`, "ConcatArray": `[1]`, "String": `new String("a")`,
	"ReadonlyMap": `new Map()`, "ReadonlySet": `new Set()`, "ReadonlySetLike": `new Map()`,
	"Error": `new Error("m", { cause: 1 })`, "EvalError": `new EvalError("m", { cause: 1 })`, "RangeError": `new RangeError("m", { cause: 1 })`,
	"ReferenceError": `new ReferenceError("m", { cause: 1 })`, "SyntaxError": `new SyntaxError("m", { cause: 1 })`,
	"TypeError": `new TypeError("m", { cause: 1 })`, "URIError": `new URIError("m", { cause: 1 })`,
	"AggregateError": `new AggregateError([], "m", { cause: 1 })`,
	"RegExp":         `/x/g`, "RegExpExecArray": `/(?<n>x)/.exec("x")`, "RegExpMatchArray": `"x".match(/(?<n>x)/)`,
	"RawJSON":  `JSON.rawJSON("1")`,
	"Iterator": `(function* () {})()`, "Iterable": `(function* () {})()`, "IterableIterator": `(function* () {})()`,
	"IteratorObject": `(function* () {})()`, "Generator": `(function* () {})()`,
	"IteratorYieldResult": `(function* () { yield 1; })().next()`, "IteratorReturnResult": `(function* () {})().next()`,
	"ArrayIterator": `[].values()`, "MapIterator": `new Map().keys()`, "SetIterator": `new Set().keys()`,
	"StringIterator": `""[Symbol.iterator]()`, "RegExpStringIterator": `"".matchAll(/x/g)`,
	"AsyncIterator": `(async function* () {})()`, "AsyncIterable": `(async function* () {})()`, "AsyncIterableIterator": `(async function* () {})()`,
	"AsyncIteratorObject": `(async function* () {})()`, "AsyncGenerator": `(async function* () {})()`,
	"PromiseLike": `Promise.resolve()`, "PromiseWithResolvers": `Promise.withResolvers()`,
	"PromiseFulfilledResult":        `(await Promise.allSettled([1]))[0]`,
	"PromiseRejectedResult":         `(await Promise.allSettled([Promise.reject(1)]))[0]`,
	"PropertyDescriptor":            `({ ...Object.getOwnPropertyDescriptor({ a: 1 }, "a"), ...Object.getOwnPropertyDescriptor({ get a() { return 1; }, set a(v) {} }, "a") })`,
	"TypedPropertyDescriptor":       `({ ...Object.getOwnPropertyDescriptor({ a: 1 }, "a"), ...Object.getOwnPropertyDescriptor({ get a() { return 1; }, set a(v) {} }, "a") })`,
	"ArrayBufferView":               `new DataView(new ArrayBuffer(1))`,
	"TypedArray":                    `new Uint16Array(1)`,
	"TypedArrayConstructor":         `Uint16Array`,
	"ClassDecoratorContext":         `(() => { let c; @((_, x) => { c = x; }) class A {} return c; })()`,
	"ClassMethodDecoratorContext":   `(() => { let c; class A { @((_, x) => { c = x; }) m() {} } return c; })()`,
	"ClassGetterDecoratorContext":   `(() => { let c; class A { @((_, x) => { c = x; }) get a() { return 1; } } return c; })()`,
	"ClassSetterDecoratorContext":   `(() => { let c; class A { @((_, x) => { c = x; }) set a(v) {} } return c; })()`,
	"ClassAccessorDecoratorContext": `(() => { let c; class A { @((_, x) => { c = x; }) accessor a = 1; } return c; })()`,
	"ClassFieldDecoratorContext":    `(() => { let c; class A { @((_, x) => { c = x; }) a = 1; } return c; })()`,
	"ClassAccessorDecoratorTarget":  `(() => { let c; class A { @((x) => { c = x; }) accessor a = 1; } return c; })()`,
	"ToolError":                     `new ToolError("m", { method: "a.b", hint: "h", status: 404, detail: "d", handle: "h" })`,
	"InputFile":                     `inputs.file`,
	"ArtifactInfo":                  `artifacts.write("a.txt", "a")`,
}

// shapes are interfaces of what a script hands over or the service answers, or that the compiler alone
// needs: no object of the engine has to have them.
var shapes = []string{"ThisType", "ImportMeta", "ImportAttributes", "ImportCallOptions", "PropertyDescriptorMap", "ErrorOptions", "ProxyHandler", "Base64Options",
	"ClassAccessorDecoratorResult", "Disposable", "AsyncDisposable", "FoundMethod", "ResultPart"}

// part are interfaces that show a part of their sample on purpose.
var part = []string{"ReadonlyArray", "ArrayLike", "ConcatArray", "ReadonlyMap", "ReadonlySet", "ReadonlySetLike", "PromiseLike", "Iterator", "Iterable",
	"IterableIterator", "IteratorObject", "AsyncIterator", "AsyncIterable", "AsyncIterableIterator", "AsyncIteratorObject", "ArrayBufferView",
	"PropertyDescriptor", "TypedPropertyDescriptor", "TemplateStringsArray", "FunctionConstructor"}

// mayLack are interfaces whose optional members their sample need not have.
var mayLack = map[string]string{
	"ArrayIterator": "an iterator may be closed, those of the language have nothing to close", "MapIterator": "the same", "SetIterator": "the same",
	"StringIterator": "the same", "RegExpStringIterator": "the same",
	"ToolError": "the engine makes it without a cause",
}

// undeclared are names of the engine that no declaration has, with the reason.
var undeclared = map[string]string{
	"globalThis":                     "the compiler declares it itself",
	"undefined":                      "the compiler declares it itself",
	"eval":                           "the engine refuses it",
	"globalThis[Symbol.toStringTag]": "nothing to use",
	".caller":                        "throws in strict code, as every script is",
	".arguments":                     "throws in strict code, as every script is",
	"IArguments.callee":              "throws in strict code, as every script is",
	"TypedArray[Symbol.toStringTag]": "each of the eleven has its own",
	"Object.__proto__":               "an accessor kept for old pages; Object.getPrototypeOf does it",
	"BigInt.length":                  "a slip of the engine: the prototype has what the constructor should",
	"BigInt.name":                    "a slip of the engine: the prototype has what the constructor should",
	"[Symbol.unscopables]":           "only a with statement reads it, which modules do not have",
}

// target is an object of the engine that an interface describes.
type target struct {
	name       string // of the interface
	expression string
	ctor       bool // a constructor: what Function.prototype has is not counted
}

// TestDeclarationsAreTheEngine holds that every declared global, static, prototype member and
// intrinsic is in the engine, and the other way round.
func TestDeclarationsAreTheEngine(t *testing.T) {
	d := readAll(t)
	targets := targetsOf(t, d)
	found := ask(t, targets)
	c := comparison{t, d, map[string]bool{}}
	for _, target := range targets {
		if target.name != "globalThis" {
			c.forth(target.name, found[target.name])
			c.back(target.name, found[target.name])
		}
	}
	c.globals(found["globalThis"])
	for name := range undeclared {
		if !c.used[name] {
			t.Errorf("the engine has no %s: take it off the list of what is deliberately not declared", name)
		}
	}
	t.Logf("%d statements, %d interfaces, %d members, %d global values, compared with %d objects of the engine",
		d.statements, len(d.interfaces), d.members, len(d.values), len(targets))
}

func readAll(t *testing.T) *declared {
	t.Helper()
	d := &declared{values: map[string]string{}, interfaces: map[string]*structure{}}
	files := library.Files()
	files["ambient"] = ts.Ambient() + ts.Granted(nil, []string{"file"}, nil)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := d.parse(files[name]); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return d
}

// targetsOf finds for every interface the object of the engine that must look like it.
func targetsOf(t *testing.T, d *declared) []target {
	t.Helper()
	var targets []target
	seen := map[string]bool{}
	for _, value := range slices.Sorted(maps.Keys(d.values)) {
		name, _, _ := strings.Cut(d.values[value], "<")
		if d.interfaces[name] != nil && !seen[name] {
			targets = append(targets, target{name, value, all(t, d, name).called})
			seen[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.interfaces)) {
		switch sample := samples[name]; {
		case sample != "":
			targets = append(targets, target{name, sample, all(t, d, name).called})
		case seen[name] || slices.Contains(shapes, name):
		case d.values[name] != "":
			targets = append(targets, target{name: name, expression: name + ".prototype"})
		default:
			t.Errorf("interface %s is compared with nothing: give it a sample", name)
		}
	}
	for name := range samples {
		if d.interfaces[name] == nil {
			t.Errorf("the sample of %s is of no interface", name)
		}
	}
	return append(targets, target{name: "globalThis", expression: "globalThis"})
}

// probe lists the members of values, by what they are: "f" a function, "v" another value, "a" an accessor.
const probe = `
const list = (value, ctor) => {
  const out = Object.create(null);
  for (let o = value; o !== null && o !== undefined; o = Object.getPrototypeOf(o)) {
    if (o !== value && (o === Object.prototype || ctor && o === Function_)) break;
    for (const key of Reflect.ownKeys(Object(o))) {
      const name = typeof key === "symbol" ? "[" + key.description + "]" : key;
      if (Object.hasOwn(out, name)) continue;
      const d = Object.getOwnPropertyDescriptor(o, key);
      out[name] = !("value" in d) ? "a" : typeof d.value === "function" ? "f" : "v";
    }
  }
  return out;
};
const Function_ = Object.getPrototypeOf(() => 0);
const found = {};
`

type members map[string]string

func ask(t *testing.T, targets []target) map[string]members {
	t.Helper()
	var script strings.Builder
	script.WriteString(probe)
	for _, target := range targets {
		fmt.Fprintf(&script, "found[%q] = list(%s, %t);\n", target.name, target.expression, target.ctor)
	}
	script.WriteString("export default found;\n")
	var found map[string]members
	if err := json.Unmarshal(run(t, script.String()), &found); err != nil {
		t.Fatal(err)
	}
	return found
}

// run runs a script as a worker does, and returns its result.
func run(t *testing.T, text string) json.RawMessage {
	t.Helper()
	script, _, refused := accept.Script([]runtime.Source{{Name: "main.ts", Text: text}}, accept.Limits{})
	if refused != nil {
		t.Fatal(refused)
	}
	bundle, diagnostics := esbuild.Bundler{}.Bundle(script)
	for _, d := range diagnostics {
		if d.Severity != runtime.SeverityError {
			continue
		}
		t.Fatalf("%s:%d:%d: %s", d.File, d.Line, d.Column, d.Message)
	}
	engine, err := goja.New()
	if err != nil {
		t.Fatal(err)
	}
	program := runtime.Program{Script: script, Inputs: []runtime.Input{{Name: "file", Bytes: []byte("a")}}}
	vm, err := engine.Prepare()
	if err != nil {
		t.Fatal(err)
	}
	out := vm.Run(t.Context(), program, bundle, &port{})
	if out.Err != nil {
		t.Fatal(out.Err)
	}
	return out.Result
}

// port takes artifacts, and settles calls at once, in the order made.
type port struct{ open []runtime.StubCall }

func (p *port) Call(c runtime.StubCall) { p.open = append(p.open, c) }

func (p *port) Next(context.Context, []int) (int, runtime.Settlement, error) {
	c := p.open[0]
	p.open = p.open[1:]
	return c.Seq, runtime.Settlement{Result: c.Args}, nil
}

func (*port) Console(runtime.ConsoleLine)                  {}
func (*port) Progress(string)                              {}
func (*port) Artifact(runtime.ArtifactData) *runtime.Error { return nil }

// comparison notes which of the deliberately undeclared names it met.
type comparison struct {
	*testing.T
	d    *declared
	used map[string]bool
}

// forth finds every declared member in the engine.
func (c comparison) forth(name string, found members) {
	want := all(c.T, c.d, name).members
	for _, m := range slices.Sorted(maps.Keys(want)) {
		kind, full := found[m], qualified(name, m)
		switch {
		case kind == "" && want[m].optional && mayLack[name] != "":
		case kind == "":
			c.Errorf("%s is declared, and the engine does not have it", full)
		case want[m].method && kind != "f":
			c.Errorf("%s is declared as a method, and is none in the engine (%s)", full, kind)
		}
	}
}

// back finds every member of the engine in the declarations. What every object or function has is
// compared once, with Object and Function.
func (c comparison) back(name string, found members) {
	if slices.Contains(part, name) {
		return
	}
	want, everyObject := all(c.T, c.d, name), c.d.interfaces["Object"].members
	for _, m := range slices.Sorted(maps.Keys(found)) {
		_, ok := want.members[m]
		_, inherited := everyObject[m]
		ofFunction := want.called && (m == "length" || m == "name" || m == "prototype")
		if !ok && !inherited && !ofFunction && !(want.indexed && isIndex(m)) && !c.leftOut(qualified(name, m), qualified("", m)) {
			c.Errorf("the engine has %s, and it is not declared", qualified(name, m))
		}
	}
}

// globals compares the global values both ways.
func (c comparison) globals(found members) {
	for _, name := range slices.Sorted(maps.Keys(c.d.values)) {
		switch kind := found[name]; {
		case kind == "":
			c.Errorf("global %s is declared, and the engine does not have it", name)
		case c.d.values[name] == "function" && kind != "f":
			c.Errorf("global %s is declared as a function, and is none in the engine", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if c.d.values[name] == "" && !c.leftOut(name, qualified("globalThis", name)) {
			c.Errorf("the engine has the global %s, and it is not declared", name)
		}
	}
}

func (c comparison) leftOut(names ...string) bool {
	for _, name := range names {
		if undeclared[name] != "" {
			c.used[name] = true
			return true
		}
	}
	return false
}

func all(t *testing.T, d *declared, name string) *structure {
	t.Helper()
	s, err := d.all(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func qualified(name, member string) string {
	if strings.HasPrefix(member, "[") {
		return name + member
	}
	return name + "." + member
}

func isIndex(name string) bool { return strings.Trim(name, "0123456789") == "" }

// TestOwnAsyncIterable runs a script that makes an async iterable by the name the library declares.
func TestOwnAsyncIterable(t *testing.T) {
	got := run(t, `
const ticker = { async *[Symbol.asyncIterator]() { yield 1; yield 2; } };
const out = [];
for await (const n of ticker) out.push(n);
export default [out, await Array.fromAsync(ticker, (n) => n * 2)];`)
	if string(got) != "[[1,2],[2,4]]" {
		t.Errorf("%s", got)
	}
}
