package accept

// This file makes one ES module of each of the shapes that agents write.

import (
	"strings"

	"codemode/runtime"
)

// asModule wraps the shapes that are not a module yet. What it can't place it leaves as it is, for
// the checker and the bundler to judge.
func asModule(text string, tokens []token) (string, runtime.Insertion) {
	switch {
	case exports(tokens) || len(tokens) == 0:
		return text, runtime.Insertion{}
	case isFunctionExpression(tokens) || isCalledFunction(tokens):
		return insert(text, tokens[0].start, "export default ", "")
	case returns(tokens):
		return insert(text, afterImports(tokens), "export default async function () { ", "\n}")
	}
	if start := lastCall(tokens); start >= 0 {
		return insert(text, tokens[start].start, "export default ", "")
	}
	return text, runtime.Insertion{}
}

func insert(text string, at int, head, tail string) (string, runtime.Insertion) {
	place := runtime.PosIn(text, at)
	module := text[:at] + head + text[at:] + tail
	return module, runtime.Insertion{Line: place.Line, Column: place.Column, Columns: len(head)}
}

func exports(tokens []token) bool {
	for i, t := range tokens {
		if t.depth == 0 && t.is("export") && !memberName(tokens, i) {
			return true
		}
	}
	return false
}

// exportsDefault reports `export default x`, `export { x as default }` or a re-export of all.
func exportsDefault(tokens []token) bool {
	for i, t := range tokens {
		if t.is("default") && i > 0 && (tokens[i-1].is("export") || tokens[i-1].is("as")) {
			return true
		}
	}
	return false
}

// returns reports a return that no function encloses.
func returns(tokens []token) bool {
	var functions []int // closing indexes of function bodies and other braces that are no blocks
	for i, t := range tokens {
		for len(functions) > 0 && i >= functions[len(functions)-1] {
			functions = functions[:len(functions)-1]
		}
		if t.is("{") && t.match > i && !isBlock(tokens, i) {
			functions = append(functions, t.match)
		}
		if t.is("return") && len(functions) == 0 && !memberName(tokens, i) {
			return true
		}
	}
	return false
}

// memberName reports that the word at i names a member: `.return`, `{ return: 1 }`.
func memberName(tokens []token, i int) bool {
	before := i > 0 && tokens[i-1].is(".")
	after := i+1 < len(tokens) && tokens[i+1].is(":")
	return before || after
}

// isBlock reports that the brace at i opens a block of statements and no function, class or object.
func isBlock(tokens []token, i int) bool {
	if i == 0 {
		return true
	}
	prev := tokens[i-1]
	switch prev.text {
	case "else", "try", "finally", "do", "catch", ";", "{", ":":
		return true
	case "}":
		// `function f(): { a: number } {` ends a return type; anything else ends a statement.
		return !(prev.match > 1 && tokens[prev.match-1].is(":") && tokens[prev.match-2].is(")"))
	case ")":
		return prev.match > 0 && isHeadWord(tokens[prev.match-1].text)
	}
	return false
}

// isFunctionExpression reports that the whole script is one function: `async () => {...}`,
// `(x) => x`, `async function () {...}`, with or without a semicolon.
func isFunctionExpression(tokens []token) bool {
	last := lastBefore(tokens)
	i := 0
	if tokens[i].is("async") {
		i++
	}
	if i > last {
		return false
	}
	if tokens[i].is("function") {
		return tokens[last].is("}") && firstBody(tokens, i) == last
	}
	arrow := arrowAfter(tokens, i)
	if arrow < 0 || arrow >= last {
		return false
	}
	if body := arrow + 1; tokens[body].is("{") {
		return tokens[body].match == last
	}
	return oneExpression(tokens[arrow+1 : last+1])
}

// isCalledFunction reports that the whole script is `(async () => {...})()`, or not even called.
func isCalledFunction(tokens []token) bool {
	last := lastBefore(tokens)
	if !isParenthesised(tokens, 0) || !tokens[last].is(")") {
		return false
	}
	call := tokens[0].match + 1
	return tokens[0].match == last || call < last && tokens[call].is("(") && tokens[call].match == last
}

// isParenthesised reports that a function in parentheses begins at i.
func isParenthesised(tokens []token, i int) bool {
	if !tokens[i].is("(") || tokens[i].match < i+2 {
		return false
	}
	inner := tokens[i+1]
	return inner.is("async") || inner.is("function") || inner.is("(")
}

// lastCall finds the last statement when it calls an asynchronous function of the script's own:
// `main();`, `await main()`, `main().catch(...)`, `await (async () => {...})()`. Its value is what the
// author has to give, and nothing else awaits it. The result is the index where it begins, -1 for none.
func lastCall(tokens []token) int {
	callee := lastBefore(tokens)
	for callee > 0 && tokens[callee].is(")") && tokens[callee].match > 0 {
		callee = tokens[callee].match - 1
		if chained := callee > 2 && tokens[callee-1].is(".") && tokens[callee-2].is(")"); !chained {
			break
		}
		callee -= 2
	}
	if callee == lastBefore(tokens) {
		return -1
	}
	start := callee
	if tokens[callee].is(")") {
		start = tokens[callee].match
		if start < 0 || !isParenthesised(tokens, start) {
			return -1
		}
	} else if !isAsyncName(tokens, tokens[callee]) {
		return -1
	}
	if start > 0 && tokens[start-1].is("await") {
		start--
	}
	if tokens[start].depth > 0 || start > 0 && !tokens[start-1].is(";") && !tokens[start-1].is("}") {
		return -1
	}
	return start
}

// isAsyncName reports that the script declares name as an asynchronous function at its outer level.
func isAsyncName(tokens []token, name token) bool {
	for i, t := range tokens[:max(0, len(tokens)-2)] {
		if t.depth > 0 || name.kind != identToken || !tokens[i+1].is(name.text) {
			continue
		}
		if t.is("function") && i > 0 && tokens[i-1].is("async") || t.is("const") && tokens[i+2].is("=") && i+3 < len(tokens) && tokens[i+3].is("async") {
			return true
		}
	}
	return false
}

// lastBefore is the index of the last token that is no semicolon.
func lastBefore(tokens []token) int {
	last := len(tokens) - 1
	for last > 0 && tokens[last].is(";") {
		last--
	}
	return last
}

// firstBody is the closing index of the first brace after a parameter list that is no part of a type.
func firstBody(tokens []token, from int) int {
	angles := 0
	for i := from; i < len(tokens); i++ {
		switch t := tokens[i]; {
		case t.is("(") && t.match > 0:
			i = t.match
		case t.is("<"):
			angles++
		case t.is(">"):
			angles--
		case t.is("{") && angles == 0 && !strings.Contains(":|&", tokens[i-1].text):
			return t.match
		case t.is("{") && t.match > 0:
			i = t.match
		}
	}
	return -1
}

// arrowAfter finds the arrow that belongs to the parameters at from, -1 for none.
func arrowAfter(tokens []token, from int) int {
	next := from + 1
	if tokens[from].is("(") {
		next = tokens[from].match + 1
	} else if tokens[from].kind != identToken {
		return -1
	}
	if next <= 0 || next >= len(tokens) {
		return -1
	}
	if tokens[next].is(":") { // a return type
		for ; next < len(tokens) && !tokens[next].is("=>") && !tokens[next].is(";"); next++ {
		}
	}
	if next < len(tokens) && tokens[next].is("=>") {
		return next
	}
	return -1
}

// oneExpression reports that no token at the outer level begins or separates statements.
func oneExpression(tokens []token) bool {
	for _, t := range tokens {
		if t.depth > 0 {
			continue
		}
		switch t.text {
		case ";", "const", "let", "var", "return", "if", "for", "while", "import", "throw", "switch", "try":
			return false
		}
	}
	return len(tokens) > 0
}

// afterImports is where the first statement that is no import begins.
func afterImports(tokens []token) int {
	i := 0
	for i < len(tokens) && tokens[i].is("import") && i+1 < len(tokens) && !tokens[i+1].is("(") {
		for i < len(tokens) && tokens[i].kind != stringToken {
			i++
		}
		i++
		if i < len(tokens) && tokens[i].is(";") {
			i++
		}
	}
	if i >= len(tokens) {
		return tokens[0].start
	}
	return tokens[i].start
}
