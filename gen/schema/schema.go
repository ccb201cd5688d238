// Package schema reads a JSON Schema document, 2020-12, draft 7 or as OpenAPI 3.0 spells it, into a graph
// of types that emitters walk.
//
//	g, err := schema.Parse([]byte(`{"type":"object","properties":{"id":{"type":"integer"}}}`), schema.Options{})
//	for _, p := range g.Root.Properties { fmt.Println(p.Name, p.Type.Kind, p.Required) } // id integer false
//
// The graph says nothing of any one language. References are followed inside the document: what is
// recursive or shared becomes a Named type, everything else stands in place, so that a walk that
// stops at Ref always ends. What a type system cannot say (bounds, formats, patterns) stays beside
// the type in its Doc.
//
// What binds a value only sometimes becomes a union where that stays small: if with then and else, not,
// dependent keys, oneOf over required keys. Past a few alternatives, and where no type says it
// (contains, a text that is not another), it is left out: a graph is wider than its schema and never
// narrower. Documents with no $schema are 2020-12; $ref has no siblings and dependencies count only
// where $schema names a draft up to 7. A reference to a published meta-schema is an object or a boolean.
//
// A graph as written is exact in that sense. As meant, by which declarations are made, it departs from
// the specification in two ways, because people who write schemas do:
//
//   - An object that says nothing of other keys has none that are typed. By the specification it takes
//     any, and every declaration would have an index signature: a misspelt argument would pass, and so
//     would a result field that does not exist. Values with other keys fit all the same, since
//     TypeScript's objects are open, unless they share no key with a type whose keys are all optional.
//   - properties, required, items and the like without a type stand for an object or an array. By the
//     specification they let every other type pass, and a result would have to be told apart from text
//     and numbers that no author meant. Bounds, lengths and patterns imply nothing.
//
// As meant is wider in one place: two closed parts of an allOf are taken to close the whole.
//
// The package validates no values and fetches nothing: a reference to another document is an error.
package schema

import (
	"errors"
	"fmt"

	"codemode/directory/contract"
)

// Options bound what Parse accepts and say how it reads.
type Options struct {
	// Root is the name of the document's own type, in case it is recursive; "" means "Root".
	Root string
	// Untyped says how to read a schema that carries keywords of a type but no "type".
	Untyped Reading
	// MaxBytes of the document; 0 means 4 MiB.
	MaxBytes int
	// MaxDepth of the document's JSON nesting; 0 means 256.
	MaxDepth int
	// MaxTypes in the graph, counted as they would be written out; 0 means 20,000.
	MaxTypes int
}

// Reading is a way to read {"properties": ...} without "type": "object".
type Reading string

const (
	// AsMeant, the zero Reading, takes the keywords for the type: properties mean an object, items an
	// array. An object has no unnamed keys unless it says otherwise.
	AsMeant Reading = ""
	// AsWritten follows the specification: keywords bind values of their own type and let every other
	// type pass, and an object takes unnamed keys unless it says otherwise.
	AsWritten Reading = "as_written"
)

// Errors that Parse wraps; the text around them names the place.
var (
	ErrTooLarge   = contract.ErrSchemaTooLarge
	ErrTooDeep    = contract.ErrSchemaTooDeep
	ErrRemoteRef  = contract.ErrRemoteRef
	ErrMissingRef = contract.ErrMissingRef
)

// Unshown says in a few words why Parse gave no type, for a declaration that has to do without.
func Unshown(err error) string {
	if errors.Is(err, ErrTooLarge) || errors.Is(err, ErrTooDeep) {
		return "is too large to be shown"
	}
	return "cannot be shown as a type"
}

// Open is the type of arguments that no type can be shown of: an object with any keys.
func Open() *Type {
	return &Type{Kind: Object, Additional: &Type{Kind: Unknown, size: 1}, size: 2}
}

// Graph is what one document describes.
type Graph struct {
	Root *Type
	// Named are the types that other types refer to by Ref, in the order a walk from Root meets them.
	Named []*Named
}

// Parse reads one document. Errors: malformed JSON, ErrTooLarge, ErrTooDeep, ErrRemoteRef (bundle
// the other document under $defs), ErrMissingRef. The same document gives the same graph whatever
// the order of its keys.
func Parse(doc []byte, opt Options) (*Graph, error) {
	opt = opt.withDefaults()
	d, err := contract.OpenSchema(doc, contract.SchemaLimits{Bytes: opt.MaxBytes, Depth: opt.MaxDepth})
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	p := &parser{doc: d, opt: opt, named: map[string]*Named{}, meeting: map[[2][16]byte]bool{}}
	root, err := p.reference("", nil)
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	g, err := settle(root, opt)
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return g, nil
}

func (o Options) withDefaults() Options {
	if o.Root == "" {
		o.Root = "Root"
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = 4 << 20
	}
	if o.MaxDepth == 0 {
		o.MaxDepth = 256
	}
	if o.MaxTypes == 0 {
		o.MaxTypes = 20_000
	}
	return o
}
