package typecheck

// This file reads the compiler's own syntax tree of a script, so that where a diagnostic stands is
// known from the tree and never guessed from text. The form is the compiler's encoding, version 5
// (internal/api/encoder): a header of offsets, a table of strings, and 28 bytes a node in source
// order. It comes out of a process that has read a hostile script: every offset is checked.

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
)

// kind is a SyntaxKind of TypeScript 7.0.2.
type kind uint32

const (
	kindComma             kind = 27
	kindAmpersandAnd      kind = 55
	kindBarBar            kind = 56
	kindQuestionQuestion  kind = 60
	kindFirstAssignment   kind = 63
	kindLastAssignment    kind = 78
	kindIdentifier        kind = 79
	kindString            kind = 10
	kindNoSubstitution    kind = 14
	kindParameter         kind = 170
	kindPropertySignature kind = 172
	kindMethodSignature   kind = 174
	kindMethod            kind = 175
	kindConstructor       kind = 177
	kindGetAccessor       kind = 178
	kindSetAccessor       kind = 179
	kindObjectPattern     kind = 207
	kindArrayPattern      kind = 208
	kindBindingElement    kind = 209
	kindArrayLiteral      kind = 210
	kindObjectLiteral     kind = 211
	kindPropertyAccess    kind = 212
	kindElementAccess     kind = 213
	kindCall              kind = 214
	kindNew               kind = 215
	kindTypeAssertion     kind = 217
	kindParenthesized     kind = 218
	kindFunction          kind = 219
	kindArrow             kind = 220
	kindDelete            kind = 221
	kindBinary            kind = 227
	kindConditional       kind = 228
	kindAs                kind = 235
	kindNonNull           kind = 236
	kindSatisfies         kind = 239
	kindBlock             kind = 242
	kindExpression        kind = 245
	kindVariable          kind = 261
	kindFunctionDecl      kind = 263
	kindInterface         kind = 265
	kindModule            kind = 268
	kindPropertyAssign    kind = 303
	kindShorthand         kind = 304
	kindSpreadAssign      kind = 305
	kindSourceFile        kind = 307
	kindList              kind = 0xFFFFFFFF
)

const (
	treeVersion   = 5
	treeHeader    = 44
	treeNodeBytes = 28
	maxTreeNodes  = 2 << 20
)

var errTree = errors.New("malformed syntax tree")

// node is one node; the fields are indices and UTF-16 offsets. Node 0 is none, node 1 the file.
type node struct {
	kind         kind
	pos, end     uint32 // pos stands before leading white space and comments
	next, parent uint32
	data         uint32
}

// tree is the syntax tree of one file.
type tree struct {
	path    string // the file in the compiler's world
	nodes   []node
	offsets []byte // of the strings, 8 bytes each
	strings []byte
	literal []byte // what literals are besides their kind: first the number of their string
}

func decodeTree(path, encoded string) (*tree, error) {
	raw, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errTree, err)
	}
	if len(raw) < treeHeader || raw[3] != treeVersion {
		return nil, fmt.Errorf("%w: not version %d", errTree, treeVersion)
	}
	word := func(at int) int { return int(binary.LittleEndian.Uint32(raw[at:])) }
	offsets, text, extended, structured, nodes := word(24), word(28), word(32), word(36), word(40)
	if offsets < treeHeader || text < offsets || extended < text || structured < extended || nodes < structured || nodes > len(raw) {
		return nil, fmt.Errorf("%w: sections out of order", errTree)
	}
	t := &tree{path: path, offsets: raw[offsets:text], strings: raw[text:extended], literal: raw[extended:structured]}
	return t, t.decodeNodes(raw[nodes:])
}

func (t *tree) decodeNodes(raw []byte) error {
	n := len(raw) / treeNodeBytes
	if n < 2 || n > maxTreeNodes || len(raw)%treeNodeBytes != 0 {
		return fmt.Errorf("%w: %d bytes of nodes", errTree, len(raw))
	}
	t.nodes = make([]node, n) // node 0 stays zero, whatever it is said to be
	for i := 1; i < n; i++ {
		word := func(k int) uint32 { return binary.LittleEndian.Uint32(raw[i*treeNodeBytes+4*k:]) }
		t.nodes[i] = node{kind(word(0)), word(1), word(2), word(3), word(4), word(5)}
		// A parent comes before and a sibling after its node, so that every walk ends.
		at := uint32(i)
		if x := t.nodes[i]; x.parent >= at || x.next != 0 && (x.next <= at || int(x.next) >= n) || x.end < x.pos {
			return fmt.Errorf("%w: node %d", errTree, i)
		}
	}
	for i, x := range t.nodes {
		if x.next != 0 && t.nodes[x.next].parent != x.parent {
			return fmt.Errorf("%w: sibling of node %d", errTree, i)
		}
	}
	return nil
}

func (t *tree) kind(i uint32) kind { return t.nodes[i].kind }

// handle names the node towards the compiler.
func (t *tree) handle(i uint32) string {
	return fmt.Sprintf("%d.%d.%s", i, t.nodes[i].kind, t.path)
}

// parent returns the node's parent, past the list the node stands in; 0 for the file.
func (t *tree) parent(i uint32) uint32 {
	p := t.nodes[i].parent
	for p != 0 && t.nodes[p].kind == kindList {
		p = t.nodes[p].parent
	}
	return p
}

// each calls do with the direct children, lists included as nodes, until it returns false.
func (t *tree) each(i uint32, do func(child uint32) bool) {
	c := i + 1
	if int(c) >= len(t.nodes) || t.nodes[c].parent != i {
		return
	}
	for c != 0 && do(c) {
		c = t.nodes[c].next
	}
}

func (t *tree) children(i uint32) []uint32 {
	var out []uint32
	t.each(i, func(c uint32) bool { out = append(out, c); return true })
	return out
}

// first and last child, 0 for none.
func (t *tree) first(i uint32) uint32 {
	if c := i + 1; int(c) < len(t.nodes) && t.nodes[c].parent == i {
		return c
	}
	return 0
}

func (t *tree) last(i uint32) uint32 {
	var last uint32
	t.each(i, func(c uint32) bool { last = c; return true })
	return last
}

// text returns a name's or string's text; "" for any other node.
func (t *tree) text(i uint32) string {
	x := t.nodes[i]
	at := int(x.data & 0x00FFFFFF)
	switch {
	case x.kind == kindString || x.kind == kindNoSubstitution:
		if at+4 > len(t.literal) {
			return ""
		}
		at = int(binary.LittleEndian.Uint32(t.literal[at:]))
	case x.kind == kindList || x.data>>30 != 1:
		return ""
	}
	if at < 0 || at > len(t.offsets)/4-2 {
		return ""
	}
	from, to := binary.LittleEndian.Uint32(t.offsets[4*at:]), binary.LittleEndian.Uint32(t.offsets[4*at+4:])
	if from > to || int(to) > len(t.strings) {
		return ""
	}
	return string(t.strings[from:to])
}

// at returns the deepest node that covers the range.
func (t *tree) at(pos, end uint32) uint32 {
	found, i := uint32(1), uint32(1)
	for i != 0 {
		var inner uint32
		t.each(i, func(c uint32) bool {
			if t.nodes[c].pos <= pos && end <= t.nodes[c].end {
				inner = c
			}
			return inner == 0
		})
		if i = inner; i != 0 && t.nodes[i].kind != kindList {
			found = i
		}
	}
	return found
}
