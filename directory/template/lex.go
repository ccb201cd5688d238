package template

// This file finds slots in a piece of text whose context is already known. Structure is always
// split before slots are looked for, so no value ever takes part in it.

import (
	"fmt"
	"slices"
	"strings"
)

const (
	// maxTemplateBytes caps target, headers and content each.
	maxTemplateBytes = 1 << 20
	// maxSlots caps the slots of one template.
	maxSlots = 1000
)

// part is literal text, or a slot.
type part struct {
	lit  string
	slot *slot
}

type slot struct {
	Slot
	src    string // as written
	plus   bool   // a "+" follows the number
	spread spread // of a named slot
	braced bool   // {name}: never a price
	prose  bool   // stands in prose, where prices can stand too
	dollar string // why it is text after all, or ""
}

// Dollar is a "$" that looks like a slot and was kept as text.
type Dollar struct {
	Text   string // as written: "$15"
	Reason string // "price", "gap", "currency", "lower case"
	Before string // the text before it within its part
	// Context is where it stands.
	Context Context
}

// builder collects the slots of a template in order of appearance.
type builder struct {
	slots  []*slot
	named  map[string]bool // "=> name" of earlier flow steps
	lower  []Dollar        // "$name" that no earlier step named
	params []string        // names that {name} may have
	order  []string        // those that it had, by index
}

// mark is a point to go back to when text turns out to be of another kind.
type mark struct{ slots, lower int }

func (b *builder) mark() mark { return mark{len(b.slots), len(b.lower)} }

func (b *builder) reset(m mark) { b.slots, b.lower = b.slots[:m.slots], b.lower[:m.lower] }

// place says where text stands.
type place struct {
	ctx   Context
	hint  string
	prose bool // prices may stand here
	name  bool // the text names a value: a query's or an object's key
}

// lex cuts text into literal parts and slots.
func (b *builder) lex(text string, at place) []part {
	var parts []part
	prose := at.prose && strings.ContainsAny(text, " \t\n")
	foreign := at.foreign(text)
	start := 0
	for i := 0; i < len(text) && len(b.slots) <= maxSlots; {
		s, n := b.slotAt(text, i)
		if s == nil {
			if text[i] == '$' && !foreign {
				b.noteLower(text, i, at)
			}
			i++
			continue
		}
		if i > start {
			parts = append(parts, part{lit: text[start:i]})
		}
		s.Context, s.Hint, s.Before, s.prose = at.ctx, at.hint, text[start:i], prose && !s.braced
		if s.Form == Arg && s.prose && isPrice(text[:i], text[i+n:]) {
			s.dollar = "price"
		}
		parts = append(parts, part{slot: s})
		b.slots = append(b.slots, s)
		i += n
		start = i
	}
	if start < len(text) {
		parts = append(parts, part{lit: text[start:]})
	}
	if len(parts) == 1 && parts[0].slot != nil {
		parts[0].slot.Whole = true
	}
	return parts
}

// slotAt reads the slot that starts at text[i] and its length, or nil.
func (b *builder) slotAt(text string, i int) (*slot, int) {
	if text[i] == '{' {
		return b.namedAt(text, i)
	}
	if text[i] != '$' || i+1 >= len(text) {
		return nil, 0
	}
	rest := text[i+1:]
	if rest[0] == '$' {
		n, width := slotNumber(rest[1:])
		if n == 0 {
			return nil, 0
		}
		return &slot{Slot: Slot{Form: Raw, Index: n}, src: text[i : i+2+width]}, 2 + width
	}
	if n, width := slotNumber(rest); n > 0 {
		s := &slot{Slot: Slot{Form: Arg, Index: n}}
		if strings.HasPrefix(rest[width:], "+") {
			s.plus = true
			width++
		}
		s.src = text[i : i+1+width]
		return s, 1 + width
	}
	return b.nameAt(rest)
}

func (b *builder) nameAt(rest string) (*slot, int) {
	name := rest[:span(rest, isNameByte)]
	src, width := "$"+name, 1+len(name)
	switch {
	case name == "":
		return nil, 0
	case b.named[name]:
		return &slot{Slot: Slot{Form: Named, Name: name}, src: src}, width
	case name == "PREV":
		return &slot{Slot: Slot{Form: Prev}, src: src}, width
	case !isSecretName(name):
		return nil, 0
	}
	s := &slot{Slot: Slot{Form: Secret, Name: name}, src: src}
	if slices.Contains(currencies, name) {
		s.dollar = "currency"
	}
	return s, width
}

// slotNumber reads a number from 1 to 99 without a leading zero; 0 means there is none.
func slotNumber(s string) (n, width int) {
	width = span(s, func(c byte) bool { return c >= '0' && c <= '9' })
	if width == 0 || width > 2 || s[0] == '0' {
		return 0, 0
	}
	for _, c := range s[:width] {
		n = n*10 + int(c-'0')
	}
	return n, width
}

func isSecretName(s string) bool {
	return len(s) >= 2 && s[0] >= 'A' && s[0] <= 'Z' &&
		span(s, func(c byte) bool { return c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' }) == len(s)
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// span is the length of the prefix of s whose bytes all satisfy ok.
func span(s string, ok func(byte) bool) int {
	for i := range len(s) {
		if !ok(s[i]) {
			return i
		}
	}
	return len(s)
}

// settle decides, with the whole template in view, what of the candidates is a slot.
func (b *builder) settle() ([]Slot, []Dollar, error) {
	if len(b.slots) > maxSlots {
		return nil, nil, fmt.Errorf("%w: more than %d slots", ErrTemplate, maxSlots)
	}
	b.dropGaps()
	highest := 0
	for _, s := range b.slots {
		if s.dollar == "" {
			highest = max(highest, s.Index)
		}
	}
	var slots []Slot
	var dollars []Dollar
	for _, s := range b.slots {
		if s.dollar != "" {
			dollars = append(dollars, Dollar{Text: s.src, Reason: s.dollar, Before: s.Before, Context: s.Context})
			continue
		}
		if s.plus && s.Index == highest {
			s.Form, s.plus = Tail, false
		}
		s.Whole = s.Whole && !s.plus
		slots = append(slots, s.Slot)
	}
	return slots, append(dollars, b.lower...), nil
}

// dropGaps turns numbers in prose into text when a lower number is not a slot.
func (b *builder) dropGaps() {
	known := map[int]bool{}
	inProse := map[int][]*slot{}
	for _, s := range b.slots {
		switch {
		case s.dollar != "" || s.Index == 0:
		case s.prose && s.Form == Arg:
			inProse[s.Index] = append(inProse[s.Index], s)
		default:
			known[s.Index] = true
		}
	}
	contiguous := true
	for n := 1; n <= 99; n++ {
		if known[n] {
			continue
		}
		for _, s := range inProse[n] {
			if !contiguous {
				s.dollar = "gap"
			}
		}
		contiguous = contiguous && len(inProse[n]) > 0
	}
}
