package contract

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func sample() Contract {
	return Contract{
		Key: "CRM", Operation: "list", Name: "crm.list", Version: 2,
		Description: "lists", WhenToUse: "to list", Notes: []string{"n"}, Examples: []Example{{Text: "t", Args: json.RawMessage(`{"a":1}`)}}, Deprecated: "use x",
		Params: json.RawMessage(`{"type":"object","properties":{"b":{},"a":{}}}`), Positional: []string{"a"}, Result: json.RawMessage(`true`),
		Effect: Reversible, Placement: Remote, Idempotency: IdempotencyHeader,
		Readback: &Reference{Name: "crm.get"}, Precondition: &Reference{Name: "crm.can", Args: map[string]string{"id": "/args/id"}}, Undo: &Reference{Name: "crm.undo"},
		Destinations: []string{"https://api.example"}, Sensitive: []string{"/password"}, Auth: "crm", Source: Digest([]byte("GET")),
		Provenance: map[string]Provenance{"name": FromSchema, "effect": FromNone},
	}
}

func TestSeal(t *testing.T) {
	c := sample()
	if c.Sealed() {
		t.Error("sealed before Seal")
	}
	if err := c.Seal(); err != nil {
		t.Fatal(err)
	}
	if !c.Sealed() || !strings.HasPrefix(c.Digest, "sha256:") || len(c.Digest) != len("sha256:")+64 {
		t.Errorf("digest is %q", c.Digest)
	}
	first := c.Digest
	if err := c.Seal(); err != nil || c.Digest != first {
		t.Errorf("sealing again gives %q (%v), not %q", c.Digest, err, first)
	}
	// The digest is over the value, not over how it is written, and survives JSON.
	c.Params = json.RawMessage(` { "properties" : {"a":{},"b":{}}, "type":"\u006fbject"} `)
	if !c.Sealed() {
		t.Error("another spelling of the same schema breaks the seal")
	}
	raw, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var back Contract
	if err := json.Unmarshal(raw, &back); err != nil || !back.Sealed() {
		t.Errorf("not sealed after a round trip: %v", err)
	}
}

// TestEveryFieldIsSealed clears each field of a full contract in turn, so that a field added later
// and left out of the digest fails here.
func TestEveryFieldIsSealed(t *testing.T) {
	full := sample()
	if err := full.Seal(); err != nil {
		t.Fatal(err)
	}
	kind := reflect.TypeFor[Contract]()
	for i := range kind.NumField() {
		name := kind.Field(i).Name
		if reflect.ValueOf(full).Field(i).IsZero() {
			t.Errorf("the sample leaves %s out", name)
		}
		changed := full
		reflect.ValueOf(&changed).Elem().Field(i).SetZero()
		if name == "Params" || name == "Result" {
			reflect.ValueOf(&changed).Elem().Field(i).SetBytes([]byte(`false`))
		}
		if changed.Sealed() {
			t.Errorf("the seal holds without %s", name)
		}
	}
}

func TestSealRefuses(t *testing.T) {
	for name, change := range map[string]func(*Contract){
		"a schema that is not JSON": func(c *Contract) { c.Params = json.RawMessage(`{"a":`) },
		"an empty schema":           func(c *Contract) { c.Result = json.RawMessage{} },
		"a duplicate key":           func(c *Contract) { c.Params = json.RawMessage(`{"type":"object","type":"string"}`) },
		"a lone surrogate":          func(c *Contract) { c.Params = json.RawMessage(`{"const":"\ud800"}`) },
		"invalid UTF-8 in a schema": func(c *Contract) { c.Params = json.RawMessage("{\"const\":\"\xff\"}") },
		"invalid UTF-8 in text":     func(c *Contract) { c.Description = "a\xff" },
		"invalid UTF-8 in a list":   func(c *Contract) { c.Sensitive = []string{"/a\xff"} },
		"invalid UTF-8 in a map":    func(c *Contract) { c.Undo = &Reference{Name: "x", Args: map[string]string{"a\xff": "/args"}} },
	} {
		c := sample()
		change(&c)
		if err := c.Seal(); err == nil || c.Digest != "" || !strings.Contains(err.Error(), "crm.list") {
			t.Errorf("%s: sealed as %q (%v)", name, c.Digest, err)
		}
	}
}

// TestSealDistinguishes are contracts that a rounding or replacing form would give one digest.
func TestSealDistinguishes(t *testing.T) {
	digests := map[string]string{}
	for _, schema := range []string{`{"maximum":9007199254740992}`, `{"maximum":9007199254740993}`, `{"const":"\ufffd"}`, `{"const":"\u2028"}`, `{"const":"<"}`,
		`{"const":"\\u003c"}`} {
		c := sample()
		c.Params = json.RawMessage(schema)
		if err := c.Seal(); err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		if other, ok := digests[c.Digest]; ok {
			t.Errorf("%s and %s share a digest", schema, other)
		}
		digests[c.Digest] = schema
	}
}

func TestDigest(t *testing.T) {
	// FIPS 180-2, appendix B.1.
	if got := Digest([]byte("abc")); got != "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" {
		t.Error(got)
	}
}

// TestSealRefusesWhatIsNoText holds that a byte that is no text is told with its place, and that the
// character which stands for such bytes elsewhere is text like any other.
func TestSealRefusesWhatIsNoText(t *testing.T) {
	c := Contract{Name: "a.b", Notes: []string{"fine", "\xff"}, Params: []byte(`{}`), Result: []byte(`true`)}
	if err := c.Seal(); err == nil || !strings.Contains(err.Error(), "contract.Notes[]") {
		t.Errorf("error %v", err)
	}
	c.Notes, c.Params = []string{"\uFFFD"}, []byte(`{"title":"\ufffd"}`)
	if err := c.Seal(); err != nil {
		t.Error(err)
	}
}

// TestSealText holds the text of a sealed contract against what encoding/json writes of it.
func TestSealText(t *testing.T) {
	c := Contract{Key: "K", Name: "a.b", Version: 1, Description: "<\"&\\>\u2028\n", Params: json.RawMessage(`{ "b": [1, 2.50], "a": {} }`), Result: json.RawMessage("true")}
	text, err := c.SealText()
	if err != nil || !c.Sealed() {
		t.Fatalf("sealed %v: %v", c.Sealed(), err)
	}
	var want bytes.Buffer
	enc := json.NewEncoder(&want)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(c); err != nil || want.String() != string(text)+"\n" {
		t.Errorf("got  %s\nwant %s (%v)", text, want.String(), err)
	}
}
