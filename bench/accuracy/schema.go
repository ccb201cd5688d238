package accuracy

// This file measures the types that package gen/schema makes of JSON Schema, judged by the compiler
// that scripts are checked with.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"codemode/bench"
	"codemode/fixtures/tsc"
	"codemode/gen/schema"
	"codemode/runtime/typecheck"
)

// SchemaReport is what Schema found.
type SchemaReport struct {
	Missing
	Compiler string `json:"compiler"` // its version
	// Cases are small schemas whose right types are known; nil when they are absent.
	Cases *CaseFigures `json:"cases,omitempty"`
	// Suite has the JSON Schema Test Suite's required tests by reading and draft.
	Suite []DraftFigures `json:"suite,omitempty"`
	// Expressible are the keywords that count in ExpressibleCaught, and those that do not, with the
	// reason for each.
	Expressible []Expressible `json:"expressible"`
	// OpenAPI are the component schemas of one large document; nil when it is absent.
	OpenAPI *DocumentFigures `json:"openapi,omitempty"`
}

// readings are the columns of the suite's tables, by name.
var readings = []struct {
	name    string
	reading schema.Reading
}{{"as written", schema.AsWritten}, {"as meant", schema.AsMeant}}

// Schema measures on the data that is there. Errors: no compiler, data that cannot be read.
func Schema(opts bench.Options) (bench.Report, error) {
	c, err := newCompiler()
	if err != nil {
		return nil, err
	}
	defer c.close()
	r := &SchemaReport{Compiler: typecheck.Version, Expressible: expressible}
	parts := []struct {
		path string
		run  func(c compiler, path string) error
	}{
		{"schema_cases/cases.json", r.measureCases},
		{"json_schema_test_suite", r.measureSuite},
		{"openapi/github_rest_v3_1.1.4.json", r.measureOpenAPI},
	}
	for _, part := range parts {
		path := filepath.Join(opts.Data, filepath.FromSlash(part.path))
		if _, err := os.Stat(path); r.without(part.path, err) {
			continue
		}
		if err := part.run(c, path); err != nil {
			return nil, fmt.Errorf("bench schema: %s: %w", part.path, err)
		}
	}
	return r, nil
}

// compiler runs the real one in a folder that is thrown away.
type compiler struct{ path, dir string }

func newCompiler() (compiler, error) {
	found, err := typecheck.Find(typecheck.FindConfig{})
	if err != nil {
		return compiler{}, err
	}
	dir, err := os.MkdirTemp("", "codemode-bench-")
	if err != nil {
		return compiler{}, err
	}
	return compiler{found.Path, dir}, nil
}

func (c compiler) close() { _ = os.RemoveAll(c.dir) }

// check compiles files as one program with --strict.
func (c compiler) check(files map[string]string) ([]tsc.Problem, error) {
	dir, err := os.MkdirTemp(c.dir, "")
	if err != nil {
		return nil, err
	}
	return tsc.Run(context.Background(), c.path, dir, files, tsc.Strict...)
}
