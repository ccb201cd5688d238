package diff_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codemode/directory/contract"
	"codemode/gen/diff"
)

// base is a contract with something in every field.
func base() contract.Contract {
	return contract.Contract{
		Key: "CRM_LIST", Name: "crm.list", Version: 3, Description: "Lists.", WhenToUse: "To list.", Notes: []string{"n"}, Deprecated: "soon",
		Examples: []contract.Example{{Text: "x"}}, Positional: []string{"limit", "kind"},
		Params: json.RawMessage(`{"type":"object","properties":{"limit":{"type":"integer","minimum":1,"maximum":100},"kind":{"enum":["a","b"]},"tags":{"type":"array","items":{"type":"string"}}},"required":["kind"]}`),
		Result: json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`),
		Effect: contract.Reversible, Placement: contract.Remote, Idempotency: contract.IdempotencyHeader,
		Readback: &contract.Reference{Name: "crm.get", Args: map[string]string{"id": "/result/id"}}, Precondition: &contract.Reference{Name: "crm.get"}, Undo: &contract.Reference{Name: "crm.undo"},
		Destinations: []string{"https://a.example"}, Sensitive: []string{"/kind"}, Auth: "CRM_TOKEN", Source: contract.Digest([]byte("GET")), Provenance: map[string]contract.Provenance{"result": contract.FromArgs},
	}
}

func sealed(t testing.TB, c contract.Contract) contract.Contract {
	t.Helper()
	if err := c.Seal(); err != nil {
		t.Fatal(err)
	}
	return c
}

// set replaces text in the arguments' schema.
func set(from, to string) func(*contract.Contract) {
	return func(c *contract.Contract) {
		text := strings.Replace(string(c.Params), from, to, 1)
		if text == string(c.Params) {
			panic("nothing to replace: " + from)
		}
		c.Params = json.RawMessage(text)
	}
}

func result(schema string) func(*contract.Contract) {
	return func(c *contract.Contract) { c.Result = json.RawMessage(schema) }
}

func params(schema string) func(*contract.Contract) {
	return func(c *contract.Contract) { c.Params = json.RawMessage(schema) }
}

func TestCompareOne(t *testing.T) {
	for _, tt := range []struct {
		name           string
		old            func(*contract.Contract) // of the base, nil for none
		now            func(*contract.Contract)
		class          diff.Class
		breaks         bool
		field, toField string // the first part: its field, and "before -> after"
	}{
		{"an optional argument", nil, set(`"kind":{`, `"all":{"type":"boolean"},"kind":{`), diff.ClassWidened, false, "args.all", " -> optional boolean"},
		{"a required argument", nil, func(c *contract.Contract) {
			set(`"kind":{`, `"all":{"type":"boolean"},"kind":{`)(c)
			set(`["kind"]`, `["all","kind"]`)(c)
		}, diff.ClassWidened, true, "args.all", " -> boolean"},
		{"an argument less", nil, set(`,"tags":{"type":"array","items":{"type":"string"}}`, ``), diff.ClassNarrowed, true, "args.tags", "optional string[] -> "},
		{"one more and one less", nil, set(`"tags":{`, `"labels":{`), diff.ClassWidened, true, "args.labels", " -> optional string[]"},
		{"an enum value more", nil, set(`["a","b"]`, `["a","b","c"]`), diff.ClassWidened, false, "args.kind", `"a" | "b" -> "a" | "b" | "c"`},
		{"an enum value less", nil, set(`["a","b"]`, `["a"]`), diff.ClassNarrowed, true, "args.kind", `"a" | "b" -> "a"`},
		{"an enum value replaced", nil, set(`["a","b"]`, `["a","c"]`), diff.ClassChanged, true, "args.kind", `"a" | "b" -> "a" | "c"`},
		{"an enum in another order", nil, set(`["a","b"]`, `["b","a"]`), diff.ClassWords, false, "wording", " -> "},
		{"an enum becomes any string", nil, set(`{"enum":["a","b"]}`, `{"type":"string"}`), diff.ClassWidened, false, "args.kind", `"a" | "b" -> string`},
		{"a looser bound", nil, set(`"maximum":100`, `"maximum":101`), diff.ClassWidened, false, "args.limit", "number (whole, from 1, to 100) -> number (whole, from 1, to 101)"},
		{"a tighter bound", nil, set(`"maximum":100`, `"maximum":99`), diff.ClassNarrowed, true, "args.limit", "number (whole, from 1, to 100) -> number (whole, from 1, to 99)"},
		{"no bound", nil, set(`,"maximum":100`, ``), diff.ClassWidened, false, "args.limit", "number (whole, from 1, to 100) -> number (whole, from 1)"},
		{"one bound looser, one tighter", nil, set(`"minimum":1,"maximum":100`, `"minimum":2,"maximum":101`), diff.ClassChanged, true, "args.limit", "number (whole, from 1, to 100) -> number (whole, from 2, to 101)"},
		{"integer becomes number", nil, set(`"integer"`, `"number"`), diff.ClassWidened, false, "args.limit", "number (whole, from 1, to 100) -> number (from 1, to 100)"},
		{"a type more", nil, set(`"items":{"type":"string"}`, `"items":{"type":["string","null"]}`), diff.ClassWidened, false, "args.tags[]", "string -> string | null"},
		{"another type", nil, set(`"items":{"type":"string"}`, `"items":{"type":"integer"}`), diff.ClassChanged, true, "args.tags[]", "string -> number (whole)"},
		{"items of any type", nil, set(`,"items":{"type":"string"}`, ``), diff.ClassWidened, false, "args.tags[]", "string -> unknown"},
		{"not required any more", nil, set(`,"required":["kind"]`, ``), diff.ClassWidened, false, "args.kind", `"a" | "b" -> optional "a" | "b"`},
		{"required now", nil, set(`["kind"]`, `["kind","limit"]`), diff.ClassNarrowed, true, "args.limit", "optional number (whole, from 1, to 100) -> number (whole, from 1, to 100)"},
		{"open to any argument", nil, set(`"required"`, `"additionalProperties":true,"required"`), diff.ClassWidened, false, "args[key]", "never -> unknown"},
		{"closed in so many words", nil, set(`"required"`, `"additionalProperties":false,"required"`), diff.ClassWords, false, "wording", " -> "},
		{"no schema any more", nil, params(`true`), diff.ClassWidened, false, "args", ""},
		{"no arguments any more", nil, params(`{"type":"object","properties":{}}`), diff.ClassChanged, true, "args", ""},
		{"a pattern goes", set(`{"enum":["a","b"]}`, `{"type":"string","pattern":"^a"}`), set(`{"enum":["a","b"]}`, `{"type":"string"}`), diff.ClassWidened, false, "args.kind", `string ("pattern":"^a") -> string`},
		{"a pattern comes", set(`{"enum":["a","b"]}`, `{"type":"string"}`), set(`{"enum":["a","b"]}`, `{"type":"string","pattern":"^a"}`), diff.ClassNarrowed, true, "args.kind", `string -> string ("pattern":"^a")`},
		{"another pattern", set(`{"enum":["a","b"]}`, `{"type":"string","pattern":"^a"}`), set(`{"enum":["a","b"]}`, `{"type":"string","pattern":"^b"}`), diff.ClassChanged, true, "args.kind", `string ("pattern":"^a") -> string ("pattern":"^b")`},
		{"a format goes", set(`{"enum":["a","b"]}`, `{"type":"string","format":"email"}`), set(`{"enum":["a","b"]}`, `{"type":"string"}`), diff.ClassWidened, false, "args.kind", `string ("format":"email") -> string`},
		{"a branch more", set(`{"enum":["a","b"]}`, `{"anyOf":[{"type":"string"}]}`), set(`{"enum":["a","b"]}`, `{"anyOf":[{"type":"string"},{"type":"object"}]}`), diff.ClassWidened, false, "args.kind", "string -> (string | object)"},
		{"a keyword nobody knows", nil, set(`"type":"array"`, `"type":"array","mystery":1`), diff.ClassNarrowed, true, "args.tags", ""},
		{"a keyword nobody knows, changed", set(`"type":"array"`, `"type":"array","mystery":1`), set(`"type":"array"`, `"type":"array","mystery":2`), diff.ClassChanged, true, "args.tags", ""},
		{"words in the schema", nil, set(`"type":"array"`, `"type":"array","description":"labels","default":[],"examples":[["x"]]`), diff.ClassWords, false, "wording", " -> "},
		{"a nested argument", set(`{"enum":["a","b"]}`, `{"type":"object","properties":{"x":{"type":"object","properties":{"y":{"type":"string"}},"additionalProperties":false}},"additionalProperties":false}`),
			set(`{"enum":["a","b"]}`, `{"type":"object","properties":{"x":{"type":"object","properties":{"y":{"type":"string"},"z/w":{"type":"null"}},"additionalProperties":false}},"additionalProperties":false}`), diff.ClassWidened, false, `args.kind.x["z/w"]`, " -> optional null"},
		{"a definition changes", params(`{"type":"object","properties":{"a":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"integer"}}}`), params(`{"type":"object","properties":{"a":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"number"}}}`), diff.ClassWidened, false, "args.a", "number (whole) -> number"},
		{"not a schema", nil, params(`7`), diff.ClassChanged, true, "args", ""},

		{"a result field more", nil, result(`{"type":"object","properties":{"id":{"type":"string"},"n":{"type":"integer"}},"required":["id"]}`), diff.ClassResult, true, "result.n", "unknown -> number (whole)"},
		{"a result field less", nil, result(`{"type":"object"}`), diff.ClassResult, true, "result.id", "string -> optional unknown"},
		{"another result type", nil, result(`{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}`), diff.ClassResult, true, "result.id", "string -> number (whole)"},
		{"a result of any kind", nil, result(`true`), diff.ClassResult, true, "result", "{ id: string } -> unknown"},
		{"words on the result", nil, result(`{"type":"object","description":"it","properties":{"id":{"type":"string"}},"required":["id"]}`), diff.ClassWords, false, "wording", " -> "},

		{"a larger effect", nil, func(c *contract.Contract) { c.Effect = contract.Irreversible }, diff.ClassWidened, false, "effect", "reversible -> irreversible"},
		{"read becomes a write", func(c *contract.Contract) { c.Effect = contract.Read }, nil, diff.ClassWidened, false, "effect", "read -> reversible"},
		{"a milder effect asks for fewer decisions", nil, func(c *contract.Contract) { c.Effect = contract.Read }, diff.ClassChanged, false, "effect", "reversible -> read"},
		{"an effect nobody knows", nil, func(c *contract.Contract) { c.Effect = "vast" }, diff.ClassChanged, false, "effect", "reversible -> vast"},
		{"a destination more", nil, func(c *contract.Contract) { c.Destinations = []string{"https://a.example", "https://b.example"} }, diff.ClassWidened, false, "destinations", " -> https://b.example"},
		{"another destination", nil, func(c *contract.Contract) { c.Destinations = []string{"https://b.example"} }, diff.ClassWidened, false, "destinations", " -> https://b.example"},
		{"a destination less", func(c *contract.Contract) { c.Destinations = []string{"https://a.example", "https://b.example"} }, nil, diff.ClassNarrowed, false, "destinations", "https://b.example -> "},
		{"destinations that are not listed any more", nil, func(c *contract.Contract) { c.Destinations = nil }, diff.ClassChanged, false, "destinations", "https://a.example -> "},
		{"a port", nil, func(c *contract.Contract) { c.Destinations = []string{"https://a.example:8443"} }, diff.ClassWidened, false, "destinations", " -> https://a.example:8443"},
		{"a sensitive field less", nil, func(c *contract.Contract) { c.Sensitive = nil }, diff.ClassWidened, false, "sensitive", "/kind -> "},
		{"a sensitive field more", nil, func(c *contract.Contract) { c.Sensitive = []string{"/kind", "/limit"} }, diff.ClassNarrowed, false, "sensitive", " -> /limit"},
		{"another credential", nil, func(c *contract.Contract) { c.Auth = "ADMIN_TOKEN" }, diff.ClassWidened, false, "auth", "CRM_TOKEN -> ADMIN_TOKEN"},
		{"other requests", nil, func(c *contract.Contract) { c.Source = contract.Digest([]byte("DELETE")) }, diff.ClassWidened, false, "source", ""},
		{"requests that are not known any more", nil, func(c *contract.Contract) { c.Source = "" }, diff.ClassChanged, false, "source", ""},
		{"a credential goes", nil, func(c *contract.Contract) { c.Auth = "" }, diff.ClassWidened, false, "auth", "CRM_TOKEN -> "},
		{"pure becomes remote", func(c *contract.Contract) { c.Placement = contract.Pure }, nil, diff.ClassWidened, false, "placement", "pure -> remote"},
		{"pure becomes local", func(c *contract.Contract) { c.Placement = contract.Pure }, func(c *contract.Contract) { c.Placement = contract.Local }, diff.ClassWidened, false, "placement", "pure -> local"},
		{"remote becomes local", nil, func(c *contract.Contract) { c.Placement = contract.Local }, diff.ClassChanged, false, "placement", "remote -> local"},
		{"remote becomes pure", nil, func(c *contract.Contract) { c.Placement = contract.Pure }, diff.ClassNarrowed, false, "placement", "remote -> pure"},
		{"idempotency goes", nil, func(c *contract.Contract) { c.Idempotency = contract.IdempotencyNone }, diff.ClassWidened, false, "idempotency", "header -> none"},
		{"idempotency comes", func(c *contract.Contract) { c.Idempotency = contract.IdempotencyNone }, nil, diff.ClassNarrowed, false, "idempotency", "none -> header"},
		{"idempotency by other means", nil, func(c *contract.Contract) { c.Idempotency = contract.IdempotencyArgument }, diff.ClassChanged, false, "idempotency", "header -> argument"},
		{"a precondition goes", nil, func(c *contract.Contract) { c.Precondition = nil }, diff.ClassWidened, false, "precondition", "crm.get -> "},
		{"another undo", nil, func(c *contract.Contract) { c.Undo = &contract.Reference{Name: "crm.other"} }, diff.ClassChanged, false, "undo", "crm.undo -> crm.other"},
		{"another argument of the readback", nil, func(c *contract.Contract) { c.Readback.Args = map[string]string{"id": "/args/kind"} }, diff.ClassChanged, false, "readback", "crm.get id=/result/id -> crm.get id=/args/kind"},
		{"slots in another order", nil, func(c *contract.Contract) { c.Positional = []string{"kind", "limit"} }, diff.ClassChanged, true, "positional", "limit, kind -> kind, limit"},
		{"an argument that was dropped is sent", nil, func(c *contract.Contract) { c.Positional = []string{"limit", "kind", "tags"} }, diff.ClassChanged, true, "positional", "limit, kind -> limit, kind, tags"},
		{"another name", nil, func(c *contract.Contract) { c.Name = "sales.list" }, diff.ClassRenamed, true, "name", "crm.list -> sales.list"},
		{"another name and an argument", nil, func(c *contract.Contract) {
			c.Name = "sales.list"
			set(`"kind":{`, `"all":{"type":"boolean"},"kind":{`)(c)
		}, diff.ClassWidened, true, "args.all", " -> optional boolean"},
		{"words", nil, func(c *contract.Contract) { c.Description, c.WhenToUse, c.Notes = "Lists all.", "Ever.", nil }, diff.ClassWords, false, "description", " -> "},
		{"where it came from", nil, func(c *contract.Contract) { c.Provenance = nil }, diff.ClassWords, false, "provenance", " -> "},
		{"a higher version", nil, func(c *contract.Contract) { c.Version = 4 }, diff.ClassWords, false, "version", "3 -> 4"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			old, now := base(), base()
			for i, change := range []func(*contract.Contract){tt.old, tt.now} {
				if change != nil {
					change([]*contract.Contract{&old, &now}[i])
				}
			}
			r, err := diff.Compare([]contract.Contract{sealed(t, old)}, []contract.Contract{sealed(t, now)})
			if err != nil || len(r.Changes) != 1 {
				t.Fatalf("%d changes, %v", len(r.Changes), err)
			}
			c := r.Changes[0]
			p := c.Parts[0]
			if c.Class != tt.class || c.Widens != tt.class.Widens() || c.Breaks != tt.breaks || p.Field != tt.field || tt.toField != "" && p.Before+" -> "+p.After != tt.toField {
				t.Errorf("class %s, breaks %v, first part %s: %s -> %s; want %s, %v, %s: %s", c.Class, c.Breaks, p.Field, p.Before, p.After, tt.class, tt.breaks, tt.field, tt.toField)
			}
			// Another name is recorded beside the rows, and no version of a row.
			if stale := now.Version <= old.Version && c.Class != diff.ClassWords && tt.name != "another name"; (len(r.Stale) == 1) != stale {
				t.Errorf("stale versions %+v, want %v", r.Stale, stale)
			}
			again, err := diff.Compare([]contract.Contract{sealed(t, now)}, []contract.Contract{sealed(t, old)})
			if err != nil || len(again.Changes) != 1 {
				t.Fatalf("the way back: %d changes, %v", len(again.Changes), err)
			}
			// What is narrowed one way is a widening the other, and never narrowed both ways.
			if back := again.Changes[0].Class; tt.class == diff.ClassNarrowed && !back.Widens() {
				t.Errorf("the way back is %s", back)
			}
		})
	}
}

// TestCompareOlder compares with a contract of before there was a source: its row need not have changed.
func TestCompareOlder(t *testing.T) {
	old := base()
	old.Source = ""
	r, err := diff.Compare([]contract.Contract{sealed(t, old)}, []contract.Contract{sealed(t, base())})
	if err != nil || len(r.Changes) != 1 || len(r.Stale) != 0 {
		t.Fatalf("%v: %+v", err, r)
	}
	if c := r.Changes[0]; c.Class != diff.ClassChanged || !c.Widens || !strings.Contains(c.Parts[0].Note, "made by an older generator") {
		t.Errorf("%+v", c)
	}
	r.Locate(map[string]string{"CRM_LIST": "rows.jsonl:7"})
	if r.Changes[0].Place != "rows.jsonl:7" {
		t.Errorf("at %q", r.Changes[0].Place)
	}
}

func TestCompareSets(t *testing.T) {
	one, two, three := base(), base(), base()
	two.Key, two.Name = "CRM_GET", "crm.get"
	three.Key, three.Operation, three.Name = "SHOP", "get", "shop.get"
	one, two, three = sealed(t, one), sealed(t, two), sealed(t, three)
	r, err := diff.Compare([]contract.Contract{one, two}, []contract.Contract{three, one})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range r.Changes {
		got = append(got, fmt.Sprintf("%s %s %s widens=%v breaks=%v %s%s", c.Class, c.Row, c.Name, c.Widens, c.Breaks, c.Parts[0].Before, c.Parts[0].After))
	}
	text := "(kind, limit?, tags?) reversible at https://a.example"
	want := []string{"added SHOP#get shop.get widens=true breaks=false " + text, "removed CRM_GET crm.get widens=false breaks=true " + text}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	// A reference follows a row that is renamed.
	renamed := two
	renamed.Name = "people.get"
	renamed.Readback, renamed.Precondition = &contract.Reference{Name: "people.get", Args: map[string]string{"id": "/result/id"}}, &contract.Reference{Name: "people.get"}
	moved := one
	moved.Readback = &contract.Reference{Name: "people.get", Args: map[string]string{"id": "/result/id"}}
	moved.Precondition = &contract.Reference{Name: "people.get"}
	r, err = diff.Compare([]contract.Contract{one, two}, []contract.Contract{sealed(t, moved), sealed(t, renamed)})
	if err != nil || len(r.Changes) != 2 || r.Changes[1].Class != diff.ClassWords || r.Changes[0].Class != diff.ClassRenamed {
		t.Errorf("%v: %+v", err, r.Changes)
	}
}

func TestCompareRefuses(t *testing.T) {
	c := sealed(t, base())
	forged := c
	forged.Effect = contract.Read
	if _, err := diff.Compare([]contract.Contract{c}, []contract.Contract{forged}); err == nil || !strings.Contains(err.Error(), "does not match its digest") {
		t.Errorf("a contract that is not what its digest says: %v", err)
	}
	if _, err := diff.Compare([]contract.Contract{c, c}, nil); err == nil || !strings.Contains(err.Error(), `"CRM_LIST" twice`) {
		t.Errorf("a contract twice: %v", err)
	}
}

// TestEveryFieldIsCompared takes every field of a contract away in turn: none may go unnoticed.
func TestEveryFieldIsCompared(t *testing.T) {
	for i := range reflect.TypeFor[contract.Contract]().NumField() {
		field := reflect.TypeFor[contract.Contract]().Field(i).Name
		if field == "Digest" || field == "Key" || field == "Operation" {
			continue // these say which contract it is
		}
		now := base()
		reflect.ValueOf(&now).Elem().Field(i).SetZero()
		if field == "Params" || field == "Result" {
			reflect.ValueOf(&now).Elem().Field(i).SetBytes([]byte("true"))
		}
		r, err := diff.Compare([]contract.Contract{sealed(t, base())}, []contract.Contract{sealed(t, now)})
		if err != nil || len(r.Changes) != 1 || r.Changes[0].Parts[0].Field == "wording" {
			t.Errorf("%s: %v, %+v", field, err, r.Changes)
		}
	}
}

func TestAcknowledge(t *testing.T) {
	now := base()
	now.Auth = "ADMIN_TOKEN"
	added := base()
	added.Key, added.Name = "CRM_NEW", "crm.new"
	old, changed, fresh := sealed(t, base()), sealed(t, now), sealed(t, added)
	other := contract.Digest([]byte("other"))
	full := func(name, from, to string) diff.Acknowledgement {
		return diff.Acknowledgement{Name: name, From: from, To: to, Reason: "r", By: "ana"}
	}
	for _, tt := range []struct {
		name         string
		list         []diff.Acknowledgement
		open, unused int
	}{
		{"none", nil, 2, 0},
		{"both", []diff.Acknowledgement{full("crm.list", old.Digest, changed.Digest), full("crm.new", "", fresh.Digest)}, 0, 0},
		{"another to", []diff.Acknowledgement{full("crm.list", old.Digest, other)}, 2, 1},
		{"another from", []diff.Acknowledgement{full("crm.list", other, changed.Digest)}, 2, 1},
		{"another name", []diff.Acknowledgement{full("crm.lisst", old.Digest, changed.Digest)}, 2, 1},
		{"one used, one not", []diff.Acknowledgement{full("crm.new", "", fresh.Digest), full("crm.old", "", other)}, 1, 1},
	} {
		r, err := diff.Compare([]contract.Contract{old}, []contract.Contract{changed, fresh})
		if err != nil {
			t.Fatal(err)
		}
		r.Acknowledge(tt.list)
		if len(r.Open()) != tt.open || len(r.Unused) != tt.unused {
			t.Errorf("%s: %d open, %d unused; want %d, %d", tt.name, len(r.Open()), len(r.Unused), tt.open, tt.unused)
		}
	}
}

func TestParseAcknowledged(t *testing.T) {
	d := contract.Digest(nil)
	good := fmt.Sprintf(`{"name":"a.b","from":"","to":%q,"reason":"r","by":"ana"}`, d)
	if list, err := diff.ParseAcknowledged([]byte("[" + good + "]")); err != nil || len(list) != 1 || list[0].To != d {
		t.Errorf("%v, %v", list, err)
	}
	for text, want := range map[string]string{
		``: "want a list", `{}`: "want a list", `[] []`: "after the list", `[{"name":"a.b","who":"x"}]`: `unknown field "who"`,
		`[{"from":""}]`:                 "entry 1: name is missing",
		`[` + good + `,{"name":"a.c"}]`: "entry 2: to is no digest", `[{"name":"a","from":"x"}]`: "from is no digest",
		`[` + strings.Replace(good, `"r"`, `" "`, 1) + `]`: "reason is missing", `[` + strings.Replace(good, `"ana"`, `""`, 1) + `]`: "by is missing",
		`[` + good + `,` + good + `]`: "entry 2: the same as entry 1",
	} {
		if _, err := diff.ParseAcknowledged([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestOrderDoesNotMatter(t *testing.T) {
	var old, now []contract.Contract
	for i := range 30 {
		c := base()
		c.Key, c.Name = fmt.Sprintf("K%d", i), fmt.Sprintf("k.m%d", i)
		old = append(old, sealed(t, c))
		c.Auth = "X"
		if i%3 == 0 {
			set(`"limit":{`, `"p":{},"q":{"type":"null"},"limit":{`)(&c)
		}
		now = append(now, sealed(t, c))
	}
	first, err := diff.Compare(old, now)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(old)
	slices.Reverse(now)
	second, err := diff.Compare(old, now)
	if d := cmp.Diff(first, second); d != "" || err != nil {
		t.Errorf("%v (-first +second):\n%s", err, d)
	}
}

// TestHostileSchemas compares what is made to cost.
func TestHostileSchemas(t *testing.T) {
	deep := func(n int) string { return strings.Repeat(`{"items":`, n) + `{}` + strings.Repeat(`}`, n) }
	wide := func(last string) string {
		var b strings.Builder
		b.WriteString(`{"$defs":{"d0":{"type":"` + last + `"}`)
		for i := range 24 {
			fmt.Fprintf(&b, `,"d%d":{"anyOf":[{"properties":{"a":{"$ref":"#/$defs/d%d"}}},{"properties":{"b":{"$ref":"#/$defs/d%d"}}}]}`, i+1, i, i)
		}
		return b.String() + `},"$ref":"#/$defs/d24"}`
	}
	for _, pair := range [][2]string{{deep(4000), deep(4001)}, {wide("string"), wide("integer")}, {`{"$ref":"#"}`, `{"$ref":"#/$defs/x","$defs":{"x":{"$ref":"#"}}}`},
		{`{"type":"object","properties":{"` + strings.Repeat("x", 10000) + `":{}}}`, `{"type":"object"}`}} {
		old, now := base(), base()
		old.Params, now.Params = json.RawMessage(pair[0]), json.RawMessage(pair[1])
		for _, c := range []*contract.Contract{&old, &now} {
			if c.Seal() != nil {
				return // nested deeper than a contract can be
			}
		}
		r, err := diff.Compare([]contract.Contract{old}, []contract.Contract{now})
		if err != nil || len(r.Changes) != 1 {
			t.Fatalf("%v, %d changes", err, len(r.Changes))
		}
		for _, p := range r.Changes[0].Parts {
			if len(p.Field) > 20000 || len(p.Before) > 2000 || len(p.After) > 2000 {
				t.Errorf("a part of %d bytes", len(p.Field)+len(p.Before)+len(p.After))
			}
		}
	}
}

// TestObservedResultsHaveNoVersion holds that no version of a row is asked for where its row is the same.
func TestObservedResultsHaveNoVersion(t *testing.T) {
	with := func(from contract.Provenance, schema string) contract.Contract {
		c := base()
		c.Result, c.Provenance = json.RawMessage(schema), map[string]contract.Provenance{"result": from}
		return sealed(t, c)
	}
	none, one, two := with(contract.FromNone, `true`), with(contract.FromObserved, `{"type":"string"}`), with(contract.FromObserved, `{"type":"array"}`)
	declared := with(contract.FromArgs, `{"type":"number"}`)
	for _, tt := range []struct {
		name     string
		old, now contract.Contract
		stale    int
	}{{"observed first", none, one, 0}, {"observed again", one, two, 0}, {"no longer", two, none, 0}, {"declared after", two, declared, 1}, {"declared no longer", declared, one, 1}} {
		r, err := diff.Compare([]contract.Contract{tt.old}, []contract.Contract{tt.now})
		if err != nil || len(r.Changes) != 1 || len(r.Stale) != tt.stale {
			t.Errorf("%s: %d stale, want %d (%v)", tt.name, len(r.Stale), tt.stale, err)
		}
	}
}

func TestRemarksSayWhy(t *testing.T) {
	old, now := base(), base()
	now.Effect, now.Undo = contract.Irreversible, nil
	r, err := diff.Compare([]contract.Contract{sealed(t, old)}, []contract.Contract{sealed(t, now)})
	if err != nil {
		t.Fatal(err)
	}
	r.Explain([]diff.Remark{{"CRM_LIST", "effect", "no undo"}, {"CRM_LIST", "params/limit", "odd"}, {"OTHER", "effect", "other"}, {"CRM_LIST", "undo", "lost"}})
	if d := cmp.Diff([]string{"effect: no undo", "undo: lost"}, r.Changes[0].Remarks); d != "" {
		t.Error(d)
	}
}

func TestAcknowledgedIsAReviewedFile(t *testing.T) {
	b, a := base(), base()
	b.Key, b.Name, a.Key, a.Name = "B", "b.new", "A", "a.new"
	r, err := diff.Compare(nil, []contract.Contract{sealed(t, b), sealed(t, a)})
	if err != nil {
		t.Fatal(err)
	}
	kept := diff.Acknowledgement{Name: "a.old", From: "", To: "sha256:" + strings.Repeat("0", 64), Reason: "before", By: "bo"}
	text, added, err := r.Acknowledged([]diff.Acknowledgement{kept}, "needed <now>", "ana")
	if err != nil || added != 2 {
		t.Fatalf("%d added, %v", added, err)
	}
	list, err := diff.ParseAcknowledged(text)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 3 || list[0].Name != "a.new" || list[1] != kept || list[2].By != "ana" || list[2].Reason != "needed <now>" || !strings.Contains(string(text), "\n    \"reason\": \"needed <now>\"") {
		t.Errorf("%s", text)
	}
	r.Acknowledge(list)
	again, added, err := r.Acknowledged(list, "other", "bo")
	if err != nil || added != 0 || string(again) != string(text) {
		t.Errorf("again %d added, %v:\n%s", added, err, again)
	}
	if _, _, err := (diff.Report{Changes: r.Changes[:1]}).Acknowledged(nil, " ", "ana"); err != nil {
		t.Errorf("nothing is open, and it fails: %v", err)
	}
}
