package accuracy

// This file lists, for every file of the JSON Schema Test Suite, whether a TypeScript type can say
// what its keyword demands of a JSON value. It is written from what the type system has (literals,
// unions, intersections, tuples, optional and never properties, index signatures over text patterns)
// and not from what comes out: a keyword of which a part can be said counts whole.

// Expressible says of one keyword whether a type can express it.
type Expressible struct {
	Keyword string `json:"keyword"` // as the suite names its file
	Can     bool   `json:"can"`
	Why     string `json:"why"`
}

var expressible = []Expressible{
	{"additionalItems", true, "the rest of a tuple"},
	{"additionalProperties", true, "an index signature; a closed object beside named keys can't be said and counts all the same"},
	{"allOf", true, "an intersection"},
	{"anchor", true, "a reference"},
	{"anyOf", true, "a union"},
	{"boolean_schema", true, "unknown and never"},
	{"const", true, "a literal, a tuple or an object of literals"},
	{"definitions", true, "a reference"},
	{"defs", true, "a reference"},
	{"dependencies", true, "a union: the key is absent, or what it demands is there"},
	{"dependentRequired", true, "a union: the key is absent, or what it demands is there"},
	{"dependentSchemas", true, "a union: the key is absent, or what it demands is there"},
	{"dynamicRef", true, "a reference, where the document decides which"},
	{"enum", true, "a union of literals"},
	{"if-then-else", true, "a union, where the condition's opposite is a type"},
	{"infinite-loop-detection", true, "references"},
	{"items", true, "the element of an array"},
	{"not", true, "the other types, where the excluded values make a whole type or one of finitely many values"},
	{"oneOf", true, "a union; that no second one fits only where its opposite is a type"},
	{"patternProperties", true, "an index signature over a text pattern, for a regular expression that is one"},
	{"prefixItems", true, "a tuple"},
	{"properties", true, "properties"},
	{"propertyNames", true, "named optional keys, for a finite set of names"},
	{"ref", true, "a reference"},
	{"required", true, "a property without a question mark"},
	{"type", true, "a type; that an integer has no fraction can't be said and counts all the same"},
	{"unevaluatedItems", true, "a closed tuple"},

	{"contains", false, "an array with at least one such element is no type"},
	{"content", false, "an annotation"},
	{"default", false, "an annotation"},
	{"exclusiveMaximum", false, "no type has bounds"},
	{"exclusiveMinimum", false, "no type has bounds"},
	{"format", false, "an annotation"},
	{"maxContains", false, "no type counts"},
	{"maxItems", false, "a tuple could, and would refuse every array whose length is not known when it is written"},
	{"maxLength", false, "no type has the length of a text"},
	{"maxProperties", false, "no type counts keys"},
	{"maximum", false, "no type has bounds"},
	{"minContains", false, "no type counts"},
	{"minItems", false, "a tuple could, and would refuse every array whose length is not known when it is written"},
	{"minLength", false, "no type has the length of a text"},
	{"minProperties", false, "no type counts keys"},
	{"minimum", false, "no type has bounds"},
	{"multipleOf", false, "no type calculates"},
	{"pattern", false, "no type is a regular expression"},
	{"refRemote", false, "the other document is not at hand"},
	{"unevaluatedProperties", false, "it closes objects, and a type with named keys takes others beside them"},
	{"uniqueItems", false, "no type compares elements"},
	{"vocabulary", false, "which keywords count is decided by another document"},
}

func isExpressible(keyword string) bool {
	for _, e := range expressible {
		if e.Keyword == keyword {
			return e.Can
		}
	}
	return false
}
