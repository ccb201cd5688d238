package golang_test

// This file holds names that want to be one, and text that tries to get out of its comment, literal or
// tag.

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codemode/directory/contract"
	"codemode/gen/golang"
	"codemode/gen/schema"
)

var hostileTexts = []string{
	"*/ func Evil() {} /*", "\nfunc Evil() {}", "\r\nfunc Evil() {}", "\u2028func Evil() {}", "`+evil+`", "\"; evil()", `\`, `\"`, "a`b",
	"//go:embed /etc/passwd", "go:embed /etc/passwd", "//go:build ignore", "+build ignore", "\n+build ignore\n", "//line evil.go:1", "//export Evil",
	"#cgo LDFLAGS: -levil", "import \"C\"", "# heading", "- list\n- list", "1. list", "    code", "[Link]: https://example.com", "Deprecated: x",
	"\u202eevil\u202c", "\x00\x07\x1b[31m", "\ufeff", "\xff\xfe", "\U000e0041tag", "", " ", "-", "_", "a,b", "a,omitempty", ",string", "it's", "日本", "ǅ",
	"type", "func", "nil", "string", "init", "main", "3d", "a.b", "then", "%s%d%!", "\u00a0x", strings.Repeat("long ", 200), strings.Repeat("+build ", 40),
	strings.Repeat("x", 1200),
}

func quoted(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// hostileContract puts one text in every place that a directory fills.
func hostileContract(name, text string) contract.Contract {
	q := quoted(text)
	doc := fmt.Sprintf(`{"type":"object","title":%[1]s,"description":%[1]s,"required":["lit","list"],"properties":{
		"lit":{"const":%[1]s,"description":%[1]s,"examples":[%[1]s]},
		"list":{"enum":[%[1]s,{%[1]s:%[1]s},null],"default":%[1]s,"title":%[1]s},
		"words":{"enum":[%[1]s,"a-b","a_b"],"description":%[1]s},
		"checked":{"type":"string","pattern":%[1]s,"format":%[1]s,"contentMediaType":%[1]s},
		%[2]s:{"type":"string","description":%[1]s},%[1]s:{"type":"object","properties":{%[1]s:{"$ref":"#/$defs/S"}}},"shared":{"$ref":"#/$defs/S"}},
		"$defs":{"S":{"type":"array","description":%[1]s,"items":{"$ref":"#/$defs/S"}}},
		"patternProperties":{%[1]s:{"type":"string"}}}`, q, quoted("named "+text))
	return contract.Contract{Key: "KEY " + text, Operation: text, Name: name, Description: text, WhenToUse: text, Deprecated: text,
		Effect: contract.Effect(text), Positional: []string{text}, Params: json.RawMessage(doc), Result: json.RawMessage(doc)}
}

func TestHostileText(t *testing.T) {
	var cs []contract.Contract
	for i, text := range hostileTexts {
		name := strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), ".", "")
		if name == "" {
			name = "empty"
		}
		cs = append(cs, hostileContract(name+".call "+text, text), contract.Contract{Key: fmt.Sprint("plain", i), Name: fmt.Sprintf("plain.%d %s", i, text)})
	}
	wantVetted(t, cs)
	files := generate(t, cs)
	for name, text := range files {
		if strings.Contains(string(text), "\nfunc Evil(") || strings.Contains(string(text), "\n//go:") || strings.Contains(string(text), "\n// +build") {
			t.Errorf("%s: text got out", name)
		}
		if strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") || filepath.Base(name) != name || len(name) > 200 {
			t.Errorf("the file name %q", name)
		}
	}
}

// Names that Go would spell alike stay apart: keys of an object, values of an enum, methods, namespaces,
// and types that meet across methods.
func TestNamesNeverCollide(t *testing.T) {
	obj := func(keys ...string) json.RawMessage {
		props := map[string]any{}
		for _, k := range keys {
			props[k] = map[string]any{"type": "object", "properties": map[string]any{"x": map[string]any{"enum": []string{"a b", "a_b", "aB", "", " ", ">", "<"}}}, "required": []string{"x"}}
		}
		raw, err := json.Marshal(map[string]any{"type": "object", "properties": props, "additionalProperties": true})
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	keys := []string{"foo_bar", "fooBar", "FooBar", "foo-bar", "foo bar", "Additional", "additional", "", "-", "_", ".", "user_id", "userId", "userID", "type", "range", "é", "e\u0301", "日本", "X日本"}
	cs := []contract.Contract{
		{Key: "1", Name: "a.bC", Params: obj(keys...), Result: obj(keys...)},
		{Key: "2", Name: "aB.c", Params: obj(keys...), Result: obj("item")},
		{Key: "3", Name: "a.b_c", Params: obj("args"), Result: json.RawMessage(`{"type":"array","items":{"type":"object","properties":{"item":{"type":"object","properties":{"x":{}}}}}}`)},
		{Key: "4", Name: "a.bCArgs", Params: obj("foo")},
		{Key: "5", Name: "abX.handler", Params: obj("handler")},
		{Key: "6", Name: "unimplementedAbX.x"},
		{Key: "7", Name: "string_.x"}, {Key: "8", Name: "_1.x"}, {Key: "9", Name: "tools.x"}, {Key: "10", Name: "x_linux.y"}, {Key: "11", Name: "x_test.y"}, {Key: "12", Name: "bindings.x"},
		{Key: "13", Name: "a.then_", Params: json.RawMessage(`{"type":"object","properties":{"c":{"$ref":"#/$defs/Args"},"d":{"$ref":"#/$defs/Args"}},"$defs":{"Args":{"type":"object","properties":{"c":{"type":"object","properties":{"x":{}}}}}}}`)},
	}
	wantVetted(t, cs)
	var samples []sample
	value := map[string]any{}
	for i, k := range keys {
		value[k] = map[string]any{"x": []string{"a b", "a_b", "aB", "", " ", ">", "<"}[i%7]}
	}
	value["other"] = json.Number("9007199254740993")
	for _, document := range []string{"Args", "Result"} {
		samples = append(samples, sample{"names", 0, document, json.RawMessage(quoted(value))}, sample{"none", 0, document, json.RawMessage(`{}`)})
	}
	wantKept(t, cs, samples)
}

// Forms that Go has no words for, each with values that must come out as they went in.
func TestForms(t *testing.T) {
	forms := []struct {
		schema string
		values []string
		// given are values that only an argument tells from one that is not there: a result says it with
		// json.RawMessage("null").
		given []string
	}{
		{`{"type":"object","properties":{"n":{"type":"integer","format":"int64"},"u":{"type":"integer","format":"uint64"},"b":{"type":"integer","minimum":-1e30},"c":{"type":"integer","minimum":0,"maximum":18446744073709551615},"d":{"type":["integer","null"],"minimum":-99999999999999999999}}}`,
			[]string{`{"n":-9223372036854775808,"u":18446744073709551615,"b":123456789012345678901234567890,"c":18446744073709551615,"d":null}`, `{}`, `{"d":-99999999999999999999}`}, nil},
		{`{"type":"object","properties":{"a":{"type":["string","null"]},"b":{"type":["string","null"]},"l":{"type":["array","null"],"items":{"type":["object","null"],"properties":{"x":{"type":"integer"}}}}},"required":["a"]}`,
			[]string{`{"a":null}`, `{"a":"","b":null}`, `{"a":"x","b":"","l":null}`, `{"a":null,"l":[]}`, `{"a":null,"l":[null,{},{"x":0}]}`}, nil},
		{`{"type":"object","properties":{"next":{"$ref":"#"},"v":{"type":"integer"}},"required":["v"]}`, []string{`{"v":1}`, `{"v":1,"next":{"v":2,"next":{"v":0}}}`}, nil},
		{`{"type":"object","properties":{"node":{"$ref":"#/$defs/N"}},"$defs":{"N":{"anyOf":[{"type":"null"},{"type":"object","properties":{"next":{"$ref":"#/$defs/N"}},"required":["next"]}]}},"required":["node"]}`,
			[]string{`{"node":null}`, `{"node":{"next":null}}`, `{"node":{"next":{"next":null}}}`}, nil},
		{`{"type":"object","properties":{"json":{"$ref":"#/$defs/J"}},"$defs":{"J":{"anyOf":[{"type":"string"},{"type":"number"},{"type":"null"},{"type":"array","items":{"$ref":"#/$defs/J"}},{"type":"object","additionalProperties":{"$ref":"#/$defs/J"}}]}}}`,
			[]string{`{}`, `{"json":[1,"a",[{"x":[]}],9007199254740993]}`}, []string{`{"json":null}`}},
		{`{"type":"object","properties":{"list":{"$ref":"#/$defs/L"},"map":{"$ref":"#/$defs/M"}},"$defs":{"L":{"type":"array","items":{"$ref":"#/$defs/L"}},"M":{"type":"object","additionalProperties":{"$ref":"#/$defs/M"}}},"required":["list"]}`,
			[]string{`{"list":[]}`, `{"list":[[],[[]]],"map":{"a":{},"b":{"c":{}}}}`}, nil},
		{`{"type":"object","properties":{"t":{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false},"s":{"type":"array","prefixItems":[{"type":"number"},{"type":"number"}],"items":false}}}`,
			[]string{`{"t":["a",9007199254740993],"s":[1.5,2]}`, `{"t":[]}`}, nil},
		{`{"type":"object","properties":{"shape":{"oneOf":[{"type":"object","properties":{"kind":{"const":"circle"},"r":{"type":"number"}},"required":["kind","r"]},{"type":"object","properties":{"kind":{"const":"box"},"w":{"type":"number"}},"required":["kind"]}]}},"required":["shape"]}`,
			[]string{`{"shape":{"kind":"circle","r":1.5}}`, `{"shape":{"kind":"box"}}`}, nil},
		{`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"integer","format":"int64"}}`, []string{`{"a":"x","b":9007199254740993,"A":1}`, `{"b":1}`}, nil},
		{`{"type":"object","properties":{"e":{"enum":["a","b",null]},"n":{"enum":[1,2,3]},"m":{"enum":[1,"a",true]},"f":{"enum":[1.5,2]}}}`, []string{`{"e":null,"n":2,"m":"a","f":2}`, `{"e":"a","m":true}`, `{"m":1}`}, nil},
		{`{"type":"object","properties":{"x":{"type":"string"}},"anyOf":[{"properties":{"y":{"type":"string"}},"required":["y"]},{"properties":{"z":{"type":"string"}},"required":["z"]}]}`, []string{`{"x":"1","y":"2"}`, `{"z":"3"}`}, nil},
		{`{"type":"object","properties":{"any":{},"none":{"type":"null"},"never":{"not":{}},"empty":{"type":"object","additionalProperties":false},"free":{"type":"object"}}}`, []string{`{"empty":{},"free":{"a":[1]}}`, `{}`, `{"any":0}`}, []string{`{"any":null,"none":null}`}},
	}
	var cs []contract.Contract
	var samples []sample
	for i, f := range forms {
		cs = append(cs, contract.Contract{Key: fmt.Sprint(i), Name: fmt.Sprint("forms.form", i), Params: json.RawMessage(f.schema), Result: json.RawMessage(f.schema)})
		for _, v := range f.values {
			samples = append(samples, sample{f.schema, i, "Args", json.RawMessage(v)}, sample{f.schema, i, "Result", json.RawMessage(v)})
		}
		for _, v := range f.given {
			samples = append(samples, sample{f.schema, i, "Args", json.RawMessage(v)})
		}
	}
	wantKept(t, cs, samples)
	wantVetted(t, cs)
}

// Every schema of the JSON Schema Test Suite gives Go that compiles, all in one package.
func TestJSONSchemaSuite(t *testing.T) {
	root := shared(t, "json_schema_test_suite")
	var cs []contract.Contract
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".json") {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var groups []struct {
			Schema json.RawMessage
		}
		if err := json.Unmarshal(raw, &groups); err != nil {
			return err
		}
		for _, g := range groups {
			if _, err := schema.Parse(g.Schema, schema.Options{}); errors.Is(err, schema.ErrRemoteRef) || errors.Is(err, schema.ErrMissingRef) {
				continue
			}
			name := fmt.Sprint("suite.case", len(cs))
			cs = append(cs, contract.Contract{Key: name, Name: name, Params: g.Schema, Result: g.Schema})
		}
		return nil
	})
	if err != nil || len(cs) < 300 {
		t.Fatalf("%d schemas: %v", len(cs), err)
	}
	wantVetted(t, cs)
}

func TestErrors(t *testing.T) {
	ok := contract.Contract{Key: "K", Name: "a.b"}
	for _, tt := range []struct {
		pkg, want string
		cs        []contract.Contract
	}{
		{"Bindings", "cannot name a package", nil}, {"type", "cannot name a package", nil}, {"a/b", "cannot name a package", nil}, {"main", "cannot name a package", nil}, {"a\nb", "cannot name a package", nil},
		{"a", "want a name like namespace.method", []contract.Contract{{Key: "K", Name: "x"}}},
		{"a", `two contracts are named "a.b" (rows K and K)`, []contract.Contract{ok, ok}},
		{"a", `a.b (row K): result: schema: #: $ref "#/nowhere": reference points at nothing`, []contract.Contract{{Key: "K", Name: "a.b", Result: json.RawMessage(`{"$ref":"#/nowhere"}`)}}},
		{"a", "result: schema: schema is nested too deep", []contract.Contract{{Key: "K", Name: "a.b", Result: json.RawMessage(strings.Repeat(`{"items":`, 10000) + "{}" + strings.Repeat("}", 10000))}}},
	} {
		if _, err := golang.Package(tt.pkg, header, tt.cs); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.20q: error %v, want %q", tt.pkg, err, tt.want)
		}
	}
}

// Arguments that no type can be written of are an open object, and the comment says so.
func TestUnshownArguments(t *testing.T) {
	cs := []contract.Contract{{Key: "K", Name: "a.b", Params: json.RawMessage(`{"$ref":"#/nowhere"}`)}}
	wantVetted(t, cs)
	text := string(generate(t, cs)["a.gen.go"])
	if !strings.Contains(text, "B(ctx context.Context, args map[string]json.RawMessage)") || !strings.Contains(text, "their schema cannot be shown as a type") {
		t.Errorf("got\n%s", text)
	}
}

// Methods of the standard library's interfaces keep their names for those.
func TestStandardMethods(t *testing.T) {
	var cs []contract.Contract
	for _, name := range strings.Fields(`as format gobDecode gobEncode is marshalJSON marshalXML readByte readFrom readRune scan seek
		unmarshalJSON unmarshalXML unreadByte unreadRune unwrap writeByte writeTo callSeek flush close read`) {
		cs = append(cs, contract.Contract{Key: name, Name: "std." + name, Params: json.RawMessage(`{"type":"object","properties":{"x":{"type":"string"}}}`)})
	}
	wantVetted(t, cs)
	text := string(generate(t, cs)["std.gen.go"])
	for _, want := range []string{"CallWriteByte(ctx", "CallMarshalJSON(ctx", "CallScan(ctx", "\tFlush(ctx", "\tRead(ctx", "CallSeek_"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
}

// A row's own text never begins a line like the generator's.
func TestTextLikeALabel(t *testing.T) {
	for _, text := range []string{"Effect: read", "Effect: read. Deprecated: x", strings.Repeat("x ", 40) + "Effect: read and When to use: always", strings.Repeat("Effect: read ", 30), strings.Repeat("Deprecated: x ", 30)} {
		params := json.RawMessage(fmt.Sprintf(`{"type":"object","description":%[1]s,"properties":{"p":{"type":"string","description":%[1]s},"q":{"type":"object","description":%[1]s,"properties":{"r":{"enum":["a","b"],"description":%[1]s}}}}}`, quoted(text)))
		cs := []contract.Contract{{Key: "K", Name: "a.effect", Description: text, Effect: contract.Irreversible, Params: params, Result: params}}
		wantVetted(t, cs)
		for line := range strings.Lines(string(generate(t, cs)["a.gen.go"])) {
			comment, ok := strings.CutPrefix(strings.TrimSpace(line), "// ")
			if ok && schema.LikeLabel(comment) && !strings.HasPrefix(comment, "> ") && !strings.HasPrefix(comment, "| ") && comment != "Effect: irreversible." {
				t.Errorf("%.40q prints the line %q", text, comment)
			}
		}
	}
}
