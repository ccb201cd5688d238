package accuracy

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"codemode/fixtures/tsc"
	"codemode/gen/schema"
	"codemode/gen/ts"
	"codemode/runtime/validate"
)

// TestTypesTakeEveryValidValue puts schemas together at random from the keywords that reach types, and
// holds that whatever the validator takes fits the type that is written of the same schema.
func TestTypesTakeEveryValidValue(t *testing.T) {
	compiler := tsc.Find(t)
	rnd := rand.New(rand.NewPCG(3, 5))
	check := validate.New()
	var types, script strings.Builder
	var lines []string
	tooLarge, refused := 0, 0
	for i := range 400 {
		doc := randomDocument(rnd)
		graph, err := schema.Parse(doc, schema.Options{Untyped: schema.AsWritten})
		if errors.Is(err, schema.ErrTooLarge) {
			tooLarge++
			continue
		} else if err != nil {
			t.Fatalf("%v\n%s", err, doc)
		}
		types.WriteString(ts.Types(fmt.Sprintf("S%d", i), graph))
		for range 25 {
			value, err := json.Marshal(randomValue(rnd, 3))
			if err != nil {
				t.Fatal(err)
			}
			if err := check.Validate(doc, value); err != nil {
				refused++
				continue
			}
			text, err := ts.Value(value)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&script, "declare const v%d: %s; const w%d: S%d.Root = v%d;\n", len(lines), text, len(lines), i, len(lines))
			lines = append(lines, fmt.Sprintf("%s\ndoes not take %s", doc, value))
		}
	}
	problems, err := tsc.Run(t.Context(), compiler, t.TempDir(), map[string]string{"types.d.ts": types.String(), "script.ts": script.String()}, tsc.Strict...)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range problems {
		if i == 8 {
			t.Fatalf("and %d more", len(problems)-i)
		}
		if p.File == "script.ts" {
			t.Errorf("%s\n%s", lines[p.Line-1], p.Text)
		} else {
			t.Errorf("%s\n%s", p, strings.Split(types.String(), "\n")[p.Line-1])
		}
	}
	if len(lines) < 1000 || refused < 1000 || tooLarge > 20 {
		t.Errorf("%d valid values, %d refused, %d schemas too large: this tells little", len(lines), refused, tooLarge)
	}
	t.Logf("%d valid values, %d refused, %d schemas too large", len(lines), refused, tooLarge)
}

var (
	someKinds = []any{"string", "number", "integer", "boolean", "array", "object", "null"}
	someNames = []string{"a", "b", "x-c", "toString"}
	someEnds  = []any{"a", "b", 1, 2.5, nil, true, false, []any{}, []any{"a", 2}, map[string]any{"a": 1}}
)

func randomDocument(rnd *rand.Rand) json.RawMessage {
	doc := randomSchema(rnd, 3)
	m, ok := doc.(map[string]any)
	if !ok {
		m = map[string]any{"allOf": []any{doc}}
	}
	m["$defs"] = map[string]any{"A": randomSchema(rnd, 2), "B": map[string]any{"type": "object", "properties": map[string]any{"a": map[string]any{"$ref": "#/$defs/B"}, "b": randomSchema(rnd, 1)}}}
	raw, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return raw
}

func randomSchema(rnd *rand.Rand, depth int) any {
	if rnd.IntN(12) == 0 {
		return rnd.IntN(3) > 0
	}
	s := map[string]any{}
	for range 1 + rnd.IntN(3) {
		randomKeyword(rnd, depth, s)
	}
	return s
}

func randomKeyword(rnd *rand.Rand, depth int, s map[string]any) {
	sub := func() any { return randomSchema(rnd, depth-1) }
	name := func() string { return someNames[rnd.IntN(len(someNames))] }
	names := func() []any { return []any{name(), name()}[:1+rnd.IntN(2)] }
	choice := rnd.IntN(26)
	if depth == 0 {
		choice = rnd.IntN(7)
	}
	switch choice {
	case 0, 1:
		s["type"] = someKinds[rnd.IntN(len(someKinds))]
	case 2:
		s["type"] = []any{someKinds[rnd.IntN(3)], someKinds[3+rnd.IntN(4)]}
	case 3:
		s["const"] = someEnds[rnd.IntN(len(someEnds))]
	case 4:
		at := rnd.IntN(len(someEnds) - 2)
		s["enum"] = someEnds[at : at+1+rnd.IntN(2)]
	case 5:
		delete(s, "required")
		s["required"] = names()[:1]
	case 6:
		s[[]string{"minLength", "minimum", "minItems", "maxProperties"}[rnd.IntN(4)]] = 1
	case 7, 8, 9:
		s["properties"] = map[string]any{name(): sub(), name(): sub()}
	case 10:
		s["additionalProperties"] = sub()
	case 11:
		s["items"] = sub()
	case 12:
		s["prefixItems"] = []any{sub(), sub()}[:1+rnd.IntN(2)]
	case 13:
		s["allOf"] = []any{sub(), sub()}
	case 14:
		s["anyOf"] = []any{sub(), sub()}
	case 15:
		s["oneOf"] = []any{sub(), sub()}
	case 16:
		s["not"] = sub()
	case 17, 18:
		s["if"], s["then"] = sub(), sub()
		if rnd.IntN(2) == 0 {
			s["else"] = sub()
		}
	case 19:
		s["dependentRequired"] = map[string]any{name(): names()[:1]}
	case 20:
		s["dependentSchemas"] = map[string]any{name(): sub()}
	case 21:
		s["patternProperties"] = map[string]any{[]string{"^x-", "a", "^b$", "[ab]", "^x-c"}[rnd.IntN(5)]: sub(), []string{"c$", "^to"}[rnd.IntN(2)]: sub()}
	case 22:
		s["propertyNames"] = []any{map[string]any{"enum": names()}, map[string]any{"const": name()}, map[string]any{"maxLength": 1}, false}[rnd.IntN(4)]
	case 23:
		s["unevaluatedProperties"] = sub()
	case 24:
		s["unevaluatedItems"] = sub()
	case 25:
		s["$ref"] = []string{"#/$defs/A", "#/$defs/B"}[rnd.IntN(2)]
	}
}

func randomValue(rnd *rand.Rand, depth int) any {
	choice := rnd.IntN(16)
	switch {
	case choice < 8 && depth > 0:
		object := map[string]any{}
		for range rnd.IntN(4) {
			object[someNames[rnd.IntN(len(someNames))]] = randomValue(rnd, depth-1)
		}
		return object
	case choice < 11 && depth > 0:
		list := []any{}
		for range rnd.IntN(4) {
			list = append(list, randomValue(rnd, depth-1))
		}
		return list
	}
	return someEnds[rnd.IntN(len(someEnds))]
}
