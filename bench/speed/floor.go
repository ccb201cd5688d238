package speed

// This file holds the floor: the same bundle in a bare VM of this process, as programs that embed the
// engine run scripts.

import (
	"fmt"
	"strings"

	js "github.com/dop251/goja"

	"codemode/runtime"
	"codemode/runtime/accept"
	"codemode/runtime/esbuild"
)

type floor struct{ program *js.Program }

func newFloor(s script) (floor, error) {
	accepted, _, refused := accept.Script(s.sources(), accept.Limits{})
	if refused != nil {
		return floor{}, refused
	}
	bundle, diagnostics := esbuild.Bundler{}.Bundle(accepted)
	for _, d := range diagnostics {
		if d.Severity == runtime.SeverityError {
			return floor{}, fmt.Errorf("the script can't be bundled: %s", d.Message)
		}
	}
	program, err := js.Compile("bundle.js", bundle.Code, true)
	return floor{program}, err
}

// run makes a VM, answers the script's calls in place, and is an error unless the script ends well.
func (f floor) run() error {
	vm := js.New()
	method := func(c js.FunctionCall) js.Value {
		promise, resolve, _ := vm.NewPromise()
		if err := resolve(strings.ToLower(c.Argument(0).ToObject(vm).Get("text").String())); err != nil {
			panic(vm.ToValue(err.Error()))
		}
		return vm.ToValue(promise)
	}
	if err := vm.Set("tools", map[string]map[string]func(js.FunctionCall) js.Value{"text": {"slugify": method}, "bench": {"book": method}}); err != nil {
		return err
	}
	main, err := vm.RunProgram(f.program)
	if err != nil {
		return err
	}
	call, ok := js.AssertFunction(main)
	if !ok {
		return fmt.Errorf("the bundle is no function")
	}
	ended, err := call(nil)
	if err != nil {
		return err
	}
	if p, ok := ended.Export().(*js.Promise); !ok || p.State() != js.PromiseStateFulfilled {
		return fmt.Errorf("the bundle did not end")
	}
	return nil
}
