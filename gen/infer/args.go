package infer

// This file reads documented arguments: argument lists, ARGS lines in the forms people write them,
// and the "Args:" section of a description.

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"codemode/directory"
	"codemode/directory/contract"
)

// docParam is one argument as the documentation tells it.
type docParam struct {
	name        string
	index       int     // the N of "$1=name", 0 when the order says it
	schema      *object // nil: no type said
	fromProse   bool    // the description alone says the type
	required    *bool   // nil: unsaid
	optionalArg bool    // "name?" of "[name]": the caller may leave it out
	value       any     // the default
	hasDefault  bool
	description string
	from        contract.Provenance
}

// typeFrom is where the type came from.
func (p docParam) typeFrom() contract.Provenance {
	if p.fromProse {
		return contract.FromProse
	}
	return contract.FromArgs
}

// docArgs is what the documentation says of a row's arguments.
type docArgs struct {
	params []docParam
	// object says that the arguments are the members of one JSON object: "{city, days?}".
	object bool
	// words is a lone "a|b|c": three arguments or the values of one; the template tells.
	words []string
	none  bool     // "none": the row takes nothing
	prose []string // lines that could not be read
}

const maxDocParams = 100

// documented gathers what the row says, strongest source first.
func documented(row directory.Row, description string) docArgs {
	if len(row.Arguments) > 0 {
		return listedArgs(row.Arguments)
	}
	if args := readArgs(row.Docs.Args); len(args.params) > 0 || args.none || len(args.prose) > 0 {
		return args
	}
	return readArgs(section(description, "args", "arguments", "parameters", "params"))
}

// listedArgs reads an argument list. Where some entries carry a flag and others none, the flag is
// the exception: the others are the opposite.
func listedArgs(list []directory.Argument) docArgs {
	saysOptional := slices.ContainsFunc(list, func(a directory.Argument) bool { return a.Optional != nil && *a.Optional })
	saysRequired := slices.ContainsFunc(list, func(a directory.Argument) bool { return a.Required != nil && *a.Required })
	var out docArgs
	for _, a := range list {
		if len(out.params) == maxDocParams {
			out.prose = append(out.prose, "further arguments")
			break
		}
		p := docParam{name: a.Name, description: clean(a.Description), from: contract.FromArgs, required: flagged(a)}
		if p.required == nil && saysOptional != saysRequired {
			p.required = new(saysOptional)
		}
		if t, ok := parseWords(a.Type); ok {
			p.schema, p.optionalArg = t.schema, t.optional
		}
		p.addItems(a.Items)
		p.readProse()
		out.params = append(out.params, p)
	}
	return out
}

func flagged(a directory.Argument) *bool {
	switch {
	case a.Required != nil:
		return a.Required
	case a.Optional != nil:
		return new(!*a.Optional)
	}
	return nil
}

func (p *docParam) addItems(raw json.RawMessage) {
	if len(raw) == 0 || !slices.Contains(typesOf(p.schema), "array") || p.schema.has("items") {
		return
	}
	if tree, err := parseTree(raw, maxTypeDepth); err == nil {
		if items, ok := normalize(tree, func(string, ...any) {}).(*object); ok && items.len() > 0 {
			p.schema.set("items", items)
		}
	}
}

// readArgs reads ARGS lines.
func readArgs(entries []string) docArgs {
	var out docArgs
	for _, entry := range entries {
		entry = strings.TrimSpace(entry)
		if strings.HasPrefix(entry, "{") && out.addShape(entry) {
			continue
		}
		for _, line := range strings.Split(entry, "\n") {
			out.addLine(strings.TrimSpace(line))
		}
	}
	out.params = out.params[:min(len(out.params), maxDocParams)]
	return out
}

var bullet = regexp.MustCompile(`^(?:[-*•]|\d{1,2}[.)])\s+`)

func (d *docArgs) addLine(line string) {
	line = bullet.ReplaceAllString(line, "")
	switch {
	case line == "":
	case isNothing(line):
		d.none = len(d.params) == 0
	case strings.HasPrefix(line, "{") && d.addShape(line):
	case d.addUsage(line), d.addPipes(line), d.addCommas(line):
	default:
		d.addItem(line)
	}
}

func isNothing(line string) bool {
	switch strings.ToLower(strings.Trim(line, " .()-")) {
	case "", "none", "no arguments", "no args", "no parameters", "n/a", "nothing", "null":
		return true
	}
	return false
}

// addShape reads "{city, days?: number}" and "{"city": "string"}": the members of one JSON object.
func (d *docArgs) addShape(text string) bool {
	t, _, ok := parseTypePrefix(text)
	props := t.schema.object("properties")
	if !ok || props == nil || len(d.params) > 0 {
		return false
	}
	unquoteTypes(t.schema)
	required, _ := t.schema.values["required"].([]any)
	for _, name := range props.keys {
		p := docParam{name: name, from: contract.FromArgs, optionalArg: !slices.Contains(required, any(name))}
		if sub, _ := props.values[name].(*object); sub.len() > 0 {
			p.schema = sub
		}
		d.params = append(d.params, p)
	}
	d.object = true
	return true
}

// unquoteTypes reads {"city": "string"} as a type and {"city": "Paris"} as an example, which says
// nothing of the type for certain.
func unquoteTypes(o *object) {
	props := o.object("properties")
	for i := 0; i < props.len(); i++ {
		name := props.keys[i]
		sub, _ := props.values[name].(*object)
		if list, _ := sub.value("enum").([]any); sub.len() == 1 && len(list) == 1 {
			word, _ := list[0].(string)
			t, ok := parseWords(word)
			if !ok {
				t.schema = obj()
			}
			props.set(name, t.schema)
			continue
		}
		unquoteTypes(sub)
		if items := sub.object("items"); items != nil {
			unquoteTypes(items)
		}
	}
}

// addPipes reads "a|b|c": several arguments in the order of the legacy body.
func (d *docArgs) addPipes(line string) bool {
	pieces := splitTop(line, '|')
	if len(pieces) < 2 {
		return false
	}
	head, _, labelled := strings.Cut(pieces[0], ":")
	if labelled && !strings.Contains(strings.Join(pieces[1:], ""), ":") {
		if !slices.Contains([]string{"args", "input", "body", "usage", "params"}, strings.ToLower(head)) {
			return false // "format: json|csv" is one argument
		}
		pieces[0] = strings.TrimPrefix(pieces[0], head+":")
	}
	var items []docParam
	words := true
	for i, piece := range pieces {
		p, ok := readItem(piece)
		if !ok || p.name == "" {
			return false
		}
		words = words && p.name == strings.TrimSpace(piece) && i < 20
		items = append(items, p)
	}
	if words && len(d.params) == 0 {
		for _, p := range items {
			d.words = append(d.words, p.name)
		}
	}
	d.params = append(d.params, items...)
	return true
}

// addCommas reads "city, units (optional), days=7", where each piece is clearly an argument.
func (d *docArgs) addCommas(line string) bool {
	pieces := splitTop(line, ',')
	if len(pieces) < 2 {
		return false
	}
	var items []docParam
	for _, piece := range pieces {
		if !commaItem.MatchString(strings.TrimSpace(piece)) {
			return false
		}
		p, ok := readItem(piece)
		if !ok || p.name == "" {
			return false
		}
		items = append(items, p)
	}
	d.params = append(d.params, items...)
	return true
}

var commaItem = regexp.MustCompile(`^(?:\$\d{1,2}\s*[=:]\s*)?[\p{L}_][\p{L}\p{N}_.\-]*[?+]?(?:\s*\([^()]*\)|\s*=\s*[^\s,]+|\s*:\s*[\p{L}\[\]<>]+)?$`)

func (d *docArgs) addItem(line string) {
	p, ok := readItem(line)
	if !ok {
		d.prose = append(d.prose, clean(line))
		if n := len(d.params); n > 0 && !d.object { // a sentence goes on
			d.params[n-1].description = strings.TrimSpace(d.params[n-1].description + " " + clean(line))
		}
		return
	}
	d.params = append(d.params, p)
}

var (
	itemHead = regexp.MustCompile(`^(?:\$(\d{1,2})\+?\s*[:=\-–]\s*)?` + "`?" + `([\p{L}_][\p{L}\p{N}_.\-\[\]]{0,79}?)` + "`?" + `(\?|\+|\.\.\.)?\s*(=\s*\S.*|\(.*|:.*|[-–—]\s.*|)$`)
	slotHead = regexp.MustCompile(`^\$(\d{1,2})\+?\s*(?:[:=\-–]\s*)?(\S.*)$`)
)

// readItem reads one argument: "name", "name?", "name=10", "name (int, optional): text",
// "name: type - text", "$2=name", "$2: text".
func readItem(item string) (docParam, bool) {
	item = strings.TrimSpace(item)
	if len(item) > maxTypeText {
		return docParam{}, false
	}
	if m := itemHead.FindStringSubmatch(item); m != nil && !slices.Contains([]string{"e.g", "i.e", "see", "note"}, strings.ToLower(strings.Trim(m[2], "."))) {
		index, _ := strconv.Atoi(m[1])
		p := docParam{name: m[2], index: index, from: contract.FromArgs, optionalArg: m[3] == "?"}
		p.readRest(m[4])
		p.readProse()
		return p, true
	}
	if m := slotHead.FindStringSubmatch(item); m != nil {
		index, _ := strconv.Atoi(m[1])
		p := docParam{index: index, from: contract.FromNone, description: clean(m[2])}
		p.readProse()
		return p, index > 0
	}
	return docParam{}, false
}

// readRest reads what follows the name.
func (p *docParam) readRest(rest string) {
	if strings.HasPrefix(rest, "(") {
		inner, after, ok := cutParen(rest)
		if ok {
			p.readMeta(inner)
			rest = after
		}
	}
	rest = strings.TrimSpace(rest)
	switch {
	case strings.HasPrefix(rest, "="):
		p.readDefault(rest[1:])
	case strings.HasPrefix(rest, ":"):
		p.readTyped(strings.TrimSpace(rest[1:]))
	default:
		p.addText(strings.TrimLeft(rest, "-–— "))
	}
}

func (p *docParam) readDefault(s string) {
	value, text, _ := strings.Cut(strings.TrimSpace(s), " ")
	if v, ok := literal(value); ok {
		p.value, p.hasDefault = v, true
	} else {
		text = s
	}
	p.addText(strings.TrimLeft(text, "-–— "))
}

// readTyped reads "type - text", "type, optional", "json|csv", or text alone.
func (p *docParam) readTyped(s string) {
	t, rest, ok := parseTypePrefix(s)
	if ok && t.schema != nil && (rest == "" || strings.ContainsRune("-–—,(;.=", []rune(rest)[0])) {
		p.setType(t)
		switch {
		case strings.HasPrefix(rest, "="):
			p.readDefault(rest[1:])
			return
		case strings.HasPrefix(rest, "("):
			p.readRest(rest)
			return
		case strings.HasPrefix(rest, ","):
			meta, text, _ := strings.Cut(rest[1:], " - ")
			p.readMeta(meta)
			p.addText(text)
			return
		}
		p.addText(strings.TrimLeft(rest, "-–—;. "))
		return
	}
	if m := pipedWords.FindStringSubmatch(s); m != nil {
		p.setEnum(splitValues(m[1]))
		p.addText(strings.TrimLeft(m[2], "-–—,;. "))
		return
	}
	p.addText(s)
}

var pipedWords = regexp.MustCompile(`^([\w.+\-]+(?:\s?\|\s?[\w.+\-]+)+)(?:$|([\s,;(].*)$)`)

func (p *docParam) setType(t typeText) {
	if t.schema.len() > 0 && p.schema == nil {
		p.schema = t.schema
	}
	p.optionalArg = p.optionalArg || t.optional
}

func (p *docParam) setEnum(values []any) {
	if len(values) > 1 && (p.schema == nil || !p.schema.has("enum")) {
		p.schema = obj("enum", distinct(values))
	}
}

// readMeta reads the words in brackets after a name: "int, optional, default 10".
func (p *docParam) readMeta(meta string) {
	var text []string
	for _, part := range splitTop(meta, ',') {
		part = strings.TrimSpace(part)
		lower := strings.ToLower(part)
		if t, ok := parseWords(part); ok && lower != "optional" && lower != "required" {
			p.setType(t)
		} else if m := pipedWords.FindStringSubmatch(part); m != nil && m[2] == "" {
			p.setEnum(splitValues(m[1]))
		} else if lower == "optional" {
			p.optionalArg = true
		} else if lower == "required" {
			p.required = new(true)
		} else if part != "" {
			text = append(text, part)
		}
	}
	if len(text) > 0 {
		p.addText("(" + strings.Join(text, ", ") + ")")
	}
}

func (p *docParam) addText(s string) {
	p.description = strings.TrimSpace(p.description + " " + clean(s))
}

// cutParen splits after the bracket that closes the first one.
func cutParen(s string) (inner, after string, ok bool) {
	depth := 0
	for i, r := range s {
		switch r {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return s[1:i], s[i+1:], true
			}
		}
	}
	return "", s, false
}

// splitTop splits at a separator outside brackets and quotes.
func splitTop(s string, sep rune) []string {
	var out []string
	depth, start := 0, 0
	var quote rune
	for i, r := range s {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '`':
			quote = r
		case strings.ContainsRune("([{<", r):
			depth++
		case strings.ContainsRune(")]}>", r):
			depth--
		case r == sep && depth <= 0:
			out = append(out, s[start:i])
			start = i + len(string(sep))
		}
	}
	return append(out, s[start:])
}

var (
	usageToken = regexp.MustCompile(`\[?(?:(--?[A-Za-z][\w\-]*)[ =])?<([\p{L}_][\p{L}\p{N}_\- ]*)>(\.\.\.)?\]?|\[(--?[A-Za-z][\w\-]*)(?:[ =]([A-Z][A-Z0-9_\-]*))?\]|\[([\p{L}_][\p{L}\p{N}_\-]*)(\.\.\.)?\]|(--[A-Za-z][\w\-]*)[ =]([A-Z][A-Z0-9_\-]*)`)
	onlyUsage  = regexp.MustCompile(`^[\s|.]*$`)
)

// addUsage reads a command line's usage: "<file> [--rate N] [out]". A switch without a value is no
// argument of a positional body and is left to the template.
func (d *docArgs) addUsage(line string) bool {
	usage, text, _ := strings.Cut(line, " - ")
	if !onlyUsage.MatchString(usageToken.ReplaceAllString(usage, "")) {
		return false
	}
	found := usageToken.FindAllStringSubmatch(usage, maxDocParams)
	for _, m := range found {
		name := m[2] + m[6]
		if flag := m[1] + m[4] + m[8]; flag != "" {
			name = strings.TrimLeft(flag, "-")
		}
		p := docParam{name: identifier(name), from: contract.FromArgs, optionalArg: strings.HasPrefix(m[0], "[")}
		if m[4] != "" && m[5] == "" {
			p.schema = obj("type", "boolean")
		}
		d.params = append(d.params, p)
	}
	if len(found) == 1 {
		d.params[len(d.params)-1].addText(text)
	}
	return len(found) > 0
}

// section returns the indented lines below a heading of a description ("Args:", as Google's Python
// style writes it).
func section(text string, headings ...string) []string {
	lines := strings.Split(text, "\n")
	at := slices.IndexFunc(lines, func(l string) bool {
		head, ok := strings.CutSuffix(strings.TrimSpace(l), ":")
		return ok && slices.Contains(headings, strings.ToLower(head))
	})
	if at < 0 {
		return nil
	}
	indent := leading(lines[at])
	var out []string
	for _, l := range lines[at+1:] {
		if strings.TrimSpace(l) == "" || leading(l) <= indent || len(out) == maxDocParams {
			break
		}
		if len(out) > 0 && leading(l) > leading(lines[at+1]) {
			out[len(out)-1] += " " + strings.TrimSpace(l) // a description goes on
			continue
		}
		out = append(out, strings.TrimSpace(l))
	}
	return out
}

func leading(s string) int {
	return len(s) - len(strings.TrimLeftFunc(s, unicode.IsSpace))
}

// identifier makes a parameter's name of a word from the surroundings: "X-Api-Version" and "max
// count" become xApiVersion and maxCount; what is an identifier already stays.
func identifier(s string) string {
	if identifierPattern.MatchString(s) {
		return s
	}
	var b strings.Builder
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
		if b.Len() == 0 {
			w = strings.ToLower(w)
		} else {
			runes := []rune(strings.ToLower(w))
			runes[0] = unicode.ToUpper(runes[0])
			w = string(runes)
		}
		b.WriteString(w)
	}
	if id := b.String(); identifierPattern.MatchString(id) {
		return id
	}
	return ""
}

var identifierPattern = regexp.MustCompile(`^[\p{L}_][\p{L}\p{N}_]{0,79}$`)

// clean makes text of a row fit to stand in a contract: valid, on one line, bounded.
func clean(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	if runes := []rune(s); len(runes) > 2000 {
		return string(runes[:2000]) + "..."
	}
	return s
}
