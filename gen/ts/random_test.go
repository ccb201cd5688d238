package ts

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"codemode/directory/contract"
	"codemode/gen/schema"
)

// TestRandomSchemas writes schemas put together at random, references to anywhere included, and
// compiles them all: no circular alias, no property that its index signature refuses.
func TestRandomSchemas(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 11))
	var cs []contract.Contract
	program := map[string]string{"ambient.d.ts": Ambient()}
	var types strings.Builder
	tooLarge := 0
	for i := range 250 {
		doc := randomDocument(rnd)
		graph, err := schema.Parse(doc, schema.Options{Untyped: schema.AsWritten})
		if errors.Is(err, schema.ErrTooLarge) {
			tooLarge++
			continue
		} else if err != nil {
			t.Fatalf("%v\n%s", err, doc)
		}
		types.WriteString(Types(fmt.Sprintf("S%d", i), graph))
		c := contract.Contract{Name: fmt.Sprintf("random.r%d", i), Params: doc, Result: doc}
		if _, err := Declaration(c); errors.Is(err, schema.ErrTooLarge) {
			tooLarge++
			continue
		}
		cs = append(cs, c)
	}
	text, err := namespace("random", cs)
	if err != nil {
		t.Fatal(err)
	}
	program["random.d.ts"] = text
	program["types.d.ts"] = types.String()
	wantClean(t, program)
	if tooLarge > 25 {
		t.Errorf("%d documents are refused as too large", tooLarge)
	}
	t.Logf("%d schemas, %d bytes, %d too large", len(cs), len(text)+types.Len(), tooLarge)
}

func randomDocument(rnd *rand.Rand) json.RawMessage {
	doc := randomSchema(rnd, 4).(map[string]any)
	defs := map[string]any{}
	for _, name := range []string{"A", "B", "C"} {
		defs[name] = randomSchema(rnd, 3)
	}
	doc["$defs"] = defs
	raw, err := json.Marshal(doc)
	if err != nil {
		panic(err)
	}
	return raw
}

func randomSchema(rnd *rand.Rand, depth int) any {
	s := map[string]any{}
	sub := func() any { return randomSchema(rnd, depth-1) }
	list := func() []any { return []any{sub(), sub()} }
	kinds := []any{"string", "number", "integer", "boolean", "array", "object", "null"}
	for range 1 + rnd.IntN(3) {
		choice := rnd.IntN(15)
		if depth == 0 {
			choice = rnd.IntN(5)
		}
		switch choice {
		case 0:
			s["type"] = kinds[rnd.IntN(len(kinds))]
		case 1:
			s["type"] = []any{kinds[rnd.IntN(len(kinds))], kinds[rnd.IntN(len(kinds))]}
		case 2:
			s["$ref"] = []string{"#", "#/$defs/A", "#/$defs/B", "#/$defs/C"}[rnd.IntN(4)]
		case 3:
			s["enum"] = []any{"a", 1, nil, []any{true, 2}, map[string]any{"a": 1}}[:1+rnd.IntN(5)]
		case 4:
			s["required"] = []string{"a", "toString", "z"}[:1+rnd.IntN(3)]
		case 5, 6:
			s["properties"] = map[string]any{"a": sub(), "toString": sub(), "new": sub()}
		case 7:
			s["additionalProperties"] = []any{false, true, sub()}[rnd.IntN(3)]
		case 8:
			s["items"] = sub()
		case 9:
			s["prefixItems"], s["minItems"] = list(), rnd.IntN(4)
		case 10:
			s["allOf"] = list()
		case 11:
			s["anyOf"] = list()
		case 12:
			s["oneOf"] = list()
		case 13:
			s["patternProperties"] = map[string]any{"^a": sub()}
		case 14:
			s["nullable"], s["description"], s["maximum"] = true, "a */ b", 1e17
		}
	}
	return s
}
