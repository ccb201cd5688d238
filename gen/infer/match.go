package infer

// This file assigns documented arguments to the slots of a template.

import (
	"slices"
	"strings"
)

// notNames reports whether a bare "a|b|c" is no list of the template's arguments: it has at least two
// too many, and no word of it stands around a slot.
func (b *builder) notNames(docs docArgs) bool {
	if len(docs.words) < b.shape.arity+2 || len(docs.words) != len(docs.params) || b.nameless() {
		return false
	}
	for _, i := range b.shape.indexes() {
		for _, h := range b.shape.slots[i].hints() {
			if slices.ContainsFunc(docs.words, func(w string) bool { return related(h, w) }) {
				return false
			}
		}
	}
	return true
}

// match assigns documented arguments to the template's indexes: by "$N=", by a name that stands
// around a slot, then by position, which is what the legacy body goes by. By position alone an
// argument is taken only where the slot's surroundings do not speak against it, or where the counts
// agree and the documentation has an order (the properties of a schema have none).
func (b *builder) match(docs []docParam, ordered bool) map[int]int {
	assigned := map[int]int{} // index -> documented
	used := map[int]bool{}
	take := func(index, at int) bool {
		if _, taken := assigned[index]; taken || used[at] || b.shape.slots[index] == nil {
			return false
		}
		assigned[index], used[at] = at, true
		return true
	}
	for at, d := range docs {
		if d.index > 0 {
			take(d.index, at)
		}
	}
	for at, d := range docs {
		for _, i := range b.shape.indexes() {
			if f := b.shape.slots[i]; d.name != "" && f.named && f.slots[0].Hint == d.name {
				take(i, at)
			}
		}
	}
	b.byName(docs, take)
	free := slices.DeleteFunc(slices.Clone(b.shape.indexes()), func(i int) bool { _, taken := assigned[i]; return taken })
	var left []int
	for at, d := range docs {
		if !used[at] && d.index == 0 && !d.elsewhere(b.shape) {
			left = append(left, at)
		}
	}
	if ordered && len(left) == len(free) {
		for n, at := range left {
			take(free[n], at)
		}
		return assigned
	}
	b.byPosition(docs, left, free, take)
	return assigned
}

// byName assigns arguments to the slots that have their name: an option, a key, or the segment of a
// URL before the slot, where "table_id" is more than "table".
func (b *builder) byName(docs []docParam, take func(index, at int) bool) {
	forms := []func(d docParam, f *filled) bool{
		func(d docParam, f *filled) bool { return d.flag != "" && f.flag() == d.flag },
		func(d docParam, f *filled) bool { return anySquashed(f.strong(), d.name) },
		func(d docParam, f *filled) bool {
			name, ok := strings.CutSuffix(squash(d.name), "id")
			return ok && name != "" && anySquashed(f.weak(), name)
		},
		func(d docParam, f *filled) bool { return anySquashed(f.weak(), d.name) },
	}
	for _, form := range forms {
		for at, d := range docs {
			for _, i := range b.shape.indexes() {
				if d.index == 0 && d.name != "" && form(d, b.shape.slots[i]) && take(i, at) {
					break
				}
			}
		}
	}
}

func anySquashed(hints []string, name string) bool {
	return slices.ContainsFunc(hints, func(h string) bool { return squash(h) == squash(name) })
}

func (b *builder) byPosition(docs []docParam, left, free []int, take func(index, at int) bool) {
	for _, at := range left {
		f := b.shape.slots[at+1]
		if f != nil && f.accepts(docs[at].name) && take(at+1, at) {
			continue
		}
		for _, i := range free {
			if b.shape.slots[i].accepts(docs[at].name) && take(i, at) {
				break
			}
		}
	}
}

// accepts reports whether nothing around the slots names another argument.
func (f *filled) accepts(name string) bool {
	strong := slices.DeleteFunc(f.hints(), func(string) bool { return f.mustFill() })
	return len(strong) == 0 || slices.ContainsFunc(strong, func(h string) bool { return related(h, name) })
}
