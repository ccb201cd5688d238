package directory

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// row writes an http row with its law kept, changed by fields.
func row(key, fields string) string {
	base := map[string]any{"key": key, "type": "http", "description": "Does it.", "when_to_use": "Always.", "target": "GET https://a.example/x"}
	var changes map[string]any
	if err := json.Unmarshal([]byte("{"+fields+"}"), &changes); err != nil {
		panic(err)
	}
	for name, value := range changes {
		base[name] = value
	}
	out, err := json.Marshal(base)
	if err != nil {
		panic(err)
	}
	return string(out)
}

func TestLintRules(t *testing.T) {
	tests := []struct{ fields, rules string }{
		{`"version":1`, ""},
		{`"description":""`, "missing_description"},
		{`"when_to_use":" "`, "missing_when_to_use"},
		{`"description":"","when_to_use":"","content":"# WHAT: a\n# WHEN_TO_USE: b"`, ""},
		{`"target":"GET /x"`, "invalid_template"},
		{`"target":"POST https://a.example","content":"{\"a\":}"`, "invalid_template"},
		{`"type":"fn","target":"GET https://a.example","content":"x"`, "wrong_kind"},
		{`"type":"cli","target":"GET https://a.example"`, "wrong_kind"},
		{`"target":"","content":"A:$1 > B:$PREV"`, "wrong_kind"},
		{`"target":"ffmpeg","content":"-i $1"`, "wrong_kind"},
		{`"target":"POST https://a.example","content":"# ARGS: a|b\n[\"$1\",\"$2\"]"`, "wrong_kind"},
		{`"type":"flow","target":"","content":"[\"$1\"]"`, "wrong_kind"},
		{`"target":"GET https://a.example/$1?x=$3","content":"# ARGS: a|b|c"`, "slot_gap"},
		{`"target":"POST https://a.example","content":"# ARGS: a\n{\"a\":\"$1 at $4 each\"}"`, "dollar_as_text"},
		{`"target":"POST https://a.example","content":"# ARGS: a\n{\"a\":\"$1 at $15 per 1M\"}"`, ""},
		{`"content":"# ARGS: none"`, ""},
		{`"target":"GET https://a.example/$1/$2","content":"# ARGS: id (TYPE), NAME2 (TYPE)"`, "placeholder"},
		{`"target":"GET https://a.example/$1/$2","content":"# ARGS: id (string), NAME2 (string)"`, "placeholder"},
		{`"content":"# RETURNS: {field: TYPE, other?: TYPE}, [TYPE], TYPE or nothing"`, "placeholder"},
		{`"content":"# RETURNS: [TYPE]"`, "placeholder"},
		{`"content":"# ARGS: NAME1|NAME2"`, "placeholder"},
		{`"content":"# ARGS: TYPE: the record's TYPE (string), NAME (string)\n# RETURNS: the TYPE of it"`, ""},
		{`"target":"","target_map":{"x":{"target":"GET https://a.example/$1","content":"# ARGS: id (TYPE)"}}`, "placeholder"},
		{`"target":"","content":"# ARGS: id\n# RETURNS: string","target_map":{"x":"GET https://a.example/$1"}`, "unread_documentation"},
		{`"target":"","input_schema":{"type":"object"},"target_map":{"x":"GET https://a.example/$1"}`, "unread_documentation"},
		{`"target":"","content":"# WHAT: Orders.\n# NOTE: Slow.","target_map":{"x":"GET https://a.example/$1"}`, ""},
		{`"type":"flow","target":"unused","content":"# WHAT: a"`, "documentation_row"},
		{`"type":"cli","target":"","content":"# ARGS: a|b"`, "documentation_row"},
		{`"type":"cli","target":"date","content":"# WHAT: a"`, ""},
		{`"type":"agent","target":"","content":"# WHAT: a"`, "documentation_row"},
		{`"target":"GET https://a.example/$1/$2","content":"# ARGS: see content"`, "args_see_content"},
		{`"description":"Finds, e.g."`, "torn_sentence"},
		{`"description":"A list of strings, numbers etc."`, ""},
		{`"target":"","content":"# WHAT: a"`, "documentation_row"},
		{`"effect":"reed"`, "unknown_effect"},
		{`"placement":"cloud"`, "unknown_placement"},
		{`"idempotency":"key"`, "unknown_idempotency"},
		{`"target":"POST https://a.example","effect":"reversible"`, "reversible_without_undo"},
		{`"target":"POST https://a.example","effect":"reversible","undo":"B"`, "unknown_reference"},
		{`"target":"POST https://a.example","effect":"reversible","undo":"A id=/args/id/x~1y other=/result"`, ""},
		{`"readback":"crm.getContact"`, "unknown_reference"},
		{`"undo":"A(id=/args/id)"`, "invalid_reference"},
		{`"undo":"A foo=/arg/nope bar"`, "invalid_reference invalid_reference"},
		{`"undo":"A a=/result/~2 a=/args/x"`, "invalid_reference invalid_reference"},
		{`"undo":"A =/result/x a=/results"`, "invalid_reference invalid_reference"},
		{`"target_map":{"x":{"target":"POST https://a.example","effect":"reversible"}}`, "reversible_without_undo"},
		{`"readback":"A.get"`, "unknown_reference"},
		{`"effect":"irreversible"`, "effect_contradiction"},
		{`"target":"DELETE https://a.example","effect":"read"`, "effect_contradiction"},
		{`"target":"POST https://a.example","effect":"irreversible","content":"# SAFE"`, "effect_contradiction"},
		{`"content":"# EFFECTS: deletes it"`, "effect_contradiction"},
		{`"content":"# EFFECTS: none"`, ""},
		{`"type":"flow","target":"","content":"A:$PREV"`, "flow_cycle"},
		{`"type":"flow","target":"","content":"AA:$PREV"`, "unknown_step"},
		{`"target":"GTE https://a.example"`, "unknown_method"},
		{`"target":"TRACE https://a.example"`, "unknown_method"},
		{`"target":"get https://a.example"`, ""},
		{`"target_map":{"x":"GET https://a.example","y":"FOO https://a.example"}`, "unknown_method"},
		{`"type":"fn","target":""`, "missing_target"},
		{`"type":"mcp","target":" "`, "missing_target"},
		{`"type":"agent","target":"","content":"$1"`, "missing_target"},
		{`"type":"dispatch","target":"nowhere"`, "invalid_template"},
		{`"type":"agent","target":"https://a.example/ask","headers":{"X-A":"$api_key"}`, "lower_case_secret"},
		{`"headers":{"Authorization":"Bearer $fleet_token"}`, "lower_case_secret"},
		{`"headers":{"Authorization":"Bearer $Fleet_Token"},"target_map":{"x":"GET https://a.example","y":"GET https://a.example"}`, "lower_case_secret"},
		{`"target":"GET https://a.example/x?key=$my_key"`, "lower_case_secret"},
		{`"target":"GET https://$user:x$pw@a.example/x"`, "lower_case_secret"},
		{`"target":"GET https://a.example/x/$my_key"`, "dollar_as_text"},
		{`"target":"GET https://a.example/x/$count?$filter=x&expand=y($select=z)"`, ""},
		{`"target":"POST https://a.example","content":"{\"$set\":\"x\",\"t\":\"$my_token\"}"`, "dollar_as_text"},
		{`"target":"POST https://a.example","content":"{\"query\":\"query($id: ID!) { user(id: $id) { name } }\"}"`, ""},
		{`"type":"flow","target":"","content":"B:x => found > B:$fuond"`, "dollar_as_text unknown_step unknown_step"},
		{`"auth":"bearer:FLEET_TOKEN"`, ""},
		{`"auth":"header:X-Key:FLEET_TOKEN"`, ""},
		{`"auth":"none"`, ""},
		{`"auth":"fleet_token"`, "lower_case_secret"},
		{`"auth":"basic:$FLEET"`, "invalid_auth"},
		{`"auth":"digest:FLEET"`, "invalid_auth"},
		{`"auth":"header:FLEET"`, "invalid_auth"},
		{`"content":"# NOTE: none\n# WHERE: foo\n# HTTPS://a.example: x\n# OK: x\n# Note that: x"`, "unknown_label"},
		{`"target":"","target_map":{"x":"GET https://a.example/$1","y":{"target":"GET nowhere"},"z":{"target":"GET https://a.example","effect":"irreversible"}}`, "effect_contradiction invalid_template"},
	}
	for _, tt := range tests {
		d := load(t, row("A", tt.fields), LoadOptions{})
		var rules []string
		for _, f := range Lint(d) {
			if f.Line != 1 || f.Key != "A" || !strings.HasSuffix(f.File, "rows.jsonl") {
				t.Errorf("%s: place of %+v", tt.fields, f)
			}
			rules = append(rules, f.Rule)
		}
		if got := strings.Join(rules, " "); got != tt.rules {
			t.Errorf("%s: %q, want %q: %v", tt.fields, got, tt.rules, Lint(d))
		}
	}
}

func TestLintHints(t *testing.T) {
	d := load(t, row("FIND_USER", `"effect":"reed"`)+"\n"+row("FLOW", `"type":"flow","target":"","content":"FIND_USR:$1"`), LoadOptions{})
	var hints []string
	for _, f := range Lint(d) {
		hints = append(hints, f.Hint)
	}
	if diff := cmp.Diff([]string{`did you mean "read"?`, `did you mean "FIND_USER"?`}, hints); diff != "" {
		t.Error(diff)
	}
}

func TestLintFlows(t *testing.T) {
	flow := func(key, content string) string {
		return row(key, fmt.Sprintf(`"type":"flow","target":"","content":%q`, content))
	}
	d := load(t, strings.Join([]string{flow("A", "B:$1"), flow("B", "C:$1 > OFF"), flow("C", "B:$1"), flow("D", "X:$1 > MANY:get"), flow("E", "MANY.get > MANY > MANY:gte > MANY:$1|x > MANY:\"get\""), row("X", ""+`"version":1`),
		row("OFF", `"enabled":false`), row("MANY", `"target_map":{"get":"GET https://a.example"}`)}, "\n"), LoadOptions{})
	var got []string
	for _, f := range Lint(d) {
		got = append(got, f.Key+" "+f.Rule)
	}
	if diff := cmp.Diff([]string{"A flow_cycle", "B flow_cycle", "B unknown_step", "C flow_cycle", "E unknown_step", "E unknown_step", "E unknown_step"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestLintSecrets assembles its credentials, so that none stands in a source file.
func TestLintSecrets(t *testing.T) {
	secrets := map[string]string{
		"AKIA" + "ABCDEFGH12345678":                   `"target":"GET https://a.example/x?k=%s"`,
		"ghp" + "_abcdefghijklmnopqrstuvwxyz012345":   `"description":"Use %s."`,
		"xoxb" + "-1234567890-abcdef":                 `"target":"POST https://a.example","content":"{\"t\":\"%s\"}"`,
		"sk" + "-proj-abcdefgh12345678":               `"headers":{"X-A":"Bearer %s"}`,
		"s3cr3t" + "value":                            `"headers":{"Authorization":"Bearer %s"}`,
		"plain" + "key":                               `"headers":{"X-Api-Key":"%s"}`,
		"hunter" + "22":                               `"target":"GET https://bob:%s@a.example/"`,
		"abc" + "123xyz":                              `"target":"GET https://a.example/?api_key=%s"`,
		"zzz" + "999zzz":                              `"target":"POST https://a.example","content":"# EX: x\nform:client_secret=%s"`,
		"eyJhbGciOiJI" + ".eyJzdWIiOiIx.c2lnbmF0dXJl": `"content":"# EX: %s"`,
		"ses" + "sion12345":                           `"headers":{"Cookie":"id=%s"}`,
		"api" + "key9876":                             `"headers":{"x_api_key":"%s"}`,
		"beside" + "1234":                             `"headers":{"Authorization":"Token %s.$1"},"content":"# ARGS: a"`,
		"hunter" + "33":                               `"target":"GET https://$BOB:%s@a.example/"`,
		"hunter" + "44":                               `"target_map":{"x":"GET https://bob:%s@a.example/"}`,
		"glpat" + "-abcdefgh12345678":                 `"target_map":{"x":"GET https://a.example/?q=%s"}`,
	}
	for secret, fields := range secrets {
		d := load(t, row("A", fmt.Sprintf(fields, secret)), LoadOptions{})
		findings := Lint(d)
		if !slices.ContainsFunc(findings, func(f Finding) bool { return f.Rule == "secret_in_row" && f.Severity == SeverityError }) {
			t.Errorf("%s: not found", fields)
		}
		if strings.Contains(fmt.Sprint(findings), secret) {
			t.Errorf("%s: printed", fields)
		}
	}
	for _, clean := range []string{`"headers":{"Authorization":"Bearer $TOKEN","X-Api-Key":"$KEY"}`, `"description":"Password: at least eight characters. Uses bearer authentication."`,
		`"target":"GET https://a.example/?api_key=$API_KEY&token=$1","content":"# ARGS: token"`, `"headers":{"X-Api-Key":"<your key>"}`, `"headers":{"Authorization":"Basic $LOGIN","Cookie":"id=$SESSION; language=$1","X-Token":"Token token=$TOKEN"},"content":"# ARGS: language"`,
		`"target":"GET https://$BOB:$PASSWORD@a.example/"`, `"headers":{"Accept":"application/json"}`} {
		if findings := Lint(load(t, row("A", clean), LoadOptions{})); len(findings) > 0 {
			t.Errorf("%s: %v", clean, findings)
		}
	}
}

func TestLintIsDeterministic(t *testing.T) {
	rows := []string{row("B", `"description":"","effect":"x","placement":"y"`), row("A", `"target":"GET nowhere"`), `{"key":"C"`, row("B", `"version":1`)}
	root := write(t, map[string]string{"rows.jsonl": strings.Join(rows, "\n")})
	var first []Finding
	for i := range 6 {
		d, err := Load(root, LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		slices.Reverse(d.Rows) // the order of rows must not matter
		found := Lint(d)
		if i == 0 {
			first = found
		}
		if diff := cmp.Diff(first, found); diff != "" || len(found) != 6 {
			t.Fatal(len(found), diff)
		}
		slices.Reverse(d.Rows)
	}
}
