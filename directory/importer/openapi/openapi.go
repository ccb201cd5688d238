// Package openapi makes rows of an OpenAPI document: one http row for each operation.
//
//	result, err := openapi.Import(file, openapi.Options{File: "petstore.yaml", Server: "petstore"})
//	// GET https://petstore.example/pets/{pet_id}?tags={tags*}   petstore_pets/getPet, input_schema, output_schema
//
// Documents of 3.0 and 3.1 are read, as JSON or YAML (spec.openapis.org/oas); Swagger 2.0 is refused. A
// row is executable: its template writes every argument where the document puts it, in the style the
// document gives, and leaves out what a call leaves out. The properties of a JSON or form body stand
// beside the other arguments where the body is a plain object; any other body is one argument. What a
// schema says is kept as it stands, with the components it refers to under $defs; readOnly properties
// are left out of arguments and writeOnly ones out of results. Security schemes become names of
// secrets, never values, and pagination is left to the script.
//
// What has no place in a row is counted by kind in Result.NotCarried. An operation that could not be
// called right without it is left out, and a finding says why: one with a required parameter in a
// style that no template writes, with a body that is required or the point of its method (POST, PUT,
// PATCH) and is multipart or binary, with a server without a host. Bodies are JSON, forms and texts.
//
// Keys follow the first tag: key.go.
//
// # Library
//
// Two libraries were measured on a document of 3.3 MB with 710 operations (time and peak memory of one
// process that reads it and builds its model): getkin/kin-openapi 0.153, 360 ms and 166 MB;
// pb33f/libopenapi 0.42, 119 ms and 89 MB. Both are maintained and know 3.1. Neither model is enough
// here: kin-openapi decodes schemas into structs, which rounds integers above 2^53 and drops the
// order and unknown keywords; libopenapi's model drops all parameters of an operation when one
// reference among them dangles, has no paths at all when one path item refers to itself, and calls
// schemas that refer to themselves errors. An importer has to say of each operation what is wrong with
// it. So libopenapi reads the text (JSON or YAML to one tree with lines, the digits of numbers kept,
// versions told apart), and this package walks the tree and follows
// references itself: by JSON Pointer (RFC 6901), within the document, never to a file or the network.
// Circular schemas stay references, so they cost nothing.
package openapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/pb33f/go-yaml"
	"github.com/pb33f/libopenapi/datamodel"

	"codemode/directory"
	"codemode/directory/importer"
)

// Options say how to read a document. The zero value is the documented defaults.
type Options struct {
	// File is named in findings; "" means "input".
	File string
	// Server is the first part of every key, and of the names of secrets; "" means the document's title.
	Server string
	// BaseURL is what the operations' paths are added to, in place of the document's servers; a
	// document whose servers name no host needs it.
	BaseURL string
	// MaxBytes caps the document; 0 means 64 MiB. A larger one is an error.
	MaxBytes int64
	// MaxOperations caps its operations; 0 means 20,000. More are an error.
	MaxOperations int
	// MaxRowBytes caps one row, with all the components that its schemas reach; 0 means 256 KiB. A larger
	// one loses its examples first, then its output_schema, and is left out if that is not enough:
	// arguments are never taken unchecked.
	MaxRowBytes int
	// MaxTotalBytes caps the rows of a document as JSON Lines; 0 means 64 MiB, what directory.Load reads of
	// one file. Half of it is shared equally, the rest goes to the rows that need more, in the document's
	// order. A row without room loses the same as one over MaxRowBytes.
	MaxTotalBytes int
	// MaxFindings caps the findings about single operations; 0 means 100. One more says how many were left out.
	MaxFindings int
}

func (o Options) withDefaults() Options {
	fill := func(n *int, def int) {
		if *n <= 0 {
			*n = def
		}
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = 64 << 20
	}
	if o.File == "" {
		o.File = "input"
	}
	fill(&o.MaxOperations, 20_000)
	fill(&o.MaxRowBytes, 256<<10)
	fill(&o.MaxTotalBytes, 64<<20)
	fill(&o.MaxFindings, 100)
	return o
}

// document is one document while it is read.
type document struct {
	opts     Options
	root     *yaml.Node
	version  string
	server   string
	pointers map[string]*yaml.Node // what references point to, once looked up
	schemas  map[schemaKey]*component
	walks    int // along references, so far
	names    map[gathered][]string
	keys     map[string]string // of the rows so far, by what a method's name keeps of them
	tags     map[string]string // first spellings
	findings *findings
	rows     []directory.Row
	work     int // bytes of schemas and values written
	each     int // bytes of rows that every operation may take
	pool     int // bytes of rows that are left beside
}

// Import reads a document. Errors are one over a cap, one that is no JSON or YAML, one that is no
// OpenAPI 3.0 or 3.1, and one without an operation.
func Import(r io.Reader, opts Options) (*importer.Result, error) {
	opts = opts.withDefaults()
	data, err := io.ReadAll(io.LimitReader(r, opts.MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("cannot read the OpenAPI document %s: %w", opts.File, err)
	}
	if int64(len(data)) > opts.MaxBytes {
		return nil, fmt.Errorf("the OpenAPI document %s is larger than %d bytes", opts.File, opts.MaxBytes)
	}
	d, err := parse(data, opts)
	if err == nil {
		err = d.operations()
	}
	if err != nil {
		return nil, fmt.Errorf("OpenAPI document %s: %w", opts.File, err)
	}
	slices.SortFunc(d.rows, func(a, b directory.Row) int { return strings.Compare(a.Key, b.Key) })
	return &importer.Result{Rows: d.rows, Findings: d.findings.list(), NotCarried: d.findings.notCarried(), LeftOut: d.findings.failed}, nil
}

// parse reads the text and tells the versions apart.
func parse(data []byte, opts Options) (d *document, err error) {
	defer func() {
		if p := recover(); p != nil {
			d, err = nil, fmt.Errorf("it cannot be read: %.200v", p)
		}
	}()
	if err := tooDeep(data); err != nil {
		return nil, err
	}
	config := &datamodel.DocumentConfiguration{SkipJSONConversion: true, Logger: slog.New(slog.DiscardHandler)}
	info, err := datamodel.ExtractSpecInfoWithConfig(data, config)
	if err != nil {
		return nil, fmt.Errorf("it cannot be read as an OpenAPI document: %s", firstLine(err.Error()))
	}
	d = &document{
		opts: opts, root: info.RootNode, version: info.Version, server: opts.Server,
		pointers: map[string]*yaml.Node{}, schemas: map[schemaKey]*component{}, names: map[gathered][]string{}, keys: map[string]string{}, tags: map[string]string{}, findings: newFindings(opts),
	}
	if d.root != nil && d.root.Kind == yaml.DocumentNode && len(d.root.Content) > 0 {
		d.root = d.root.Content[0]
	}
	switch {
	case info.SpecType == "swagger" || strings.HasPrefix(info.Version, "2"):
		return nil, errors.New("it is Swagger 2.0; convert it to OpenAPI 3 first, such as with swagger2openapi")
	case !strings.HasPrefix(d.version, "3.0") && !strings.HasPrefix(d.version, "3.1"):
		return nil, fmt.Errorf("it is OpenAPI %.20q, and 3.0 and 3.1 are read", d.version)
	}
	if err := d.tidy(); err != nil {
		return nil, err
	}
	if d.server == "" {
		d.server = slug(d.text(d.get(d.get(d.root, "info"), "title")))
	}
	if d.server == "" {
		d.server = "api"
	}
	return d, nil
}

// maxTextDepth caps the brackets of the text, and maxIndent its indentation: the parser recurses.
const (
	maxTextDepth = 1000
	maxIndent    = 2000
)

// tooDeep refuses text that nests deeper than anything that could become a row.
func tooDeep(data []byte) error {
	depth, quoted := 0, false
	isJSON := bytes.HasPrefix(bytes.TrimSpace(data), []byte("{"))
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case isJSON && quoted && c == '\\':
			i++
		case isJSON && c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth = max(0, depth-1)
		}
		if depth > maxTextDepth {
			return fmt.Errorf("it nests more than %d deep", maxTextDepth)
		}
	}
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		if lead := len(line) - len(bytes.TrimLeft(line, " -?:")); lead > maxIndent {
			return fmt.Errorf("a line is indented by more than %d", maxIndent)
		}
	}
	return nil
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return clip(strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, s))
}

// encode is json.Marshal without its escapes for HTML.
func encode(v any) json.RawMessage {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("texts, lists and valid JSON always encode: " + err.Error())
	}
	return bytes.TrimSpace(out.Bytes())
}
