package goja

// This file holds what a script asks of the service itself: ask, checkpoint, directory, results.

import (
	"fmt"
	"math"
	"strconv"

	"codemode/runtime"

	js "github.com/dop251/goja"
)

// helper is a function that stands in every script's scope, and what it takes.
type helper struct {
	name       runtime.Helper
	usage      string
	parameters []parameter
}

// parameter is one argument: a check says what is wrong with a value, "" for nothing.
type parameter struct {
	name     string
	check    func(js.Value) string
	optional bool
}

var helpers = []helper{
	{runtime.HelperAsk, `ask("Which account?", { type: "string" })`, []parameter{{"question", isText, false}, {"schema", isSchema, true}}},
	{runtime.HelperSave, `checkpoint.save("page", 3)`, []parameter{{"name", isText, false}, {"value", isDefined, false}}},
	{runtime.HelperLoad, `checkpoint.load("page")`, []parameter{{"name", isText, false}}},
	{runtime.HelperSearch, `directory.search("open invoices", 5)`, []parameter{{"query", isText, false}, {"limit", isWhole(1), true}}},
	{runtime.HelperRead, `results.read(error.handle, 0, 65536)`, []parameter{{"handle", isText, false}, {"offset", isWhole(0), true}, {"bytes", isWhole(1), true}}},
}

// helpers makes the globals of the helpers: functions, and frozen objects of functions.
func (r *run) helpers() map[string]js.Value {
	globals, objects := map[string]js.Value{}, map[string]*js.Object{}
	for _, h := range helpers {
		object, name := cutMethod(string(h.name))
		f := r.freeze(r.caller(name, h.required(), runtime.StubCall{Helper: h.name}, func(args []js.Value) ([]byte, *refused) { return r.help(h, args) }))
		if object == "" {
			globals[name] = f
			continue
		}
		if objects[object] == nil {
			objects[object] = r.vm.NewObject()
		}
		r.set(objects[object], name, f)
	}
	for name, o := range objects {
		globals[name] = r.freeze(o)
	}
	return globals
}

func (h helper) required() int {
	n := 0
	for _, p := range h.parameters {
		if !p.optional {
			n++
		}
	}
	return n
}

// help writes a helper's arguments as the fields of one object.
func (r *run) help(h helper, args []js.Value) ([]byte, *refused) {
	refuse := func(format string, a ...any) ([]byte, *refused) {
		return nil, &refused{err: runtime.Errorf(runtime.InvalidArgument, "%s: "+format, append([]any{h.name}, a...)...).WithHint("write %s", h.usage)}
	}
	if len(args) > len(h.parameters) {
		return refuse("it takes no more than %d arguments, and was given %d", len(h.parameters), len(args))
	}
	out := []byte{'{'}
	for i, p := range h.parameters {
		v := js.Undefined()
		if i < len(args) {
			v = args[i]
		}
		if p.optional && js.IsUndefined(v) {
			continue
		}
		if wrong := p.check(v); wrong != "" {
			return refuse("its %s %s", p.name, wrong)
		}
		raw, refusal := r.argument(v, p.name, r.p.Limits.ArgumentBytes-int64(len(out)))
		if refusal != nil {
			return nil, refusal
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(strconv.AppendQuote(out, p.name), ':'), raw...)
	}
	if out = append(out, '}'); int64(len(out)) > r.p.Limits.ArgumentBytes {
		return nil, &refused{limit: runtime.ReasonArguments, err: r.p.Limits.Exceeded(runtime.ReasonArguments)}
	}
	return out, nil
}

func isText(v js.Value) string {
	if s, ok := v.(js.String); !ok || s.Length() == 0 {
		return "must be text that is not empty"
	}
	return ""
}

func isSchema(v js.Value) string {
	if !isPlainObject(v) {
		return "must be a JSON Schema, an object"
	}
	return ""
}

func isDefined(v js.Value) string {
	if js.IsUndefined(v) {
		return "must not be undefined; null stands for nothing"
	}
	return ""
}

func isWhole(least int64) func(js.Value) string {
	return func(v js.Value) string {
		f := math.NaN()
		switch n := v.Export().(type) {
		case int64:
			f = float64(n)
		case float64:
			f = n
		}
		if f != math.Trunc(f) || f < float64(least) || f > 1<<53-1 {
			return fmt.Sprintf("must be a whole number, %d or more", least)
		}
		return ""
	}
}
