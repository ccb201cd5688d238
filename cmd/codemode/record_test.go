package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"codemode/directory/contract"
	"codemode/runtime"
)

type invokerFunc func(runtime.Invocation) (runtime.Reply, error)

func (f invokerFunc) Invoke(_ context.Context, in runtime.Invocation) (runtime.Reply, error) {
	return f(in)
}

// TestRecorder keeps arguments out of what is recorded, and results that repeat a sensitive one.
func TestRecorder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.jsonl")
	if err := os.WriteFile(file, []byte("{\"key\":\"OLD\",\"result\":1}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var reply string
	service := &runtime.Service{Invoker: invokerFunc(func(in runtime.Invocation) (runtime.Reply, error) {
		if reply == "" {
			return runtime.Reply{}, runtime.Errorf(runtime.NotFound, "gone")
		}
		return runtime.Reply{Result: json.RawMessage(reply)}, nil
	})}
	end, err := (&terminal{out: &output{w: os.Stderr}, err: os.Stderr}).record(service, file)
	if err != nil {
		t.Fatal(err)
	}
	c := contract.Contract{Key: "LOGIN", Operation: "in", Sensitive: []string{"/password", "/card/number", "/pin"}}
	const args = `{"user":"ana","password":"q\"<&>1","card":{"number":4711471147},"pin":null}`
	for _, r := range []string{`{"ok": true,` + "\n" + `"user":"ana"}`, `{"echo":"with q\"<&>1 inside"}`, `{"echo":"q\"\u003c\u0026\u003e1"}`, `{"n":4711471147}`, ``, `null`} {
		reply = r
		_, err := service.Invoker.Invoke(t.Context(), runtime.Invocation{Contract: c, Args: json.RawMessage(args)})
		if (err != nil) != (r == "") {
			t.Errorf("%s: %v", r, err)
		}
	}
	if err := end(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := "{\"key\":\"OLD\",\"result\":1}\n{\"key\":\"LOGIN\",\"operation\":\"in\",\"result\":{\"ok\":true,\"user\":\"ana\"}}\n{\"key\":\"LOGIN\",\"operation\":\"in\",\"result\":null}\n"
	if string(got) != want {
		t.Errorf("recorded:\n%swant:\n%s", got, want)
	}
}

// TestSensitiveSpellings: a result repeats a sensitive argument however it is written there.
func TestSensitiveSpellings(t *testing.T) {
	const args = `{"password":"p\u00e4ss w\u2028rd+<1>","card":{"number":4711471147,"owner":{"name":"Ana Quell","tags":["x1","tagged"]}},
		"cards":[{"n":"visa-77","cvc":"123"},{"n":"amex-88","cvc":987}],"a/b":"slashed","pin":4711,"off":false,"user":"public-user","*":"starred"}`
	secret := "p\u00e4ss w\u2028rd+<1>"
	quoted := func(v any) string {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	for _, tt := range []struct {
		name     string
		pointers []string
		result   string
		held     bool
	}{
		{"escaped", []string{"/password"}, `{"e":"is p\u00E4ss w\u2028rd+\u003C1>"}`, true},
		{"as it is", []string{"/password"}, `"` + secret + `"`, true},
		{"a key", []string{"/password"}, `{"` + secret + `":1}`, true},
		{"of two members of one name", []string{"/user"}, `{"a":"public-user","a":1}`, true},
		{"percent", []string{"/password"}, quoted("?q=" + url.QueryEscape(secret)), true},
		{"percent of a path", []string{"/password"}, quoted("/q/" + url.PathEscape(secret) + "/100%"), true},
		{"percent twice", []string{"/password"}, quoted(url.QueryEscape(url.QueryEscape(secret))), true},
		{"base64", []string{"/password"}, quoted(base64.StdEncoding.EncodeToString([]byte(secret))), true},
		{"base64 of more", []string{"/password"}, quoted("Basic " + base64.URLEncoding.EncodeToString([]byte("ab:"+secret+"!"))), true},
		{"base64 in a URL", []string{"/password"}, quoted("?t=" + url.QueryEscape(base64.StdEncoding.EncodeToString([]byte("abcd"+secret)))), true},
		{"HTML", []string{"/password"}, quoted("<b>p&auml;ss w\u2028rd+&lt;1&gt;</b>"), true},
		{"JSON in text", []string{"/password"}, quoted(`{"x": "p\u00e4ss w\u2028rd+\u003c1>"}`), true},
		{"a piece of JSON", []string{"/password"}, quoted(`sent "p\u00e4ss w\u2028rd+<1>"`), true},
		{"another case", []string{"/user"}, `["PUBLIC-User"]`, true},
		{"a leaf of an object", []string{"/card"}, `{"to":"ana quell"}`, true},
		{"a number of an object", []string{"/card"}, `[4.711471147e9]`, true},
		{"a number in text", []string{"/card"}, `"card 4711471147"`, true},
		{"a short leaf alone", []string{"/card"}, `["x1"]`, true},
		{"a short leaf inside", []string{"/card"}, `["x12"]`, false},
		{"a short number alone", []string{"/pin"}, `4711`, true},
		{"a short number inside", []string{"/pin"}, `"14711"`, false},
		{"an item", []string{"/cards/1"}, `"amex-88"`, true},
		{"another item", []string{"/cards/1"}, `"visa-77"`, false},
		{"all items", []string{"/cards/*/n"}, `"visa-77"`, true},
		{"all items, another member", []string{"/cards/*/n"}, `987`, false},
		{"all members", []string{"/*/number"}, `4711471147`, true},
		{"a name with a slash", []string{"/a~1b"}, `"slashed"`, true},
		{"everything", []string{""}, `"public-user"`, true},
		{"nothing there", []string{"/none", "/card/none", "/cards/7", "/off", "/"}, `["public-user",false]`, false},
		{"a list by a name", []string{"/cards/n"}, `1`, true},
		{"no pointer", []string{"password"}, `1`, true},
		{"a bad escape", []string{"/~2"}, `1`, true},
		{"below text", []string{"/user/name"}, `"public-user"`, true},
	} {
		s := newSecrets()
		err := s.learn(json.RawMessage(args), tt.pointers)
		found, lost := s.in(json.RawMessage(tt.result))
		if held := found || err != nil || lost != nil; held != tt.held {
			t.Errorf("%s: held %v, want %v (%v, %v)", tt.name, held, tt.held, err, lost)
		}
	}
}

// TestHeldBackIsSaid names the row and the reason, and no value; a later call repeats nothing either.
func TestHeldBackIsSaid(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.jsonl")
	service := &runtime.Service{Invoker: invokerFunc(func(runtime.Invocation) (runtime.Reply, error) {
		return runtime.Reply{Result: json.RawMessage(`"for hunter22"`)}, nil
	})}
	told, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer told.Close()
	end, err := (&terminal{out: &output{w: io.Discard}, err: told}).record(service, file)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []contract.Contract{{Key: "LOGIN", Sensitive: []string{"/password"}}, {Key: "ECHO"}, {Key: "ODD", Sensitive: []string{"/list/n"}}} {
		if _, err := service.Invoker.Invoke(t.Context(), runtime.Invocation{Contract: c, Args: json.RawMessage(`{"password":"hunter22","list":[]}`)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := end(); err != nil {
		t.Fatal(err)
	}
	want := "0 results recorded in " + file + `
1 result not recorded: ECHO: a sensitive argument stands in it
1 result not recorded: LOGIN: a sensitive argument stands in it
1 result not recorded: ODD: the sensitive pointer "/list/n" names a member of what is a list
`
	if said, err := os.ReadFile(told.Name()); err != nil || string(said) != want {
		t.Errorf("said %v:\n%swant:\n%s", err, said, want)
	}
	if got, err := os.ReadFile(file); err != nil || len(got) > 0 {
		t.Errorf("recorded %q, %v", got, err)
	}
}

// TestSensitiveHostile: what cannot be searched is held back.
func TestSensitiveHostile(t *testing.T) {
	s := newSecrets()
	if err := s.learn(json.RawMessage(`{"a":"secret"}`), []string{"/a"}); err != nil {
		t.Fatal(err)
	}
	for name, result := range map[string]string{"long": `"` + strings.Repeat("x", sensitiveWork) + `"`, "in deep text": quotedTimes("secret", 6), "no JSON": `{"a":x}`} {
		if found, err := s.in(json.RawMessage(result)); !found && err == nil {
			t.Errorf("%s is recorded", name)
		}
	}
	many := "[" + strings.Repeat(`"v",`, 9)
	for i := range maxSensitive {
		many += fmt.Sprintf(`"value %d",`, i)
	}
	if err := s.learn(json.RawMessage(`{"a":`+many+`"v"]}`), []string{"/a"}); err != nil {
		t.Fatal(err)
	}
	if found, err := s.in(json.RawMessage(`1`)); found || err == nil {
		t.Errorf("with more values than are kept: %v, %v", found, err)
	}
}

func quotedTimes(text string, n int) string {
	for range n {
		text = strconv.Quote(text)
	}
	return text
}
