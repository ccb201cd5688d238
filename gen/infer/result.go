package infer

// This file reads what a row says of its result.

import (
	"slices"
	"strings"

	"codemode/directory"
	"codemode/directory/contract"
)

// result returns the schema of the result and where it came from; true is unknown.
func (b *builder) result() (any, contract.Provenance, source) {
	if !isBlank(b.row.OutputSchema) {
		if tree, ok := b.readSchema("output_schema", "result", b.row.OutputSchema); ok {
			if root, isObject := tree.(*object); isObject && isPropertyMap(root) {
				tree = obj("type", "object", "properties", root)
			}
			return orTrue(normalize(tree, b.remark("output_schema", "result"))), contract.FromSchema, source{"output_schema", string(b.row.OutputSchema)}
		}
	}
	for _, text := range b.row.Docs.Returns {
		if schema := returned(text); schema.len() > 0 && !(b.row.Type == directory.CLI && schema.text("type") == "null") {
			return schema, contract.FromArgs, source{"content # RETURNS", text}
		}
		if listOf.MatchString(text) {
			return obj("type", "array", "description", clean(text)), contract.FromArgs, source{"content # RETURNS", text}
		}
	}
	for _, text := range b.row.Docs.Returns {
		if schema := phraseResult(text); schema.len() > 0 {
			return schema, contract.FromArgs, source{"content # RETURNS", text}
		}
	}
	for _, text := range b.row.Docs.Returns {
		if schema, bad := returnedInPart(text); schema.len() > 0 {
			b.warn("result", "RETURNS has a field that cannot be read from \""+short(bad)+"\" on; it is taken as unknown", "write {name: type, other?: type} with string, integer, number, boolean, [type] or a shape")
			return schema, contract.FromArgs, source{"content # RETURNS", text}
		}
	}
	b.remarkReturns()
	for _, text := range b.prose() {
		if schema := proseResult(text); schema.len() > 0 {
			return schema, contract.FromProse, source{"description", text}
		}
	}
	if schema, from, at := b.toldResult(); schema.len() > 0 {
		return schema, from, at
	}
	if schema, from, ok := b.observed(); ok {
		return schema, contract.FromObserved, from
	}
	return true, contract.FromNone, source{}
}

// remarkReturns names what of a RETURNS line that begins like a shape cannot be read. The result stays
// unknown, or what the description says.
func (b *builder) remarkReturns() {
	for _, text := range b.row.Docs.Returns {
		if at := misread(withoutLead(text)); at != "" {
			b.warn("result", "RETURNS begins like a shape and cannot be read from \""+short(at)+"\" on", "write {name: type, other?: type} with string, integer, number, boolean, [type] or a shape")
		}
	}
}

// misread tells where a text that begins like a shape, "{id: strng}", cannot be read as one. It is
// "" for other text, and for a shape with words after it.
func misread(s string) string {
	s = strings.TrimSpace(s)
	if !strings.HasPrefix(s, "{") && !strings.HasPrefix(s, "[") {
		return ""
	}
	p := &typeParser{rest: s}
	if len(s) > maxTypeText {
		return s
	}
	if _, ok := p.union(0); ok {
		return ""
	}
	for _, at := range []string{p.bad, p.rest} {
		if at = strings.TrimSpace(at); at != "" {
			return at
		}
	}
	return "its end"
}

// withoutLead takes "JSON:" and the like from before a shape.
func withoutLead(text string) string {
	text = strings.TrimSpace(text)
	if m := shapeLead.FindString(text); m != "" && strings.HasPrefix(strings.TrimSpace(text[len(m):]), "{") {
		text = strings.TrimSpace(text[len(m):])
	}
	for _, lead := range []string{"JSON:", "JSON object:", "JSON array:", "JSON ", "json "} {
		if rest, ok := strings.CutPrefix(text, lead); ok && strings.HasPrefix(strings.TrimSpace(rest), "{") || ok && strings.HasPrefix(strings.TrimSpace(rest), "[") {
			text = strings.TrimSpace(rest)
		}
	}
	return text
}

// returnedInPart reads a shape of which some fields cannot be read, and says where the first of them begins.
func returnedInPart(text string) (*object, string) {
	text = withoutLead(text)
	p := &typeParser{rest: text, lenient: true}
	if len(text) > maxTypeText || !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return nil, ""
	}
	t, ok := p.union(0)
	if rest := strings.TrimSpace(p.rest); !ok || orElse.MatchString(rest) || !saysField(t.schema, 0) {
		return nil, ""
	}
	unquoteTypes(t.schema)
	if items := t.schema.object("items"); items != nil {
		unquoteTypes(items)
	}
	return t.schema, p.bad
}

// saysField reports whether a shape has a field of a known type.
func saysField(o *object, depth int) bool {
	if items := o.object("items"); items != nil && depth < maxTypeDepth {
		return saysField(items, depth+1)
	}
	props := o.object("properties")
	return slices.ContainsFunc(props.names(), func(n string) bool { sub, _ := props.values[n].(*object); return sub.len() > 0 })
}

// shapeLead is "object", "an object:", "JSON object like" before a shape in braces.
var shapeLead = compile(`^(?i:(?:an? )?(?:json )?(?:object|dict|record|map)\s*:?\s*(?:like |with |of the form )?)`)

// orTrue writes the empty schema in its short form.
func orTrue(v any) any {
	if o, ok := v.(*object); ok && o.len() == 0 {
		return true
	}
	return v
}

// afterType is what may follow a type without being part of it: the end, a break, or an alternative
// that is an error.
var afterType = compile(`(?i)^(?:$|[-–—.;:,(]|or (?:ERR|an? error)\b|on success\b|with keys\b|JSON\b|->|where\b)`)

// afterShape is what may also follow a type whose end its bracket shows: words on what it is of. Words
// on when it comes ("if found") would leave another result unsaid.
var afterShape = compile(`(?i)^(?:of|for|from|about|per|by|in|as|with|where|sorted|ordered|newest|oldest)\b`)

// orElse says that another result may come.
var orElse = compile(`(?i)\b(?:or|else|otherwise|if|when|unless)\b`)

// nothing says that there is no result: an empty answer, which arrives as null.
var nothing = compile(`(?i)^(?:nothing|no (?:content|body|result|value|data|output))(?: on success)?(?:\s*\([^()]*\))?\.?$`)

// listOf says that the result is a list, of things that are no types.
var listOf = compile(`^(?i:(?:an? |the )?(?:json )?(?:list|array) of )`)

// returned reads a RETURNS line: "{month, used}", "[{id, name}]", "string - the id".
func returned(text string) *object {
	text = withoutLead(text)
	if nothing.MatchString(text) {
		return obj("type", "null")
	}
	t, rest, ok := parseTypePrefix(text)
	bracketed := strings.HasSuffix(strings.TrimSpace(strings.TrimSuffix(text, rest)), "}") || strings.HasSuffix(strings.TrimSpace(strings.TrimSuffix(text, rest)), "]")
	if !ok || !afterType.MatchString(rest) && !(bracketed && afterShape.MatchString(rest) && !orElse.MatchString(rest)) {
		return nil
	}
	if strings.HasPrefix(rest, "->") {
		return nil
	}
	unquoteTypes(t.schema)
	if items := t.schema.object("items"); items != nil {
		unquoteTypes(items)
	}
	if list, ok := t.schema.value("enum").([]any); ok && len(list) == 1 {
		return nil // one quoted word is an example
	}
	if t.schema.has("properties") {
		whereFields(t.schema, rest)
	}
	if rest = clean(t.said + " " + ofWord.ReplaceAllString(strings.TrimLeft(rest, "-–—.;:, "), "")); rest != "" && !t.schema.has("description") && t.schema.len() > 0 {
		t.schema.set("description", rest)
	}
	return t.schema
}

// ofWord begins words that go on behind a shape, and nothing once they stand alone.
var ofWord = compile(`^(?i:of)\s+`)

var proseReturns = compile(`(?i)(?:\b(?:returns?|rets?|answers?(?: with)?|responds? with|response|result|output|outputs?|yields?|you get(?: back)?|gives(?: you)?(?: back)?|sends back|hands back)(?:\s+(?:is|a|an|the|json|object|array|list|of))*:?\s*|[.:;]\s+(?:->|=>|→)\s*|^\s*(?:->|=>|→)\s*|\n\s*(?:out|back|gives):\s*)([{\[])`)

// proseResult finds "Returns {month, used, cap}".
func proseResult(text string) *object {
	if !strings.ContainsAny(text, "{[") {
		return nil
	}
	m := proseReturns.FindStringSubmatchIndex(text)
	if m == nil || strings.HasSuffix(text[:m[0]], "@") {
		return nil
	}
	t, rest, ok := parseTypePrefix(text[m[2]:])
	if !ok || !slices.Contains([]string{"object", "array"}, t.schema.text("type")) {
		return nil
	}
	unquoteTypes(t.schema)
	if items := t.schema.object("items"); items != nil {
		unquoteTypes(items)
	}
	if lead := strings.ToLower(text[m[0]:m[2]]); t.schema.text("type") == "object" && arrayWord.MatchString(lead) {
		return arrayOf(t.schema)
	}
	sentence, _, _ := strings.Cut(rest, ". ")
	return eachField(t.schema, sentence)
}

var arrayWord = compile(`\b(?:array|list)\b`)
