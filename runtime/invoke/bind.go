package invoke

// This file binds a call's arguments, by name, to the slots of its template.

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"codemode/directory/template"
	"codemode/runtime"
)

// bound are the arguments of a call in their places.
type bound struct {
	// args fill $1, $2 ...; nil is an argument that was not given.
	args []json.RawMessage
	// rest are those that no slot takes.
	rest map[string]json.RawMessage
	// whole says that args is the argument object itself.
	whole bool
}

func (inv *Invoker) named(in runtime.Invocation) (*call, error) {
	c, err := inv.newCall(in)
	if err != nil {
		return nil, err
	}
	var args map[string]json.RawMessage
	if err := json.Unmarshal(in.Args, &args); err != nil || args == nil {
		return nil, runtime.Errorf(runtime.InvalidArgument, "the arguments are not one JSON object").WithCause(err)
	}
	c.bind(in.Args, args)
	return c, nil
}

// bind puts arguments into their places. Where the contract knows no order and the template has one
// place, the object itself goes there.
func (c *call) bind(object json.RawMessage, args map[string]json.RawMessage) {
	b := bound{rest: maps.Clone(args)}
	positional := c.op.positional(c.in.Contract)
	for _, name := range positional {
		b.args = append(b.args, args[name]) // a gap is "", which no parameter is called
		delete(b.rest, name)
	}
	if len(positional) == 0 && len(args) > 0 && c.op.template.Arity() == 1 {
		b = bound{args: []json.RawMessage{object}, whole: true}
	}
	c.values = b
}

// fill are the template's values for this call.
func (c *call) fill() template.Values {
	return template.Values{Args: c.values.args, Secret: c.secrets.get}
}

// placed refuses arguments that the row has no place for: dropping one would do something else than
// was asked.
func (c *call) placed() *runtime.Error {
	if len(c.values.rest) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(c.values.rest))
	return runtime.Errorf(runtime.InvalidArgument, "%s has no place for the argument %s", c.op.key, strings.Join(names, ", ")).
		WithHint("leave it out; the row's template must be corrected if it is needed")
}

// unrendered tells why a template could not be rendered.
func (c *call) unrendered(err error) *runtime.Error {
	switch {
	case errors.Is(err, template.ErrSecret):
		return runtime.Errorf(runtime.Unavailable, "%s needs a secret that the service does not have", c.op.key).WithHint("the operator must configure it").WithCause(err)
	case errors.Is(err, template.ErrPipe), errors.Is(err, template.ErrAmbiguous):
		return runtime.Errorf(runtime.InvalidArgument, "%s: %v; nothing was sent", c.op.key, err).WithHint(`only the last argument may hold a "|"`).WithCause(err)
	case errors.Is(err, template.ErrTemplate):
		return brokenRow(c.op.key, err)
	}
	return runtime.Errorf(runtime.InvalidArgument, "%s: %v", c.op.key, err).WithCause(err)
}
