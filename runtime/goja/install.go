package goja

// This file puts into a VM what a script finds there.

import (
	"fmt"
	goruntime "runtime"
	"slices"
	"strings"
	"unicode"

	"codemode/runtime"

	js "github.com/dop251/goja"
)

// hooks are the prelude's functions that Go calls.
type hooks struct {
	run, toolError, text, isToolError, watchExec js.Callable
	freeze                                       js.Callable // as it was before the script could change it
}

// install runs the prelude.
func (r *run) install(e *Engine) error {
	if _, err := r.start(e.web, r.webNatives()); err != nil {
		return err
	}
	made, err := r.start(e.prelude, r.preludeNatives())
	if err != nil {
		return err
	}
	for name, hook := range map[string]*js.Callable{"run": &r.hooks.run, "toolError": &r.hooks.toolError,
		"text": &r.hooks.text, "isToolError": &r.hooks.isToolError, "watchExec": &r.hooks.watchExec} {
		f, ok := js.AssertFunction(made.ToObject(r.vm).Get(name))
		if !ok {
			return fmt.Errorf("goja: the prelude lacks %s", name)
		}
		*hook = f
	}
	return r.guarded(func() {
		helpers := r.helpers()
		for _, name := range sortedKeys(helpers) {
			r.constant(name, helpers[name])
		}
	})
}

// bind adds what a program brings: stubs and inputs. It runs as one native call, so that panics of the
// VM become errors.
func (r *run) bind() error {
	return r.guarded(func() {
		r.constant("tools", r.tools())
		r.constant("inputs", r.inputs())
		if r.guardsExec() {
			_, err := r.hooks.watchExec(nil)
			must(err)
		}
	})
}

// start runs a part of the prelude, which is a function of the natives it needs.
func (r *run) start(part *js.Program, natives map[string]func(js.FunctionCall) js.Value) (js.Value, error) {
	setup, err := r.vm.RunProgram(part)
	if err != nil {
		return nil, err
	}
	f, ok := js.AssertFunction(setup)
	if !ok {
		return nil, fmt.Errorf("goja: the prelude is no function")
	}
	o := r.vm.NewObject()
	for name, native := range natives {
		r.set(o, name, r.function(name, 0, native))
	}
	return f(nil, o)
}

// guarded runs f as a native function would run: its panics are the VM's exceptions.
func (r *run) guarded(f func()) error {
	native, _ := js.AssertFunction(r.function("", 0, func(js.FunctionCall) js.Value { f(); return nil }))
	_, err := native(nil)
	return err
}

func (r *run) constant(name string, v js.Value) {
	if err := r.vm.GlobalObject().DefineDataProperty(name, v, js.FLAG_FALSE, js.FLAG_FALSE, js.FLAG_FALSE); err != nil {
		panic(r.vm.NewTypeError("cannot define %s", name))
	}
}

// preludeNatives are what the prelude needs of the engine; the script never sees them.
func (r *run) preludeNatives() map[string]func(js.FunctionCall) js.Value {
	return map[string]func(js.FunctionCall) js.Value{
		"console":      r.nativeConsole,
		"progress":     r.nativeProgress,
		"artifact":     r.nativeArtifact,
		"setTimer":     r.nativeSetTimer,
		"clearTimer":   r.nativeClearTimer,
		"regexp":       r.nativeRegexp,
		"gaveUp":       r.nativeGaveUp,
		"parseJSON":    func(c js.FunctionCall) js.Value { return r.parseText(c.Argument(0)) },
		"trimStack":    func(c js.FunctionCall) js.Value { return r.vm.ToValue(r.trimStack(c.Argument(0).String())) },
		"isProxy":      func(c js.FunctionCall) js.Value { return r.vm.ToValue(isProxy(c.Argument(0))) },
		"isIdentifier": func(c js.FunctionCall) js.Value { return r.vm.ToValue(isIdentifier(c.Argument(0).String())) },
	}
}

// function makes a native function that shows neither Go's name for it nor a Go panic: a mistake of
// ours becomes an error with a fixed text.
func (r *run) function(name string, length int, f func(js.FunctionCall) js.Value) *js.Object {
	fn := r.vm.ToValue(func(c js.FunctionCall) (v js.Value) {
		defer func() {
			if x := recover(); x != nil {
				if e, ok := x.(goruntime.Error); ok && !exhausted(e) {
					x = r.vm.NewTypeError("the service failed in %s", name)
				}
				panic(x)
			}
		}()
		return f(c)
	}).(*js.Object)
	for prop, v := range map[string]any{"name": name, "length": length} {
		if err := fn.DefineDataProperty(prop, r.vm.ToValue(v), js.FLAG_FALSE, js.FLAG_TRUE, js.FLAG_FALSE); err != nil {
			panic(r.vm.NewTypeError("cannot name %s", name))
		}
	}
	return fn
}

// set defines a plain property, also where a prototype has a setter or a read-only one of the name.
func (r *run) set(o *js.Object, name string, v js.Value) {
	if err := o.DefineDataProperty(name, v, js.FLAG_TRUE, js.FLAG_TRUE, js.FLAG_TRUE); err != nil {
		panic(r.vm.NewTypeError("cannot define %s", name))
	}
}

// tools builds the stubs: a frozen object of namespaces, each made when it is first read. Neither it
// nor a namespace has a prototype, so that a name that was not granted, "then" too, is undefined.
func (r *run) tools() *js.Object {
	methods := map[string][]string{}
	for _, m := range r.p.Methods {
		ns, name, ok := strings.Cut(m, ".")
		if ok && ns != "then" && name != "then" && !slices.Contains(methods[ns], name) {
			methods[ns] = append(methods[ns], name)
		}
	}
	return r.lazy(sortedKeys(methods), func(ns string) js.Value { return r.namespace(ns, methods[ns]) })
}

func (r *run) namespace(ns string, methods []string) js.Value {
	o := r.vm.CreateObject(nil)
	slices.Sort(methods)
	for _, m := range methods {
		r.set(o, m, r.stub(ns+"."+m))
	}
	return r.freeze(o)
}

// lazy makes a frozen object without prototype whose members are made when first read.
func (r *run) lazy(names []string, make func(name string) js.Value) *js.Object {
	o := r.vm.CreateObject(nil)
	for _, name := range names {
		var made js.Value
		get := r.function("get "+name, 0, func(js.FunctionCall) js.Value {
			if made == nil {
				made = make(name)
			}
			return made
		})
		if err := o.DefineAccessorProperty(name, get, nil, js.FLAG_FALSE, js.FLAG_TRUE); err != nil {
			panic(r.vm.NewTypeError("cannot define %s", name))
		}
	}
	return r.freeze(o)
}

func (r *run) freeze(o *js.Object) *js.Object {
	if r.hooks.freeze == nil { // install comes here first
		r.hooks.freeze, _ = js.AssertFunction(r.vm.Get("Object").ToObject(r.vm).Get("freeze"))
	}
	if _, err := r.hooks.freeze(nil, o); err != nil {
		panic(err)
	}
	return o
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func isIdentifier(s string) bool {
	for i, r := range s {
		if r != '_' && r != '$' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}

// toolError builds the error that a script catches. stack is its text from the call on.
func (r *run) toolError(e *runtime.Error, at *runtime.Pos) *js.Object {
	stack := "ToolError: " + e.Message
	if at != nil {
		stack += "\n\tat " + escapeName(at.File) + fmt.Sprintf(":%d:%d(0)\n", at.Line, at.Column)
	}
	v, err := r.hooks.toolError(nil, r.vm.ToValue(e.Message), r.vm.ToValue(stack), r.vm.ToValue(string(e.Code)),
		r.text(e.Call), r.text(e.Hint), r.number(e.Status), r.text(e.Detail), r.text(e.Handle))
	if err != nil {
		panic(err)
	}
	return v.ToObject(r.vm)
}

func (r *run) text(s string) js.Value {
	if s == "" {
		return js.Undefined()
	}
	return r.vm.ToValue(s)
}

func (r *run) number(n int) js.Value {
	if n == 0 {
		return js.Undefined()
	}
	return r.vm.ToValue(n)
}
