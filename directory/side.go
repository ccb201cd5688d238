package directory

// This file finds and reads what stands beside the rows: names.json and observed.json of a folder,
// "<file>.names.json" and "<file>.observed.json" of a single file.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const (
	namesFile    = "names.json"
	observedFile = "observed.json"
)

// NamesPath is where the recorded names of the directory at path stand.
func NamesPath(path string) string { return besidePath(path, namesFile) }

// ObservedPath is where the observed results of the directory at path stand.
func ObservedPath(path string) string { return besidePath(path, observedFile) }

func besidePath(path, name string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, name)
	}
	return path + "." + name
}

// Reference names an operation in a side file, and in undo and readback: "KEY", or "KEY#operation".
func Reference(key, operation string) string {
	if operation == "" {
		return key
	}
	return key + "#" + operation
}

// isSide reports whether a file below a folder is no file of rows: a side file by its name, or one
// that belongs to a file beside it.
func isSide(path string) bool {
	for _, name := range []string{namesFile, observedFile} {
		if filepath.Base(path) == name {
			return true
		}
		if rows, ok := strings.CutSuffix(path, "."+name); ok {
			if info, err := os.Stat(rows); err == nil && info.Mode().IsRegular() {
				return true
			}
		}
	}
	return false
}

// side takes in both files of the directory at path, once its rows are known.
func (l *loader) side(path string, d *Directory) error {
	l.tellApart(d)
	known := d.references()
	err := l.loadNames(NamesPath(path), d, known)
	if err == nil {
		err = l.loadObserved(ObservedPath(path), d, known)
	}
	for _, file := range l.passed {
		if file != NamesPath(path) && file != ObservedPath(path) {
			l.find(Finding{File: filepath.ToSlash(file), Line: 1, Severity: SeverityWarning, Rule: "side_file_ignored",
				Message: "the file belongs to a part of the directory and is not read with the whole", Hint: "move its entries into " + filepath.ToSlash(besidePath(path, filepath.Base(file)))})
		}
	}
	return err
}

// tellApart leaves out a row whose key reads like an operation of another: one reference would mean
// both.
func (l *loader) tellApart(d *Directory) {
	operations := map[string]bool{}
	for _, r := range d.Rows {
		for name := range r.TargetMap {
			operations[Reference(r.Key, name)] = true
		}
	}
	kept := d.Rows[:0]
	for _, r := range d.Rows {
		if operations[r.Key] {
			l.find(Finding{File: r.File, Line: r.Line, Key: r.Key, Severity: SeverityError, Rule: "duplicate_key",
				Message: "the key is also how an operation of another row is written", Hint: `rename one of the two, without "#"`})
			continue
		}
		kept = append(kept, r)
	}
	d.Rows = kept
}

// references are those of all rows, also of disabled ones.
func (d *Directory) references() map[string]bool {
	known := map[string]bool{}
	for _, r := range d.Rows {
		if len(r.TargetMap) == 0 {
			known[r.Key] = true
		}
		for name := range r.TargetMap {
			known[Reference(r.Key, name)] = true
		}
	}
	return known
}

// member is one entry of a side file.
type member struct {
	name  string
	value json.RawMessage
	line  int // from 1
}

// sideMembers reads a side file, one JSON object. A file that is not there has no members.
func (l *loader) sideMembers(path string) ([]member, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("cannot read directory: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("cannot read directory: %s is no regular file", path)
	}
	data, err := l.read(path)
	if err != nil {
		return nil, err
	}
	return objectMembers(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), l.opts.MaxRows)
}

// objectMembers keeps duplicate names; its errors begin with the line.
func objectMembers(data []byte, most int) ([]member, error) {
	if at := invalidUTF8(data); at >= 0 {
		return nil, fmt.Errorf("%d: not valid UTF-8", 1+bytes.Count(data[:at], []byte("\n")))
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	line, counted := 1, 0
	here := func() int {
		at := min(int(dec.InputOffset()), len(data))
		line, counted = line+bytes.Count(data[counted:at], []byte("\n")), at
		return line
	}
	if start, err := dec.Token(); err != nil || start != json.Delim('{') {
		return nil, fmt.Errorf("%d: want one JSON object", here())
	}
	var out []member
	for dec.More() {
		name, err := dec.Token()
		m := member{line: here()}
		if err == nil {
			m.name, _ = name.(string)
			err = dec.Decode(&m.value)
		}
		if err != nil {
			return nil, fmt.Errorf("%d: not valid JSON: %w", here(), err)
		}
		if out = append(out, m); len(out) > most {
			return nil, fmt.Errorf("%d: more than %d entries", m.line, most)
		}
	}
	if _, err := dec.Token(); err != nil {
		return nil, fmt.Errorf("%d: the object does not end", here())
	}
	if _, err := dec.Token(); err == nil {
		return nil, fmt.Errorf("%d: text after the object", here())
	}
	return out, nil
}
