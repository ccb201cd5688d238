package importer

// This file brings what a source says now into rows that were imported before, and that people have
// written in since.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"codemode/directory"
)

// Updated is a file of rows after an import.
type Updated struct {
	// Text is the file as JSON Lines, sorted by key.
	Text []byte `json:"-"`
	// New, Changed and Unchanged count the source's rows against those of the file.
	New       int `json:"new"`
	Changed   int `json:"changed"`
	Unchanged int `json:"unchanged"`
	// Fields counts, by name, what changed in rows that were there.
	Fields []Count `json:"fields"`
	// Missing are the keys of the file's rows that the source does not give, sorted.
	Missing []string `json:"missing"`
	// Pruned says that the missing ones were dropped.
	Pruned bool `json:"pruned"`
}

// Update brings rows into old, the text of a file that Write or Update wrote and people edited. name is
// the file's in errors. A row of a new key is added. In a row of a known key,
//
//   - a field that the source gives is the source's: key, type, target, description, input_schema,
//     output_schema, category, examples, auth, deprecated, as far as it gives them;
//   - any other field stays as it is: when_to_use, effect, placement, idempotency, readback, undo,
//     sensitive, version, enabled, fields unknown here, and those above that the source leaves empty;
//   - of content the "#" lines are the author's (but for this package's own notes of a server's hints), and
//     the template after them is the source's in http rows, the author's in others;
//   - of headers those that the source gives are the source's; others stay, but for Content-Type and
//     those that hold an argument, which only the source's schema can name;
//   - input_schema and arguments are one: where the source gives either, the other goes;
//   - a query or fragment that was added to the endpoint of an mcp row stays.
//
// Rows that the source does not give stay, unless prune is true. Errors are a text that is no JSON Lines
// of rows with keys, each once.
func Update(name string, old []byte, rows []directory.Row, prune bool) (*Updated, error) {
	have, err := written(name, old)
	if err != nil {
		return nil, err
	}
	u := &Updated{Fields: []Count{}, Missing: []string{}, Pruned: prune}
	changed := map[string]int{}
	for _, row := range rows {
		line, err := encode(row)
		if err != nil {
			return nil, fmt.Errorf("cannot write row %s: %w", row.Key, err)
		}
		next := fields{}
		if err := json.Unmarshal(line, &next); err != nil {
			return nil, fmt.Errorf("cannot write row %s: %w", row.Key, err)
		}
		before, known := have[row.Key]
		if known {
			next = merge(before, next)
		}
		u.count(before, next, known, changed)
		delete(have, row.Key)
		have[row.Key] = next
	}
	u.missing(have, rows)
	for _, field := range slices.Sorted(maps.Keys(changed)) {
		u.Fields = append(u.Fields, Count{Kind: field, Count: changed[field]})
	}
	for _, key := range slices.Sorted(maps.Keys(have)) {
		u.Text = append(u.Text, have[key].line()...)
	}
	return u, nil
}

func (u *Updated) count(before, next fields, known bool, changed map[string]int) {
	if !known {
		u.New++
		return
	}
	differ := 0
	for name := range union(before, next) {
		if !bytes.Equal(compacted(before[name]), compacted(next[name])) {
			changed[name]++
			differ++
		}
	}
	if differ > 0 {
		u.Changed++
		return
	}
	u.Unchanged++
}

// missing finds the rows that the source does not give, and drops them where they are pruned.
func (u *Updated) missing(have map[string]fields, rows []directory.Row) {
	given := map[string]bool{}
	for _, row := range rows {
		given[row.Key] = true
	}
	for _, key := range slices.Sorted(maps.Keys(have)) {
		if given[key] {
			continue
		}
		u.Missing = append(u.Missing, key)
		if u.Pruned {
			delete(have, key)
		}
	}
}

// fields are a row's members as they are written.
type fields map[string]json.RawMessage

// written reads the rows of a file, by key.
func written(name string, old []byte) (map[string]fields, error) {
	out := map[string]fields{}
	old = bytes.TrimPrefix(old, []byte("\xef\xbb\xbf"))
	for number, line := range bytes.Split(old, []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var f fields
		err := json.Unmarshal(line, &f)
		key := f.text("key")
		switch {
		case err == nil && key == "":
			err = errors.New("it has no key")
		case err == nil && out[key] != nil:
			err = fmt.Errorf("the key %s stands twice", clip(key))
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d is no row to update (%w); correct it, or name another file", name, number+1, err)
		}
		out[key] = f
	}
	return out, nil
}

// text is a field's string, "" where it is none.
func (f fields) text(name string) string {
	var s string
	if json.Unmarshal(f[name], &s) != nil {
		return ""
	}
	return s
}

func (f fields) set(name, text string) {
	if delete(f, name); text != "" {
		f[name] = quoted(text)
	}
}

func quoted(text string) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		panic("a text always encodes: " + err.Error())
	}
	return bytes.TrimSpace(b.Bytes())
}

// line is the row as one line: its known fields in the order of directory.Row, then the others by name.
func (f fields) line() []byte {
	var names []string
	t := reflect.TypeFor[directory.Row]()
	for i := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); f[name] != nil {
			names = append(names, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	out := []byte{'{'}
	for i, name := range names {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, quoted(name)...), ':'), compacted(f[name])...)
	}
	return append(out, "}\n"...)
}

// compacted is a field without white space between its parts; what was read is valid JSON.
func compacted(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return nil
	}
	if short, err := compact(raw); err == nil {
		return short
	}
	return raw
}

func union(a, b fields) map[string]bool {
	out := map[string]bool{}
	for _, f := range []fields{a, b} {
		for name := range f {
			out[name] = true
		}
	}
	return out
}

// merge is a row as the source gives it now, with what its author wrote in the row before.
func merge(before, next fields) fields {
	out := maps.Clone(next)
	for name, value := range before {
		if _, given := next[name]; !given {
			out[name] = value
		}
	}
	isHTTP := next.text("type") == string(directory.HTTP)
	out.set("content", mergedContent(before.text("content"), next.text("content"), isHTTP))
	if next["input_schema"] != nil || next["arguments"] != nil {
		for _, name := range []string{"input_schema", "arguments"} {
			if next[name] == nil {
				delete(out, name)
			}
		}
	}
	if isHTTP {
		out.headers(before["headers"], next["headers"])
	} else if had, now := before.text("target"), next.text("target"); had != now && strings.HasPrefix(had, now) && strings.ContainsAny(had[len(now):len(now)+1], "?#") {
		out["target"] = before["target"]
	}
	if next["deprecated"] == nil && before.text("deprecated") == DeprecatedBySource {
		delete(out, "deprecated")
	}
	return out
}

// headers adds to the source's headers those that an author wrote.
func (f fields) headers(before, next json.RawMessage) {
	merged := map[string]string{}
	had, now := map[string]string{}, map[string]string{}
	if before != nil && json.Unmarshal(before, &had) != nil || next != nil && json.Unmarshal(next, &now) != nil {
		return
	}
	for name, value := range had {
		if !strings.EqualFold(name, "Content-Type") && !strings.ContainsAny(value, "{}") {
			merged[name] = value
		}
	}
	for name, value := range now {
		maps.DeleteFunc(merged, func(have, _ string) bool { return strings.EqualFold(have, name) })
		merged[name] = value
	}
	if delete(f, "headers"); len(merged) > 0 {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(merged); err != nil { // sorted by name
			panic("texts by name always encode: " + err.Error())
		}
		f["headers"] = bytes.TrimSpace(b.Bytes())
	}
}

// ownNote matches the lines that tool.hints writes.
var ownNote = regexp.MustCompile(`^# NOTE: its server says that .*\((?:readOnly|idempotent|destructive)Hint\)(?:; unconfirmed)?$`)

// mergedContent is the author's documentation lines, the source's notes and one template.
func mergedContent(before, next string, isHTTP bool) string {
	docs, template := cutDocs(before)
	notes, fresh := cutDocs(next)
	if isHTTP || fresh != "" {
		template = fresh
	}
	docs = slices.DeleteFunc(docs, func(line string) bool {
		return ownNote.MatchString(strings.TrimSpace(line)) && !slices.Contains(notes, strings.TrimSpace(line))
	})
	for _, note := range notes {
		if !slices.ContainsFunc(docs, func(line string) bool { return strings.TrimSpace(line) == note }) {
			docs = append(docs, note)
		}
	}
	if template != "" {
		docs = append(docs, template)
	}
	return strings.Join(docs, "\n")
}

// cutDocs cuts content where directory.ParseDocs does, with the lines as they stand.
func cutDocs(content string) (docs []string, template string) {
	content = strings.ReplaceAll(content, "\r\n", "\n")
	_, template = directory.ParseDocs(content)
	head := strings.TrimRight(strings.TrimSuffix(strings.TrimSpace(content), template), " \t\n")
	if head == "" {
		return nil, template
	}
	return strings.Split(head, "\n"), template
}
