// Package handler is what generated Go bindings stand on: it turns a typed Go function into one that
// the runtime calls with JSON, and back.
//
//	type texts struct{ bindings.UnimplementedTextHandler }
//
//	func (texts) Slugify(_ context.Context, args *bindings.TextSlugifyArgs) (string, error) {
//		return slug(args.Text, handler.Or(args.Separator, "-")), nil
//	}
//
//	system, err := assemble.Open(ctx, assemble.Config{Directory: "rows/", Handlers: bindings.TextHandlers(texts{})})
//
// Arguments arrive validated against the contract: the glue decodes them, calls and encodes the result,
// and checks no more than that keys are there which must be. It reads names exactly: encoding/json takes
// "AMOUNT" for "amount", and a key that no schema and no grant looked at would reach the function under
// the name of one that they did. A nil slice or map that must be there is written as [] or {}, never as
// null.
//
// The package knows no row and no contract, and registers nothing.
package handler

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"sync"

	"codemode/runtime"
)

// Generated1 stands in every file that the first form of the generator writes. It goes when this
// package stops serving that form, so that stale files do not compile: run codemode gen again.
const Generated1 = true

// Func is a Go function behind a row: the validated argument object in, a JSON value out. It must
// return when ctx ends. An error that is no *runtime.Error is shown to the script as internal.
type Func = func(ctx context.Context, args json.RawMessage) (json.RawMessage, error)

// Typed makes a Func of a function with typed arguments. Arguments that do not fit A are
// InvalidArgument; the function's own errors pass as they are.
func Typed[A, R any](f func(ctx context.Context, args A) (R, error)) Func {
	in, out := codecOf[A](), codecOf[R]()
	return func(ctx context.Context, raw json.RawMessage) (json.RawMessage, error) {
		var args A
		if err := decodeArgs(in(), raw, reflect.ValueOf(&args).Elem()); err != nil {
			return nil, runtime.Errorf(runtime.InvalidArgument, "the arguments cannot be read: %v", err).WithCause(err)
		}
		result, err := f(ctx, args)
		if err != nil {
			return nil, err
		}
		return encode(out(), reflect.ValueOf(&result).Elem())
	}
}

// NoArgs makes a Func of a function without arguments.
func NoArgs[R any](f func(ctx context.Context) (R, error)) Func {
	out := codecOf[R]()
	return func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
		result, err := f(ctx)
		if err != nil {
			return nil, err
		}
		return encode(out(), reflect.ValueOf(&result).Elem())
	}
}

// codecOf looks at a type once, when it is first needed: most methods of a service are never called.
func codecOf[T any]() func() *codec {
	return sync.OnceValue(func() *codec { return newCodec(reflect.TypeFor[T]()) })
}

func decodeArgs(c *codec, raw json.RawMessage, v reflect.Value) error {
	if len(bytes.TrimSpace(raw)) == 0 || string(bytes.TrimSpace(raw)) == "null" {
		return fmt.Errorf("want one JSON object")
	}
	return decode(c, raw, v)
}

// Unimplemented is the error of a method that a handler leaves out. Method is the contract's name and
// signature the Go method to write; what they say is for the operator, so it goes to the log.
func Unimplemented(method, signature string) error {
	return runtime.Errorf(runtime.Unavailable, "%s is not implemented in this service", method).
		WithHint("use another method, or ask the operator for a service that has it").
		WithCause(fmt.Errorf("implement %s", signature))
}

// Decode reads a JSON value into T the way arguments are read. It is for places that hold one of
// several types: Decode[string](args.Filter).
func Decode[T any](raw json.RawMessage) (T, error) {
	var v T
	err := decode(newCodec(reflect.TypeFor[T]()), raw, reflect.ValueOf(&v).Elem())
	return v, err
}

// Encode writes a value the way results are written.
func Encode(v any) (json.RawMessage, error) {
	return encode(&codec{form: dynamic}, reflect.ValueOf(&v).Elem())
}

// Or is what p points at, or absent when the caller left it out.
func Or[T any](p *T, absent T) T {
	if p == nil {
		return absent
	}
	return *p
}

// Nullable is a place that may be left out and may be null, which are two different things.
type Nullable[T any] struct {
	// Given is false when the key is not there at all.
	Given bool
	// Value is nil for null.
	Value *T
}

// Null is given, and null.
func Null[T any]() Nullable[T] { return Nullable[T]{Given: true} }

// Given is a value that is there.
func Given[T any](v T) Nullable[T] { return Nullable[T]{Given: true, Value: &v} }

// MarshalJSON writes null for a value that is not there; leaving the key out is for the struct
// around it ("omitzero").
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return Encode(n.Value) }

// UnmarshalJSON reads what is given.
func (n *Nullable[T]) UnmarshalJSON(raw []byte) (err error) {
	n.Given = true
	n.Value, err = Decode[*T](raw)
	return err
}

func (Nullable[T]) nullable() {}

// maxDepth caps how deep a value nests, so that one that holds itself ends in an error.
const maxDepth = 1000

func decode(c *codec, raw json.RawMessage, v reflect.Value) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := c.decode(dec, v, 0); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("there is more than one JSON value")
	}
	return nil
}

func encode(c *codec, v reflect.Value) (json.RawMessage, error) {
	var b bytes.Buffer
	if err := c.encode(&b, v, 0); err != nil {
		return nil, fmt.Errorf("the result cannot be written: %w", err)
	}
	return b.Bytes(), nil
}

// Positional is f for a service that links functions by name, as assemble.Config.Functions takes them. A
// row without a template hands its argument object over as the only argument, and none when it is empty.
func Positional(f Func) func(ctx context.Context, args []json.RawMessage) (json.RawMessage, error) {
	return func(ctx context.Context, args []json.RawMessage) (json.RawMessage, error) {
		if len(args) == 0 || args[0] == nil {
			return f(ctx, json.RawMessage("{}"))
		}
		return f(ctx, args[0])
	}
}
