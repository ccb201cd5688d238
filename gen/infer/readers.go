package infer

// This file lists the forms in which people document arguments, and asks them in order.

import (
	"slices"
	"strings"

	"codemode/directory"
)

// reader reads one form of documented arguments. It yields none where a passage is not in its form.
type reader struct {
	read func(passage) docArgs
	// weak forms show names without saying that they are arguments. They count only where a template
	// has a place for them.
	weak bool
}

// readers are tried in this order; the first that finds arguments is believed.
func (b *builder) readers() []reader {
	return []reader{
		{read: b.readHelp, weak: true},
		{read: readTables},
		{read: readNumpy},
		{read: readFieldList},
		{read: readDocstring},
		{read: readBullets},
		{read: b.readSynopsis, weak: true},
		{read: readInline, weak: true},
		{read: b.readBodies, weak: true},
		{read: b.readSettings, weak: true},
		{read: b.readPairs, weak: true},
		{read: b.readIntroduced, weak: true},
		{read: b.readOrder, weak: true},
	}
}

// documented gathers what the row says of its arguments, strongest source first.
func (b *builder) documented() docArgs {
	if len(b.row.Arguments) > 0 {
		return listedArgs(b.row.Arguments)
	}
	if args := b.spacedArgs(); len(args.params) > 0 {
		return args.from("content # ARGS", b.row.Docs.Args)
	}
	args := readArgs(b.row.Docs.Args).from("content # ARGS", b.row.Docs.Args)
	if b.shape.bound && !b.shape.byDefault {
		args.joinBars(len(b.shape.indexes()))
	}
	if usage := b.readUsages(b.row.Docs.Args); len(usage.params) > 0 && b.confirms(usage) {
		return usage.from("content # ARGS", b.row.Docs.Args)
	}
	if len(args.params) > 0 || args.none {
		return args
	}
	schema := !isBlank(b.row.InputSchema) // names the arguments; what only shows names has nothing to add
	for _, r := range b.readers() {
		if r.weak && schema {
			continue
		}
		for _, p := range b.passages() {
			if got := r.read(p); len(got.params) > 0 && b.believes(got, r.weak) {
				got.params = got.params[:min(len(got.params), maxDocParams)]
				got.prose = append(got.prose, args.prose...)
				return got.from(p.place, p.lines)
			}
		}
	}
	return args
}

// believes reports whether what a reader found are arguments.
func (b *builder) believes(got docArgs, weak bool) bool {
	switch {
	case got.settled:
		return true
	case weak, got.unsure:
		return b.confirms(got)
	}
	return b.shape.bound && !b.shape.byDefault || !got.introduced
}

// confirms reports whether the template bears out names that nothing calls arguments: each is a name
// around its slots, or there are as many as slots and they are in an order.
func (b *builder) confirms(docs docArgs) bool {
	if !b.shape.bound || b.shape.byDefault {
		return false
	}
	known, free, bare := 0, 0, 0
	for _, i := range b.shape.indexes() {
		f := b.shape.slots[i]
		if slices.ContainsFunc(docs.params, func(d docParam) bool { return d.calls(f) }) {
			known++
			continue
		}
		if len(f.strong()) == 0 {
			bare++
		}
		if len(f.strong()) == 0 || b.shape.argv {
			free++
		}
	}
	rest := 0
	for _, d := range docs.params {
		if !slices.ContainsFunc(b.shape.indexes(), func(i int) bool { return d.calls(b.shape.slots[i]) }) && !d.elsewhere(b.shape) {
			rest++
		}
	}
	if docs.ordered {
		return known+rest <= len(b.shape.indexes()) && (known+rest == len(b.shape.indexes()) || b.nameless() || rest == free || rest == bare)
	}
	return known > 0 && rest == 0 || rest == free && (known > 0 || docs.listed && rest == len(b.shape.indexes()))
}

// nameless reports whether nothing around the slots names any of them.
func (b *builder) nameless() bool {
	return !slices.ContainsFunc(b.shape.indexes(), func(i int) bool { return len(b.shape.slots[i].hints()) > 0 })
}

// calls reports whether a documented argument goes by a name around the slots.
func (d docParam) calls(f *filled) bool {
	if d.flag != "" && f.flag() == d.flag {
		return true
	}
	return d.name != "" && slices.ContainsFunc(f.hints(), func(h string) bool { return squash(h) == squash(d.name) || squash(h)+"id" == squash(d.name) })
}

// elsewhere reports whether an option of a synopsis is not among those of the command line.
func (d docParam) elsewhere(s shape) bool {
	if d.flag != "" && d.schema.text("type") == "boolean" {
		return true // a switch that the template does not pass on
	}
	return d.flag != "" && s.argv && !slices.Contains(s.words, "-"+d.flag) && !slices.ContainsFunc(s.indexes(), func(i int) bool { return s.slots[i].flag() == d.flag })
}

// program is the word that a synopsis of the row begins with.
func (b *builder) program() string {
	if b.row.Type != directory.CLI {
		return ""
	}
	return b.row.Target[strings.LastIndexByte(b.row.Target, '/')+1:]
}
