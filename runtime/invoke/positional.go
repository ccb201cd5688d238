package invoke

// This file performs calls with arguments by position, as the legacy surface makes them.

import (
	"context"
	"encoding/json"

	"codemode/runtime"
)

// InvokePositional performs a call whose arguments have no names and no types, as template.SplitBody
// returns them: args[0] fills $1. An argument of a bare JSON slot that spells JSON is that JSON; a
// tail slot takes the rest joined by "|"; arguments without a slot are dropped. in.Args is not used
// for filling: whoever authorises the call binds the same values by name with BindPositional first.
//
// The result of an http row has exactly the body as its text: a JSON value that is no string, else a
// string. For a row of many operations in.Contract names the operation, and args begin after it.
// Errors are those of Invoke.
func (inv *Invoker) InvokePositional(ctx context.Context, in runtime.Invocation, args []json.RawMessage) (runtime.Reply, error) {
	c, err := inv.newCall(in)
	if err != nil {
		return runtime.Reply{}, err
	}
	c.verbatim = true
	if inv.handler(c.op.key) != nil {
		return c.handlePositional(ctx, args)
	}
	if err := c.bindPositional(args); err != nil {
		return runtime.Reply{}, err
	}
	return c.perform(ctx)
}

func (c *call) bindPositional(args []json.RawMessage) *runtime.Error {
	if named, ok := c.whole(args); ok {
		c.bind(args[0], named)
		return nil
	}
	values, err := c.op.template.Legacy(args)
	if err != nil {
		return c.unrendered(err)
	}
	c.values = bound{args: values.Args}
	return nil
}

// whole takes a single object as the arguments by name where the row has no slots of its own to fill.
func (c *call) whole(args []json.RawMessage) (map[string]json.RawMessage, bool) {
	if len(args) != 1 || args[0] == nil || len(c.op.positional(c.in.Contract)) > 0 || c.op.template.Arity() > 0 && !c.op.empty {
		return nil, false
	}
	var named map[string]json.RawMessage
	return named, json.Unmarshal(args[0], &named) == nil && named != nil
}

// BindPositional gives the arguments of a positional call the names of the contract's parameters, so
// that a call of the legacy surface can be validated and authorised like any other. Arguments that
// no parameter takes are left out, as InvokePositional drops them. Errors: NotFound, and those of a
// row that cannot be performed.
func (inv *Invoker) BindPositional(in runtime.Invocation, args []json.RawMessage) (json.RawMessage, error) {
	c, err := inv.newCall(in)
	if err != nil {
		return nil, err
	}
	if _, ok := c.whole(args); ok {
		return args[0], nil
	}
	positional := c.op.positional(in.Contract)
	args = joinTail(args, c.op.template.TailIndex())
	named, err := Bind(in.Contract, positional, 0, args[:min(len(args), len(positional))])
	if err != nil {
		return nil, err
	}
	return named, nil
}

// Positional is an Invoker for one call of the legacy surface: it performs the named row with args by
// position, and every other row, such as the steps of a flow, as Invoke does. It lets such a call
// pass the same Gate as any other, with the arguments of BindPositional.
func (inv *Invoker) Positional(key, operation string, args []json.RawMessage) runtime.Invoker {
	return positional{inv: inv, key: operationKey{key, operation}, args: args}
}

type positional struct {
	inv  *Invoker
	key  operationKey
	args []json.RawMessage
}

func (p positional) Invoke(ctx context.Context, in runtime.Invocation) (runtime.Reply, error) {
	if (operationKey{in.Contract.Key, in.Contract.Operation}) == p.key {
		return p.inv.InvokePositional(ctx, in, p.args)
	}
	return p.inv.Invoke(ctx, in)
}
