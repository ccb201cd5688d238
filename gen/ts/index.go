package ts

// This file makes the index: one line a method.

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"codemode/gen/schema"
)

const (
	maxIndexArgs    = 10
	maxIndexPurpose = 100 // bytes
)

// Line is what the index says of a method.
type Line struct {
	// Call is its name and arguments, "?" after those that may be left out.
	Call string
	// Purpose is the first sentence of its description that tells it from the others of its
	// namespace; "" where there is none.
	Purpose string
}

// String is the line without its end: crm.listContacts(status?, limit?) - Lists the contacts
func (l Line) String() string {
	if l.Purpose == "" {
		return l.Call
	}
	return l.Call + " - " + l.Purpose
}

// Index makes a line for each method, in the order given. The methods should be whole namespaces: what
// most of a namespace's descriptions say alike is said in no line.
func Index(methods []*Method) []Line {
	spaces := map[string][]string{}
	for _, m := range methods {
		spaces[m.namespace] = append(spaces[m.namespace], oneLine(m.contract.Description))
	}
	alike := map[string]repeated{}
	for ns, descriptions := range spaces {
		alike[ns] = repetition(descriptions)
	}
	lines := make([]Line, len(methods))
	for i, m := range methods {
		c := m.contract
		lines[i].Call = oneLine(c.Name) + "(" + strings.Join(m.argumentNames(), ", ") + ")"
		if c.Deprecated != "" {
			lines[i].Call += " (deprecated)"
		}
		lines[i].Purpose = alike[m.namespace].purpose(oneLine(c.Description))
	}
	return lines
}

// repeated are the sentences, and what leads a sentence, that more than half of a namespace's
// descriptions have.
type repeated struct{ sentences, leads map[string]bool }

func repetition(descriptions []string) repeated {
	r := repeated{map[string]bool{}, map[string]bool{}}
	if len(descriptions) < 2 {
		return r
	}
	sentences, leading := map[string]int{}, map[string]int{}
	for _, d := range descriptions {
		in := map[string]bool{} // a description counts once
		for rest := d; rest != ""; {
			var s string
			s, rest = cutSentence(rest)
			for _, lead := range leads(s) {
				if !in[lead] {
					leading[lead]++
					in[lead] = true
				}
			}
			if !in[s] {
				sentences[s]++
				in[s] = true
			}
		}
	}
	keep := func(counts map[string]int, into map[string]bool) {
		for text, n := range counts {
			into[text] = 2*n > len(descriptions)
		}
	}
	keep(sentences, r.sentences)
	keep(leading, r.leads)
	return r
}

// purpose is the first sentence of a description that is not repeated, else its first.
func (r repeated) purpose(description string) string {
	first, _ := cutSentence(description)
	for rest := description; rest != ""; {
		var s string
		if s, rest = cutSentence(rest); !r.sentences[s] {
			first = s
			break
		}
	}
	for _, lead := range slices.Backward(leads(first)) {
		if r.leads[lead] && !r.sentences[first] {
			first = strings.TrimSpace(first[len(lead):])
			break
		}
	}
	if strings.HasSuffix(first, ".") && !strings.HasSuffix(first, "..") && !endsInAbbreviation(first) {
		first = first[:len(first)-1]
	}
	return shortened(first)
}

const (
	maxLead  = 400 // bytes
	maxLeads = 8   // of one sentence
)

// leads are the beginnings of a sentence up to a colon, dash, bracket or abbreviation, the shortest
// first: "Tool description: ". Something of the sentence is left after each.
func leads(s string) (out []string) {
	for at := 1; at < min(len(s), maxLead)-2 && len(out) < maxLeads; at++ {
		switch s[at : at+2] {
		case ": ", "- ", "] ", ". ":
			out = append(out, s[:at+2])
		}
	}
	return out
}

// argumentNames lists the arguments as a call names them.
func (m *Method) argumentNames() []string {
	if m.params == nil {
		return nil
	}
	props := map[string]schema.Property{}
	gather(m.params, true, props)
	list := make([]schema.Property, 0, len(props))
	for _, p := range props {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b schema.Property) int { return strings.Compare(a.Name, b.Name) })
	var names []string
	for i, p := range schema.InOrder(list, m.order) {
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

// cutSentence returns the first sentence of a line, and what follows it.
func cutSentence(line string) (sentence, rest string) {
	for i, r := range line {
		if !strings.ContainsRune(".!?。！？", r) {
			continue
		}
		end := i + utf8.RuneLen(r)
		if r < 0x80 && !startsSentence(line[end:]) || r == '.' && endsInAbbreviation(line[:end]) {
			continue
		}
		return line[:end], strings.TrimSpace(line[end:])
	}
	return line, ""
}

// shortened cuts a long sentence at a word and says so.
func shortened(line string) string {
	if len(line) <= maxIndexPurpose {
		return line
	}
	cut := line[:maxIndexPurpose]
	for !utf8.ValidString(cut) {
		cut = cut[:len(cut)-1]
	}
	if i := strings.LastIndexByte(cut, ' '); i > maxIndexPurpose/2 {
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
