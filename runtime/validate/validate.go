// Package validate checks JSON values against JSON Schema documents and says what does not fit in
// words that a model can act on.
//
//	v := validate.New()
//	err := v.Validate(contract.Params, args)
//	// invalid_argument: /limit: got "ten", want integer
//
// Schemas are JSON Schema 2020-12, or the older draft that their $schema names. Formats are asserted,
// int32, int64, uint32 and uint64 among them; integers are compared exactly, whatever their size.
// Patterns run on Go's regexp, whose time is linear; a pattern that it can't compile (look-ahead, back
// references) or that is very large is not enforced, and its \s means ASCII white space.
//
// Schema and value may both be hostile. Sizes and nesting are capped, and each step of a check is
// charged to a meter that grows with the value: a schema that multiplies work ends in an error.
//
// It loads nothing: a $ref that leaves the document is an error. It does not support $dynamicRef and
// $recursiveRef, fills in no defaults, and never repeats a long value in a message.
package validate

import (
	"encoding/json"
	"errors"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"codemode/runtime"
)

// Validator keeps the schemas it compiled, those used last, up to 4,096 schemas and 32 MiB of their
// text. It is safe for concurrent use.
type Validator struct {
	cache cache
}

var _ runtime.Validator = (*Validator)(nil)

// New returns a Validator that has compiled nothing yet.
func New() *Validator { return &Validator{cache: newCache()} }

// Validate checks a value. Errors: InvalidArgument, naming the first places that do not fit, or that
// the value is no JSON, too large or too costly to check; Internal for a schema that does not compile.
func (v *Validator) Validate(schema, value json.RawMessage) error {
	return v.validate(schema, value, "argument", "\n")
}

// ValidateResult checks what a call returned, as Validate does. Its error is one line and speaks of fields.
func (v *Validator) ValidateResult(schema, value json.RawMessage) error {
	return v.validate(schema, value, "field", "; ")
}

// validate calls a member of the value itself by a word, and puts an end between two problems.
func (v *Validator) validate(schema, value json.RawMessage, member, end string) error {
	s, err := v.cache.schema(schema)
	if err != nil {
		return runtime.Errorf(runtime.Internal, "the schema can't be used: %s", clip(err.Error(), 300)).
			WithHint("correct the row's schema").WithCause(err)
	}
	doc, err := decode(value, maxValue)
	if err != nil {
		return runtime.Errorf(runtime.InvalidArgument, "the value can't be read: %v", err)
	}
	return s.check(doc, len(value), wording{member, end})
}

// schema is one compiled document.
type schema struct {
	mu    sync.Mutex // held while checking: the meter is the schema's
	meter *meter
	root  *jsonschema.Schema
	at    map[string]*jsonschema.Schema // by location
}

func (s *schema) check(doc any, size int, w wording) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.meter.fill(size)
	defer func() {
		if r := recover(); r != nil {
			err = stopped(r)
		}
	}()
	s.meter.spend(ownCost(s.root))
	var failed *jsonschema.ValidationError
	switch err := s.root.Validate(doc); {
	case err == nil:
		return nil
	case errors.As(err, &failed):
		return runtime.Errorf(runtime.InvalidArgument, "%s", s.explain(failed, doc, w))
	default:
		return runtime.Errorf(runtime.Internal, "the value could not be checked").WithCause(err)
	}
}

// stopped turns a panic into an error: the meter's own, or a fault of the library on input it does
// not expect.
func stopped(r any) error {
	if r == (overspent{}) {
		return runtime.Errorf(runtime.InvalidArgument, "checking the value against its schema takes too long").
			WithHint("send a smaller value, or simplify the row's schema")
	}
	return runtime.Errorf(runtime.Internal, "the value could not be checked").WithHint("simplify the row's schema").
		WithCause(errors.New("panic in the schema library"))
}

func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}
