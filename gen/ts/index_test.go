package ts

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codemode/directory/contract"
)

func TestIndex(t *testing.T) {
	params := json.RawMessage(`{"type":"object","properties":{"b":{},"a":{},"c":{}},"required":["c"]}`)
	for _, test := range []struct {
		c    contract.Contract
		want string
	}{
		{contract.Contract{Name: "a.b"}, "a.b()"},
		{contract.Contract{Name: "a.b", Params: params, Effect: contract.Read}, "a.b(c, a?, b?)"},
		{contract.Contract{Name: "a.b", Params: params, Positional: []string{"b"}, Deprecated: "use c"}, "a.b(b?, c, a?) (deprecated)"},
		{contract.Contract{Name: "a.b", Description: "Reads v1.2 files, e.g. Foo. Then stops."}, "a.b() - Reads v1.2 files, e.g. Foo"},
		{contract.Contract{Name: "a.b", Description: "See example.com.\nAlways"}, "a.b() - See example.com"},
		{contract.Contract{Name: "a.b", Description: "查询菜谱。可选分类"}, "a.b() - 查询菜谱。"},
		{contract.Contract{Name: "a.b", Description: "ends (e.g. "}, "a.b() - ends (e.g."},
		{contract.Contract{Name: "a.b", Description: "Wait ..."}, "a.b() - Wait ..."},
		{contract.Contract{Name: "a.b", Params: json.RawMessage(`{"anyOf":[{"properties":{"x":{}},"required":["x"]},{"properties":{"x":{},"y":{}},"required":["x"]}]}`)}, "a.b(x?, y?)"},
	} {
		if got := index(t, []contract.Contract{test.c})[0].String(); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
	long := index(t, []contract.Contract{{Name: "a.b", Description: strings.Repeat("日本語の説明", 100)}})[0].String()
	if len(long) > 130 || !strings.HasSuffix(long, " ...") {
		t.Errorf("%d bytes: %s", len(long), long)
	}
}

// What a namespace's descriptions all say tells nothing of a method.
func TestIndexDistinguishes(t *testing.T) {
	about := "This tool belongs to the bank, e.g. to its Berlin branch. Tool description: "
	lines := index(t, []contract.Contract{
		{Name: "bank.pay", Description: about + "Pays an invoice. It may take long."},
		{Name: "other.pay", Description: about + "Pays an invoice."},
		{Name: "bank.list", Description: about + "Lists accounts."},
		{Name: "bank.get", Description: about + "Reads one account."},
		{Name: "bank.same", Description: "This tool belongs to the bank, e.g. to its Berlin branch."},
		{Name: "file.cat", Description: "Works on files, directories, etc. Tool description: Shows a file."},
		{Name: "file.cd", Description: "Works on files, directories, etc. Tool description: Goes to a folder."},
		{Name: "bank.own", Description: "Owns: nothing. Really."},
		{Name: "two.a", Description: "Gets it."},
		{Name: "two.b", Description: "Gets it."},
	})
	want := []string{
		"bank.pay() - Pays an invoice",
		"other.pay() - This tool belongs to the bank, e.g. to its Berlin branch",
		"bank.list() - Lists accounts",
		"bank.get() - Reads one account",
		"bank.same() - This tool belongs to the bank, e.g. to its Berlin branch",
		"file.cat() - Shows a file",
		"file.cd() - Goes to a folder",
		"bank.own() - Owns: nothing",
		"two.a() - Gets it",
		"two.b() - Gets it",
	}
	var got []string
	for _, l := range lines {
		got = append(got, l.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestNothingGranted(t *testing.T) {
	const want = "interface NoTools {}\ndeclare const tools: NoTools;\ninterface Inputs {}\ndeclare const inputs: Inputs;\n"
	if got := Granted(nil, nil, nil); got != want {
		t.Errorf("got %q", got)
	}
	if got := Granted([]string{"a.x", "b.y", "a.w", "a.x", "nameless"}, nil, nil); !strings.Contains(got, `Pick<Tools.a, "w" | "x">`) || strings.Contains(got, "nameless") {
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
