package typecheck

// This file finds capability calls whose promise nobody has: the run may end before they do, and
// their failure goes unseen. TypeScript has no error for that.

import (
	"unicode/utf16"

	"codemode/runtime"
)

// codeFloating is the code of the warning.
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
			if looked >= maxFloating || x.count[runtime.SeverityWarning] >= x.limit {
				break
			}
			for _, call := range t.dropped(t.first(at), 0) {
				looked++
				if err := x.judgeFloating(scriptDir+f.Name, t, call); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// dropped returns the calls whose value an expression statement drops: x(), a && x(), x().then(...).
func (t *tree) dropped(i uint32, depth int) []uint32 {
	i = t.core(i)
	if depth > 20 {
		return nil
	}
	if t.kind(i) == kindCall {
		return t.droppedCall(i, depth)
	}
	var out []uint32
	if k := t.kind(i); k == kindConditional || k == kindBinary {
		for _, part := range t.parts(i) {
			out = append(out, t.dropped(part, depth+1)...)
		}
	}
	return out
}

// droppedCall looks through .then(...), .catch(...) and .finally(...), and into the callback of
// .forEach(...), which drops what it returns.
func (t *tree) droppedCall(call uint32, depth int) []uint32 {
	callee := t.first(call)
	if t.kind(callee) != kindPropertyAccess {
		return []uint32{call}
	}
	switch t.text(t.last(callee)) {
	case "then", "catch", "finally":
		return t.dropped(t.first(callee), depth+1)
	case "forEach":
		for _, arg := range t.members(call) {
			if body := t.last(arg); t.kind(arg) == kindArrow && t.kind(body) != kindBlock {
				return t.dropped(body, depth+1)
			}
		}
	case "log", "info", "warn", "error", "debug", "push":
		return nil // the common statements that are no capability, to save the question
	}
	return []uint32{call}
}

func (x *examination) judgeFloating(name string, t *tree, call uint32) error {
	method, ours, err := x.methodOf(t, call)
	if err != nil || !ours {
		return err
	}
	sig, err := x.called(t.handle(call))
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
	if method == "" {
		method = t.dotted(t.first(call))
	}
	x.add(&finding{File: name, Pos: t.start(call), Category: categoryError}, verdict{
		severity: runtime.SeverityWarning, code: codeFloating, method: method,
		message: "the call of " + method + " is not awaited: the run may end before it does",
		hint:    "put await before it, or return or keep its promise",
	})
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
