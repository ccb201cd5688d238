package worker

// This file makes a worker fast before it is needed. A fresh process has touched little of its memory and
// none of its code: the first bundling and the first run take several times what later ones do.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	goruntime "runtime"
	"runtime/debug"

	"codemode/runtime"
)

// warmText does what most scripts do, and what the bundler lowers.
const warmText = `type Stock = { sku: string, qty: number }
async function* each<T>(all: T[]) { for (const one of all) yield one }
let sum = 0
const found = await Promise.all(["a", "b"].map((sku) => tools.warm.up({ sku, n: 1, list: [1.5, "x", null] }))) as Stock[]
for await (const f of each(found)) sum += f.qty
console.log("found", found)
export default { sum, at: new Date(Date.now()).toISOString(), text: JSON.stringify(found).replace(/[a-z]+/g, (s) => s.toUpperCase()) }
`

// gcPercent lets a script that makes little garbage run without a collection.
const gcPercent = 200

// warm takes a script of ours through all that a run does, in a VM of its own that nobody hears of. The
// memory that it took is left for the run, which then need not ask the kernel for pages.
func (p Parts) warm(ctx context.Context) error {
	defer debug.SetGCPercent(gcPercent) // off until now
	defer goruntime.GC()
	vm, err := p.Engine()
	if err != nil {
		return err
	}
	in, err := warmInput()
	if err != nil {
		return err
	}
	port := newPort(in, io.Discard, func() {})
	prog, err := program(port.in)
	if err != nil {
		return err
	}
	port.receive()
	p.Bundler.Bundle(prog.Script) // the bundler takes two rounds to be as fast as it gets
	out, err := p.perform(ctx, prog, vm, port)
	if err == nil && out.Err != nil {
		err = out.Err
	}
	if err != nil {
		return err
	}
	return port.done(out)
}

// warmInput is what the service would send for it.
func warmInput() (io.Reader, error) {
	var buf bytes.Buffer
	w := newFrameWriter(&buf)
	raw, err := json.Marshal(runtime.Program{
		Script:  runtime.Script{Entry: "warm.ts", Files: []runtime.SourceFile{{Name: "warm.ts", Text: warmText, Module: warmText}}},
		Methods: []string{"warm.up"}, Limits: runtime.Limits{}.WithDefaults(),
	})
	if err != nil {
		return nil, fmt.Errorf("the program: %w", err)
	}
	frames := []frame{{Kind: kindRun, Payload: raw}}
	for seq := 1; seq <= 2; seq++ {
		frames = append(frames, frame{Kind: kindSettled, Seq: seq, Now: 1, Payload: []byte(`{"sku":"a","qty":2,"id":12345678901234567890}`), BigInts: []string{"/id"}})
	}
	for _, f := range frames {
		if err := w.write(f); err != nil {
			return nil, err
		}
	}
	return &buf, nil
}
