package runtime

// This file holds the small interfaces of the Gate's steps.

import (
	"context"
	"encoding/json"

	"codemode/directory/contract"
)

// Invoker performs the effect of one call, outside the script and with the credentials. Errors:
// InvalidArgument, Refused (egress), NotFound, Conflict, RateLimited, RemoteFailed, Unavailable,
// Timeout, Cancelled, OutcomeUnknown (sent, no reply), ResultTooLarge.
type Invoker interface {
	Invoke(ctx context.Context, in Invocation) (Reply, error)
}

// Invocation is a validated, authorised and charged call.
type Invocation struct {
	RunID    string
	CallID   string
	Contract contract.Contract
	// Args is the validated argument object.
	Args json.RawMessage
	// IdempotencyKey is the same for every attempt at this call.
	IdempotencyKey string
	// Egress are the origins the grant names; only these may be reached.
	Egress []string
	// Step calls another row of the directory on behalf of this call, through the Gate and under the
	// same grant; a flow makes its steps with it. Key is a row's key.
	Step func(ctx context.Context, key, operation string, args json.RawMessage) (json.RawMessage, error)
	// MaxResultBytes caps the reply; over it the invoker returns ResultTooLarge.
	MaxResultBytes int64
	// Room waits until the service has room for a result of so many bytes. An invoker calls it once all of the
	// result has come and before it holds that in memory: while it waits for a destination it takes no room
	// from others. nil means that there is.
	Room func(ctx context.Context, bytes int64) error
}

// Reply is what the destination returned: a JSON value, where text that is not JSON is a string.
type Reply struct {
	Result json.RawMessage
	// Status is the destination's own status, 0 for none.
	Status int
	// Bytes received.
	Bytes int64
}

// Validator checks JSON values against JSON Schema 2020-12 documents and keeps what it compiled.
// Validate returns nil, or an Error with code InvalidArgument that names the first places that do
// not fit; it returns Internal for a schema that does not compile. ValidateResult does the same and
// speaks of the fields of a result, in one line, where Validate speaks of arguments.
type Validator interface {
	Validate(schema, value json.RawMessage) error
	ValidateResult(schema, value json.RawMessage) error
}

// Conditions compiles the "when" of grants. Compile returns InvalidArgument, with the place, for an
// expression that does not compile against the operation's argument schema.
type Conditions interface {
	Compile(expr string, params json.RawMessage) (Condition, error)
}

// Condition is a compiled "when". An evaluation error denies.
type Condition interface {
	Holds(args json.RawMessage) (bool, error)
}
