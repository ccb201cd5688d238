// Package schema reads a JSON Schema document, 2020-12 or the older draft-7 spellings, into a graph
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
// A graph is never narrower than its schema: not, if, contains, dependentSchemas and the like are
// left out rather than guessed. The package validates no values and fetches nothing: a reference to
// another document is an error.
package schema

import (
	"errors"
	"fmt"
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
	// array, a pattern a string. An object is closed to unnamed keys unless it says otherwise.
	AsMeant Reading = ""
	// AsWritten follows the specification: keywords bind values of their own type and let every other
	// type pass, and an object takes unnamed keys unless it says otherwise.
	AsWritten Reading = "as_written"
)

// Errors that Parse wraps; the text around them names the place.
var (
	ErrTooLarge   = errors.New("schema is too large")
	ErrTooDeep    = errors.New("schema is nested too deep")
	ErrRemoteRef  = errors.New("reference leaves the document")
	ErrMissingRef = errors.New("reference points at nothing")
)

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
	d, err := openDocument(doc, opt)
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	p := &parser{doc: d, opt: opt, named: map[string]*Named{}}
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
