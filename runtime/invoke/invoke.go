// Package invoke performs the effect of a call: it renders the row's template with the call's
// arguments, sends the request or calls the function, and makes a JSON value of what came back.
//
//	inv, err := invoke.New(invoke.Config{Rows: dir.Rows, Contracts: contracts, Functions: functions, Secrets: secrets, Egress: egress})
//	reply, err := inv.Invoke(ctx, runtime.Invocation{Contract: c, Args: []byte(`{"id":7}`), Egress: grant.Egress})
//
// A template is parsed once, in New. A row whose template is broken takes no other row down: its
// calls are unavailable and say why.
//
// How the kinds of row are performed:
//
//   - http: one request. Arguments that no slot takes go into the query of a GET, HEAD or DELETE, and
//     into a JSON body else; where the row has a body of its own they are refused, never dropped.
//   - fn: a Go function, by the row's target, else its key.
//   - flow: rows called one after another, each through Invocation.Step and so through the Gate.
//   - agent: POST {"message": text} to the target; the reply is read like http's.
//   - dispatch: POST {"key": key, "body": "a|b"} to the target; "HTTP 200:..." is a result, "ERR:..."
//     an error.
//   - mcp: tools/call of the row's tool, its arguments by name as they are; see mcp.go.
//   - cli: not performed by this package; calls are unavailable.
//
// A row with a handler is performed by that Go function, whatever its kind.
//
// What a secret is filled with never stands in a result, a message or a detail; nor does a credential that
// a row holds itself, in a header or as the password of a URL.
//
// It does not validate, authorise, charge, record or retry: the Gate does, around it. It opens no
// connection: it is handed the one way out.
package invoke

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/runtime"
)

// Func is a Go function behind a fn row. It gets the rendered arguments in the template's order and
// returns a JSON value, nil for null. An error that is no *runtime.Error is shown as internal. It
// must return when ctx ends: one that does not is left behind and keeps its goroutine.
type Func func(ctx context.Context, args []json.RawMessage) (json.RawMessage, error)

// Config is what an Invoker works with.
type Config struct {
	Rows []directory.Row
	// Contracts are those of Rows; flow steps bind their arguments by them.
	Contracts []contract.Contract
	// Functions are the Go functions by name.
	Functions map[string]Func
	// Handlers perform rows of any type, by "KEY" or "KEY#operation", instead of what the row says.
	Handlers map[string]Handler
	// Secrets looks up a credential by name; nil means there are none.
	Secrets func(name string) (string, error)
	// Egress is the way out of http, agent and dispatch rows; nil makes them unavailable.
	Egress Doer
	// MCP calls the tools of mcp rows; nil makes them unavailable.
	MCP MCP
	// Timeout bounds one call; 0 means 30 s. An earlier deadline of the context stands.
	Timeout time.Duration
	// MaxResultBytes caps a result where the invocation says nothing; 0 means 8 MiB.
	MaxResultBytes int64
}

// Invoker performs calls. It is safe for concurrent use.
type Invoker struct {
	config     Config
	operations map[operationKey]*operation
	contracts  map[operationKey]contract.Contract
}

var _ runtime.Invoker = (*Invoker)(nil)

// New parses the template of every row. It returns an error only for a configuration that
// contradicts itself: two rows with one key, a contract without its row, a nil function.
func New(c Config) (*Invoker, error) {
	if c.Timeout <= 0 {
		c.Timeout = 30 * time.Second
	}
	if c.MaxResultBytes <= 0 {
		c.MaxResultBytes = 8 << 20
	}
	inv := &Invoker{config: c, operations: map[operationKey]*operation{}, contracts: map[operationKey]contract.Contract{}}
	for name, f := range c.Functions {
		if f == nil {
			return nil, fmt.Errorf("function %s is nil", name)
		}
	}
	for name, h := range c.Handlers {
		if h == nil {
			return nil, fmt.Errorf("the handler of %s is nil", name)
		}
	}
	for _, k := range c.Contracts {
		inv.contracts[operationKey{k.Key, k.Operation}] = k
	}
	for _, row := range c.Rows {
		if _, twice := inv.operations[operationKey{row.Key, ""}]; twice {
			return nil, fmt.Errorf("two rows have the key %s", row.Key)
		}
		inv.addRow(row)
	}
	for key := range inv.contracts {
		if inv.operations[key] == nil {
			return nil, fmt.Errorf("the contract %s %s has no row", key.row, key.operation)
		}
	}
	return inv, nil
}

// Invoke performs one call with arguments by name. Errors are those of runtime.Invoker, each a
// *runtime.Error.
func (inv *Invoker) Invoke(ctx context.Context, in runtime.Invocation) (runtime.Reply, error) {
	c, err := inv.named(in)
	if err != nil {
		return runtime.Reply{}, err
	}
	return c.perform(ctx)
}

// call is one invocation on its way.
type call struct {
	inv     *Invoker
	in      runtime.Invocation
	op      *operation
	values  bound
	secrets *secrets
	limit   int64
	// verbatim keeps a reply's text as the legacy surface shows it.
	verbatim bool
}

func (inv *Invoker) newCall(in runtime.Invocation) (*call, *runtime.Error) {
	op := inv.operations[operationKey{in.Contract.Key, in.Contract.Operation}]
	if op == nil {
		return nil, runtime.Errorf(runtime.NotFound, "no row %s", operationKey{in.Contract.Key, in.Contract.Operation})
	}
	if op.broken != nil {
		if inv.handler(op.key) == nil {
			return nil, op.broken
		}
		op = op.handled()
	}
	c := &call{inv: inv, in: in, op: op, secrets: &secrets{lookup: inv.config.Secrets}, limit: in.MaxResultBytes}
	for _, literal := range op.literals {
		c.secrets.keep(literal)
	}
	if c.limit <= 0 {
		c.limit = inv.config.MaxResultBytes
	}
	return c, nil
}

// perform dispatches on the row's type and cleans what comes back of secrets.
func (c *call) perform(ctx context.Context) (runtime.Reply, error) {
	ctx, cancel := context.WithTimeout(ctx, c.inv.config.Timeout)
	defer cancel()
	reply, err := c.byKind(ctx)
	if err != nil {
		return runtime.Reply{}, c.secrets.cleanError(err)
	}
	if reply.Result == nil {
		reply.Result = json.RawMessage("null")
	}
	reply.Result = c.secrets.cleanResult(reply.Result)
	if int64(len(reply.Result)) > c.limit {
		return runtime.Reply{}, c.tooLarge(reply.Status)
	}
	return reply, nil
}

// byKind performs the call the way its row's type says.
func (c *call) byKind(ctx context.Context) (runtime.Reply, *runtime.Error) {
	if h := c.inv.handler(c.op.key); h != nil {
		return c.handle(ctx, h)
	}
	switch c.op.kind {
	case directory.HTTP:
		return c.http(ctx)
	case directory.Fn:
		return c.fn(ctx)
	case directory.Flow:
		return c.flow(ctx)
	case directory.Agent:
		return c.agent(ctx)
	case directory.Dispatch:
		return c.dispatch(ctx)
	case directory.MCP:
		return c.mcp(ctx)
	}
	return runtime.Reply{}, unperformed(c.op.key, c.op.kind)
}

func (c *call) tooLarge(status int) *runtime.Error {
	err := runtime.Errorf(runtime.ResultTooLarge, "the result is larger than %d bytes", c.limit).WithHint("ask for less: a page, a filter, fewer fields")
	if c.in.Contract.Effect != contract.Read {
		err.Message += "; the call itself was performed"
	}
	err.Status = status
	return err
}
