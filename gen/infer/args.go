package infer

// This file reads documented arguments: argument lists, ARGS lines in the forms people write them,
// and the "Args:" section of a description.

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"codemode/directory"
	"codemode/directory/contract"
)

// docParam is one argument as the documentation tells it.
type docParam struct {
	name        string
	index       int                 // the N of "$1=name", 0 when the order says it
	flag        string              // the option that a synopsis gives it by, without dashes
	word        string              // what stands for it in a synopsis, COUNT, or the noun in a sentence
	many        bool                // a synopsis repeats it: "FILE..."
	schema      *object             // nil: no type said
	anything    bool                // "any", "JSON": said to take what it is given
	fromProse   bool                // the description alone says the type
	typed       contract.Provenance // where the type came from, "" for what fromProse says
	example     string              // the value that a pair shows
	phrase      bool                // the name is made of a sentence's words
	required    *bool               // nil: unsaid
	optionalArg bool                // "name?" of "[name]": the caller may leave it out
	presumed    bool                // required only since the form would say otherwise
	value       any                 // the default
	hasDefault  bool
	description string
	choices     []string // a bare list beside the name that may be its values
	choiceText  string   // how the list stands in the description
	from        contract.Provenance
	source      source // the item as written
	remark      source // a sentence elsewhere that completes it
}

// typeFrom is where the type came from.
func (p docParam) typeFrom() contract.Provenance {
	if p.typed != "" {
		return p.typed
	}
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
	// ordered says that the arguments come in the template's order, as those of a sentence do.
	ordered bool
	// introduced says that a line introduces them as something else, "Config keys:", which counts where no
	// template tells.
	introduced bool
	// settled says that they were held against the template already.
	settled bool
	// listed says that they stand as a list of their own: an example call, bullets, "a|b".
	listed bool
	// unsure says that the names are not said to be arguments: the template has to bear them out.
	unsure bool
	none   bool     // "none": the row takes nothing
	prose  []string // lines that could not be read
	// source is where they stand, and all that stands there.
	source source
}

const maxDocParams = 100

// listedArgs reads an argument list. Where some entries carry a flag and others none, the flag is
// the exception: the others are the opposite.
func listedArgs(list []directory.Argument) docArgs {
	saysOptional := slices.ContainsFunc(list, func(a directory.Argument) bool { return a.Optional != nil && *a.Optional })
	saysRequired := slices.ContainsFunc(list, func(a directory.Argument) bool { return a.Required != nil && *a.Required })
	out := docArgs{source: source{"arguments", ""}}
	for i, a := range list {
		if len(out.params) == maxDocParams {
			out.prose = append(out.prose, "further arguments")
			break
		}
		p := docParam{name: a.Name, from: contract.FromArgs, required: flagged(a), source: listed(i, a)}
		p.readText(clean(a.Description))
		if p.required == nil && saysOptional != saysRequired {
			p.required = new(saysOptional)
		}
		if t, ok := parseWords(a.Type); ok {
			p.setType(t)
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
	listedBeside(out.params)
	return out
}

var bullet = compile(`^(?:[-*•]|\d{1,2}[.)])\s+`)

func (d *docArgs) addLine(line string) {
	line = bullet.ReplaceAllString(line, "")
	switch {
	case line == "":
	case isNothing(line):
		d.none = len(d.params) == 0
	case strings.HasPrefix(line, "{") && d.addShape(line):
	case d.addColumns(line), d.addSignature(line), d.addGroups(line), d.addUsage(line), d.addPipes(line), d.addNames(line):
	case d.addSemicolons(line), d.addSpaced(line), d.addCommas(line), d.addTyped(line), d.addOrder(line), d.addAnd(line):
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
	told := toldMembers(props)
	unquoteTypes(t.schema)
	required, _ := t.schema.values["required"].([]any)
	for _, name := range props.keys {
		p := docParam{name: name, from: contract.FromArgs, optionalArg: !slices.Contains(required, any(name))}
		if sub, _ := props.values[name].(*object); sub.len() > 0 {
			p.schema = sub
		}
		if words, ok := told[name]; ok {
			p.schema = nil
			p.readMeta(words)
			p.readWords()
		}
		d.params = append(d.params, p)
	}
	d.object = true
	return true
}

// unquoteTypes reads {"city": "string"} as a type and {"city": "Paris"} as an example, which shows a text;
// {"days": "number of days"} says nothing that can be relied on.
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
				if strings.ContainsFunc(word, unicode.IsLetter) && !strings.ContainsFunc(word, unicode.IsSpace) {
					t.schema = obj("type", "string")
				}
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

// addCommas reads "city, units (optional), days=7", where each piece is clearly an argument.
func (d *docArgs) addCommas(line string) bool {
	pieces := splitTop(line, ',')
	if len(pieces) < 2 {
		return false
	}
	var items []docParam
	for i, piece := range pieces {
		piece = plainForm(withoutStar(strings.TrimSpace(piece)))
		if !commaItem.MatchString(piece) && !(i == len(pieces)-1 && dashItem.MatchString(piece)) {
			return false
		}
		p, ok := readItem(piece)
		if !ok || p.name == "" {
			return false
		}
		items = append(items, p)
	}
	if slices.ContainsFunc(pieces, func(s string) bool { return starredItem.MatchString(strings.TrimSpace(s)) }) {
		items = oppose(items)
	}
	d.params = append(d.params, items...)
	return true
}

// dashItem is a last item with words: "agg - avg|max|min (default avg)".
var dashItem = compile(`^[\p{L}_][\p{L}\p{N}_.\-]*[?+]?\s+[-–—]\s+\S.*$`)

var plainName = compile(`^[\p{L}_][\p{L}\p{N}_.\-]*[?+]?$`)

var commaItem = compile(`^(?:\$\d{1,2}\s*[=: ]\s*)?[\p{L}_][\p{L}\p{N}_.\-]*[?+]?(?:\s*\([^()]*\)|\s*=\s*[^\s,]+|\s*:\s*(?:[\p{L}\[\]<>]+|[\w.\-]+(?:\|[\w.\-]+)+))?$`)

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
