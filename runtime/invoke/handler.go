package invoke

// This file performs rows for which the service has a handler: typed Go code in the place of whatever
// the row's template would do. Package bindings makes them.

import (
	"context"
	"encoding/json"

	"codemode/directory"
	"codemode/directory/template"
	"codemode/runtime"
)

// Handler is a Go function in the place of a row. It gets the argument object by name, as the contract
// has it: no template comes between, so that a value is just a value. Errors, results and the end of
// ctx are as for a Func.
type Handler = func(ctx context.Context, args json.RawMessage) (json.RawMessage, error)

func (inv *Invoker) handler(key operationKey) Handler {
	return inv.config.Handlers[directory.Reference(key.row, key.operation)]
}

func (c *call) handle(ctx context.Context, h Handler) (runtime.Reply, *runtime.Error) {
	result, err := c.run(ctx, func(ctx context.Context, args []json.RawMessage) (json.RawMessage, error) {
		return h(ctx, args[0])
	}, []json.RawMessage{c.in.Args})
	if err != nil {
		return runtime.Reply{}, err
	}
	return runtime.Reply{Result: result, Bytes: int64(len(result))}, nil
}

// handlePositional performs a call of the legacy surface with the arguments as in.Args names them. What
// has no name would be lost, so it is refused.
func (c *call) handlePositional(ctx context.Context, args []json.RawMessage) (runtime.Reply, error) {
	_, whole := c.whole(args)
	if names := c.op.positional(c.in.Contract); !whole && len(args) > len(names) {
		err := runtime.Errorf(runtime.InvalidArgument, "%s takes %d arguments by position, not %d", c.op.key, len(names), len(args))
		if len(names) == 0 {
			err = runtime.Errorf(runtime.InvalidArgument, "%s takes no arguments by position", c.op.key)
		}
		return runtime.Reply{}, err.WithHint("give them as one JSON object")
	}
	return c.perform(ctx)
}

// handled is the operation of a row that cannot be performed and has a handler that can: it has no
// template, and needs none.
func (op *operation) handled() *operation {
	return &operation{key: op.key, kind: op.kind, template: &template.Template{}}
}
