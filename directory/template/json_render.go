package template

// This file renders JSON with slots and checks that a raw slot left its shape alone.

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// renderJSON renders the tree and, where it holds raw slots, checks that they left its shape alone.
func (f *filler) renderJSON(n *node) (string, error) {
	var out strings.Builder
	present, err := f.writeJSON(&out, n)
	if err != nil {
		return "", err
	}
	if !present {
		return "null", nil
	}
	if !n.raw() {
		return out.String(), nil
	}
	got, err := parseJSON(nil, out.String())
	if err != nil || !utf8.ValidString(out.String()) {
		return "", fmt.Errorf("%w: a raw slot made the JSON invalid", ErrStructure)
	}
	return out.String(), f.sameShape(n, got)
}

// raw reports whether any slot below n is raw.
func (n *node) raw() bool {
	if hasRaw(n.parts) {
		return true
	}
	for _, item := range n.items {
		if item.raw() {
			return true
		}
	}
	for _, m := range n.members {
		if hasRaw(m.key) || m.value.raw() {
			return true
		}
	}
	return false
}

// writeJSON writes n; present is false, and nothing is written, for a whole slot without a value.
func (f *filler) writeJSON(out *strings.Builder, n *node) (present bool, err error) {
	switch n.kind {
	case literalNode:
		out.WriteString(n.literal)
		return true, nil
	case stringNode:
		return f.writeString(out, n.parts)
	case slotNode:
		return f.writeSlot(out, n.parts[0].slot)
	case arrayNode:
		return true, f.writeArray(out, n)
	}
	return true, f.writeObject(out, n)
}

func (f *filler) writeString(out *strings.Builder, parts []part) (bool, error) {
	text, absent, err := f.fill(parts, escapeJSON)
	if err != nil || absent {
		return false, err
	}
	out.WriteString(`"` + text + `"`)
	return true, nil
}

func escapeJSON(_ *slot, text string) (string, error) {
	quoted := quote(text)
	return string(quoted[1 : len(quoted)-1]), nil
}

func (f *filler) writeSlot(out *strings.Builder, s *slot) (bool, error) {
	raw, err := f.value(s)
	if err != nil || raw == nil {
		return false, err
	}
	if s.Form != Raw {
		out.Write(raw)
		return true, nil
	}
	text, err := textOf(raw)
	out.WriteString(text)
	return true, err
}

// writeArray keeps an absent item's place: "" for a quoted slot, null for a bare one.
func (f *filler) writeArray(out *strings.Builder, n *node) error {
	out.WriteByte('[')
	for i, item := range n.items {
		if i > 0 {
			out.WriteByte(',')
		}
		present, err := f.writeJSON(out, item)
		if err != nil {
			return err
		}
		if !present {
			out.WriteString(emptyItem(item))
		}
	}
	out.WriteByte(']')
	return nil
}

func emptyItem(item *node) string {
	if item.kind == stringNode {
		return `""`
	}
	return "null"
}

// writeObject drops the members whose value is absent.
func (f *filler) writeObject(out *strings.Builder, n *node) error {
	out.WriteByte('{')
	first := true
	seen := map[string]bool{}
	for _, m := range n.members {
		var value strings.Builder
		present, err := f.writeJSON(&value, m.value)
		if err != nil {
			return err
		}
		if !present {
			continue
		}
		key, _, err := f.fill(m.key, escapeJSON)
		if err != nil {
			return err
		}
		if seen[key] {
			return fmt.Errorf("%w: two members of a JSON object share a name", ErrStructure)
		}
		seen[key] = true
		if !first {
			out.WriteByte(',')
		}
		first = false
		out.WriteString(`"` + key + `":` + value.String())
	}
	out.WriteByte('}')
	return nil
}

var errShape = fmt.Errorf("%w: a raw slot changed the JSON around it", ErrStructure)

// sameShape walks template and outcome side by side. Only a bare raw slot may be any one value.
func (f *filler) sameShape(want, got *node) error {
	if want.kind == slotNode {
		return nil
	}
	if want.kind != got.kind {
		return errShape
	}
	switch want.kind {
	case arrayNode:
		return f.sameItems(want, got)
	case objectNode:
		return f.sameMembers(want, got)
	case stringNode:
		return f.sameString(want.parts, got.parts)
	}
	return nil
}

func (f *filler) sameItems(want, got *node) error {
	if len(want.items) != len(got.items) {
		return errShape
	}
	for i := range want.items {
		if err := f.sameShape(want.items[i], got.items[i]); err != nil {
			return err
		}
	}
	return nil
}

func (f *filler) sameMembers(want, got *node) error {
	at := 0
	for _, m := range want.members {
		present, err := f.writeJSON(new(strings.Builder), m.value)
		if err != nil {
			return err
		}
		if !present {
			continue
		}
		if at == len(got.members) {
			return errShape
		}
		if err := errors.Join(f.sameString(m.key, got.members[at].key), f.sameShape(m.value, got.members[at].value)); err != nil {
			return errShape
		}
		at++
	}
	if at != len(got.members) {
		return errShape
	}
	return nil
}

// sameString compares the escaped characters: a raw slot that closed the string early leaves less.
func (f *filler) sameString(want, got []part) error {
	text, _, err := f.fill(want, escapeJSON)
	if err != nil {
		return err
	}
	rendered := ""
	for _, p := range got {
		rendered += p.lit
	}
	if text != rendered {
		return errShape
	}
	return nil
}
