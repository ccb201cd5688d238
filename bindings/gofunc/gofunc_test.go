package gofunc_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"codemode/bindings/gofunc"
	"codemode/bindings/handler"
	"codemode/directory"
	"codemode/gen"
	"codemode/runtime"
	"codemode/runtime/validate"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Page is embedded in what is listed.
type Page struct {
	// Number counts from 1.
	Number int    `json:"number" jsonschema:"minimum=1"`
	Cursor string `json:"cursor,omitempty"`
}

// Node leads back to itself.
type Node[T any] struct {
	Value    T                  `json:"value"`
	Children []Node[T]          `json:"children"`
	Parent   *Node[T]           `json:"parent,omitzero"`
	Weights  map[string]float64 `json:"weights"`
}

// FindArgs say what to find.
type FindArgs struct {
	Page
	// Words must all stand there.
	Words   []string        `json:"words" jsonschema:"minItems=1"`
	Since   time.Time       `json:"since,omitzero"`
	ID      int64           `json:"id" jsonschema:"description=The account."`
	Seen    uint64          `json:"seen,omitzero"`
	Small   int8            `json:"small,omitzero"`
	Byte    []byte          `json:"byte,omitzero"`
	Mode    string          `json:"mode,omitzero" jsonschema:"enum=fast,enum=exact,default=fast"`
	Note    *string         `json:"note" jsonschema:"nullable"`
	Raw     json.RawMessage `json:"raw,omitzero"`
	Any     any             `json:"any,omitzero"`
	Left    string          `json:"-"`
	private string
}

// FindResult is a page of trees.
type FindResult struct {
	Page
	Trees  []Node[string]    `json:"trees"`
	Counts map[string]uint32 `json:"counts"`
	Other  Node[int64]       `json:"other"`
	Gone   *bool             `json:"gone" jsonschema:"nullable"`
}

func find(_ context.Context, args *FindArgs) (*FindResult, error) {
	if args.ID == 0 {
		return nil, runtime.Errorf(runtime.NotFound, "no account 0")
	}
	return &FindResult{Page: Page{Number: args.Number + 1}, Other: Node[int64]{Value: args.ID}}, nil
}

var findRow = directory.Row{Key: "TREE_FIND", Description: "Finds trees.", WhenToUse: "When there is a wood.", Effect: "read"}

// TestGolden follows a struct to its row, its contract and its declaration.
func TestGolden(t *testing.T) {
	comments, err := gofunc.ReadComments("codemode/bindings/gofunc_test", ".")
	if err != nil {
		t.Fatal(err)
	}
	f, err := gofunc.DescribeWith(comments, findRow, find, &FindArgs{Page: Page{Number: 1}, Words: []string{"oak"}, ID: 9007199254740993})
	if err != nil {
		t.Fatal(err)
	}
	out, err := gen.Generate(&directory.Directory{Rows: gofunc.Rows(f)}, gen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range out.Diagnostics {
		t.Errorf("%+v", d)
	}
	row, err := json.MarshalIndent(f.Row, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	contract, err := json.MarshalIndent(out.Contracts[0], "", " ")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{"row.json": string(row) + "\n", "contract.json": string(contract) + "\n", "tree.d.ts": string(out.Files["tree.d.ts"])}
	const path = "testdata/find.txtar"
	if *update {
		ar := &txtar.Archive{}
		for _, name := range []string{"row.json", "contract.json", "tree.d.ts"} {
			ar.Files = append(ar.Files, txtar.File{Name: name, Data: []byte(got[name])})
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ar, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range ar.Files {
		if diff := cmp.Diff(string(file.Data), got[file.Name]); diff != "" {
			t.Errorf("%s (-want +got); run with -update to accept:\n%s", file.Name, diff)
		}
	}
}

// What the schema allows reaches the function, and what it returns is what the schema says.
func TestCall(t *testing.T) {
	f, err := gofunc.Describe(findRow, find)
	if err != nil {
		t.Fatal(err)
	}
	validator := validate.New()
	for _, tt := range []struct {
		args, want string
		code       runtime.Code
	}{
		{`{"number":1,"words":["a"],"id":9007199254740993,"note":null}`, `{"number":2,"trees":[],"counts":{},"other":{"value":9007199254740993,"children":[],"weights":{}},"gone":null}`, ""},
		{`{"number":1,"words":["a"],"id":0,"note":"","since":"2026-03-02T00:00:00Z","seen":18446744073709551615,"small":-128,"byte":"YQ==","mode":"exact","raw":{"n":1},"any":[null]}`, "", runtime.NotFound},
	} {
		if err := validator.Validate(f.Row.InputSchema, json.RawMessage(tt.args)); err != nil {
			t.Errorf("%s: %v", tt.args, err)
		}
		got, err := f.Handler(t.Context(), json.RawMessage(tt.args))
		var e *runtime.Error
		if errors.As(err, &e); tt.code != "" && (e == nil || e.Code != tt.code) || tt.code == "" && err != nil {
			t.Fatalf("%s: %v", tt.args, err)
		}
		if string(got) != tt.want {
			t.Errorf("%s = %s, want %s", tt.args, got, tt.want)
		}
		if tt.code == "" {
			if err := validator.Validate(f.Row.OutputSchema, got); err != nil {
				t.Errorf("%s: %v", got, err)
			}
		}
	}
	for _, bad := range []string{`{"number":1,"words":[],"id":1,"note":null}`, `{"number":1,"words":["a"],"id":1,"note":null,"ID":5}`, `{"number":1,"words":["a"],"id":9223372036854775808.5,"note":null}`,
		`{"number":0,"words":["a"],"id":1,"note":null}`, `{"number":1,"words":["a"],"id":1}`, `{"number":1,"words":["a"],"id":1,"note":null,"small":200}`, `{"number":1,"words":["a"],"id":1,"note":null,"mode":"slow"}`} {
		if validator.Validate(f.Row.InputSchema, json.RawMessage(bad)) == nil {
			t.Errorf("the schema takes %s", bad)
		}
	}
}

func TestErrors(t *testing.T) {
	type ptr struct {
		P *int `json:"p"`
	}
	type deep struct {
		List []map[string]ptr `json:"list"`
	}
	type number struct {
		N map[int]string `json:"n"`
	}
	type null struct {
		N handler.Nullable[int] `json:"n,omitzero"`
	}
	type channel struct {
		C chan int `json:"c"`
	}
	ok := findRow
	with := func(change func(*directory.Row)) directory.Row { r := ok; change(&r); return r }
	for _, tt := range []struct {
		err  error
		want string
	}{
		{describe[struct{}, ptr](ok), "gofunc_test.ptr.P is a pointer that is always sent, as null when it is nil: add omitzero"},
		{describe[struct{}, deep](ok), "deep.List.P is a pointer"},
		{describe[number, int](ok), "is a map with int keys"},
		{describe[null, int](ok), "is a handler.Nullable"},
		{describe[channel, int](ok), "is a chan, which JSON cannot hold"},
		{describe[string, int](ok), "row TREE_FIND: the arguments are string; use a struct"},
		{describe[[]int, int](ok), "use a struct"},
		{describe[struct{}, int](directory.Row{Key: "K", Description: "d"}), "it needs Key, Description and WhenToUse"},
		{describe[struct{}, int](with(func(r *directory.Row) { r.Type = directory.HTTP })), "its type is http"},
		{describe[struct{}, int](with(func(r *directory.Row) { r.Content = `["$1"]` })), "has a template or schemas of its own"},
	} {
		if tt.err == nil || !strings.Contains(tt.err.Error(), tt.want) {
			t.Errorf("error %v, want %q", tt.err, tt.want)
		}
	}
	for _, err := range []error{describe[struct{}, []string](ok), describe[*FindArgs, any](ok), describe[struct{}, map[string]*int](ok), describe[struct{}, time.Time](ok), describe[struct{}, struct{}](ok)} {
		if err != nil {
			t.Error(err)
		}
	}
}

func describe[A, R any](row directory.Row) error {
	_, err := gofunc.Describe(row, func(context.Context, A) (r R, err error) { return r, nil })
	return err
}
