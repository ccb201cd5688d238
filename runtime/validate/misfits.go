package validate

// This file gives the places at which a value does not fit as data, without anything of the value, for
// whoever sums up many values.

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"codemode/directory/contract"
	"codemode/runtime"
)

// Misfit is one place at which a value does not fit its schema.
type Misfit struct {
	// At is a JSON Pointer into the value; what is missing stands where it should be.
	At string
	// Want says what the schema asks for. It holds names of fields and nothing else of the value.
	Want string
}

// maxMisfits caps what is told of one value.
const maxMisfits = 100

// Misfits returns the places of a value that do not fit, in the order of the pointers; none where it
// fits. Errors: as Validate has them, but that a value which does not fit is none.
func (v *Validator) Misfits(schema, value json.RawMessage) ([]Misfit, error) {
	s, err := v.cache.schema(schema)
	if err != nil {
		return nil, runtime.Errorf(runtime.Internal, "the schema can't be used: %s", clip(err.Error(), 300)).WithCause(err)
	}
	doc, err := decode(value, maxValue)
	if err != nil {
		return nil, runtime.Errorf(runtime.InvalidArgument, "the value can't be read: %v", err)
	}
	return s.misfits(doc, len(value))
}

func (s *schema) misfits(doc any, size int) (out []Misfit, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.meter.fill(size)
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, stopped(r)
		}
	}()
	s.meter.spend(ownCost(s.root))
	var failed *jsonschema.ValidationError
	if err := s.root.Validate(doc); err != nil && !errors.As(err, &failed) {
		return nil, runtime.Errorf(runtime.Internal, "the value could not be checked").WithCause(err)
	}
	if failed == nil {
		return nil, nil
	}
	for _, p := range problems(failed) {
		out = append(out, misfitsOf(p)...)
	}
	slices.SortFunc(out, func(a, b Misfit) int { return strings.Compare(a.At+"\x00"+a.Want, b.At+"\x00"+b.Want) })
	out = slices.Compact(out)
	return out[:min(len(out), maxMisfits)], nil
}

func misfitsOf(p problem) []Misfit {
	at := pointer(p.at)
	below := func(names []string, want string) []Misfit {
		var out []Misfit
		for _, name := range names {
			out = append(out, Misfit{at + "/" + contract.EscapeToken(name), want})
		}
		return out
	}
	switch k := p.kind.(type) {
	case *kind.Required:
		return below(k.Missing, "a value")
	case *kind.AdditionalProperties:
		return below(k.Properties, "no such field")
	case *kind.Type:
		return []Misfit{{at, alternatives(k.Want)}}
	case *kind.Enum:
		return []Misfit{{at, oneOf(k.Want)}}
	case *kind.Const:
		return []Misfit{{at, show(k.Want)}}
	case *kind.Format:
		return []Misfit{{at, formatWords(k.Want)}}
	case *kind.FalseSchema:
		return []Misfit{{at, "nothing"}}
	}
	if text, ok := bounds(p.kind); ok {
		return []Misfit{{at, text}}
	}
	return []Misfit{{at, "a value that fits " + quoted(strings.Join(p.kind.KeywordPath(), "/"))}}
}

func pointer(at []string) string {
	var out strings.Builder
	for _, token := range at {
		out.WriteString("/" + contract.EscapeToken(token))
	}
	return out.String()
}
