package runtime_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"codemode/directory/contract"
	"codemode/gen/schema"
	"codemode/runtime"
	"codemode/runtime/validate"
)

// TestBigIntsAreAsDeclared puts schemas and values together at random, and holds that a number is
// delivered as bigint where the declaration of the same schema says bigint, and nowhere else.
func TestBigIntsAreAsDeclared(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	check := validate.New()
	delivered, wide, misfits := 0, 0, 0
	for range 1500 {
		doc := randomDocument(rnd)
		graph, err := schema.Parse(doc, schema.Options{})
		if err != nil {
			t.Fatalf("%v\n%s", err, doc)
		}
		for range 12 {
			value := encode(randomValue(rnd, 3))
			v := decode(value)
			if check.Validate(doc, value) != nil || !fits(graph.Root, v, nil, "") {
				continue
			}
			places, misfit, failed := runtime.BigInts(doc, value)
			if failed != nil {
				t.Fatalf("%v\n%s\nof %s", failed, value, doc)
			}
			if misfit != "" {
				misfits++ // too large for a place declared as number
				continue
			}
			delivered++
			wide += len(places)
			if !fits(graph.Root, v, asSet(places), "") {
				t.Fatalf("%s\nof %s\nhas bigints at %q", value, doc, places)
			}
		}
	}
	if delivered < 2000 || wide < 400 {
		t.Errorf("%d values, %d bigints, %d misfits: this tells little", delivered, wide, misfits)
	}
	t.Logf("%d values, %d bigints, %d misfits", delivered, wide, misfits)
}

func asSet(places []string) map[string]bool {
	out := map[string]bool{}
	for _, p := range places {
		out[p] = true
	}
	return out
}

// fits reports whether a value is of a type. With wide, the places of bigints, a bigint is no number
// and a number no bigint.
func fits(t *schema.Type, v any, wide map[string]bool, at string) bool {
	either := func(isWide bool) bool { return wide == nil || wide[at] == isWide }
	switch t.Kind {
	case schema.Unknown:
		return true
	case schema.Null:
		return v == nil
	case schema.Boolean:
		_, ok := v.(bool)
		return ok
	case schema.String:
		_, ok := v.(string)
		return ok
	case schema.Number:
		_, ok := v.(json.Number)
		return ok && either(false)
	case schema.Integer:
		n, ok := v.(json.Number)
		return ok && !strings.ContainsAny(string(n), ".eE") && either(t.Wide)
	case schema.Literal:
		_, isNumber := v.(json.Number)
		return string(encode(v)) == string(t.Value) && (!isNumber || either(t.Wide))
	case schema.Array, schema.Tuple:
		list, ok := v.([]any)
		return ok && fitsItems(t, list, wide, at)
	case schema.Object:
		object, ok := v.(map[string]any)
		return ok && fitsKeys(t, object, wide, at)
	case schema.Union:
		return slices.ContainsFunc(t.Members, func(m *schema.Type) bool { return fits(m, v, wide, at) })
	case schema.Intersection:
		return !slices.ContainsFunc(t.Members, func(m *schema.Type) bool { return !fits(m, v, wide, at) })
	case schema.Reference:
		return fits(t.Ref.Type, v, wide, at)
	}
	return false
}

func fitsItems(t *schema.Type, list []any, wide map[string]bool, at string) bool {
	for i, v := range list {
		e := t.Elem
		if i < len(t.Prefix) {
			e = t.Prefix[i]
		}
		if e == nil || !fits(e, v, wide, at+"/"+strconv.Itoa(i)) {
			return false
		}
	}
	return len(list) >= t.Min
}

func fitsKeys(t *schema.Type, object map[string]any, wide map[string]bool, at string) bool {
	for _, p := range t.Properties {
		v, present := object[p.Name]
		if p.Required && !present || present && !fits(p.Type, v, wide, at+"/"+contract.EscapeToken(p.Name)) {
			return false
		}
	}
	for key, v := range object {
		if _, named := t.Property(key); !named && !fitsIndex(t, key, v, wide, at+"/"+contract.EscapeToken(key)) {
			return false
		}
	}
	return true
}

// fitsIndex holds a key without a property against the patterns and the rest, as a declaration writes
// them: text patterns by themselves, others together with the rest.
func fitsIndex(t *schema.Type, key string, v any, wide map[string]bool, at string) bool {
	var any []*schema.Type
	matched := false
	for _, p := range t.Patterns {
		switch {
		case p.Keys == nil:
			any = append(any, p.Type)
		case p.Keys.Match(key):
			matched = true
			if !fits(p.Type, v, wide, at) {
				return false
			}
		}
	}
	if matched {
		return true
	}
	if t.Additional != nil {
		any = append(any, t.Additional)
	}
	return len(any) == 0 || slices.ContainsFunc(any, func(e *schema.Type) bool { return fits(e, v, wide, at) })
}

func encode(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}

func decode(raw json.RawMessage) any {
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		panic(err)
	}
	return v
}

type object = map[string]any

func randomDocument(rnd *rand.Rand) json.RawMessage {
	doc := randomSchema(rnd, 3)
	doc["$defs"] = object{"A": randomSchema(rnd, 1), "N": object{"$anchor": "n", "type": "object", "properties": object{"id": object{"type": "integer", "format": "int64"}, "a": object{"$ref": "#n"}}}}
	return encode(doc)
}

func randomSchema(rnd *rand.Rand, depth int) object {
	sub := func() object { return randomSchema(rnd, depth-1) }
	kind := func(name string) object {
		return object{"type": "object", "required": []any{"k"}, "properties": object{"k": object{"const": name}, "id": randomNumber(rnd)}}
	}
	choice := rnd.IntN(15)
	if depth == 0 {
		choice = rnd.IntN(4)
	}
	switch choice {
	case 0, 1:
		return randomNumber(rnd)
	case 2:
		return object{"type": "string"}
	case 3:
		return object{"$ref": []string{"#/$defs/A", "#/$defs/N", "#n"}[rnd.IntN(3)]}
	case 4, 5:
		return object{"type": "object", "properties": object{"id": sub(), "a": sub()}}
	case 6:
		return object{"type": "object", "properties": object{"k": object{}}, "additionalProperties": sub()}
	case 7:
		return object{"type": "object", "patternProperties": object{[]string{"^i", "d$", "[a-z]", "^id$"}[rnd.IntN(4)]: sub()}, "properties": object{"a": sub()}}
	case 8:
		return object{"type": "array", "items": sub()}
	case 9:
		return object{"type": "array", "prefixItems": []any{sub()}, "items": sub()}
	case 10:
		return object{"anyOf": []any{sub(), sub()}}
	case 11:
		return object{"allOf": []any{sub(), sub()}}
	case 12:
		return object{"oneOf": []any{kind("a"), kind("b"), object{"type": "null"}}}
	case 13:
		return object{"type": "object", "required": []any{"k"}, "properties": object{"k": object{"enum": []any{"a", "b"}}}, "if": object{"properties": object{"k": object{"const": "a"}}},
			"then": object{"properties": object{"id": randomNumber(rnd)}}, "else": object{"properties": object{"id": randomNumber(rnd)}}}
	}
	return object{"type": "object", "properties": object{"k": object{"type": "string"}}, "dependentSchemas": object{"k": object{"properties": object{"id": sub()}}}}
}

func randomNumber(rnd *rand.Rand) object {
	const wide, edge = json.Number("9007199254740993"), json.Number("9007199254740992")
	return []object{
		{"type": "integer"}, {"type": "integer", "format": "int64"}, {"type": "number"}, {"type": "integer", "maximum": json.Number("1e19")},
		{"type": []any{"integer", "null"}, "format": "uint64"}, {"type": []any{"integer", "number"}, "format": "int64"}, {"enum": []any{wide, 1}},
		{"type": "integer", "enum": []any{wide, 7}}, {"const": edge}, {"type": "integer", "format": "int64", "enum": []any{1, 7}}, {"minimum": 3}, {},
	}[rnd.IntN(12)]
}

func randomValue(rnd *rand.Rand, depth int) any {
	switch choice := rnd.IntN(9); {
	case choice < 4 && depth > 0:
		out := object{}
		for range rnd.IntN(4) {
			out[[]string{"id", "a", "k", "zz"}[rnd.IntN(4)]] = randomValue(rnd, depth-1)
		}
		if rnd.IntN(2) == 0 {
			out["k"] = []any{"a", "b"}[rnd.IntN(2)]
		}
		return out
	case choice < 6 && depth > 0:
		return []any{randomValue(rnd, depth-1), randomValue(rnd, depth-1)}[:rnd.IntN(3)]
	}
	return []any{1, 7, json.Number("9007199254740993"), json.Number("9007199254740992"), 1.5, "a", nil}[rnd.IntN(7)]
}
