package condition

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"codemode/runtime"
)

const params = `{"type":"object","properties":{
	"amount":{"type":"number"},"limit":{"type":"integer"},"id":{"type":"integer","format":"int64"},
	"currency":{"enum":["EUR","USD"],"type":"string"},"dry":{"type":"boolean"},
	"note":{"type":["string","null"]},"memo":{"anyOf":[{"type":"string"},{"type":"null"}]},
	"tags":{"type":"array","items":{"type":"string"}},
	"lines":{"type":"array","items":{"type":"object","properties":{"sku":{"type":"string"},"qty":{"type":"integer"}}}},
	"filter":{"$ref":"#/$defs/filter"},"labels":{"type":"object","additionalProperties":{"type":"integer"}},
	"extra":{"type":"object","additionalProperties":true,"properties":{"a":{"type":"string"}}},
	"anything":{},"either":{"type":["string","integer"]},
	"content-type":{"type":"string"},"a.b":{"type":"object","properties":{"x":{"type":"string"}}},
	"a":{"type":"object","properties":{"b":{"type":"object","properties":{"x":{"type":"integer"}}}}}},
	"required":["amount"],"$defs":{"filter":{"type":"object","properties":{"name":{"type":"string"},"inner":{"$ref":"#/$defs/filter"}}}}}`

func TestHolds(t *testing.T) {
	const args = `{"amount":5000,"limit":3,"id":9007199254740993,"currency":"EUR","dry":true,"note":null,"memo":"m","tags":["a","b"],
		"lines":[{"sku":"x","qty":1},{"sku":"y","qty":2}],"filter":{"name":"n","inner":{"name":"deep"}},"labels":{"z":7},
		"extra":{"a":"x","b":[1]},"anything":[1,2.5,"x"],"either":4,"content-type":"text/plain","a.b":{"x":"dot"},"a":{"b":{"x":1}},"undeclared":1}`
	for expr, want := range map[string]bool{
		`args.amount <= 5000.0 && args.currency == "EUR"`: true,
		`args.amount <= 5000`:                             true,
		`args.amount < 5000`:                              false,
		`args.limit == 3`:                                 true,
		`args.id == 9007199254740993`:                     true,
		`args.id == 9007199254740992`:                     false,
		`args.dry`:                                        true,
		`!args.dry`:                                       false,
		`args.note == null`:                               true,
		`args.memo == "m"`:                                true,
		`args.memo == null`:                               false,
		`"a" in args.tags`:                                true,
		`args.tags.all(x, x.size() == 1)`:                 true,
		`args.tags.exists(x, x == "c")`:                   false,
		`args.tags.exists_one(x, x == "a")`:               true,
		`args.lines.all(l, l.qty < 3)`:                    true,
		`args.lines[1].sku == "y"`:                        true,
		`args.filter.inner.name == "deep"`:                true,
		`args.labels["z"] == 7 && args.labels.z == 7`:     true,
		`args.extra.b[0] == 1`:                            true,
		`args.anything[0] == 1 && args.anything[1] > 2 && args.anything[2]=="x"`: true,
		`args.either == 4`:                         true,
		"args.`content-type`.startsWith('text/')":  true,
		"args.`a.b`.x == 'dot'":                    true,
		`args.a.b.x == 1`:                          true,
		`has(args.limit) && has(args.filter.name)`: true,
		`args.currency.matches("^E(U|A)R$")`:       true,
		`size(args.tags) == 2`:                     true,
		`true`:                                     true,
	} {
		c, err := New().Compile(expr, json.RawMessage(params))
		if err != nil {
			t.Errorf("%s: %v", expr, err)
			continue
		}
		if got, err := c.Holds(json.RawMessage(args)); err != nil || got != want {
			t.Errorf("%s: %t (%v), want %t", expr, got, err, want)
		}
	}
}

func TestCompileErrors(t *testing.T) {
	for expr, words := range map[string][]string{
		`args.amuont <= 5`:                        {`when 1:5: args has no field "amuont"`, `did you mean "amount"?`},
		"true &&\n  args.filter.nmae==''":         {`when 2:14: args.filter has no field "nmae"`, `did you mean "name"?`, "known fields are inner, name"},
		`args.lines[0].skuu == ""`:                {`args.lines[] has no field "skuu"`},
		`has(args.nope)`:                          {`args has no field "nope"`, "known fields are", "amount"},
		`arg.amount < 1`:                          {`when 1:1: there is no 'arg'`, "the one variable is args"},
		`args.limit == "ten"`:                     {`when 1:12: `, "int", "string"},
		`args.currency < 5`:                       {"string", "int"},
		`args.amount`:                             {"want true or false"},
		`args.anything`:                           {"want true or false", "== true"},
		`"yes"`:                                   {"want true or false"},
		`args.amount <=`:                          {"when 1:"},
		``:                                        {"when 1:"},
		`args.tags.map(x, x) == []`:               {"there is no"},
		`args.tags.filter(x, true) == []`:         {"there is no"},
		`now() > 1`:                               {"there is no 'now'"},
		`<args.filter>{} == null`:                 {"when 1:"},
		`args.filter == {"name":"n"}`:             {"when 1:"},
		`args.currency.matches("(")`:              {"when"},
		strings.Repeat("(", 5000):                 {"when"},
		"true" + strings.Repeat(" || true", 5000): {"when"},
	} {
		_, err := New().Compile(expr, json.RawMessage(params))
		var e *runtime.Error
		if !errors.As(err, &e) || e.Code != runtime.InvalidArgument || len(e.Message) > 500 {
			t.Errorf("%.60q: error is %.300v", expr, err)
			continue
		}
		for _, w := range words {
			if !strings.Contains(e.Error(), w) {
				t.Errorf("%.60q: %q does not say %q", expr, e, w)
			}
		}
	}
}

// TestErrorsDeny is what a caller must take as "no": an argument that is absent, of another type, too
// large a number, or work without an end.
func TestErrorsDeny(t *testing.T) {
	many := `[` + strings.Repeat(`"a",`, 50_000) + `"a"]`
	for _, c := range []struct{ expr, args string }{
		{`args.limit == 3`, `{"amount":1}`},
		{`args.filter.name == "n"`, `{"filter":null}`},
		{`args.filter.inner.name == "n"`, `{"filter":{}}`},
		{`args.limit == 3`, `{"limit":"3"}`},
		{`args.limit < 3`, `{"limit":2.5}`},
		{`args.id > 0`, `{"id":9223372036854775808}`},
		{`args.id > 0`, `{"id":1e30}`},
		{`args.id > 0`, `{"id":1e-999999999}`},
		{`args.id == 0`, `{"id":1e-400}`},
		{`args.amount > 0.0`, `{"amount":9007199254740993}`},
		{`args.amount > 0.0`, `{"amount":1e999}`},
		{`args.id > 0`, `{"id":9007199254740993.0}`},
		{`args.anything == 18446744073709551615u`, `{"anything":18446744073709551615}`},
		{`args.anything == 1 || args.limit == 1`, `{}`},
		{`args.dry`, `{"dry":"true"}`},
		{`args.dry`, `[]`},
		{`args.dry`, `null`},
		{`args.dry`, `{"dry":true} {}`},
		{`args.dry`, ``},
		{`args.dry`, strings.Repeat(`{"dry":`, 100_000)},
		{`args.tags[5] == "a"`, `{"tags":[]}`},
		{`args.limit / 0 == 1`, `{"limit":1}`},
		{`args.id + 1 > 0`, `{"id":9223372036854775807}`},
		{`args.tags.all(a, args.tags.all(b, a == b))`, `{"tags":` + many + `}`},
		{`args.tags.all(a, args.tags.all(b, args.tags.all(c, a == b || b == c)))`, `{"tags":` + many + `}`},
		{`(args.currency + args.currency).matches("(E*)*x") || true == args.dry`, `{"currency":"` + strings.Repeat("E", 1<<22) + `"}`},
	} {
		cond, err := New().Compile(c.expr, json.RawMessage(params))
		if err != nil {
			t.Errorf("%s: %v", c.expr, err)
			continue
		}
		got, err := cond.Holds(json.RawMessage(c.args))
		var e *runtime.Error
		if got || !errors.As(err, &e) || e.Code != runtime.NotGranted || e.Hint == "" || len(e.Message) > 500 {
			t.Errorf("%s on %.60s: %t, %.300v", c.expr, c.args, got, err)
		}
	}
}

// TestUnrelatedArguments that CEL can't hold do not deny.
func TestUnrelatedArguments(t *testing.T) {
	cond, err := New().Compile(`args.limit == 3`, json.RawMessage(params))
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := cond.Holds(json.RawMessage(`{"limit":3.0,"id":18446744073709551615,"dry":"x","anything":{"n":1e999}}`)); !ok || err != nil {
		t.Errorf("%t, %v", ok, err)
	}
}

func TestSchemas(t *testing.T) {
	var wide []string
	for i := range 40 {
		wide = append(wide, fmt.Sprintf(`"d%d":{"type":"object","properties":{"a":{"$ref":"#/$defs/d%d"},"b":{"$ref":"#/$defs/d%d"}}}`, i, i+1, i+1))
	}
	for name, schema := range map[string]string{
		"true":           `true`,
		"empty":          `{}`,
		"open":           `{"type":"object"}`,
		"alternatives":   `{"anyOf":[{"properties":{"a":{"type":"string"}}},{"required":["x"]}]}`,
		"circle":         `{"$ref":"#"}`,
		"long circle":    `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`,
		"dangling":       `{"$ref":"#/nothing"}`,
		"remote":         `{"$ref":"https://example.com/x"}`,
		"doubling":       `{"type":"object","additionalProperties":true,"$ref":"#/$defs/d0","$defs":{` + strings.Join(wide, ",") + `,"d40":{}}}`,
		"doubling typed": `{"$ref":"#/$defs/d0","$defs":{` + strings.Join(wide, ",") + `,"d40":{"type":"object"}}}`,
	} {
		expr := `args.x == 1`
		if name == "doubling typed" {
			expr = `has(args.a.b.a.b) || true`
		}
		c, err := New().Compile(expr, json.RawMessage(schema))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if ok, err := c.Holds(json.RawMessage(`{"x":1}`)); err != nil || !ok {
			t.Errorf("%s: %t %v", name, ok, err)
		}
	}
	if _, err := New().Compile(`args.a == 1`, json.RawMessage(`{"type":"object","properties":{"a":{"$ref":"#x"}},"$defs":{"x":{"$anchor":"x"}}}`)); err != nil {
		t.Errorf("an anchor is no pointer to the root: %v", err)
	}
	for _, schema := range []string{``, `5`, `{`, `{} {}`, `"x"`, strings.Repeat(`{"not":`, 100_000), `{"description":"` + strings.Repeat("x", 2<<20) + `"}`} {
		if _, err := New().Compile(`true`, json.RawMessage(schema)); runtime.AsError(err).Code != runtime.InvalidArgument {
			t.Errorf("%.40q: %v", schema, err)
		}
	}
	if _, err := New().Compile(`args.x == 1`, json.RawMessage(`{"type":"object","additionalProperties":false}`)); err == nil {
		t.Error("a field of an object that has none was accepted")
	}
}

func TestConcurrentUse(t *testing.T) {
	c, err := New().Compile(`args.tags.all(x, x == "a") && args.limit == 1`, json.RawMessage(params))
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			for range 50 {
				if ok, err := c.Holds(fmt.Appendf(nil, `{"tags":["a"],"limit":%d}`, i)); err != nil || ok != (i == 1) {
					t.Errorf("%d: %t %v", i, ok, err)
				}
			}
		})
	}
	wait.Wait()
}

func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		if _, err := New().Compile(`args.amount <= 5000.0 && args.currency == "EUR"`, json.RawMessage(params)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHolds(b *testing.B) {
	c, err := New().Compile(`args.amount <= 5000.0 && args.currency == "EUR"`, json.RawMessage(params))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if ok, err := c.Holds(json.RawMessage(`{"amount":10,"currency":"EUR"}`)); err != nil || !ok {
			b.Fatal(ok, err)
		}
	}
}

func FuzzCondition(f *testing.F) {
	f.Add(`args.amount <= 5000.0 && args.currency == "EUR"`, []byte(params), []byte(`{"amount":1,"currency":"EUR"}`))
	f.Add("args.`a.b`.x == 'dot' || has(args.a.b)", []byte(params), []byte(`{"a":{"b":{"x":1}}}`))
	f.Add(`args.all(k, args[k] == k)`, []byte(`true`), []byte(`{"a":"a"}`))
	f.Add(`args.x.y[0].z in [1, 2.0, 3u]`, []byte(`{"properties":{"x":{"type":["array","null"],"items":{"$ref":"#"}}}}`), []byte(`{"x":null}`))
	f.Add(`timestamp(args.t) < timestamp("2026-01-01T00:00:00Z")`, []byte(`{"properties":{"t":{"type":"string"}}}`), []byte(`{"t":"9999"}`))
	f.Fuzz(func(t *testing.T, expr string, schema, args []byte) {
		c, err := New().Compile(expr, schema)
		if err != nil {
			if e := runtime.AsError(err); e.Code != runtime.InvalidArgument {
				t.Fatalf("compile: %v", err)
			}
			return
		}
		if ok, err := c.Holds(args); err != nil && (ok || runtime.AsError(err).Code != runtime.NotGranted) {
			t.Fatalf("holds %t with %v", ok, err)
		}
	})
}
