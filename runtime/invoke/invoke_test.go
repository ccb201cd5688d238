package invoke

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/runtime"
)

// hostile is a value that every stringly surface mangles.
const hostile = "a|b\"c\n$1 $$1 $PREV {\"x\":1} %2F &=?#'\\\u2028é"

var hostileJSON, _ = json.Marshal(hostile)

// plainDoer sends over a real connection, without the policy of package egress.
type plainDoer struct{}

func (plainDoer) Do(ctx context.Context, r Request) (*Response, error) {
	req, err := http.NewRequestWithContext(ctx, r.Method, r.URL, strings.NewReader(string(r.Body)))
	if err != nil {
		return nil, runtime.Errorf(runtime.InvalidArgument, "the request cannot be sent: %v", err)
	}
	for name, value := range r.Header {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return nil, runtime.Errorf(runtime.Unavailable, "no connection: %v", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode/100 != 2 {
		return nil, &runtime.Error{Code: runtime.RemoteFailed, Message: r.URL + " failed", Status: resp.StatusCode, Detail: r.Scrub(string(body))}
	}
	return &Response{Status: resp.StatusCode, Header: resp.Header, Body: body}, nil
}

// got is what the server of a test received last.
type got struct {
	Method, URI, Type, Body string
	Header                  http.Header
}

// server answers every request with reply and keeps what it got.
func server(t *testing.T, mediaType, reply string) (string, *got) {
	t.Helper()
	last := &got{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*last = got{r.Method, r.URL.RequestURI(), r.Header.Get("Content-Type"), string(body), r.Header}
		w.Header()["Content-Type"] = []string{mediaType}
		io.WriteString(w, reply)
	}))
	t.Cleanup(s.Close)
	return s.URL, last
}

func newInvoker(t *testing.T, c Config) *Invoker {
	t.Helper()
	if c.Egress == nil {
		c.Egress = plainDoer{}
	}
	inv, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

func object(t *testing.T, kv ...any) json.RawMessage {
	t.Helper()
	m := map[string]any{}
	for i := 0; i < len(kv); i += 2 {
		m[kv[i].(string)] = kv[i+1]
	}
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func wantCode(t *testing.T, err error, code runtime.Code) *runtime.Error {
	t.Helper()
	var e *runtime.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("got %v, want %s", err, code)
	}
	return e
}

const anyParams = `{"type":"object"}`

func contractOf(key string, positional ...string) contract.Contract {
	return contract.Contract{Key: key, Name: "t." + strings.ToLower(key), Params: json.RawMessage(anyParams), Positional: positional,
		Result: json.RawMessage("true"), Effect: contract.Irreversible}
}

func TestHTTPRequests(t *testing.T) {
	url, last := server(t, "text/plain", "ok")
	for _, tc := range []struct {
		name   string
		row    directory.Row
		params string
		order  []string
		args   string
		want   got
	}{
		{"slots", directory.Row{Target: "GET " + url + "/u/$1?limit=$2"}, anyParams, []string{"id", "limit"}, `{"limit":10,"id":"a/b c"}`,
			got{Method: "GET", URI: "/u/a%2Fb%20c?limit=10"}},
		{"an absent optional", directory.Row{Target: "GET " + url + "/u/$1?limit=$2"}, anyParams, []string{"id", "limit"}, `{"id":"a"}`,
			got{Method: "GET", URI: "/u/a"}},
		{"rest of a GET", directory.Row{Target: "GET " + url + "/u?x=1"}, anyParams, nil, `{"b":["x","y&z"],"a":9007199254740993,"n":null,"o":{"k":"v"}}`,
			got{Method: "GET", URI: "/u?x=1&a=9007199254740993&b=x&b=y%26z&o=%7B%22k%22%3A%22v%22%7D"}},
		{"rest of a DELETE beside slots", directory.Row{Target: "DELETE " + url + "/u/$1"}, anyParams, []string{"id"}, `{"id":7,"force":true}`,
			got{Method: "DELETE", URI: "/u/7?force=true"}},
		{"rest of a POST", directory.Row{Target: "POST " + url + "/u/$1"}, anyParams, []string{"id"}, `{"id":7,"b":9007199254740993,"a":{"x":[1.50]}}`,
			got{Method: "POST", URI: "/u/7", Type: "application/json", Body: `{"a":{"x":[1.50]},"b":9007199254740993}`}},
		{"placeholders", directory.Row{Target: "PUT " + url + "/{org}/u/{id}?q={org}&{no}"}, `{"properties":{"id":{},"org":{},"name":{}}}`, nil, `{"id":"a/b","org":"o","name":"n"}`,
			got{Method: "PUT", URI: "/o/u/a%2Fb?q=o&%7Bno%7D", Type: "application/json", Body: `{"name":"n"}`}},
		{"the whole object", directory.Row{Target: "POST " + url + "/u", Template: `{"data":$1}`}, anyParams, nil, `{"b":1,"a":2}`,
			got{Method: "POST", URI: "/u", Type: "application/json", Body: `{"data":{"b":1,"a":2}}`}},
		{"a gap in the order", directory.Row{Target: "GET " + url + "/u/$2"}, anyParams, []string{"", "id"}, `{"id":"x"}`,
			got{Method: "GET", URI: "/u/x"}},
		{"typed and quoted slots", directory.Row{Target: "POST " + url + "/u", Template: `{"n":$1,"s":"$1","b":$2,"gone":$3}`}, anyParams, []string{"n", "b", "c"}, `{"n":12345678901234567890,"b":false}`,
			got{Method: "POST", URI: "/u", Type: "application/json", Body: `{"n":12345678901234567890,"s":"12345678901234567890","b":false}`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := contractOf("K", tc.order...)
			c.Params = json.RawMessage(tc.params)
			tc.row.Key, tc.row.Type = "K", directory.HTTP
			inv := newInvoker(t, Config{Rows: []directory.Row{tc.row}, Contracts: []contract.Contract{c}})
			if _, err := inv.Invoke(t.Context(), runtime.Invocation{Contract: c, Args: json.RawMessage(tc.args)}); err != nil {
				t.Fatal(err)
			}
			last.Header = nil
			if diff := cmp.Diff(tc.want, *last); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestArgumentsWithoutAPlaceAreRefused(t *testing.T) {
	url, last := server(t, "text/plain", "ok")
	rows := []directory.Row{
		{Key: "BODY", Type: directory.HTTP, Target: "POST " + url, Template: `{"a":"$1"}`},
		{Key: "FN", Type: directory.Fn, Template: `["$1","$2"]`},
		{Key: "FLOW", Type: directory.Flow, Template: `BODY:$1`},
		{Key: "REMOTE", Type: directory.Dispatch, Target: url},
	}
	inv := newInvoker(t, Config{Rows: rows, Functions: map[string]Func{"FN": func(context.Context, []json.RawMessage) (json.RawMessage, error) { t.Error("called"); return nil, nil }}})
	for _, row := range rows {
		in := runtime.Invocation{Contract: contractOf(row.Key, "a"), Args: json.RawMessage(`{"a":"x","b":1}`), Step: noStep}
		_, err := inv.Invoke(t.Context(), in)
		if e := wantCode(t, err, runtime.InvalidArgument); !strings.Contains(e.Message, "no place for the argument b") {
			t.Errorf("%s: %v", row.Key, e)
		}
	}
	if last.Method != "" {
		t.Errorf("sent %+v", last)
	}
}

func noStep(context.Context, string, string, json.RawMessage) (json.RawMessage, error) {
	return nil, errors.New("no steps in this test")
}

func TestReplies(t *testing.T) {
	const structured = `{"type":"object","properties":{"id":{}}}`
	for _, tc := range []struct{ name, media, body, schema, want string }{
		{"json", "application/json; charset=utf-8", ` {"id": 9007199254740993, "f": 1.10}` + "\n", structured, `{"id": 9007199254740993, "f": 1.10}`},
		{"problem json", "application/hal+json", `[1]`, "true", `[1]`},
		{"json with a mark", "application/json", "\xEF\xBB\xBF[1]", "true", `[1]`},
		{"invalid json", "application/json", `{"id": 1`, structured, `"{\"id\": 1"`},
		{"two documents", "application/json", `{} {}`, structured, `"{} {}"`},
		{"text", "text/plain", "12", "true", `"12"`},
		{"text declared as object", "text/plain", `{"id":1}`, structured, `{"id":1}`},
		{"text declared as integer", "", "12345678901234567890", `{"type":"integer"}`, `12345678901234567890`},
		{"text declared as integer, and is none", "text/plain", "many", `{"type":"integer"}`, `"many"`},
		{"text declared as string", "text/plain", `{"id":1}`, `{"type":"string"}`, `"{\"id\":1}"`},
		{"text that may be a string", "text/plain", `1`, `{"type":["integer","string"]}`, `"1"`},
		{"declared by reference", "text/plain", `[]`, `{"$ref":"#/$defs/a~1b","$defs":{"a/b":{"type":"array"}}}`, `[]`},
		{"declared in a circle", "text/plain", `[]`, `{"$ref":"#"}`, `"[]"`},
		{"any of", "text/plain", `null`, `{"anyOf":[{"type":"object"},{"type":"null"}]}`, `null`},
		{"any of with a string", "text/plain", `null`, `{"anyOf":[{"type":"object"},{}]}`, `"null"`},
		{"html", "text/html", "<p>a\u2028</p>", "true", `"<p>a\u2028</p>"`},
		{"empty", "application/json", "", structured, `null`},
		{"bytes", "image/png", "\x89PNG\xff", "true", `{"media_type":"image/png","base64":"iVBOR/8="}`},
		{"bytes of no type", "a/b/c;=", "\xff", "true", `{"media_type":"application/octet-stream","base64":"/w=="}`},
		{"bytes that claim json", "application/json", "\"\xff\"", "true", `{"media_type":"application/json","base64":"Iv8i"}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			url, _ := server(t, tc.media, tc.body)
			c := contractOf("K")
			c.Result = json.RawMessage(tc.schema)
			inv := newInvoker(t, Config{Rows: []directory.Row{{Key: "K", Type: directory.HTTP, Target: "GET " + url}}})
			reply, err := inv.Invoke(t.Context(), runtime.Invocation{Contract: c, Args: json.RawMessage("{}")})
			if err != nil || string(reply.Result) != tc.want || reply.Status != 200 || reply.Bytes != int64(len(tc.body)) {
				t.Errorf("got %s, %d, %d bytes, %v; want %s", reply.Result, reply.Status, reply.Bytes, err, tc.want)
			}
		})
	}
}

func TestAttachedHeaders(t *testing.T) {
	url, last := server(t, "text/plain", "ok")
	secret := func(name string) (string, error) {
		return map[string]string{"TOKEN": "tok-1234", "LOGIN": "user:pass word"}[name], nil
	}
	withUser := strings.Replace(url, "http://", "http://api:$TOKEN@", 1)
	for _, tc := range []struct {
		row       directory.Row
		name, out string
	}{
		{directory.Row{Auth: "TOKEN"}, "Authorization", "Bearer tok-1234"},
		{directory.Row{Auth: "bearer:TOKEN"}, "Authorization", "Bearer tok-1234"},
		{directory.Row{Auth: "basic:LOGIN"}, "Authorization", "Basic dXNlcjpwYXNzIHdvcmQ="},
		{directory.Row{Auth: "header:X-Api-Key:TOKEN"}, "X-Api-Key", "tok-1234"},
		{directory.Row{Auth: "none"}, "Authorization", ""},
		{directory.Row{Auth: "TOKEN", Headers: map[string]string{"authorization": "Own $TOKEN"}}, "Authorization", "Own tok-1234"},
		{directory.Row{Target: "GET " + withUser}, "Authorization", "Basic YXBpOnRvay0xMjM0"},
		{directory.Row{}, "Accept", "application/json, text/plain;q=0.9, */*;q=0.8"},
		{directory.Row{Headers: map[string]string{"Accept": "text/csv"}}, "Accept", "text/csv"},
		{directory.Row{}, "Idempotency-Key", "idem-1"},
	} {
		tc.row.Key, tc.row.Type = "K", directory.HTTP
		if tc.row.Target == "" {
			tc.row.Target = "GET " + url
		}
		c := contractOf("K")
		c.Idempotency = contract.IdempotencyHeader
		inv := newInvoker(t, Config{Rows: []directory.Row{tc.row}, Secrets: secret})
		_, err := inv.Invoke(t.Context(), runtime.Invocation{Contract: c, Args: json.RawMessage("{}"), IdempotencyKey: "idem-1"})
		if err != nil || last.Header.Get(tc.name) != tc.out {
			t.Errorf("%+v: %s is %q, %v; want %q", tc.row, tc.name, last.Header.Get(tc.name), err, tc.out)
		}
	}
}

func TestRowsThatCannotBePerformed(t *testing.T) {
	rows := []directory.Row{
		{Key: "CLI", Type: directory.CLI, Target: "ffmpeg"}, {Key: "MCP", Type: directory.MCP, Target: "x"}, {Key: "NONE"}, {Key: "ODD", Type: "odd"},
		{Key: "BROKEN", Type: directory.HTTP, Target: "GET ftp://x"}, {Key: "JSON", Type: directory.Fn, Template: `["$1"`}, {Key: "FN", Type: directory.Fn},
		{Key: "SECRET", Type: directory.HTTP, Target: "GET http://127.0.0.1:1/$TOKEN"}, {Key: "AUTH", Type: directory.HTTP, Target: "GET http://127.0.0.1:1/", Auth: "odd:X"},
		{Key: "FLOW", Type: directory.Flow, Template: "CLI:x"},
	}
	inv := newInvoker(t, Config{Rows: rows})
	for _, row := range rows {
		_, err := inv.Invoke(t.Context(), runtime.Invocation{Contract: contractOf(row.Key), Args: json.RawMessage("{}")})
		if e := wantCode(t, err, runtime.Unavailable); e.Hint == "" && row.Key != "FLOW" {
			t.Errorf("%s: no hint: %v", row.Key, e)
		}
	}
	_, err := inv.Invoke(t.Context(), runtime.Invocation{Contract: contractOf("GONE"), Args: json.RawMessage("{}")})
	wantCode(t, err, runtime.NotFound)
	for _, args := range []string{"", "null", "[]", "{", `"x"`} {
		_, err := inv.Invoke(t.Context(), runtime.Invocation{Contract: contractOf("SECRET"), Args: json.RawMessage(args)})
		wantCode(t, err, runtime.InvalidArgument)
	}
}

func TestConfigThatContradictsItself(t *testing.T) {
	for name, c := range map[string]Config{
		"a key twice":              {Rows: []directory.Row{{Key: "A"}, {Key: "A"}}},
		"a contract without a row": {Contracts: []contract.Contract{contractOf("A")}},
		"a nil function":           {Functions: map[string]Func{"f": nil}},
	} {
		if _, err := New(c); err == nil {
			t.Errorf("%s passed", name)
		}
	}
}

func TestOperations(t *testing.T) {
	url, last := server(t, "text/plain", "ok")
	row := directory.Row{Key: "CRM", Type: directory.HTTP, TargetMap: map[string]directory.Operation{
		"get": {Target: "GET " + url + "/c/$1"}, "add": {Target: "POST " + url + "/c", Content: `{"name":"$1"}`},
	}}
	inv := newInvoker(t, Config{Rows: []directory.Row{row}})
	for op, want := range map[string]got{
		"get": {Method: "GET", URI: "/c/x%7Cy"},
		"add": {Method: "POST", URI: "/c", Type: "application/json", Body: `{"name":"x|y"}`},
	} {
		c := contractOf("CRM", "v")
		c.Operation = op
		_, err := inv.Invoke(t.Context(), runtime.Invocation{Contract: c, Args: json.RawMessage(`{"v":"x|y"}`)})
		last.Header = nil
		if diff := cmp.Diff(want, *last); err != nil || diff != "" {
			t.Errorf("%s: %v %s", op, err, diff)
		}
	}
	_, err := inv.Invoke(t.Context(), runtime.Invocation{Contract: contractOf("CRM"), Args: json.RawMessage("{}")})
	if e := wantCode(t, err, runtime.InvalidArgument); e.Hint != "name one of add, get" {
		t.Errorf("hint %q", e.Hint)
	}
}

func TestResultSize(t *testing.T) {
	inv := newInvoker(t, Config{Rows: []directory.Row{{Key: "F", Type: directory.Fn}}, MaxResultBytes: 100, Functions: map[string]Func{
		"F": func(context.Context, []json.RawMessage) (json.RawMessage, error) {
			return []byte(`"` + strings.Repeat("a", 50) + `"`), nil
		},
	}})
	in := runtime.Invocation{Contract: contractOf("F"), Args: json.RawMessage("{}")}
	if _, err := inv.Invoke(t.Context(), in); err != nil {
		t.Error(err)
	}
	in.MaxResultBytes = 51
	_, err := inv.Invoke(t.Context(), in)
	if e := wantCode(t, err, runtime.ResultTooLarge); !strings.Contains(e.Message, "was performed") {
		t.Errorf("message %q", e.Message)
	}
}

func TestFunctions(t *testing.T) {
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	functions := map[string]Func{
		"echo":  func(_ context.Context, args []json.RawMessage) (json.RawMessage, error) { return json.Marshal(args) },
		"null":  func(context.Context, []json.RawMessage) (json.RawMessage, error) { return nil, nil },
		"panic": func(context.Context, []json.RawMessage) (json.RawMessage, error) { panic("inner tok-1234") },
		"fail": func(context.Context, []json.RawMessage) (json.RawMessage, error) {
			return nil, errors.New("inner /path")
		},
		"own": func(context.Context, []json.RawMessage) (json.RawMessage, error) {
			return nil, runtime.Errorf(runtime.Conflict, "taken")
		},
		"junk": func(context.Context, []json.RawMessage) (json.RawMessage, error) { return []byte("{"), nil },
		"waits": func(ctx context.Context, _ []json.RawMessage) (json.RawMessage, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		},
		"deaf": func(context.Context, []json.RawMessage) (json.RawMessage, error) { <-release; return nil, nil },
	}
	call := func(name string, effect contract.Effect, placement contract.Placement) (runtime.Reply, error) {
		inv := newInvoker(t, Config{Rows: []directory.Row{{Key: "F", Type: directory.Fn, Target: name, Template: `["$1",$2,{"v":"$1"}]`}}, Functions: functions, Timeout: 20 * time.Millisecond})
		c := contractOf("F", "a", "b")
		c.Effect, c.Placement = effect, placement
		return inv.Invoke(t.Context(), runtime.Invocation{Contract: c, Args: object(t, "a", hostile, "b", json.Number("9007199254740993"))})
	}
	for name, code := range map[string]runtime.Code{"panic": runtime.Internal, "fail": runtime.Internal, "own": runtime.Conflict, "junk": runtime.Internal, "waits": runtime.Timeout, "deaf": runtime.Timeout} {
		_, err := call(name, contract.Read, contract.Pure)
		if e := wantCode(t, err, code); strings.Contains(e.Message+e.Hint+e.Detail, "inner") {
			t.Errorf("%s tells %v", name, e)
		}
	}
	for _, name := range []string{"waits", "deaf"} {
		_, err := call(name, contract.Irreversible, contract.Remote)
		wantCode(t, err, runtime.OutcomeUnknown)
	}
	if reply, err := call("null", contract.Read, contract.Pure); err != nil || string(reply.Result) != "null" {
		t.Errorf("null: %s, %v", reply.Result, err)
	}
	reply, err := call("echo", contract.Read, contract.Pure)
	if err != nil {
		t.Fatal(err)
	}
	var out []json.RawMessage
	if err := json.Unmarshal(reply.Result, &out); err != nil || len(out) != 3 {
		t.Fatalf("%s, %v", reply.Result, err)
	}
	var text string
	if json.Unmarshal(out[0], &text) != nil || text != hostile || string(out[1]) != "9007199254740993" {
		t.Errorf("arrived as %s", reply.Result)
	}
}

func TestFunctionWithoutTemplateGetsTheObject(t *testing.T) {
	inv := newInvoker(t, Config{Rows: []directory.Row{{Key: "F", Type: directory.Fn}}, Functions: map[string]Func{
		"F": func(_ context.Context, args []json.RawMessage) (json.RawMessage, error) { return args[0], nil },
	}})
	reply, err := inv.Invoke(t.Context(), runtime.Invocation{Contract: contractOf("F"), Args: json.RawMessage(`{"b":1,"a":[2]}`)})
	if err != nil || string(reply.Result) != `{"b":1,"a":[2]}` {
		t.Errorf("got %s, %v", reply.Result, err)
	}
}
