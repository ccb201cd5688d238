package template

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLowerCaseNames(t *testing.T) {
	http := func(target, content string) Source { return Source{Kind: HTTP, Target: target, Content: content} }
	tests := map[string]struct {
		src  Source
		want []string // "text context"
	}{
		"header":        {Source{Kind: HTTP, Target: "GET https://a.example", Headers: map[string]string{"X-A": "Bearer $fleet_token and {$Mixed}"}}, []string{"$fleet_token header", "$Mixed header"}},
		"url":           {http("GET https://$user@a.example/x/$part?$name=$value_x&b=$TOKEN", ""), []string{"$user url_host", "$part url_path", "$value_x url_query"}},
		"odata":         {http("GET https://a.example/x/$metadata?$filter=a&$expand=b($select=c)", ""), nil},
		"json value":    {http("POST https://a.example", `{"$set":"$tok","b":"$USD 5 and $x"}`), []string{"$tok json_string"}},
		"graphql":       {http("POST https://a.example", `{"query":"query($id: ID) { a(id: $id) }"}`), nil},
		"form":          {http("POST https://a.example", `form:$a1=$b2`), []string{"$b2 form_value"}},
		"not at a word": {http("POST https://a.example", `US$ab $5k $_x $$`), nil},
		"named":         {Source{Kind: Flow, Content: "A:$1 => hit > B:$hit|$hti"}, []string{"$hti body"}},
		"read twice":    {Source{Kind: Text, Content: `["$tok" is no JSON`}, []string{"$tok body"}},
		"argv":          {Source{Kind: CLI, Target: "jq", Content: `'.a | {b: $one}' "$two" '$one'`}, []string{"$two argv", "$one argv"}},
	}
	for name, tt := range tests {
		parsed, err := Parse(tt.src)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, d := range parsed.Dollars {
			if d.Reason == "lower case" {
				got = append(got, fmt.Sprintf("%s %s", d.Text, d.Context))
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestLowerCaseNamesAreCapped(t *testing.T) {
	parsed, err := Parse(Source{Kind: Text, Content: strings.Repeat("$ab ", 100_000) + strings.Repeat("$"+strings.Repeat("c", 1000), 10)})
	if err != nil || len(parsed.Dollars) != maxLower {
		t.Errorf("%d dollars, %v", len(parsed.Dollars), err)
	}
}
