package ts

import (
	"encoding/json"
	"strings"
	"testing"

	"codemode/directory/contract"
)

func TestIndexLine(t *testing.T) {
	params := json.RawMessage(`{"type":"object","properties":{"b":{},"a":{},"c":{}},"required":["c"]}`)
	for _, test := range []struct {
		c    contract.Contract
		want string
	}{
		{contract.Contract{Name: "a.b"}, "a.b()"},
		{contract.Contract{Name: "a.b", Params: params, Effect: contract.Read}, "a.b(c, a?, b?) read"},
		{contract.Contract{Name: "a.b", Params: params, Positional: []string{"b"}}, "a.b(b?, c, a?)"},
		{contract.Contract{Name: "a.b", Params: json.RawMessage(`{"$ref":"https://x.test"}`)}, "a.b(...)"},
		{contract.Contract{Name: "a.b", Description: "Reads v1.2 files, e.g. Foo. Then stops."}, "a.b() - Reads v1.2 files, e.g. Foo."},
		{contract.Contract{Name: "a.b", Description: "See example.com.\nAlways"}, "a.b() - See example.com."},
		{contract.Contract{Name: "a.b", Description: "查询菜谱。可选分类"}, "a.b() - 查询菜谱。"},
		{contract.Contract{Name: "a.b", Description: "ends (e.g. "}, "a.b() - ends (e.g."},
		{contract.Contract{Name: "a.b", Params: json.RawMessage(`{"anyOf":[{"properties":{"x":{}},"required":["x"]},{"properties":{"x":{},"y":{}},"required":["x"]}]}`)}, "a.b(x?, y?)"},
	} {
		if got := IndexLine(test.c); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
	long := IndexLine(contract.Contract{Name: "a.b", Description: strings.Repeat("日本語の説明", 100)})
	if len(long) > 170 || !strings.HasSuffix(long, " ...") {
		t.Errorf("%d bytes: %s", len(long), long)
	}
}

func TestNothingGranted(t *testing.T) {
	const want = "interface NoTools {}\ndeclare const tools: NoTools;\ninterface Inputs {}\ndeclare const inputs: Inputs;\n"
	if got := Granted(nil, nil); got != want {
		t.Errorf("got %q", got)
	}
	if got := Granted([]string{"a.x", "b.y", "a.w", "a.x", "nameless"}, nil); !strings.Contains(got, `Pick<Tools.a, "w" | "x">`) || strings.Contains(got, "nameless") {
		t.Errorf("got %q", got)
	}
}

func TestCapped(t *testing.T) {
	got := capped(strings.Repeat("word ", 100), 23)
	if want := "word word word word ... [cut: 481 more characters]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := capped("日本語", 4); got != "日 ... [cut: 2 more characters]" {
		t.Errorf("got %q", got)
	}
}
