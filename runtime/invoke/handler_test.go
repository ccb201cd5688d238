package invoke

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/runtime"
)

// A handler performs the row, whatever its kind and even when nothing else can, with the arguments by
// name and byte for byte.
func TestHandler(t *testing.T) {
	echo := func(_ context.Context, args json.RawMessage) (json.RawMessage, error) { return args, nil }
	rows := []directory.Row{
		{Key: "PROGRAM", Type: directory.CLI, Target: "ls", Template: "ls $1"},
		{Key: "BROKEN", Type: directory.HTTP, Target: "GET ://", Template: `{"a":`},
		{Key: "MANY", Type: directory.HTTP, TargetMap: map[string]directory.Operation{"one": {Target: "GET https://x.invalid/$1"}}},
		{Key: "PANIC", Type: directory.Fn},
		{Key: "PLAIN", Type: directory.Fn},
	}
	inv := newInvoker(t, Config{Rows: rows, Handlers: map[string]Handler{
		"PROGRAM": echo, "BROKEN": echo, "MANY#one": echo, "PLAIN": echo,
		"PANIC": func(context.Context, json.RawMessage) (json.RawMessage, error) { panic("handler") },
	}})
	for _, c := range []contract.Contract{{Key: "PROGRAM"}, {Key: "BROKEN"}, {Key: "MANY", Operation: "one"}, {Key: "PLAIN"}} {
		for _, args := range []string{`{"text":` + string(hostileJSON) + `}`, `{}`, `{"n":9007199254740993}`} {
			reply, err := inv.Invoke(t.Context(), runtime.Invocation{Contract: c, Args: json.RawMessage(args)})
			if err != nil || string(reply.Result) != args {
				t.Errorf("%s %s: %s, %v", c.Key, args, reply.Result, err)
			}
		}
	}
	if _, err := inv.Invoke(t.Context(), runtime.Invocation{Contract: contract.Contract{Key: "PANIC"}, Args: json.RawMessage(`{}`)}); codeOfError(err) != runtime.Internal {
		t.Errorf("a panic is %v", err)
	}
	if _, err := New(Config{Handlers: map[string]Handler{"X": nil}}); err == nil {
		t.Error("a nil handler is taken")
	}
}

// On the legacy surface a handler gets the text by name; text that has no name is refused, not lost.
func TestHandlerByPosition(t *testing.T) {
	echo := func(_ context.Context, args json.RawMessage) (json.RawMessage, error) { return args, nil }
	inv := newInvoker(t, Config{Rows: []directory.Row{{Key: "PLAIN", Type: directory.Fn}, {Key: "SLOTS", Type: directory.Fn, Template: `["$1","$2"]`}}, Handlers: map[string]Handler{"PLAIN": echo, "SLOTS": echo}})
	slots := contract.Contract{Key: "SLOTS", Positional: []string{"a", "b"}, Params: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`)}
	for _, tt := range []struct {
		contract contract.Contract
		args     []string
		want     string
		code     runtime.Code
	}{
		{contract.Contract{Key: "PLAIN"}, []string{`{"n":9007199254740993}`}, `{"n":9007199254740993}`, ""},
		{contract.Contract{Key: "PLAIN"}, nil, `{}`, ""},
		{contract.Contract{Key: "PLAIN"}, []string{`"x"`}, "", runtime.InvalidArgument},
		{slots, []string{`"x"`, `"y"`}, `{"a":"x","b":"y"}`, ""},
		{slots, []string{`"x"`, `"y"`, `"z"`}, "", runtime.InvalidArgument},
	} {
		var args []json.RawMessage
		for _, a := range tt.args {
			args = append(args, json.RawMessage(a))
		}
		named, err := inv.BindPositional(runtime.Invocation{Contract: tt.contract}, args)
		if err != nil {
			t.Fatal(err)
		}
		reply, err := inv.InvokePositional(t.Context(), runtime.Invocation{Contract: tt.contract, Args: named}, args)
		if codeOfError(err) != tt.code || string(reply.Result) != tt.want {
			t.Errorf("%s %s: %s, %v; want %s %s", tt.contract.Key, tt.args, reply.Result, err, tt.want, tt.code)
		}
	}
}

func codeOfError(err error) runtime.Code {
	var e *runtime.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
