package infer

// This file reads the list of options and operands that a command's help has below its synopsis: those
// of argparse, click, cobra, docopt, clap, yargs, Go's flag, manual pages, POD and Windows.

import (
	"slices"
	"strings"

	"codemode/directory/contract"
)

// option is one item of such a list.
type option struct {
	flags []string // with their dashes, none for an operand
	word  string   // what stands for its value
	shown string   // the default that stands there instead: "--replicas=1: how many"
	words string   // what is said of it
	line  string   // as written
}

var (
	flagHead   = compile(`^(--?[A-Za-z0-9?][\w\-]*|/[A-Za-z?][\w\-]*)`)
	flagNext   = compile(`^(?:\s*,\s*|\s*\|\s*|\s+or\s+|/|\s+)(--?[A-Za-z0-9?]|/[A-Za-z?](?:[\s:,]|$))`)
	metaWord   = compile(`^(?:\[=?|[=:]|\s)\s?(<[^<>\s][^<>]{0,60}>|\{[^{}]{1,200}\}|\[[^\[\]\s|]+(?:\|[^\[\]|]+)+\]|\([^()|]+(?:\|[^()|]+)+\)|[\w.+\-]+(?:\|[\w.+\-]+)+|INTEGER RANGE|[A-Z][A-Z0-9_\-]*)(?:\.\.\.)?\]?(?:$|[\s,:;]|\.\.\.)`)
	lowerMeta  = compile(`^(?:[=:]\s?|\s)(<?[a-z][\w\-]*>?)\]?(?:\s{2,}|\t|\s*$|,\s*--?\w)`)
	shownMeta  = compile(`^=("[^"]*"|'[^']*'|-?\d+(?:\.\d+)?|true|false):`)
	operandRow = compile(`^(?:<([\p{L}_][\p{L}\p{N}_ \-]*)>|\[([\p{L}_][\p{L}\p{N}_\-]*)\]|([\p{L}_][\p{L}\p{N}_\-]*)|\{([^{}]{1,200})\})(?:\.\.\.)?(\s{2,}\S.*|\t.*|\s+[-–—]\s.*|:\s.*|\s*)$`)
	// operandHead leads the operands.
	operandHead = compile(`^(?i:\s*(?:positional(?: arguments| parameters)?|positionals|arguments|args|operands|parameters|required arguments)\s*:?\s*)$`)
	podItem     = compile(`^\s*=item\s+(?:\*\s+)?`)
	podMarks    = compile(`[BICLF]<([^<>]*)>`)
	afterHead   = compile(`^[\s:]*(?:(?:[-–—]+|#)\s+)?`)
	thorFlag    = compile(`^((?:-\w, )?)\[(--[^\[\]]+)\]`)
)

const (
	maxOptions = 60
	outside    = -1 // no list is open
	inPod      = -2 // the words of an item stand as deep as its head, up to the next command of POD
)

// withoutBox takes away the frame that typer draws.
func withoutBox(line string) string {
	if !strings.ContainsAny(line, "│─╭╰") {
		return line
	}
	return strings.TrimRight(strings.Replace(boxRunes.Replace(line), "*", " ", 1), " ")
}

var boxRunes = strings.NewReplacer("│", " ", "─", " ", "╭", " ", "╮", " ", "╰", " ", "╯", " ")

// optionsOf reads the options of a passage's lines.
func optionsOf(lines []string) []option {
	var out []option
	operands, last := outside, outside // the indents of a list of operands and of the last item
	for i := 0; i < len(lines) && len(out) < maxOptions; i++ {
		line := withoutBox(lines[i])
		trimmed, indent := strings.TrimSpace(line), leading(line)
		if podItem.MatchString(line) {
			trimmed, indent = podMarks.ReplaceAllString(podItem.ReplaceAllString(line, ""), "$1"), inPod
		}
		switch o, ok := optionOf(trimmed); {
		case last == inPod && (trimmed == "" || !ok && !strings.HasPrefix(trimmed, "=")):
			out[len(out)-1].say(trimmed)
		case trimmed == "":
			if last >= 0 && !goesOn(lines[i+1:], last) {
				last = outside
			}
		case ok && (last < 0 || indent <= last+2 || o.words != "" || indent == inPod):
			out, last = append(out, o), indent
		case operandHead.MatchString(line):
			operands, last = indent, outside
		case last >= 0 && indent > last:
			out[len(out)-1].say(trimmed)
		case operands >= 0 && indent > operands:
			if o, ok := operandOf(trimmed); ok {
				out, last = append(out, o), indent
			}
		default:
			last = outside
			if indent <= operands {
				operands = outside
			}
		}
	}
	return out
}

// goesOn reports whether an item goes on behind an empty line: with words that stand deeper than its head.
func goesOn(lines []string, indent int) bool {
	for _, l := range lines {
		if t := strings.TrimSpace(l); t != "" {
			return leading(l) > indent && !strings.HasPrefix(t, "-")
		}
	}
	return false
}

// say adds words of a further line.
func (o *option) say(words string) {
	if fact, ok := strings.CutPrefix(words, "# "); ok {
		words = "[" + fact + "]" // as thor writes it
	}
	o.words = strings.TrimSpace(o.words + " " + strings.TrimPrefix(words, ": "))
	o.line += " " + words
}

// optionOf reads a line that begins with an option: "-n, --lines NUM   how many".
func optionOf(line string) (option, bool) {
	o := option{line: clean(line)}
	rest := strings.TrimPrefix(strings.TrimPrefix(line, "* "), "- ")
	rest = strings.Trim(thorFlag.ReplaceAllString(rest, "$1$2"), "`")
	for {
		m := flagHead.FindString(rest)
		if m == "" {
			break
		}
		o.flags = append(o.flags, m)
		rest = o.value(rest[len(m):])
		next := flagNext.FindStringSubmatchIndex(rest)
		if next == nil || len(o.flags) > 4 {
			break
		}
		rest = rest[next[2]:]
	}
	if len(o.flags) == 0 || o.word == "" && strings.IndexAny(strings.TrimLeft(rest, " "), "[{<(|") == 0 && !bracketFacts.MatchString(rest) {
		return o, false
	}
	if shownCall.MatchString(rest) {
		return o, false
	}
	o.words = strings.TrimSpace(afterHead.ReplaceAllString(strings.TrimLeft(rest, "`"), ""))
	return o, true
}

// shownCall goes on from one option with its value to the next: "--keep=7 --label=nightly".
var shownCall = compile(`^=\S+\s+--?[A-Za-z]`)

// value takes the word that stands for an option's value.
func (o *option) value(rest string) string {
	if m := metaWord.FindStringSubmatchIndex(rest); m != nil {
		o.word = rest[m[2]:m[3]]
		return strings.TrimLeft(rest[m[3]:], "].")
	}
	if m := shownMeta.FindStringSubmatch(rest); m != nil {
		o.shown = m[1]
		return rest[len(m[0])-1:]
	}
	if m := lowerMeta.FindStringSubmatchIndex(rest); m != nil {
		o.word = rest[m[2]:m[3]]
		return strings.TrimLeft(rest[m[3]:], "]")
	}
	return rest
}

// operandOf reads a line of a list of operands: "volume    name of the volume".
func operandOf(line string) (option, bool) {
	m := operandRow.FindStringSubmatch(line)
	if m == nil {
		return option{}, false
	}
	o := option{word: m[1] + m[2] + m[3], line: clean(line)}
	if m[4] != "" {
		o.word = "{" + m[4] + "}"
	}
	o.words = strings.TrimSpace(afterHead.ReplaceAllString(m[5], ""))
	if typed := leadingType.FindString(o.words); typed != "" {
		o.words = "(" + strings.ToLower(strings.TrimSpace(typed)) + ") " + o.words[len(typed):]
	}
	return o, true
}

// leadingType is the type of an operand before its words.
var leadingType = compile(`^(?:TEXT|STRING|STR|INTEGER|INT|FLOAT|BOOLEAN|BOOL|PATH)\s{2,}`)

// options are those of all passages, read once.
func (b *builder) options() []option {
	if b.offered != nil {
		return b.offered
	}
	out := []option{}
	for _, p := range b.passages() {
		if p.label != "ex" {
			out = append(out, optionsOf(p.lines)...)
		}
	}
	b.offered = out[:min(len(out), maxOptions)]
	return b.offered
}

// withOptions completes the arguments of a synopsis with what a list of options says of them, and adds
// those that the synopsis leaves to the list.
func (b *builder) withOptions(params []docParam, options []option) []docParam {
	bare := len(params) == 0
	for _, o := range options {
		at := slices.IndexFunc(params, func(d docParam) bool { return o.describes(d) })
		switch {
		case at >= 0:
			o.complete(&params[at])
			params[at].name = o.name(params[at].name)
		case len(o.flags) == 0 && bare:
			d := docParam{name: lowerName(o.word), word: o.word, from: contract.FromArgs, source: source{words: o.line}}
			o.complete(&d)
			params = append(params, d)
		case len(o.flags) > 0 && b.carried(o.flags) != "":
			d := docParam{flag: b.carried(o.flags), word: strings.Trim(o.word, "<>"), from: contract.FromArgs, source: source{words: o.line}}
			d.name = o.name(d.flag)
			o.complete(&d)
			d.optionalArg = d.required == nil
			params = append(params, d)
		}
	}
	return params
}

// describes reports whether an item is of an argument that a synopsis has.
func (o option) describes(d docParam) bool {
	if len(o.flags) == 0 {
		return d.flag == "" && d.word != "" && strings.EqualFold(squash(d.word), squash(o.word))
	}
	if d.flag == "" {
		return strings.HasPrefix(o.flags[0], "/") && d.word != "" && d.word == o.word // a synopsis of Windows
	}
	return slices.ContainsFunc(o.flags, func(f string) bool { return strings.TrimLeft(f, "-") == d.flag })
}

// name is what an option is called: by its long form, else by the word for its value where that tells
// more than a type, else by its letter.
func (o option) name(known string) string {
	if len(o.flags) == 0 {
		return known
	}
	long := slices.MaxFunc(o.flags, func(a, b string) int { return len(a) - len(b) })
	word := strings.Trim(o.word, "<>")
	switch bare := strings.TrimLeft(long, "-/"); {
	case len(bare) > 2 || len(bare) == 2 && strings.HasPrefix(long, "--"):
		return snake(bare)
	case optionName.MatchString(word) && len(word) > 1 && !isGeneric(word):
		return lowerName(word)
	default:
		return bare
	}
}

// carried is the flag of those that the template gives a value, "" for none.
func (b *builder) carried(flags []string) string {
	for _, i := range b.shape.indexes() {
		f := b.shape.slots[i]
		for _, flag := range flags {
			bare := strings.TrimLeft(flag, "-/")
			if b.shape.argv && f.flag() == bare || !b.shape.argv && anySquashed(f.hints(), bare) {
				return bare
			}
		}
	}
	return ""
}

// complete reads what an item says.
func (o option) complete(d *docParam) {
	word := strings.Trim(o.word, "<>")
	if d.schema.len() == 0 || d.schema.text("type") == "boolean" && o.word != "" {
		d.schema = metaType(o.word)
	}
	if values := metaValues(word); len(values) > 1 {
		d.setEnum(values)
	}
	if v, ok := literal(o.shown); ok && v != "" {
		d.value, d.hasDefault = v, true
	}
	d.readFacts(o.words)
	d.readProse()
}

// metaValues are the values that stand where a word for one would: "{a,b}", "[a|b]", "a|b".
func metaValues(word string) []any {
	list := strings.Trim(word, "{}[]()<>")
	if !strings.ContainsAny(list, "|,") {
		return nil
	}
	return splitValues(list)
}

// metaType is the type that the word for a value says: "int", "INTEGER", "<string>". NUM tells only that
// it is some number.
func metaType(word string) *object {
	word = strings.TrimSuffix(strings.Trim(word, "<>"), " RANGE")
	if _, typed, ok := strings.Cut(word, ":"); ok {
		word = typed
	}
	if strings.HasPrefix(word, "NUM") || !optionName.MatchString(word) {
		return nil
	}
	t, ok := parseWords(strings.ToLower(word))
	if !ok || !slices.Contains([]string{"integer", "number", "boolean", "string"}, t.schema.text("type")) {
		return nil
	}
	if t.schema.text("type") == "string" {
		return nil // what every option is
	}
	return obj("type", t.schema.text("type"))
}

// genericWords stand for values of whatever option.
var genericWords = strings.Fields(`n num nr number val value arg argument x y k m str file dir directory folder filename name id word int64 uint`)

// isGeneric reports whether the word for a value tells only what kind of value it is.
func isGeneric(word string) bool {
	word = strings.ToLower(strings.Trim(word, "<>"))
	_, isType := typeWords[word]
	return isType || slices.Contains(genericWords, word)
}

// snake makes "max_errors" of "max-errors".
func snake(word string) string {
	if name := strings.ReplaceAll(word, "-", "_"); identifierPattern.MatchString(name) {
		return name
	}
	return identifier(word)
}

var (
	// bracketFacts is what a help text sets in brackets: "[default: 5]", "(default 30)", "[required]".
	bracketFacts  = compile(`\[([^\[\]]{1,200})\]|\(((?i:default|choices|choose from|required|possible values|one of|env|options)\b[^()]{0,200})\)`)
	defaultFact   = compile(`^(?i:defaults?(?:\s*[:=]|\s+(?:is|to|value:?))?)\s*("[^"]*"|'[^']*'|\S+?)(?:,\s*(?i:env|required|type).*)?$`)
	choicesFact   = compile(`^(?i:possible values|choices|choose from|one of|options|values|allowed)\s*[:=]?\s*(.+)$`)
	orDefaultFact = compile(`^(?i:default)\b`)
)

// readFacts reads the words of an option, first the facts that it sets in brackets.
func (p *docParam) readFacts(words string) {
	rest := words
	for _, m := range bracketFacts.FindAllStringSubmatch(words, 8) {
		if p.fact(m[1] + m[2]) {
			rest = strings.Replace(rest, m[0], "", 1)
		}
	}
	p.readText(strings.TrimSpace(rest))
}

// fact takes what one bracket says.
func (p *docParam) fact(inner string) bool {
	inner = strings.TrimSpace(inner)
	if m := defaultFact.FindStringSubmatch(inner); m != nil {
		if v, ok := literal(m[1]); ok && !(v == m[1] && slices.Contains(noValues, strings.ToLower(m[1]))) {
			p.value, p.hasDefault = asTyped(v, m[1] != v, p.schema), true
		} else {
			p.optionalArg = true
		}
		return true
	}
	if m := choicesFact.FindStringSubmatch(inner); m != nil {
		if values := splitValues(strings.ReplaceAll(m[1], " or ", ", ")); len(values) > 1 {
			p.setEnum(values)
			return true
		}
	}
	switch lower := strings.ToLower(inner); {
	case orDefaultFact.MatchString(inner):
		p.optionalArg = true
		return false
	case lower == "required" || lower == "mandatory":
		p.required = new(true)
	case lower == "optional":
		p.optionalArg = true
	case strings.HasPrefix(lower, "env"):
	default:
		t, ok := parseWords(inner)
		if !ok || t.schema.len() == 0 || t.schema.text("type") == "array" {
			return false
		}
		p.setType(t)
	}
	return true
}
