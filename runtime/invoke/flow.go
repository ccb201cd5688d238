package invoke

// This file performs flow rows: rows called one after another. Values keep their types between
// steps; a result of one step is only ever a value to the next.

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"codemode/directory/contract"
	"codemode/directory/template"
	"codemode/runtime"
)

// chainKey holds, in the context of a step, the flows that it is a step of.
type chainKey struct{}

func (c *call) flow(ctx context.Context) (runtime.Reply, *runtime.Error) {
	ctx, err := c.enter(ctx)
	if err != nil {
		return runtime.Reply{}, err
	}
	if err := c.placed(); err != nil {
		return runtime.Reply{}, err
	}
	values := c.fill()
	values.Named = map[string]json.RawMessage{}
	var bytes int64
	for i, step := range c.op.template.Steps() {
		result, err := c.step(ctx, i, step, values)
		if err != nil {
			return runtime.Reply{}, err
		}
		values.Prev = result
		bytes += int64(len(result))
		if step.As != "" {
			values.Named[step.As] = result
		}
	}
	return runtime.Reply{Result: values.Prev, Bytes: bytes}, nil
}

// enter keeps a flow from calling itself, by whatever way round.
func (c *call) enter(ctx context.Context) (context.Context, *runtime.Error) {
	chain, _ := ctx.Value(chainKey{}).([]operationKey)
	if slices.Contains(chain, c.op.key) {
		return nil, runtime.Errorf(runtime.Unavailable, "the flow %s calls itself", c.op.key).WithHint("the row's steps must be corrected")
	}
	if c.in.Step == nil {
		return nil, runtime.Errorf(runtime.Unavailable, "flows cannot be performed here: there is no gate for their steps")
	}
	return context.WithValue(ctx, chainKey{}, append(slices.Clone(chain), c.op.key)), nil
}

func (c *call) step(ctx context.Context, i int, step template.Step, values template.Values) (json.RawMessage, *runtime.Error) {
	args, err := c.op.template.StepArgs(i, values)
	if err != nil {
		return nil, c.unrendered(err)
	}
	callee, args, failed := c.callee(step, args)
	if failed != nil {
		return nil, failed
	}
	named, failed := c.bindStep(callee, args)
	if failed != nil {
		return nil, failed
	}
	result, err := c.in.Step(ctx, callee.Key, callee.Operation, named)
	if err != nil {
		return nil, stepFailed(i, step, runtime.AsError(err))
	}
	return result, nil
}

// stepFailed says which step failed, and that those before it have been performed.
func stepFailed(i int, step template.Step, err *runtime.Error) *runtime.Error {
	out := *err
	out.Message = "step " + step.Key + ": " + err.Message
	if i > 0 {
		out.Message += "; the steps before it were performed"
	}
	return &out
}

// callee finds what a step calls. In a row of many operations the first argument names one.
func (c *call) callee(step template.Step, args []json.RawMessage) (contract.Contract, []json.RawMessage, *runtime.Error) {
	key := operationKey{step.Key, ""}
	op := c.inv.operations[key]
	if op == nil {
		return contract.Contract{}, nil, c.badStep(step, "which is no row of the directory")
	}
	if len(op.operations) > 0 {
		if len(args) == 0 {
			return contract.Contract{}, nil, c.badStep(step, "which names none of its operations")
		}
		key.operation, args = textOf(args[0]), args[1:]
	}
	callee, ok := c.inv.contracts[key]
	if !ok {
		return contract.Contract{}, nil, c.badStep(step, "which is not offered")
	}
	return callee, args, nil
}

func (c *call) badStep(step template.Step, why string) *runtime.Error {
	return runtime.Errorf(runtime.Unavailable, "the flow %s calls %s, %s", c.op.key, step.Key, why).WithHint("the row's steps must be corrected")
}

func (c *call) bindStep(callee contract.Contract, args []json.RawMessage) (json.RawMessage, *runtime.Error) {
	op := c.inv.operations[operationKey{callee.Key, callee.Operation}]
	tail := 0
	if op.template != nil {
		tail = op.template.TailIndex()
	}
	named, err := Bind(callee, op.positional(callee), tail, args)
	if err != nil {
		return nil, runtime.Errorf(runtime.InvalidArgument, "the flow %s: %s", c.op.key, err.Message).WithHint("%s", err.Hint)
	}
	return named, nil
}

// Bind gives positional arguments the names of the contract's parameters and the types they take,
// and returns them as one object. tail is the position (from 1) that takes the rest, joined by "|";
// 0 means none. A single object for a contract whose parameters have no order is taken as the
// arguments themselves. Too many arguments are InvalidArgument.
func Bind(c contract.Contract, positional []string, tail int, args []json.RawMessage) (json.RawMessage, *runtime.Error) {
	args = joinTail(args, tail)
	if len(positional) == 0 && len(args) == 1 && args[0] != nil {
		if typeOf(args[0]) == "object" {
			return args[0], nil
		}
		positional = contract.PropertyNames(c.Params)
		if len(positional) != 1 {
			positional = nil
		}
	}
	out := map[string]json.RawMessage{}
	for i, value := range args {
		if value == nil {
			continue
		}
		if i < len(positional) && positional[i] == "" {
			continue // a number that no slot of the template has
		}
		if i >= len(positional) {
			return nil, runtime.Errorf(runtime.InvalidArgument, "%s takes %d arguments in order, not %d", c.Name, len(positional), len(args)).
				WithHint("they are: %s", strings.Join(positional, ", "))
		}
		out[positional[i]] = Coerce(c, positional[i], value)
	}
	raw, err := encode(out)
	if err != nil {
		return nil, runtime.Errorf(runtime.InvalidArgument, "an argument of %s is not valid JSON", c.Name).WithCause(err)
	}
	return raw, nil
}

// joinTail makes one argument of those from the tail's position on.
func joinTail(args []json.RawMessage, tail int) []json.RawMessage {
	if tail == 0 || len(args) <= tail {
		return args
	}
	var rest []string
	for _, a := range args[tail-1:] {
		if a == nil {
			rest = append(rest, "")
			continue
		}
		rest = append(rest, textOf(a))
	}
	return append(slices.Clone(args[:tail-1]), encodeText(strings.Join(rest, "|")))
}
