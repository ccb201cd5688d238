package ts

// This file writes the index: one line a method.

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"codemode/directory/contract"
	"codemode/gen/schema"
)

const (
	maxIndexArgs     = 10
	maxIndexSentence = 140 // bytes
)

// IndexLine writes the method in one line, without its end: name, arguments ("?" after those that
// may be left out), effect, and the first sentence of the description.
func IndexLine(c contract.Contract) string {
	line := oneLine(c.Name) + "(" + strings.Join(argumentNames(c), ", ") + ")"
	if c.Effect != "" {
		line += " " + oneLine(string(c.Effect))
	}
	if c.Deprecated != "" {
		line += " (deprecated)"
	}
	if s := firstSentence(oneLine(c.Description)); s != "" {
		line += " - " + s
	}
	return line
}

// argumentNames lists the arguments as a call names them; a schema that cannot be read gives "...".
func argumentNames(c contract.Contract) []string {
	g, err := schema.Parse(orTrue(c.Params), schema.Options{})
	if err != nil {
		return []string{"..."}
	}
	props := map[string]schema.Property{}
	gather(g.Root, true, props)
	list := make([]schema.Property, 0, len(props))
	for _, p := range props {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b schema.Property) int { return strings.Compare(a.Name, b.Name) })
	var names []string
	for i, p := range inOrder(list, positions(c.Positional)) {
		if i == maxIndexArgs {
			return append(names, "...")
		}
		name := p.Name
		if !isIdentifier(name) {
			name = quote(name)
		}
		names = append(names, name+mark(p))
	}
	return names
}

// gather collects the properties an argument may have; one is required only where every alternative
// requires it.
func gather(t *schema.Type, sure bool, into map[string]schema.Property) {
	body := follow(t)
	for _, p := range body.Properties {
		have, ok := into[p.Name]
		p.Required = p.Required && sure || ok && have.Required
		into[p.Name] = p
	}
	for _, m := range body.Members {
		if m.Kind == schema.Reference && follow(m).Kind != schema.Object {
			continue // an alternative of alternatives, perhaps this one again
		}
		gather(m, sure && body.Kind == schema.Intersection, into)
	}
}

// notEnds are words whose final dot ends no sentence.
var notEnds = set("e.g. i.e. etc. vs. cf. approx. no. nr. resp. incl. excl. max. min. dr. mr. mrs. ms. st. inc. ltd. fig. ca. al. p. pp. ver. v.")

// firstSentence returns the first sentence of a line, cut at a word if it is long.
func firstSentence(line string) string {
	for i, r := range line {
		if !strings.ContainsRune(".!?。！？", r) {
			continue
		}
		end := i + utf8.RuneLen(r)
		if r < 0x80 && !startsSentence(line[end:]) || r == '.' && endsInAbbreviation(line[:end]) {
			continue
		}
		line = line[:end]
		break
	}
	if len(line) <= maxIndexSentence {
		return line
	}
	cut := line[:maxIndexSentence]
	for !utf8.ValidString(cut) {
		cut = cut[:len(cut)-1]
	}
	if i := strings.LastIndexByte(cut, ' '); i > maxIndexSentence/2 {
		cut = cut[:i]
	}
	return cut + " ..."
}

// startsSentence reports whether what follows a full stop is a new sentence, or nothing.
func startsSentence(rest string) bool {
	if rest == "" {
		return true
	}
	if rest[0] != ' ' {
		return false
	}
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, ` "'([`))
	return !unicode.IsLower(r)
}

func endsInAbbreviation(text string) bool {
	word := text[strings.LastIndexByte(text, ' ')+1:]
	return notEnds[strings.ToLower(strings.TrimLeft(word, `("'[`))]
}
