package invoke

// This file performs fn rows: Go functions of the service.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"

	"codemode/directory/contract"
	"codemode/runtime"
)

func (c *call) fn(ctx context.Context) (runtime.Reply, *runtime.Error) {
	f, err := c.function()
	if err != nil {
		return runtime.Reply{}, err
	}
	args, err := c.arguments()
	if err != nil {
		return runtime.Reply{}, err
	}
	result, err := c.run(ctx, f, args)
	if err != nil {
		return runtime.Reply{}, err
	}
	return runtime.Reply{Result: result, Bytes: int64(len(result))}, nil
}

// function is looked up by the row's target, else by its key.
func (c *call) function() (Func, *runtime.Error) {
	for _, name := range []string{c.op.target, c.op.key.row} {
		if f, ok := c.inv.config.Functions[name]; ok {
			return f, nil
		}
	}
	return nil, runtime.Errorf(runtime.Unavailable, "no function stands behind %s in this service", c.op.key).WithHint("the operator must link one")
}

// arguments renders the template. A row without one, whose arguments have no order, hands over the
// argument object as it is.
func (c *call) arguments() ([]json.RawMessage, *runtime.Error) {
	if c.op.empty && c.values.whole {
		return c.values.args, nil
	}
	if err := c.placed(); err != nil {
		return nil, err
	}
	args, err := c.op.template.Arguments(c.fill())
	if err != nil {
		return nil, c.unrendered(err)
	}
	return args, nil
}

type returned struct {
	result json.RawMessage
	err    error
}

// run waits for the function no longer than the context lasts.
func (c *call) run(ctx context.Context, f Func, args []json.RawMessage) (json.RawMessage, *runtime.Error) {
	done := make(chan returned, 1)
	go func() { done <- protected(ctx, f, args) }()
	select {
	case out := <-done:
		return c.checked(ctx, out)
	case <-ctx.Done():
		return nil, c.interrupted(ctx)
	}
}

// protected turns a panic into an error: the script sees that the service failed, the log why.
func protected(ctx context.Context, f Func, args []json.RawMessage) (out returned) {
	defer func() {
		if p := recover(); p != nil {
			out = returned{err: runtime.AsError(fmt.Errorf("panic: %v\n%s", p, debug.Stack()))}
		}
	}()
	result, err := f(ctx, args)
	return returned{result, err}
}

func (c *call) checked(ctx context.Context, out returned) (json.RawMessage, *runtime.Error) {
	switch {
	case out.err != nil && ctx.Err() != nil && isContextError(out.err):
		return nil, c.interrupted(ctx)
	case out.err != nil:
		return nil, runtime.AsError(out.err)
	case out.result == nil:
		return json.RawMessage("null"), nil
	case !json.Valid(out.result):
		return nil, runtime.AsError(fmt.Errorf("the function behind %s returned what is no JSON", c.op.key))
	}
	return out.result, nil
}

func isContextError(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// interrupted is the error of a function that the context ended under.
func (c *call) interrupted(ctx context.Context) *runtime.Error {
	if c.in.Contract.Effect != contract.Read && c.in.Contract.Placement != contract.Pure {
		return runtime.Errorf(runtime.OutcomeUnknown, "%s was not finished when its time was over", c.op.key).WithHint("it may have taken effect: read it back before trying again").WithCause(ctx.Err())
	}
	if ctx.Err() == context.Canceled {
		return runtime.Errorf(runtime.Cancelled, "%s was cancelled", c.op.key)
	}
	return runtime.Errorf(runtime.Timeout, "%s did not finish in time", c.op.key).WithHint("ask for less")
}
