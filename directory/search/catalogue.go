package search

// This file writes the index of many methods within a budget of tokens.

import (
	"fmt"
	"slices"
	"strings"
)

// Entry is a method in a catalogue.
type Entry struct {
	Name    string // "crm.listContacts"
	Call    string // with its arguments: "crm.listContacts(status?)"
	Purpose string // "Lists the contacts", or ""
	Mark    string // stands behind its name or call however short it is, such as "*"; or ""
}

// Line is the entry on one line, without its end.
func (e Entry) Line() string {
	line := e.Call + e.Mark
	if e.Purpose != "" {
		line += " - " + e.Purpose
	}
	return line
}

// Catalogue writes an index of the entries in at most budget tokens, as count counts. Every namespace
// has its line, with how many methods it has, before any method is named; all methods are named
// before any has its arguments, and all have their arguments before any has its purpose. What is left
// goes round the namespaces, a method each at a time, in the order of names:
//
//	crm (3)
//	- listContacts(status?, limit?) - Lists the contacts
//	- getContact(id)
//	- createContact
//	ledger (2): getEntry, ...
//
// Where not even the namespaces fit, the first stand there and the rest are counted. The entries may
// come in any order. A budget too small for that last line gives "".
func Catalogue(entries []Entry, budget int, count func(string) int) string {
	c := newCatalogue(entries, count)
	if c.opened(budget) {
		c.enrich(budget)
	}
	text := c.text()
	for text != "" && count(text) > budget { // what joins the parts is not in their sum
		if !c.undo() {
			return ""
		}
		text = c.text()
	}
	return text
}

// detail is how much of a method is said.
type detail int

const (
	detailNone detail = iota
	detailName
	detailArgs
	detailLine
	details
)

type catalogue struct {
	spaces []space
	shown  int // namespaces that have a line
	count  func(string) int
	done   []step // in the order taken
}

type space struct {
	name    string
	methods []method
}

type method struct {
	forms  [details]string
	tokens [details]int // of the form with what divides it from the next; from the first use on
	has    detail
}

// step is one method that got one more detail.
type step struct{ space, method int }

func newCatalogue(entries []Entry, count func(string) int) *catalogue {
	entries = slices.Clone(entries)
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	c := &catalogue{count: count}
	for _, e := range entries {
		ns, name, _ := strings.Cut(e.Name, ".")
		if len(c.spaces) == 0 || c.spaces[len(c.spaces)-1].name != ns {
			c.spaces = append(c.spaces, space{name: ns})
		}
		s := &c.spaces[len(c.spaces)-1]
		s.methods = append(s.methods, newMethod(e, ns, name))
	}
	return c
}

func newMethod(e Entry, ns, name string) method {
	short := Entry{Call: name, Mark: e.Mark}
	e.Call = strings.TrimPrefix(e.Call, ns+".")
	call := Entry{Call: e.Call, Mark: e.Mark}
	return method{forms: [details]string{"", ", " + short.Line(), "- " + call.Line() + "\n", "- " + e.Line() + "\n"}}
}

// opened shows as many namespaces as fit, and reports whether all do.
func (c *catalogue) opened(budget int) bool {
	total := 0
	fits := 0 // namespaces that fit with the rest counted
	for i, s := range c.spaces {
		total += c.count(s.text())
		if total+c.count(more(len(c.spaces)-i-1)) <= budget {
			fits = i + 1
		}
		if total > budget {
			c.shown = min(fits, i)
			return false
		}
	}
	c.shown = len(c.spaces)
	return true
}

// enrich gives methods one detail more, a round over the namespaces at a time, while it fits. A
// detail is begun when all methods have the one before; a namespace whose next one does not fit
// waits.
func (c *catalogue) enrich(budget int) {
	room, most := budget-c.count(c.text()), 0
	for _, s := range c.spaces {
		most = max(most, len(s.methods))
	}
	for d := detailName; d < details; d++ {
		waits := map[int]bool{}
		for m := 0; m < most && len(waits) < len(c.spaces); m++ {
			for i, s := range c.spaces {
				if m >= len(s.methods) || waits[i] {
					continue
				}
				more := s.methods[m].more(d, c.count)
				if more > room {
					waits[i] = true
					continue
				}
				s.methods[m].has, room = d, room-more
				c.done = append(c.done, step{i, m})
			}
		}
		if len(waits) > 0 {
			return
		}
	}
}

// more is how many tokens a detail takes more than the one before.
func (m *method) more(d detail, count func(string) int) int {
	m.tokens[d] = count(m.forms[d])
	return m.tokens[d] - m.tokens[d-1]
}

// undo takes back the last step, else the last namespace; false where there is none.
func (c *catalogue) undo() bool {
	n := len(c.done) - 1
	switch {
	case n >= 0:
		c.spaces[c.done[n].space].methods[c.done[n].method].has--
		c.done = c.done[:n]
	case c.shown > 0:
		c.shown--
	default:
		return false
	}
	return true
}

func (c *catalogue) text() string {
	var b strings.Builder
	for _, s := range c.spaces[:c.shown] {
		b.WriteString(s.text())
	}
	if left := len(c.spaces) - c.shown; left > 0 {
		b.WriteString(more(left))
	}
	return b.String()
}

func more(namespaces int) string {
	return fmt.Sprintf("%d more namespaces; search finds them\n", namespaces)
}

// text is a namespace: methods with arguments have lines of their own, the others are named in one.
func (s space) text() string {
	var lines, named strings.Builder
	left := 0
	for _, m := range s.methods {
		switch m.has {
		case detailNone:
			left++
		case detailName:
			named.WriteString(m.forms[detailName])
		default:
			lines.WriteString(m.forms[m.has])
		}
	}
	if left > 0 && left < len(s.methods) {
		named.WriteString(", ...")
	}
	head := fmt.Sprintf("%s (%d)", s.name, len(s.methods))
	rest := strings.TrimPrefix(named.String(), ", ")
	switch {
	case rest == "":
		return head + "\n" + lines.String()
	case lines.Len() == 0:
		return head + ": " + rest + "\n"
	}
	return head + "\n" + lines.String() + "- " + rest + "\n"
}
