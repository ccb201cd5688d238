package runtime

// This file reads the schemas that speak of one place of a value, the way declarations are made of
// them: see package gen/schema. Of alternatives only those speak that the value may be of, so that a
// value told apart by its kind is delivered as its own alternative declares it.

import (
	"encoding/json"
	"slices"
	"strconv"

	"codemode/directory/contract"
)

// schemaNode is one schema that speaks of a place.
type schemaNode struct {
	at       string
	keywords map[string]any
}

type schemaReader struct {
	doc *contract.SchemaDocument // nil for a schema that cannot be read: nothing is declared
	// fixed holds what places reach whatever the value; nil for one that it depends on.
	fixed map[string][]schemaNode
	steps int // left for telling alternatives apart
	// listed and patternsAt are what schemas at places list, and the patterns of keys that they have.
	listed     map[string]map[string]bool
	patternsAt map[string][]keyPattern
	compared   int // left for both
}

func newSchemaReader(schema json.RawMessage) *schemaReader {
	doc, err := contract.OpenSchema(schema, schemaLimits)
	if err != nil {
		doc = nil
	}
	return &schemaReader{doc: doc, fixed: map[string][]schemaNode{}, steps: maxSteps,
		listed: map[string]map[string]bool{}, patternsAt: map[string][]keyPattern{}, compared: maxCompared}
}

// nodes returns the schemas at some places and those they apply to the same value, each once.
func (r *schemaReader) nodes(places []string, v any) []schemaNode {
	if r.doc == nil || len(places) == 0 {
		return nil
	}
	if nodes, ok := r.fixed[places[0]]; ok && nodes != nil && len(places) == 1 {
		return nodes
	}
	c := &closure{r: r, v: v, seen: map[string]bool{}}
	for queue := slices.Clone(places); len(queue) > 0 && len(c.nodes) < maxNodes; queue = queue[1:] {
		queue = append(queue, c.add(queue[0])...)
	}
	if len(places) == 1 && !c.depends {
		r.fixed[places[0]] = c.nodes
	}
	return c.nodes
}

// closure gathers what applies to one value.
type closure struct {
	r       *schemaReader
	v       any
	nodes   []schemaNode
	seen    map[string]bool
	depends bool // on the value
}

// add takes the schema at a place in, and returns the places that it applies to the same value.
func (c *closure) add(at string) []string {
	node, _ := c.r.doc.Get(at)
	m, ok := node.(map[string]any)
	if !ok || c.seen[at] {
		return nil
	}
	c.seen[at] = true
	next := c.r.targets(m, at)
	if _, alone := m["$ref"].(string); alone && c.r.doc.Legacy {
		return next
	}
	c.nodes = append(c.nodes, schemaNode{at, m})
	for i := range listOf(m["allOf"]) {
		next = append(next, listPlace(at, "allOf", i))
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		next = append(next, c.fitting(listOf(m[word]), at, word)...)
	}
	return append(next, c.conditional(m, at)...)
}

// fitting are the alternatives that the value may be of; all where it is of none.
func (c *closure) fitting(alternatives []any, at, word string) []string {
	var fit, all []string
	for i, sub := range alternatives {
		c.depends = true
		place := listPlace(at, word, i)
		if c.r.isOpen(sub, place, maxLook) {
			return nil // with an alternative that takes anything, a union declares nothing
		}
		all = append(all, place)
		if c.r.verdict(sub, place, c.v, maxLook) != no {
			fit = append(fit, place)
		}
	}
	if fit == nil {
		return all
	}
	return fit
}

// describes are the keywords of which any makes a schema more than unknown, but for references and anyOf.
var describes = setOf("type const enum properties patternProperties additionalProperties required items prefixItems additionalItems propertyNames " +
	"unevaluatedProperties unevaluatedItems allOf oneOf not if dependentRequired dependentSchemas dependencies")

// isOpen reports whether a schema is declared as unknown.
func (r *schemaReader) isOpen(node any, at string, depth int) bool {
	m, ok := node.(map[string]any)
	if !ok || depth == 0 {
		return node == true
	}
	for word := range m {
		if describes[word] {
			return false
		}
	}
	for _, target := range r.targets(m, at) {
		if sub, _ := r.doc.Get(target); !r.isOpen(sub, target, depth-1) {
			return false
		}
	}
	unions := listOf(m["anyOf"])
	for i, sub := range unions {
		if r.isOpen(sub, listPlace(at, "anyOf", i), depth-1) {
			return true
		}
	}
	return len(unions) == 0
}

// conditional are the branches of if that the value may take, and what its keys demand.
func (c *closure) conditional(m map[string]any, at string) []string {
	var out []string
	if cond, ok := m["if"]; ok {
		c.depends = true
		place := contract.JoinPointer(at, "if")
		fits := c.r.verdict(cond, place, c.v, maxLook)
		if fits != no {
			out = append(out, place, contract.JoinPointer(at, "then"))
		}
		if fits != yes {
			out = append(out, contract.JoinPointer(at, "else"))
		}
	}
	word := "dependentSchemas"
	if c.r.doc.Legacy {
		word = "dependencies"
	}
	object, _ := c.v.(map[string]any)
	demands, _ := m[word].(map[string]any)
	for key := range demands {
		c.depends = true
		if _, present := object[key]; present {
			out = append(out, contract.JoinPointer(contract.JoinPointer(at, word), key))
		}
	}
	slices.Sort(out)
	return out
}

// targets are where the references of a schema lead.
func (r *schemaReader) targets(m map[string]any, at string) []string {
	var out []string
	for _, word := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
		ref, ok := m[word].(string)
		if !ok {
			continue
		}
		target, err := r.doc.Resolve(ref, at)
		if err != nil {
			continue // another document: unknown
		}
		if word == "$dynamicRef" {
			if target, ok = r.doc.DynamicTarget(ref, target); !ok {
				continue
			}
		}
		out = append(out, target)
	}
	return out
}

func listOf(v any) []any {
	list, _ := v.([]any)
	return list
}

func listPlace(at, word string, i int) string {
	return contract.JoinPointer(contract.JoinPointer(at, word), strconv.Itoa(i))
}

// numberUse says how a script sees a number of which some schemas speak.
func (r *schemaReader) numberUse(nodes []schemaNode, n json.Number) (use integerUse, integer bool) {
	for _, node := range nodes {
		isInteger, isNumber := typesOf(node.keywords)
		listed, wide := r.lists(node, n)
		switch {
		case wide, isInteger && !isNumber && contract.WideInteger(node.keywords):
			return useBigInt, true
		case listed:
			use = useListed
		case isInteger || isNumber:
			integer = integer || isInteger && !isNumber
			use = max(use, useNumber)
		}
	}
	return use, integer
}

func typesOf(m map[string]any) (integer, number bool) {
	for _, t := range append(listOf(m["type"]), m["type"]) {
		integer, number = integer || t == "integer", number || t == "number"
	}
	return integer, number
}

// itemPlaces are the schemas of an array's item.
func itemPlaces(nodes []schemaNode, i int) (out []string) {
	for _, node := range nodes {
		prefix, rest := "prefixItems", "items"
		if len(listOf(node.keywords["items"])) > 0 {
			prefix, rest = "items", "additionalItems"
		}
		_, hasRest := node.keywords[rest]
		switch {
		case i < len(listOf(node.keywords[prefix])):
			out = append(out, listPlace(node.at, prefix, i))
		case hasRest:
			out = append(out, contract.JoinPointer(node.at, rest))
		case node.keywords["unevaluatedItems"] != nil:
			out = append(out, contract.JoinPointer(node.at, "unevaluatedItems"), contract.JoinPointer(node.at, "contains"))
		}
	}
	return out
}

// memberPlaces are the schemas of an object's key. Where one schema names the key, those that speak
// of keys in general do not count: a declaration has the named property.
func (r *schemaReader) memberPlaces(nodes []schemaNode, key string) (out []string) {
	named := slices.ContainsFunc(nodes, func(n schemaNode) bool { return names(n.keywords, key) })
	for _, node := range nodes {
		isNamed := names(node.keywords, key)
		if isNamed {
			out = append(out, contract.JoinPointer(contract.JoinPointer(node.at, "properties"), key))
		} else if named {
			continue
		}
		matched := isNamed
		for _, p := range r.patterns(node.keywords, node.at) {
			if !r.compare() {
				break
			}
			fits := p.isText && p.text.Match(key)
			if fits || !p.isText && !isNamed {
				out = append(out, p.place)
			}
			matched = matched || fits
		}
		for _, word := range []string{"additionalProperties", "unevaluatedProperties"} {
			if _, ok := node.keywords[word]; ok && !matched {
				out = append(out, contract.JoinPointer(node.at, word))
				break
			}
		}
	}
	return out
}

func names(m map[string]any, key string) bool {
	props, _ := m["properties"].(map[string]any)
	_, ok := props[key]
	return ok
}
