package directory

// This file finds the entries of a directory in files and folders; decode.go reads each one.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// LoadOptions bound what Load reads. The zero value is the documented defaults.
type LoadOptions struct {
	// Strict makes any error finding an error of Load.
	Strict bool
	// MaxFileBytes caps one file; 0 means 64 MiB. A larger file is an error.
	MaxFileBytes int64
	// MaxRowBytes caps one entry; 0 means 1 MiB. A larger entry is a finding.
	MaxRowBytes int
	// MaxRows caps all entries; 0 means 100,000. More are an error.
	MaxRows int
	// MaxFiles caps the files of a folder; 0 means 10,000. More are an error.
	MaxFiles int
	// MaxDepth caps the nesting of an entry; 0 means 64. A deeper entry is a finding.
	MaxDepth int
	// MaxFindings caps what is kept of findings; 0 means 1,000. One more says how many were left out.
	MaxFindings int
}

func (o LoadOptions) withDefaults() LoadOptions {
	fill := func(n *int, def int) {
		if *n <= 0 {
			*n = def
		}
	}
	if o.MaxFileBytes <= 0 {
		o.MaxFileBytes = 64 << 20
	}
	fill(&o.MaxRowBytes, 1<<20)
	fill(&o.MaxRows, 100_000)
	fill(&o.MaxFiles, 10_000)
	fill(&o.MaxDepth, 64)
	fill(&o.MaxFindings, 1000)
	return o
}

// Load reads a JSON Lines file, a file with a JSON array (or one object), or a folder. A folder is
// read in the order of its paths, with all folders below it; only regular files that end in .jsonl,
// .ndjson or .json count, and names that begin with "." and symbolic links are passed over. A byte
// order mark, CRLF and blank lines are tolerated. Beside the rows it reads NamesPath and ObservedPath.
//
// An entry that cannot be used becomes a Finding that names its file, line and key, and the others
// load; with opts.Strict the findings are the error. The first entry of a key stays. Other errors: a
// path that cannot be read, a cap of opts exceeded, or a file beside the rows that is no JSON object.
func Load(path string, opts LoadOptions) (*Directory, error) {
	l := &loader{opts: opts.withDefaults(), first: map[string]place{}, paged: map[string]bool{}}
	files, err := l.files(path)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if err := l.file(file); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(l.rows, func(a, b Row) int { return strings.Compare(a.Key, b.Key) })
	slices.SortFunc(l.pages, func(a, b Row) int { return strings.Compare(a.Key, b.Key) })
	d := &Directory{Rows: l.rows, Pages: l.pages, LeftOut: l.unread}
	if err := l.side(path, d); err != nil {
		return nil, err
	}
	d.Findings = append(l.findings, l.leftOut()...)
	if opts.Strict {
		return d.strict()
	}
	return d, nil
}

// place is where an entry stands; line counts from 1.
type place struct {
	file string
	line int
}

type loader struct {
	opts     LoadOptions
	rows     []Row
	pages    []Row
	paged    map[string]bool // the keys of pages
	findings []Finding
	first    map[string]place
	passed   []string // side files found among the rows
	entries  int
	unread   int     // of them, left out since they could not be used
	dropped  int     // findings over the cap
	last     Finding // the last of them, with the worst severity
}

// maxStrict caps the findings that a strict error spells out.
const maxStrict = 20

func (d *Directory) strict() (*Directory, error) {
	var lines []string
	more := 0
	for _, f := range d.Findings {
		switch {
		case f.Severity != SeverityError:
		case len(lines) == maxStrict:
			more++
		default:
			lines = append(lines, f.String())
		}
	}
	if lines == nil {
		return d, nil
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return nil, fmt.Errorf("directory has malformed rows:\n%s", strings.Join(lines, "\n"))
}

// String is "file:line: key: message; hint".
func (f Finding) String() string {
	s := fmt.Sprintf("%s:%d: ", f.File, f.Line)
	if f.Key != "" {
		s += f.Key + ": "
	}
	s += f.Message
	if f.Hint != "" {
		s += "; " + f.Hint
	}
	return s
}

// leftOut says how many findings are not in the list.
func (l *loader) leftOut() []Finding {
	if l.dropped == 0 {
		return nil
	}
	l.last.Rule, l.last.Key, l.last.Hint = "more_findings", "", ""
	l.last.Message = fmt.Sprintf("%d more findings were left out, up to here", l.dropped)
	return []Finding{l.last}
}

func (l *loader) find(f Finding) {
	if len(l.findings) < l.opts.MaxFindings {
		l.findings = append(l.findings, f)
		return
	}
	l.dropped++
	if l.dropped > 1 && l.last.Severity == SeverityError {
		f.Severity = SeverityError
	}
	l.last = f
}

// files lists what to read: path itself, or the files below it in order.
func (l *loader) files(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read directory: %w", err)
	}
	if info.Mode().IsRegular() {
		return []string{path}, nil
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("cannot read directory: %s is neither a file nor a folder", path)
	}
	var files []string
	err = filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("cannot read directory: %w", err)
		}
		if name != path && strings.HasPrefix(entry.Name(), ".") {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if entry.Type().IsRegular() && isSide(name) {
			l.passed = append(l.passed, name)
			return nil
		}
		if entry.Type().IsRegular() && slices.Contains([]string{".jsonl", ".ndjson", ".json"}, strings.ToLower(filepath.Ext(name))) {
			files = append(files, name)
		}
		if len(files) > l.opts.MaxFiles {
			return fmt.Errorf("directory %s holds more than %d files", path, l.opts.MaxFiles)
		}
		return nil
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("directory %s holds no .jsonl, .ndjson or .json file", path)
	}
	slices.Sort(files)
	return files, err
}

func (l *loader) file(path string) error {
	data, err := l.read(path)
	if err != nil {
		return err
	}
	name := filepath.ToSlash(path)
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	entries := lineEntries
	if start := bytes.TrimLeft(data, " \t\r\n"); bytes.HasPrefix(start, []byte("[")) {
		entries = arrayEntries
	} else if isOneObject(path, start) {
		entries = oneEntry
	}
	for e := range entries(data) {
		if err := l.entry(place{name, e.line}, e); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read directory: %w", err)
	}
	data, err := io.ReadAll(io.LimitReader(f, l.opts.MaxFileBytes+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("cannot read directory file %s: %w", path, err)
	}
	if int64(len(data)) > l.opts.MaxFileBytes {
		return nil, fmt.Errorf("directory file %s is larger than %d bytes; split it", path, l.opts.MaxFileBytes)
	}
	return data, nil
}

// entry takes one entry in, as a row or as a finding.
func (l *loader) entry(at place, e entry) error {
	if l.entries++; l.entries > l.opts.MaxRows {
		return fmt.Errorf("directory has more than %d rows at %s:%d", l.opts.MaxRows, at.file, at.line)
	}
	if e.problem != "" {
		l.unread++
		l.report(at, e, fault{rule: "malformed_row", message: e.problem})
		return nil
	}
	if len(e.text) > l.opts.MaxRowBytes {
		l.unread++
		l.report(at, e, fault{rule: "row_too_large", message: fmt.Sprintf("entry is longer than %d bytes", l.opts.MaxRowBytes)})
		return nil
	}
	row, faults := decodeRow(e.text, l.opts.MaxDepth)
	usable, page := true, false
	for _, f := range faults {
		l.report(at, e, f)
		usable = usable && f.warning
		page = page || f.drops
	}
	switch {
	case !usable:
		l.unread++
	case page && row.IsEnabled():
		l.addPage(row, at)
	case !page:
		l.add(row, at)
	}
	return nil
}

// addPage keeps the first page of a key.
func (l *loader) addPage(row Row, at place) {
	if !l.paged[row.Key] {
		l.paged[row.Key] = true
		row.File, row.Line = at.file, at.line
		l.pages = append(l.pages, row)
	}
}

func (l *loader) add(row Row, at place) {
	if first, ok := l.first[row.Key]; ok {
		l.find(Finding{File: at.file, Line: at.line, Key: row.Key, Severity: SeverityError, Rule: "duplicate_key",
			Message: fmt.Sprintf("key is already taken at %s:%d", first.file, first.line), Hint: "rename or remove one of the two"})
		return
	}
	l.first[row.Key] = at
	row.File, row.Line = at.file, at.line
	l.rows = append(l.rows, row)
}

// report makes a finding; a fault deeper in an entry moves the line down with it.
func (l *loader) report(at place, e entry, f fault) {
	severity := SeverityError
	if f.warning {
		severity = SeverityWarning
	}
	line, column := at.line, 0
	if f.offset > 0 {
		before := e.text[:min(f.offset, len(e.text))]
		line += bytes.Count(before, []byte("\n"))
		column = utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
		if line == at.line {
			column += utf8.RuneCount(e.lead)
		}
	}
	message := f.message
	if column > 0 {
		message += fmt.Sprintf(" (column %d)", column)
	}
	l.find(Finding{File: at.file, Line: line, Key: guessKey(e.text), Severity: severity, Rule: f.rule, Message: message, Hint: f.hint})
}
