package typecheck

// This file finds capability calls whose promise nobody has: the run may end before they do, and
// their failure goes unseen. TypeScript has no error for that.

import (
	"cmp"
	"unicode/utf16"

	"codemode/runtime"
)

// codeFloating is the code of such a call.
const codeFloating = "CM001"

// maxFloating bounds how many statements of one file are looked at.
const maxFloating = 200

func (x *examination) findFloating() error {
	for _, f := range x.req.Script.Files {
		t := x.trees[scriptDir+f.Name]
		looked := 0
		for i := range t.nodes {
			at := uint32(i)
			if t.kind(at) != kindExpression {
				continue
			}
			if looked >= maxFloating || x.count[runtime.SeverityError] >= x.limit { // one past the last warning may be an error
				break
			}
			for _, d := range t.dropped(t.first(at), 0) {
				looked++
				if err := x.judgeFloating(scriptDir+f.Name, t, d); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// dropped is a call whose value a statement drops. chained says that something took its promise first, if
// only a .then(...) that is dropped itself: that the run ends before it does may be meant.
type dropped struct {
	call    uint32
	chained bool
}

// dropped returns the calls whose value an expression statement drops: x(), a && x(), x().then(...).
func (t *tree) dropped(i uint32, depth int) []dropped {
	i = t.core(i)
	if depth > 20 {
		return nil
	}
	if t.kind(i) == kindCall {
		return t.droppedCall(i, depth)
	}
	var out []dropped
	if k := t.kind(i); k == kindConditional || k == kindBinary {
		for _, part := range t.parts(i) {
			out = append(out, t.dropped(part, depth+1)...)
		}
	}
	return out
}

// droppedCall looks through .then(...), .catch(...) and .finally(...), and into the callback of
// .forEach(...), which drops what it returns.
func (t *tree) droppedCall(call uint32, depth int) []dropped {
	callee := t.first(call)
	if t.kind(callee) != kindPropertyAccess {
		return []dropped{{call: call}}
	}
	switch t.text(t.last(callee)) {
	case "then", "catch", "finally":
		return chained(t.dropped(t.first(callee), depth+1))
	case "forEach":
		for _, arg := range t.members(call) {
			if body := t.last(arg); t.kind(arg) == kindArrow && t.kind(body) != kindBlock {
				return chained(t.dropped(body, depth+1))
			}
		}
	case "log", "info", "warn", "error", "debug", "push":
		return nil // the common statements that are no capability, to save the question
	}
	return []dropped{{call: call}}
}

func chained(calls []dropped) []dropped {
	for i := range calls {
		calls[i].chained = true
	}
	return calls
}

// judgeFloating blocks the call of a method that a statement drops as it is, and warns of other promises.
func (x *examination) judgeFloating(name string, t *tree, d dropped) error {
	method, ours, err := x.methodOf(t, d.call)
	if err != nil || !ours {
		return err
	}
	sig, err := x.called(t.handle(d.call))
	if err != nil || sig == nil {
		return err
	}
	result, err := x.returns(sig)
	if err != nil {
		return err
	}
	if promise, err := x.isPromise(result); err != nil || !promise {
		return err
	}
	v := verdict{severity: runtime.SeverityWarning, code: codeFloating, method: method, hint: "put await before it, or return or keep its promise"}
	if method != "" && !d.chained {
		v.severity, v.hint = runtime.SeverityError, "put await before it, or void if its end does not matter"
	}
	v.method = cmp.Or(method, t.dotted(t.first(d.call)))
	v.message = "the call of " + v.method + " is not awaited: the run may end before it does"
	x.add(&finding{File: name, Pos: t.start(d.call), Category: categoryError}, v)
	return nil
}

// start returns where the node's first token begins: that of its first leaf, whose text is known.
func (t *tree) start(i uint32) uint32 {
	for c := t.first(i); c != 0 && t.kind(c) != kindList; c = t.first(i) {
		i = c
	}
	if text := t.text(i); text != "" && t.kind(i) == kindIdentifier {
		return t.nodes[i].end - uint32(len(utf16.Encode([]rune(text))))
	}
	return t.nodes[i].pos
}
