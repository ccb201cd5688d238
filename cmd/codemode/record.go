package main

// This file records the results of calls for codemode learn: a maintainer's tool, off unless asked for.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"slices"
	"sync"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/gen/learn"
	"codemode/runtime"
)

// recorder appends a line for each call that returned: the row, its operation and the result. Arguments
// are never written, and no result that repeats one that a contract of the run calls sensitive.
type recorder struct {
	runtime.Invoker
	file *os.File

	mu      sync.Mutex
	failed  error
	secrets *secrets
	held    map[string]int // results that are not recorded, by row and reason
	written int
}

// maxHeldLines caps what is told of results that were not recorded.
const maxHeldLines = 10

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
	r := &recorder{Invoker: service.Invoker, file: f, secrets: newSecrets(), held: map[string]int{}}
	service.Invoker = r
	return func() error {
		if err := errors.Join(r.failed, f.Close()); err != nil {
			return &exitError{exitUsage, "--record: results are missing: " + err.Error()}
		}
		t.say("%s recorded in %s", counted(int64(r.written), "result"), name)
		t.sayHeld(r.held)
		return nil
	}, nil
}

func (t *terminal) sayHeld(held map[string]int) {
	for i, why := range slices.Sorted(maps.Keys(held)) {
		if i == maxHeldLines {
			t.say("and results of %d more rows were not recorded", len(held)-i)
			return
		}
		t.say("%s not recorded: %s", counted(int64(held[why]), "result"), printable(why, 300))
	}
}

func (r *recorder) Invoke(ctx context.Context, in runtime.Invocation) (runtime.Reply, error) {
	// Before the call, since a flow's steps return before the flow does.
	r.mu.Lock()
	unknown := r.secrets.learn(in.Args, in.Contract.Sensitive)
	r.mu.Unlock()
	reply, err := r.Invoker.Invoke(ctx, in)
	if err == nil && json.Valid(reply.Result) {
		r.take(in, reply.Result, unknown)
	}
	return reply, err
}

// take records a result, unless it repeats a sensitive argument or may do so.
func (r *recorder) take(in runtime.Invocation, result json.RawMessage, unknown error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	found, err := r.secrets.in(result)
	if unknown != nil {
		err = unknown
	}
	if found || err != nil {
		why := "a sensitive argument stands in it"
		if err != nil {
			why = err.Error()
		}
		r.held[directory.Reference(in.Contract.Key, in.Contract.Operation)+": "+why]++
		return
	}
	r.write(in.Contract, result)
}

func (r *recorder) write(c contract.Contract, result json.RawMessage) {
	var line bytes.Buffer
	enc := json.NewEncoder(&line) // on one line, with an end
	enc.SetEscapeHTML(false)
	err := enc.Encode(learn.Record{Key: c.Key, Operation: c.Operation, Result: result})
	if err == nil {
		_, err = r.file.Write(line.Bytes())
	}
	switch {
	case err == nil:
		r.written++
	case r.failed == nil:
		r.failed = err
	}
}
