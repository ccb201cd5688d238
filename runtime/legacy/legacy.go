// Package legacy is the stringly surface that a directory's old callers still speak: a key and one
// text body in, one text out.
//
//	d := legacy.New(legacy.Config{Rows: dir.Rows, Contracts: contracts, Gate: gate})
//	d.Dispatch(ctx, "CRM_GET", "42")        // HTTP 200:{"id":42}
//	d.Dispatch(ctx, "CRM", "add|Ana|ana@x") // a row of many operations: the first argument names one
//	d.Dispatch(ctx, "CRM_GET", `{"id":`)    // ERR:dispatch:malformed_json
//
// A body that is JSON as a whole is one argument; one that begins with "{" or "[" and is no JSON is
// malformed; anything else is split on "|", with no escape. Values have no types and no names: they go
// into the template's slots as text. A result is text too: "HTTP <status>:<body>" of an http row,
// plain text of any other, "ERR:<code>:<message>" for whatever failed.
//
// Authority holds here as everywhere: nothing is performed but through the Gate it is given, which
// authorises, charges and records each call. Typed calls never take this road.
package legacy

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/directory/template"
	"codemode/runtime"
)

// Gate lets one call through: it binds the arguments to the contract's parameters, validates,
// authorises, charges and records them like those of any other call, and performs them by position.
// Errors: those of runtime.Invoker, and InvalidArgument, NotGranted, GrantExpired, BudgetExhausted and
// NeedsDecision for a call that it does not let through.
type Gate interface {
	Pass(ctx context.Context, c Call) (runtime.Reply, error)
}

// Call is one call by position.
type Call struct {
	Contract contract.Contract
	// Args fill $1, $2 ...: JSON strings of what stood between the pipes, or one JSON value. The name
	// of an operation is not among them.
	Args []json.RawMessage
}

// Config is what a Dispatcher works with.
type Config struct {
	Rows      []directory.Row
	Contracts []contract.Contract
	// Gate is the only way to perform anything.
	Gate Gate
	// MaxBodyBytes caps a body; 0 means 1 MiB.
	MaxBodyBytes int
}

// Dispatcher serves the legacy surface. It is safe for concurrent use.
type Dispatcher struct {
	config    Config
	types     map[string]directory.Type
	contracts map[string]map[string]contract.Contract // by key and operation
}

// New returns a Dispatcher for the rows that have a contract.
func New(c Config) *Dispatcher {
	if c.MaxBodyBytes <= 0 {
		c.MaxBodyBytes = 1 << 20
	}
	d := &Dispatcher{config: c, types: map[string]directory.Type{}, contracts: map[string]map[string]contract.Contract{}}
	for _, row := range c.Rows {
		d.types[row.Key] = row.Type
	}
	for _, k := range c.Contracts {
		if d.contracts[k.Key] == nil {
			d.contracts[k.Key] = map[string]contract.Contract{}
		}
		d.contracts[k.Key][k.Operation] = k
	}
	return d
}

// Malformed is the answer to a body that begins like JSON and is none.
const Malformed = "ERR:dispatch:malformed_json"

// Dispatch performs one call. Its answer is the whole outcome, failures included.
func (d *Dispatcher) Dispatch(ctx context.Context, key, body string) string {
	if len(body) > d.config.MaxBodyBytes {
		return failure(runtime.Errorf(runtime.InvalidArgument, "the body has %d bytes, more than %d", len(body), d.config.MaxBodyBytes))
	}
	args, err := template.SplitBody(body)
	switch {
	case errors.Is(err, template.ErrMalformedJSON):
		return Malformed
	case err != nil:
		return failure(runtime.Errorf(runtime.InvalidArgument, "%v", err))
	}
	c, failed := d.resolve(key, args)
	if failed != nil {
		return failure(failed)
	}
	reply, err := d.config.Gate.Pass(ctx, c)
	if err != nil {
		return failure(err)
	}
	return d.text(key, c.Contract.Operation, reply)
}

// resolve finds the contract. In a row of many operations the first argument names one.
func (d *Dispatcher) resolve(key string, args []json.RawMessage) (Call, *runtime.Error) {
	operations := d.contracts[key]
	if len(operations) == 0 {
		return Call{}, runtime.Errorf(runtime.NotFound, "there is no row %.100q", key)
	}
	if c, plain := operations[""]; plain {
		return Call{Contract: c, Args: args}, nil
	}
	name := ""
	if len(args) > 0 {
		name, args = textOf(args[0]), args[1:]
	}
	c, ok := operations[name]
	if !ok {
		return Call{}, runtime.Errorf(runtime.InvalidArgument, "%s has no operation %.100q; it has %s", key, name, names(operations))
	}
	return Call{Contract: c, Args: args}, nil
}

func names(operations map[string]contract.Contract) string {
	var out []string
	for name := range operations {
		out = append(out, name)
	}
	slices.Sort(out)
	if len(out) > 20 {
		out = append(out[:20], "...")
	}
	return strings.Join(out, ", ")
}

// text writes a result. What passed on an HTTP status says it: an http row, an operation of a
// target_map, and a dispatch row whose remote said one.
func (d *Dispatcher) text(key, operation string, reply runtime.Reply) string {
	kind := d.types[key]
	text := textOf(reply.Result)
	if reply.Status != 0 && (operation != "" || kind == directory.HTTP || kind == directory.Dispatch) {
		return "HTTP " + strconv.Itoa(reply.Status) + ":" + text
	}
	return text
}

// textOf is a string's own characters, or the JSON text of any other value.
func textOf(raw json.RawMessage) string {
	var text *string
	if json.Unmarshal(raw, &text) == nil && text != nil {
		return *text
	}
	return string(raw)
}

// failure writes an error on one line: its code, what happened, and the destination's own words.
func failure(err error) string {
	e := runtime.AsError(err)
	text := e.Message
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return "ERR:" + string(e.Code) + ":" + strings.Map(oneLine, text)
}

func oneLine(r rune) rune {
	if r < ' ' || r == 0x7f {
		return ' '
	}
	return r
}
