package schema

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// TestHostile holds documents that are small and mean to be large: each ends, with an error or a
// graph within its cap.
func TestHostile(t *testing.T) {
	for _, test := range []struct {
		name, doc string
		want      error // nil for any graph
	}{
		{"20 MB", `{"properties":{` + many(800_000, `"property_%d":{}`) + `}}`, ErrTooLarge},
		{"10,000 levels", strings.Repeat(`{"items":`, 10_000) + `{}` + strings.Repeat(`}`, 10_000), ErrTooDeep},
		{"10,000 levels of not", strings.Repeat(`{"not":`, 10_000) + `{}` + strings.Repeat(`}`, 10_000), ErrTooDeep},
		{"levels of not and if", strings.Repeat(`{"not":{"if":`, 100) + `{}` + strings.Repeat(`,"then":{"type":"string"}}}`, 100), nil},
		{"levels of if", strings.Repeat(`{"if":`, 200) + `{"const":1}` + strings.Repeat(`,"then":{"type":"string"},"else":{"type":"object"}}`, 200), nil},
		{"2^20 combinations", `{"type":"object","allOf":[` + many(20, `{"oneOf":[{"required":["a%[1]d"]},{"required":["b%[1]d"]}]}`) + `]}`, nil},
		{"2^20 conditions", `{"type":"object","allOf":[` + many(20, `{"if":{"properties":{"k%[1]d":{"const":1}}},"then":{"properties":{"a%[1]d":{"type":"string"}}}}`) + `]}`, nil},
		{"2^20 dependents", `{"type":"object","dependentSchemas":{` + many(20, `"k%[1]d":{"anyOf":[{"required":["a%[1]d"]},{"required":["b%[1]d"]}]}`) + `}}`, nil},
		{"100,000 references", `{"properties":{` + many(100_000, `"p%d":{"$ref":"#/$defs/A"}`) + `},"$defs":{"A":{"type":"string"}}}`, ErrTooLarge},
		{"100,000 references to nothing", `{"properties":{` + many(100_000, `"p%[1]d":{"$ref":"#/$defs/A%[1]d"}`) + `}}`, ErrMissingRef},
		{"a ring of 50,000 references", `{"$ref":"#/$defs/r0","$defs":{` + ring(50_000) + `}}`, ErrTooDeep},
		{"recursive types that meet", `{"allOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],"$defs":{"A":{"properties":{"x":{"$ref":"#/$defs/A"},"y":{"$ref":"#/$defs/B"}}},"B":{"properties":{"x":{"$ref":"#/$defs/B"},"y":{"$ref":"#/$defs/A"}}}}}`, nil},
		{"unevaluated behind a ring", `{"unevaluatedProperties":false,"$ref":"#/$defs/A","$defs":{"A":{"unevaluatedProperties":false,"allOf":[{"$ref":"#"},{"$ref":"#/$defs/A"}]}}}`, nil},
		{"brackets only", strings.Repeat(`[`, 1<<20), ErrTooDeep},
		{"brackets in strings", `{"title":"` + strings.Repeat(`[\"`, 1000) + `"}`, nil},
		{"too many types", `{"properties":{` + many(30_000, `"p%d":{"type":"string"}`) + `}}`, ErrTooLarge},
		{"too many values", `{"enum":[` + many(30_000, `%d`) + `]}`, ErrTooLarge},
		{"doubling by reference", doubling(40, `{"properties":{"x":{"$ref":"#/$defs/d%[2]d"},"y":{"$ref":"#/$defs/d%[2]d"}}}`), nil},
		{"doubling by merging", doubling(40, `{"properties":{"x":{"allOf":[{"$ref":"#/$defs/d%[2]d"},{"required":["q"]}]},"y":{"allOf":[{"$ref":"#/$defs/d%[2]d"},{"required":["r"]}]}}}`), ErrTooLarge},
		{"doubling by unions", doubling(40, `{"allOf":[{"anyOf":[{"$ref":"#/$defs/d%[2]d"},{"properties":{"a%[1]d":{"type":"string"}}}]},{"anyOf":[{"$ref":"#/$defs/d%[2]d"},{"properties":{"b%[1]d":{"type":"string"}}}]}]}`), ErrTooLarge},
		{"wide products", `{"allOf":[` + many(40, `{"anyOf":[{"required":["a%[1]d"]},{"required":["b%[1]d"]},{"required":["c%[1]d"]}]}`) + `]}`, nil},
		{"a long chain", chain(1000), nil},
		{"a longer chain", chain(5000), ErrTooDeep},
		{"huge keys", `{"properties":{"` + strings.Repeat("k", 1<<20) + `":{"properties":{` + many(2000, `"p%d":{"title":"t"}`) + `}}}}`, ErrTooDeep},
		{"a huge reference", `{"$ref":"#/` + strings.Repeat("k", 1<<20) + `"}`, ErrTooLarge},
		{"huge number", `{"type":"integer","maximum":` + strings.Repeat("9", 100_000) + `,"minimum":-1e999999999}`, nil},
		{"huge counts", `{"prefixItems":[{}],"minItems":1e300,"maxItems":1e300}`, nil},
		{"merging large objects", `{"$defs":{"A":{"type":"object","properties":{` + many(5000, `"p%d":true`) + `}}},"allOf":[` + many(500, `{"$ref":"#/$defs/A","required":["r%d"]}`) + `]}`, ErrTooLarge},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := allocated()
			g, err := Parse([]byte(test.doc), Options{})
			if bytes := allocated() - before; bytes > 1<<30 {
				t.Errorf("%d bytes allocated for %d of schema", bytes, len(test.doc))
			}
			if test.want != nil {
				if !errors.Is(err, test.want) {
					t.Fatalf("got %v, want %v", err, test.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if n := written(g); n > 100_000 {
				t.Errorf("%d types written out", n)
			}
		})
	}
}

// allocated is how many bytes were ever allocated.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// ring makes n definitions, each nothing but a reference to the next.
func ring(n int) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf(`"r%d":{"$ref":"#/$defs/r%d"}`, i, (i+1)%n)
	}
	return strings.Join(parts, ",")
}

func many(n int, format string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(parts, ",")
}

// doubling makes n definitions of which each refers to the next.
func doubling(n int, format string) string {
	var parts []string
	for i := range n {
		parts = append(parts, fmt.Sprintf(`"d%d":`+format, i+1, i))
	}
	return fmt.Sprintf(`{"$ref":"#/$defs/d%d","$defs":{"d0":{"type":"object","properties":{"leaf":{"type":"string"}}},%s}}`, n, strings.Join(parts, ","))
}

func chain(n int) string {
	return `{"$ref":"#/$defs/c0","$defs":{` + many(n, `"c%d":{"items":{"$ref":"#/$defs/c%[1]d_"}}`) + "," + strings.Join(links(n), ",") + `}}`
}

func links(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf(`"c%d_":{"$ref":"#/$defs/c%d"}`, i, (i+1)%n)
	}
	return out
}

// written counts the types of a graph as an emitter meets them.
func written(g *Graph) int {
	n := 0
	var walk func(t *Type)
	walk = func(t *Type) {
		n++
		t.children(walk)
	}
	walk(g.Root)
	for _, named := range g.Named {
		walk(named.Type)
	}
	return n
}
