package goja

// This file holds inputs.<name>: the input files as the script reads them.

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"codemode/runtime"

	js "github.com/dop251/goja"
)

// inputs builds the object of input files: frozen, without prototype, each made when first read.
func (r *run) inputs() *js.Object {
	byName := map[string]runtime.Input{}
	for _, in := range r.p.Inputs {
		byName[in.Name] = in
	}
	return r.lazy(sortedKeys(byName), func(name string) js.Value { return r.input(byName[name]) })
}

func (r *run) input(in runtime.Input) js.Value {
	o := r.vm.CreateObject(nil)
	r.set(o, "name", r.vm.ToValue(in.Name))
	r.set(o, "size", r.vm.ToValue(len(in.Bytes)))
	readers := map[string]func(runtime.Input) js.Value{"text": r.inputText, "bytes": r.inputBytes, "json": r.inputJSON, "csv": r.inputCSV}
	for _, name := range sortedKeys(readers) { // the script sees the order of members
		r.set(o, name, r.function(name, 0, func(js.FunctionCall) js.Value { return readers[name](in) }))
	}
	return r.freeze(o)
}

func (r *run) plainText(in runtime.Input) string {
	text := bytes.TrimPrefix(in.Bytes, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(text) {
		r.throw(runtime.Errorf(runtime.InvalidArgument, "the input %q is not UTF-8 text", in.Name).WithHint("read it with bytes()"))
	}
	return string(text)
}

func (r *run) inputText(in runtime.Input) js.Value { return r.vm.ToValue(r.plainText(in)) }

func (r *run) inputBytes(in runtime.Input) js.Value {
	buffer := r.vm.NewArrayBuffer(append([]byte(nil), in.Bytes...))
	array, err := r.vm.New(r.vm.Get("Uint8Array"), r.vm.ToValue(buffer))
	must(err)
	return array
}

func (r *run) inputJSON(in runtime.Input) js.Value {
	return r.decode([]byte(r.plainText(in)), nil)
}

// inputCSV reads RFC 4180: the first row names the fields, every other row becomes an object of text.
func (r *run) inputCSV(in runtime.Input) js.Value {
	rows, err := readCSV(r.plainText(in))
	if err != nil {
		r.throw(runtime.Errorf(runtime.InvalidArgument, "the input %q is no CSV: %v", in.Name, err).WithHint("read it with text() and split it yourself"))
	}
	items := make([]any, 0, len(rows))
	for i := 1; i < len(rows); i++ {
		o := r.vm.NewObject()
		for k, v := range rows[i] {
			r.set(o, rows[0][k], r.vm.ToValue(v))
		}
		items = append(items, o)
	}
	return r.vm.NewArray(items...)
}

func readCSV(text string) ([][]string, error) {
	rows, err := csv.NewReader(bytes.NewReader([]byte(text))).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, errors.New("it is empty")
	}
	seen := map[string]bool{}
	for i, name := range rows[0] {
		if name == "" || seen[name] {
			return nil, fmt.Errorf("column %d of its first line has no name of its own", i+1)
		}
		seen[name] = true
	}
	return rows, nil
}

// indent writes JSON for reading.
func indent(raw []byte) []byte {
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", "  "); err != nil {
		return raw
	}
	out.WriteByte('\n')
	return out.Bytes()
}
