package accept

// This file measures how deep a script nests, with brackets and without: parsers, checkers and compilers
// recurse as deep, and some take time that grows with its square.

import "fmt"

// tooDeep says what is past the limits, "" for nothing, and where.
func tooDeep(text lexed, limits Limits) (at int, what string) {
	if i, chain := longestChain(text.tokens); text.deep > limits.Nesting || chain > limits.Nesting {
		return deepest(text.tokens, limits.Nesting, i), fmt.Sprintf("nests more than %d deep", limits.Nesting)
	}
	if i := longExpression(text.tokens, limits.Chain); i >= 0 {
		return text.tokens[i].start, fmt.Sprintf("has more than %d operators, calls or branches in one chain", limits.Chain)
	}
	return 0, ""
}

// level is what is known of the expression under way between two brackets.
type level struct {
	links   int  // operators, accesses and calls so far
	heads   int  // statements that are each the body of the one before: if (a) if (b), else if
	operand bool // the last token ends an operand
	// sequence is set where a comma is an operator, not between the items of a list: in parentheses that
	// call nothing, in an index, in statements.
	sequence bool
	// unsure counts the arrows so far, those around included, of which only the end tells whether what
	// stands before the colon is a parameter list: a ? (b) : c => d. Each doubles a parser's work.
	unsure int
	around int  // those around
	branch bool // such a colon came since the last arrow
}

// maxUnsure keeps a parser's doubling within milliseconds; scripts hardly have one.
const maxUnsure = 8

// longExpression returns the index of the token with which an expression, or a chain of branches, becomes
// longer than limit, -1 for none. Two operands beside each other end an expression, as a line's end may.
func longExpression(tokens []token, limit int) int {
	levels := []level{{sequence: true}}
	for i, t := range tokens {
		for len(levels) <= t.depth {
			levels = append(levels, level{})
		}
		if l := &levels[t.depth]; l.links > limit || l.heads > limit || l.unsure > maxUnsure {
			return i
		}
		within := level{sequence: levels[t.depth].opensSequence(t), unsure: levels[t.depth].unsure, around: levels[t.depth].unsure}
		levels[t.depth].take(tokens, i)
		if t.kind == punctToken && isOpener(t) {
			levels = append(levels[:t.depth+1], within)
		}
	}
	return -1
}

// opensSequence tells, before the opener is taken, what stands within it.
func (l *level) opensSequence(t token) bool {
	if t.is("(") {
		return !l.operand
	}
	return l.operand || t.is("${")
}

func (l *level) take(tokens []token, i int) {
	t := tokens[i]
	switch {
	case t.is(";") || t.is(",") && !l.sequence || t.is("{") && l.operand || startsStatement(t):
		l.countHead(tokens, i)
		l.links, l.operand = 0, false
		if !t.is("{") {
			l.unsure, l.branch = l.around, false
		}
	case t.kind == punctToken && isOpener(t):
		if l.operand {
			l.links++
		}
		l.operand = false
	case t.is(")") || t.is("]") || t.is("}"):
		l.operand = true
	case t.kind == punctToken || joins(t):
		l.links++
		l.operand = false
		l.countArrow(tokens, i)
	default:
		if tagged := t.text[0] == '`' && i > 0 && tokens[i-1].end == t.start; l.operand && tagged {
			l.links++
		} else if l.operand && t.text[0] != '}' {
			l.links = 0
		}
		l.operand = true
	}
}

// countHead counts a statement that is the whole body of the one before it.
func (l *level) countHead(tokens []token, i int) {
	if !isHead(tokens[i]) {
		return
	}
	inner := i > 0 && (tokens[i-1].is("else") || tokens[i-1].is("do") ||
		tokens[i-1].is(")") && tokens[i-1].match > 0 && isHeadWord(tokens[tokens[i-1].match-1].text))
	if !inner {
		l.heads = 0
	}
	l.heads++
}

func (l *level) countArrow(tokens []token, i int) {
	switch t := tokens[i]; {
	case t.is(":") && i > 0 && tokens[i-1].is(")") && tokens[i-1].match > 0:
		l.branch = l.branch || tokens[tokens[i-1].match-1].is("?")
	case t.is("=>") && l.branch:
		l.unsure, l.branch = l.unsure+1, false
	}
}

func isOpener(t token) bool { return t.is("(") || t.is("[") || t.is("{") || t.is("${") }

func isHead(t token) bool {
	switch t.text {
	case "if", "for", "while", "do", "with", "switch":
		return t.kind == identToken
	}
	return false
}

func startsStatement(t token) bool {
	switch t.text {
	case "const", "let", "var", "return", "throw", "import", "export", "case", "default", "else", "try", "finally", "catch":
		return t.kind == identToken
	}
	return isHead(t)
}

// joins reports a word that is an operator between two operands.
func joins(t token) bool {
	switch t.text {
	case "in", "of", "instanceof", "as", "satisfies", "is", "extends":
		return t.kind == identToken
	}
	return false
}

// longestChain is the longest run of prefix operators, or of arrows that return arrows, with the
// index of the token where it ends: both nest without a bracket.
func longestChain(tokens []token) (at, longest int) {
	prefix, arrows := 0, map[int]int{}
	for i, t := range tokens {
		if isPrefix(t) {
			prefix++
		} else {
			prefix = 0
		}
		chain := prefix
		if t.is("=>") {
			arrows[i] = arrows[arrowBefore(tokens, i)] + 1
			chain = arrows[i]
		}
		if chain > longest {
			at, longest = i, chain
		}
	}
	return at, longest
}

func isPrefix(t token) bool {
	switch t.text {
	case "!", "~", "+", "-", "typeof", "void", "delete", "await", "new", "throw", "yield", "class", "extends", "keyof", "readonly", "unique", "infer", "async":
		return t.kind != stringToken
	}
	return false
}

// arrowBefore is the index of the arrow whose body begins with the parameters of the one at i.
func arrowBefore(tokens []token, i int) int {
	head := i - 1
	if head >= 0 && tokens[head].is(")") {
		head = tokens[head].match
	}
	if head > 0 && tokens[head-1].is("async") {
		head--
	}
	return head - 1
}

func deepest(tokens []token, limit, chain int) int {
	for _, t := range tokens {
		if t.depth == limit && (t.is("(") || t.is("[") || t.is("{") || t.is("${")) {
			return t.start
		}
	}
	return tokens[chain].start
}
