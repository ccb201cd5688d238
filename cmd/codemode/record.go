package main

// This file records the results of calls for codemode learn: a maintainer's tool, off unless asked for.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"

	"codemode/directory/contract"
	"codemode/gen/learn"
	"codemode/runtime"
)

// recorder appends a line for each call that returned: the row, its operation and the result. Arguments
// are never written, and no result that repeats one that the contract calls sensitive.
type recorder struct {
	runtime.Invoker
	file *os.File

	mu      sync.Mutex
	failed  error
	held    int // results that repeat a sensitive argument
	written int
}

// record puts a recorder before the service's invoker; close says how it went. An empty name records
// nothing.
func (t *terminal) record(service *runtime.Service, name string) (end func() error, err error) {
	if name == "" {
		return func() error { return nil }, nil
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, &exitError{exitUsage, "--record: " + err.Error()}
	}
	r := &recorder{Invoker: service.Invoker, file: f}
	service.Invoker = r
	return func() error {
		if err := errors.Join(r.failed, f.Close()); err != nil {
			return &exitError{exitUsage, "--record: results are missing: " + err.Error()}
		}
		t.say("%s recorded in %s", counted(int64(r.written), "result"), name)
		if r.held > 0 {
			t.say("%s not recorded: a sensitive argument stands in it", counted(int64(r.held), "result"))
		}
		return nil
	}, nil
}

func (r *recorder) Invoke(ctx context.Context, in runtime.Invocation) (runtime.Reply, error) {
	reply, err := r.Invoker.Invoke(ctx, in)
	if err == nil && json.Valid(reply.Result) {
		r.take(in, reply.Result)
	}
	return reply, err
}

func (r *recorder) take(in runtime.Invocation, result json.RawMessage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if repeats(result, in) {
		r.held++
		return
	}
	var line bytes.Buffer
	enc := json.NewEncoder(&line) // on one line, with an end
	enc.SetEscapeHTML(false)
	err := enc.Encode(learn.Record{Key: in.Contract.Key, Operation: in.Contract.Operation, Result: result})
	if err == nil {
		_, err = r.file.Write(line.Bytes())
	}
	if err != nil && r.failed == nil {
		r.failed = err
	}
	if err == nil {
		r.written++
	}
}

// repeats reports whether a sensitive argument stands in a result, as a text or part of one.
func repeats(result json.RawMessage, in runtime.Invocation) bool {
	for _, pointer := range in.Contract.Sensitive {
		value, found := argumentAt(in.Args, pointer)
		var text string
		if !found || string(value) == "null" || string(value) == "true" || string(value) == "false" {
			continue
		}
		if json.Unmarshal(value, &text) != nil {
			text = string(value) // a number, or what is made of several
		}
		plain, err := json.Marshal(text)
		if text == "" || err != nil {
			continue
		}
		var escaped bytes.Buffer
		enc := json.NewEncoder(&escaped)
		enc.SetEscapeHTML(false)
		_ = enc.Encode(text) // a string: it cannot fail
		for _, form := range []string{text, strings.Trim(string(plain), `"`), strings.Trim(strings.TrimSpace(escaped.String()), `"`)} {
			if bytes.Contains(result, []byte(form)) {
				return true
			}
		}
	}
	return false
}

// argumentAt follows a JSON Pointer through objects.
func argumentAt(args json.RawMessage, pointer string) (json.RawMessage, bool) {
	if !strings.HasPrefix(pointer, "/") {
		return nil, false
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		var object map[string]json.RawMessage
		if json.Unmarshal(args, &object) != nil {
			return nil, false
		}
		value, ok := object[contract.UnescapeToken(token)]
		if !ok {
			return nil, false
		}
		args = value
	}
	return args, true
}
