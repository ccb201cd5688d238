package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"codemode/directory/contract"
	"codemode/runtime"
)

type invokerFunc func(runtime.Invocation) (runtime.Reply, error)

func (f invokerFunc) Invoke(_ context.Context, in runtime.Invocation) (runtime.Reply, error) {
	return f(in)
}

// TestRecorder keeps arguments out of what is recorded, and results that repeat a sensitive one.
func TestRecorder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.jsonl")
	if err := os.WriteFile(file, []byte("{\"key\":\"OLD\",\"result\":1}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var reply string
	service := &runtime.Service{Invoker: invokerFunc(func(in runtime.Invocation) (runtime.Reply, error) {
		if reply == "" {
			return runtime.Reply{}, runtime.Errorf(runtime.NotFound, "gone")
		}
		return runtime.Reply{Result: json.RawMessage(reply)}, nil
	})}
	end, err := (&terminal{out: &output{w: os.Stderr}, err: os.Stderr}).record(service, file)
	if err != nil {
		t.Fatal(err)
	}
	c := contract.Contract{Key: "LOGIN", Operation: "in", Sensitive: []string{"/password", "/card/number", "/pin"}}
	const args = `{"user":"ana","password":"q\"<&>1","card":{"number":4711471147},"pin":null}`
	for _, r := range []string{`{"ok": true,` + "\n" + `"user":"ana"}`, `{"echo":"with q\"<&>1 inside"}`, `{"echo":"q\"\u003c\u0026\u003e1"}`, `{"n":4711471147}`, ``, `null`} {
		reply = r
		_, err := service.Invoker.Invoke(t.Context(), runtime.Invocation{Contract: c, Args: json.RawMessage(args)})
		if (err != nil) != (r == "") {
			t.Errorf("%s: %v", r, err)
		}
	}
	if err := end(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := "{\"key\":\"OLD\",\"result\":1}\n{\"key\":\"LOGIN\",\"operation\":\"in\",\"result\":{\"ok\":true,\"user\":\"ana\"}}\n{\"key\":\"LOGIN\",\"operation\":\"in\",\"result\":null}\n"
	if string(got) != want {
		t.Errorf("recorded:\n%swant:\n%s", got, want)
	}
}
