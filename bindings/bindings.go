// Package bindings is what codemode gen makes of the example directory in fixtures: for agents the .d.ts
// files, for maintainers a handler interface a namespace. This is its only file that is written by hand.
//
// A handler performs methods in Go, in the place of whatever their rows say. It embeds the Unimplemented
// form, so that it goes on compiling when a row is added:
//
//	type texts struct{ bindings.UnimplementedTextHandler }
//
//	func (texts) Distance(_ context.Context, args *bindings.TextDistanceArgs) (int64, error) {
//		return levenshtein(args.A, args.B), nil
//	}
//
//	system, err := assemble.Open(ctx, assemble.Config{Directory: "rows/", Handlers: bindings.TextHandlers(texts{})})
//
// What every handler needs (absent and null arguments, values of several types, errors) is in package
// handler; package gofunc goes the other way, from a Go function to a row. The bindings of another
// directory are made by codemode gen --go, and need neither this package nor the example's rows.
package bindings

// The generated files are of this form: codemode gen of another version names it otherwise, and then
// neither compiles until both were looked at.
const _ = generated1
