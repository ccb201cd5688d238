package main

// This file reads what a run is given and writes what it made.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"codemode/directory/contract"
	"codemode/runtime"
)

// Caps on what is read into memory; a script's own limits are far lower.
const (
	maxScriptBytes = 4 << 20
	maxGrantBytes  = 1 << 20
	maxInputBytes  = 64 << 20
)

// request reads everything a run is given. Standard input and named pipes may keep it waiting, so it
// gives up when ctx ends.
func (j job) request(ctx context.Context, script string) (runtime.Request, error) {
	type answer struct {
		request runtime.Request
		err     error
	}
	read := make(chan answer, 1)
	go func() {
		request, err := j.read(script)
		read <- answer{request, err}
	}()
	select {
	case a := <-read:
		return a.request, a.err
	case <-ctx.Done():
		return runtime.Request{}, runtime.Errorf(runtime.Cancelled, "interrupted while reading the script and its inputs")
	}
}

func (j job) read(script string) (runtime.Request, error) {
	var req runtime.Request
	var err error
	if req.Check, err = checkMode(j.check); err != nil {
		return req, err
	}
	if req.Grants, err = readGrants(j.grants); err != nil {
		return req, err
	}
	if req.Inputs, err = readInputs(j.inputs); err != nil {
		return req, err
	}
	req.Sources, err = readScript(script)
	req.Task, req.Budget = j.task, j.limits.budget
	return req, err
}

func readGrants(files []string) ([]runtime.Grant, error) {
	var out []runtime.Grant
	for _, file := range files {
		text, err := readFile(file, maxGrantBytes)
		if err != nil {
			return nil, &exitError{exitUsage, "grant file: " + err.Error()}
		}
		grants, err := runtime.ParseGrants(file, text)
		if err != nil {
			return nil, err
		}
		out = append(out, grants...)
	}
	return out, nil
}

func readInputs(specs []string) ([]runtime.Input, error) {
	var out []runtime.Input
	for _, spec := range specs {
		name, file, ok := strings.Cut(spec, "=")
		if !ok || name == "" || file == "" {
			return nil, &exitError{exitUsage, fmt.Sprintf("--input is NAME=PATH, not %s", printable(spec, 100))}
		}
		if slices.ContainsFunc(out, func(in runtime.Input) bool { return in.Name == name }) {
			return nil, &exitError{exitUsage, fmt.Sprintf("two inputs are named %s", printable(name, 100))}
		}
		data, err := readFile(file, maxInputBytes)
		if err != nil {
			return nil, &exitError{exitUsage, fmt.Sprintf("input %s: %v", printable(name, 100), err)}
		}
		out = append(out, runtime.Input{Name: name, Bytes: data, SHA256: contract.Digest(data)})
	}
	return out, nil
}

// readScript reads a file, standard input, or a folder whose main.ts is the entry. What is not named
// as TypeScript (job.js, a pipe of the shell) is TypeScript all the same, and called main.ts.
func readScript(script string) ([]runtime.Source, error) {
	if script == "-" {
		text, err := readAll(os.Stdin, maxScriptBytes)
		return []runtime.Source{{Name: "main.ts", Text: string(text)}}, scriptError(err)
	}
	info, err := os.Stat(script)
	if err != nil {
		return nil, scriptError(err)
	}
	if info.IsDir() {
		sources, err := readFolder(script)
		return sources, scriptError(err)
	}
	text, err := readFile(script, maxScriptBytes)
	name := filepath.Base(script)
	if filepath.Ext(name) != ".ts" || strings.HasSuffix(name, ".d.ts") {
		name = "main.ts"
	}
	return []runtime.Source{{Name: name, Text: string(text)}}, scriptError(err)
}

func scriptError(err error) error {
	if err == nil {
		return nil
	}
	return &exitError{exitUsage, "script: " + err.Error()}
}

// readFolder reads the .ts files of a folder, main.ts first. Links are not followed.
func readFolder(dir string) ([]runtime.Source, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var sources []runtime.Source
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || path.Ext(name) != ".ts" {
			return err
		}
		if len(sources) >= 1000 {
			return errors.New("the folder has more than 1,000 .ts files")
		}
		f, err := root.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		text, err := readAll(f, maxScriptBytes)
		sources = append(sources, runtime.Source{Name: name, Text: string(text)})
		return err
	})
	if err != nil {
		return nil, err
	}
	entry := slices.IndexFunc(sources, func(s runtime.Source) bool { return s.Name == "main.ts" })
	if entry < 0 {
		return nil, fmt.Errorf("%s has no main.ts", dir)
	}
	sources[0], sources[entry] = sources[entry], sources[0]
	return sources, nil
}

func readFile(name string, limit int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder, want a file", name)
	}
	data, err := readAll(f, limit)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, nil
}

func readAll(r io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("it is over %d bytes", limit)
	}
	return data, err
}

// outFolder is where artifacts go; its zero value keeps none.
type outFolder struct{ root *os.Root }

// openOut makes the folder before anything runs, so that a bad one costs nothing.
func openOut(dir string) (outFolder, error) {
	if dir == "" {
		return outFolder{}, nil
	}
	err := os.MkdirAll(dir, 0o755)
	var root *os.Root
	if err == nil {
		root, err = os.OpenRoot(dir)
	}
	if err != nil {
		return outFolder{}, &exitError{exitUsage, "--out: " + err.Error()}
	}
	return outFolder{root}, nil
}

// write puts a run's artifacts into the folder and nowhere else: links that lead out are not followed. One
// that can't be written does not keep the others from being.
func (o outFolder) write(ctx context.Context, s *runtime.Service, artifacts []runtime.Artifact) error {
	if o.root == nil {
		return nil
	}
	var failed []error
	for _, a := range artifacts {
		if err := o.writeOne(ctx, s, a); err != nil {
			failed = append(failed, fmt.Errorf("artifact %s was not kept: %w", printable(a.Path, 200), err))
		}
	}
	return errors.Join(failed...)
}

func (o outFolder) writeOne(ctx context.Context, s *runtime.Service, a runtime.Artifact) error {
	bytes, failed := s.Artifact(ctx, a.SHA256)
	if failed != nil {
		return failed
	}
	if err := o.root.MkdirAll(path.Dir(a.Path), 0o755); err != nil {
		return err
	}
	return o.root.WriteFile(a.Path, bytes, 0o644)
}

func (o outFolder) Close() error {
	if o.root == nil {
		return nil
	}
	return o.root.Close()
}
