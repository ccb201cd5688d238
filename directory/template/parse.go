package template

// This file parses a source into a Template and answers what it holds.

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Template is a parsed template. It is immutable and safe for concurrent use.
type Template struct {
	Kind Kind
	// Slots are in order of appearance: URL, headers (by name), body; of a flow by step.
	Slots []Slot
	// Dollars look like slots and were kept as text.
	Dollars []Dollar

	// Params are the names of {name} slots, by index; nil where slots are numbered.
	Params []string

	method  string
	url     *urlTemplate
	headers []header
	body    body
	program []string // literal words before argv's slots can start
	words   []word
	steps   []step
}

// Parse reads a template. Errors match ErrTemplate and say where.
func Parse(src Source) (*Template, error) {
	t := &Template{Kind: src.Kind}
	if err := checkSource(src); err != nil {
		return nil, err
	}
	b := &builder{params: src.Params}
	if err := t.parse(b, src); err != nil {
		return nil, err
	}
	var err error
	if t.Slots, t.Dollars, err = b.settle(); err != nil {
		return nil, err
	}
	t.Params = b.order
	return t, t.checkSecrets()
}

func (t *Template) parse(b *builder, src Source) error {
	switch src.Kind {
	case Fn:
		return t.parseFn(b, src.Content)
	case HTTP:
		return t.parseHTTP(b, src)
	case CLI:
		return t.parseArgv(b, src)
	case Flow:
		return t.parseFlow(b, src.Content)
	case Text:
		t.body = parseText(b, src.Content)
		return nil
	}
	return fmt.Errorf("%w: unknown kind %q", ErrTemplate, src.Kind)
}

func checkSource(src Source) error {
	texts := []string{src.Target, src.Content}
	for name, value := range src.Headers {
		texts = append(texts, name, value)
	}
	for _, text := range texts {
		if len(text) > maxTemplateBytes {
			return fmt.Errorf("%w: longer than %d bytes", ErrTemplate, maxTemplateBytes)
		}
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return fmt.Errorf("%w: not valid UTF-8 text", ErrTemplate)
		}
	}
	return nil
}

// checkSecrets keeps secrets out of flows: a step's arguments are recorded.
func (t *Template) checkSecrets() error {
	for _, s := range t.Slots {
		if t.Kind == Flow && s.Form == Secret {
			return fmt.Errorf("%w: secret $%s as an argument of a flow step; put it into the row that the step calls", ErrTemplate, s.Name)
		}
	}
	return nil
}

// Arity is the highest argument index, 0 for none.
func (t *Template) Arity() int {
	n := 0
	for _, s := range t.Slots {
		n = max(n, s.Index)
	}
	return n
}

// TailIndex is the index of the tail slot, 0 for none. It equals Arity then.
func (t *Template) TailIndex() int {
	for _, s := range t.Slots {
		if s.Form == Tail {
			return s.Index
		}
	}
	return 0
}

// Secrets are the names of the secrets the template needs, sorted.
func (t *Template) Secrets() []string {
	var names []string
	for _, s := range t.Slots {
		if s.Form == Secret && !slices.Contains(names, s.Name) {
			names = append(names, s.Name)
		}
	}
	slices.Sort(names)
	return names
}

// Method is the HTTP method of an http template, else "".
func (t *Template) Method() string { return t.method }

// Origin is the literal "scheme://host[:port]" of an http template, or "" when a slot stands in it.
func (t *Template) Origin() string {
	if t.url == nil {
		return ""
	}
	return t.url.origin()
}

// Program is the program of a cli template, else "".
func (t *Template) Program() string {
	if len(t.program) == 0 {
		return ""
	}
	return t.program[0]
}

func (t *Template) want(kind Kind) error {
	if t.Kind != kind {
		return fmt.Errorf("%w: a %s template cannot be rendered as %s", ErrTemplate, t.Kind, kind)
	}
	return nil
}
