// Package gofunc makes rows of Go functions: the other direction of generated bindings. What a function
// takes and returns is read from its structs, so that the contract cannot say anything else.
//
//	type ConvertArgs struct {
//		Amount float64 `json:"amount" jsonschema:"minimum=0"`
//		Unit   string  `json:"unit" jsonschema:"enum=km,enum=mi,default=km"`
//	}
//
//	f, err := gofunc.Describe(directory.Row{Key: "UNITS_CONVERT", Description: "Converts a distance.",
//		WhenToUse: "For people in other countries.", Effect: "read"}, convert, ConvertArgs{Amount: 3, Unit: "mi"})
//	system, err := assemble.Open(ctx, assemble.Config{Directory: "rows/", Rows: gofunc.Rows(f), Handlers: gofunc.Handlers(f)})
//
// The row is of type fn, with schemas by invopop/jsonschema: json tags give names and which keys may be
// left out, jsonschema tags the rest. It stands in the same declarations and the same search as every
// other; importer.Write puts it into a file, where a review sees it change.
//
// int64 and uint64 are bigint in TypeScript, other integers number. A struct takes no keys that it does
// not name. A pointer that is always sent could be null where the schema has none, so it is refused:
// it needs omitzero, or jsonschema:"nullable".
//
// The package stands beside package handler and not under directory or runtime: rows know nothing of
// functions, and what runs nothing of reflection. It calls nothing and registers nothing.
package gofunc

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"codemode/bindings/handler"
	"codemode/directory"
)

// Function is a Go function with its row.
type Function struct {
	Row     directory.Row
	Handler handler.Func
}

// Describe makes a Function. The row says what no struct can: Key, Description and WhenToUse, which must
// be there, and Category, Effect, Sensitive and the like. A is a struct or a pointer to one; examples are
// calls worth showing. Errors: a row that says more than that, a type that JSON Schema or the runtime
// cannot say or send, an example that cannot be written.
func Describe[A, R any](row directory.Row, f func(ctx context.Context, args A) (R, error), examples ...A) (Function, error) {
	return DescribeWith(Comments{}, row, f, examples...)
}

// DescribeWith is Describe with the doc comments of types and fields as descriptions, where no tag gives
// one.
func DescribeWith[A, R any](c Comments, row directory.Row, f func(ctx context.Context, args A) (R, error), examples ...A) (Function, error) {
	if err := checkRow(row); err != nil {
		return Function{}, fmt.Errorf("row %s: %w", row.Key, err)
	}
	args := reflect.TypeFor[A]()
	if args.Kind() == reflect.Pointer {
		args = args.Elem()
	}
	if args.Kind() != reflect.Struct {
		return Function{}, fmt.Errorf("row %s: the arguments are %s; use a struct, whose fields have names", row.Key, args)
	}
	row.Type = directory.Fn
	for _, part := range []struct {
		what string
		typ  reflect.Type
		to   *json.RawMessage
	}{{"arguments", args, &row.InputSchema}, {"result", reflect.TypeFor[R](), &row.OutputSchema}} {
		doc, err := c.schema(part.typ)
		if err != nil {
			return Function{}, fmt.Errorf("row %s: the %s: %w", row.Key, part.what, err)
		}
		*part.to = doc
	}
	for _, e := range examples {
		text, err := handler.Encode(e)
		if err != nil {
			return Function{}, fmt.Errorf("row %s: an example: %w", row.Key, err)
		}
		row.Examples = append(row.Examples, text)
	}
	return Function{Row: row, Handler: handler.Typed(f)}, nil
}

func checkRow(row directory.Row) error {
	switch {
	case row.Key == "" || row.Description == "" || row.WhenToUse == "":
		return fmt.Errorf("it needs Key, Description and WhenToUse")
	case row.Type != "" && row.Type != directory.Fn:
		return fmt.Errorf("its type is %s; a Go function is fn", row.Type)
	case row.Content != "" || row.Template != "" || row.InputSchema != nil || row.OutputSchema != nil || len(row.Arguments) > 0 || len(row.TargetMap) > 0:
		return fmt.Errorf("it has a template or schemas of its own; the function's types say those")
	}
	return nil
}

// Rows are the rows of functions, in their order.
func Rows(functions ...Function) []directory.Row {
	rows := make([]directory.Row, len(functions))
	for i, f := range functions {
		rows[i] = f.Row
	}
	return rows
}

// Handlers are the functions by the key of their row, as assemble.Config.Handlers takes them.
func Handlers(functions ...Function) map[string]handler.Func {
	out := make(map[string]handler.Func, len(functions))
	for _, f := range functions {
		out[f.Row.Key] = f.Handler
	}
	return out
}
