package diff

// This file compares two versions of one contract, field by field.

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"codemode/directory/contract"
)

// fields are the parts in which two versions differ; they do, since their digests do.
func fields(before, after side, o, n contract.Contract) []Part {
	var parts []Part
	add := func(more ...Part) { parts = append(parts, more...) }
	if o.Name != n.Name {
		add(Part{Field: "name", Class: ClassRenamed, Before: o.Name, After: n.Name, Breaks: true})
	}
	add(schemaParts("args", contract.ClosedParams(orTrue(o.Params)), contract.ClosedParams(orTrue(n.Params)), false)...)
	add(schemaParts("result", orTrue(o.Result), orTrue(n.Result), true)...)
	add(positional(o, n)...)
	add(effect(o.Effect, n.Effect)...)
	add(placement(o.Placement, n.Placement)...)
	add(idempotency(o.Idempotency, n.Idempotency)...)
	add(destinations(o, n)...)
	add(sensitive(o, n)...)
	if o.Auth != n.Auth {
		add(Part{Field: "auth", Class: ClassWidened, Before: o.Auth, After: n.Auth})
	}
	for _, r := range []struct {
		field    string
		old, now *contract.Reference
	}{{"readback", o.Readback, n.Readback}, {"precondition", o.Precondition, n.Precondition}, {"undo", o.Undo, n.Undo}} {
		add(reference(r.field, before.spelt(r.old), after.spelt(r.now))...)
	}
	add(source(o.Source, n.Source)...)
	add(words(o, n)...)
	if len(parts) == 0 {
		// Everything that is compared by meaning says the same in other words.
		add(Part{Field: "wording", Class: ClassWords})
	}
	return parts
}

func orTrue(schema json.RawMessage) json.RawMessage {
	if len(schema) == 0 {
		return json.RawMessage("true")
	}
	return schema
}

// positional compares which argument fills which slot. A list that got longer by new arguments or
// shorter by those that are gone follows from them; else values go elsewhere, or go nowhere.
func positional(o, n contract.Contract) []Part {
	if slices.Equal(o.Positional, n.Positional) {
		return nil
	}
	short := min(len(o.Positional), len(n.Positional))
	was, is := contract.PropertyNames(o.Params), contract.PropertyNames(n.Params)
	follows := slices.Equal(o.Positional[:short], n.Positional[:short])
	for _, name := range n.Positional[short:] {
		_, known := slices.BinarySearch(was, name)
		follows = follows && !known
	}
	for _, name := range o.Positional[short:] {
		_, known := slices.BinarySearch(is, name)
		follows = follows && !known
	}
	if follows {
		return []Part{{Field: "positional", Class: ClassWords}}
	}
	return []Part{{Field: "positional", Class: ClassChanged, Before: strings.Join(o.Positional, ", "), After: strings.Join(n.Positional, ", "), Breaks: true}}
}

// ranked compares places in a list that goes from harmless to grave; what is not in it is changed.
func ranked[T ~string](field string, o, n T, order []T, lower Class) []Part {
	if o == n {
		return nil
	}
	p := Part{Field: field, Class: ClassChanged, Before: string(o), After: string(n)}
	was, is := slices.Index(order, o), slices.Index(order, n)
	if was >= 0 && is >= 0 {
		p.Class = lower
		if is > was {
			p.Class = ClassWidened
		}
	}
	return []Part{p}
}

// effect: a milder effect asks for fewer decisions, and is repeated after a crash; whether that is right
// no contract says. It is changed, not narrowed.
func effect(o, n contract.Effect) []Part {
	return ranked("effect", o, n, []contract.Effect{contract.Read, contract.Reversible, contract.Irreversible}, ClassChanged)
}

// placement: pure has no reach at all; remote and local reach different things.
func placement(o, n contract.Placement) []Part {
	if o != n && o != contract.Pure && n != contract.Pure {
		return []Part{{Field: "placement", Class: ClassChanged, Before: string(o), After: string(n)}}
	}
	other := n
	if n == contract.Pure {
		other = o
	}
	return ranked("placement", o, n, []contract.Placement{contract.Pure, other}, ClassNarrowed)
}

// idempotency: without it a repeated call acts twice.
func idempotency(o, n contract.Idempotency) []Part {
	if o != n && n == contract.IdempotencyNone {
		return []Part{{Field: "idempotency", Class: ClassWidened, Before: string(o), After: string(n)}}
	}
	if o != n && o == contract.IdempotencyNone {
		return []Part{{Field: "idempotency", Class: ClassNarrowed, Before: string(o), After: string(n)}}
	}
	return ranked("idempotency", o, n, nil, ClassChanged)
}

func destinations(o, n contract.Contract) []Part {
	var parts []Part
	for _, d := range n.Destinations {
		if !slices.Contains(o.Destinations, d) {
			parts = append(parts, Part{Field: "destinations", Class: ClassWidened, After: d})
		}
	}
	unlisted := len(n.Destinations) == 0 && n.Placement != contract.Pure // it reaches what is not known
	for _, d := range o.Destinations {
		if slices.Contains(n.Destinations, d) {
			continue
		}
		class := ClassNarrowed
		if unlisted {
			class = ClassChanged
		}
		parts = append(parts, Part{Field: "destinations", Class: class, Before: d})
	}
	return parts
}

// sensitive: a field that is not kept back any more is a widening, also where its argument is gone: it
// may be there under another name.
func sensitive(o, n contract.Contract) []Part {
	var parts []Part
	for _, at := range o.Sensitive {
		if !slices.Contains(n.Sensitive, at) {
			parts = append(parts, Part{Field: "sensitive", Class: ClassWidened, Before: at})
		}
	}
	for _, at := range n.Sensitive {
		if !slices.Contains(o.Sensitive, at) {
			parts = append(parts, Part{Field: "sensitive", Class: ClassNarrowed, After: at})
		}
	}
	return parts
}

// source compares what a call sends. It is digests alone, so no change of it is known to be harmless.
func source(o, n string) []Part {
	p := Part{Field: "source", Class: ClassWidened, Before: o, After: n, Note: "what the call sends changed; review the row"}
	switch {
	case o == n:
		return nil
	case o == "":
		p.Class, p.Note = ClassChanged, "the old contract does not say what the call sends, and was made by an older generator; review the row this once, or generate the old contracts anew"
	case n == "":
		p.Class, p.Note = ClassChanged, "the new contract does not say what the call sends; generate it anew"
	}
	return []Part{p}
}

// spelt is a reference by its row, so that a renamed one stays the same.
func (s side) spelt(r *contract.Reference) string {
	if r == nil {
		return ""
	}
	to, ok := s.refs[r.Name]
	if !ok {
		to = r.Name
	}
	var out strings.Builder
	out.WriteString(to)
	for _, arg := range slices.Sorted(maps.Keys(r.Args)) {
		fmt.Fprintf(&out, " %s=%s", arg, r.Args[arg])
	}
	return out.String()
}

// reference compares what the service calls beside the call itself: any other is a call that was not
// made before. A precondition that came is one more thing to hold.
func reference(field, o, n string) []Part {
	switch {
	case o == n:
		return nil
	case field == "precondition" && n == "":
		return []Part{{Field: field, Class: ClassWidened, Before: o}}
	}
	return []Part{{Field: field, Class: ClassChanged, Before: o, After: n}}
}

// words are the fields that are there to be read. Where a field came from is one of them.
func words(o, n contract.Contract) []Part {
	var parts []Part
	for _, w := range []struct {
		field    string
		old, now any
	}{
		{"description", o.Description, n.Description}, {"when_to_use", o.WhenToUse, n.WhenToUse}, {"notes", o.Notes, n.Notes},
		{"examples", o.Examples, n.Examples}, {"deprecated", o.Deprecated, n.Deprecated}, {"provenance", o.Provenance, n.Provenance},
	} {
		if !reflect.DeepEqual(w.old, w.now) {
			parts = append(parts, Part{Field: w.field, Class: ClassWords})
		}
	}
	if o.Version != n.Version {
		parts = append(parts, Part{Field: "version", Class: ClassWords, Before: strconv.Itoa(o.Version), After: strconv.Itoa(n.Version)})
	}
	return parts
}
