package directory

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// Names that hide something are told, each with what it hides; names in any one script are not.
func TestSpellings(t *testing.T) {
	for fields, want := range map[string]string{
		`"key":"CRM_\u3164"`:                         "invisible_name U+3164",
		`"key":"CRM_LI\u200bST"`:                     "invisible_name U+200B",
		`"key":"\u0421RM_LIST"`:                      `confusable_name \u0421RM`,
		`"key":"CRM_\u041f\u043e\u0438\u0441\u043a"`: "",
		`"key":"\u65e5\u672c_LIST"`:                  "",
		`"input_schema":{"type":"object","properties":{"i\ufe0fd":{"type":"string"}}}`:                    "invisible_name U+FE0F",
		`"input_schema":{"type":"object","properties":{"p\u0430th":{"type":"string"}}}`:                   `confusable_name p\u0430th`,
		`"target":"GET https://a.example/$1","content":"# ARGS: \u1160|b"`:                                "invisible_name U+1160",
		`"target":"GET https://a.example/$1","content":"# ARGS: n\u03bfte (string)"`:                      `confusable_name n\u03bfte`,
		`"arguments":[{"name":"a\uffa0"}]`:                                                                "invisible_name U+FFA0",
		`"target":"","target_map":{"g\u0435t":"GET https://a.example"}`:                                   `confusable_name g\u0435t`,
		`"target":"","target_map":{"x":{"target":"GET https://a.example/$1","content":"# ARGS: \u115f"}}`: "invisible_name U+115F",
		`"target":"GET https://a.example/$1","content":"# ARGS: \u0438\u043c\u044f"`:                      "",
	} {
		key := "A"
		if rest, ok := strings.CutPrefix(fields, `"key":`); ok {
			fields = `"version":1`
			if err := json.Unmarshal([]byte(rest), &key); err != nil {
				t.Fatal(err)
			}
		}
		d := load(t, row(key, fields), LoadOptions{})
		rule, text, _ := strings.Cut(want, " ")
		found := slices.DeleteFunc(Lint(d), func(f Finding) bool { return f.Rule != "invisible_name" && f.Rule != "confusable_name" })
		if want == "" && len(found) > 0 || want != "" && (len(found) != 1 || found[0].Rule != rule || !strings.Contains(found[0].Message, text)) {
			t.Errorf("%s %s: %+v, want %q", key, fields, found, want)
		}
	}
}
