package invoke

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/runtime"
)

func TestAgent(t *testing.T) {
	url, last := server(t, "application/json", `{"answer":1}`)
	for _, tc := range []struct{ content, order, args, want string }{
		{"Summarise $1 shortly", "v", `{"v":` + string(hostileJSON) + `}`, "Summarise " + hostile + " shortly"},
		{"", "v", `{"v":` + string(hostileJSON) + `}`, hostile},
		{"", "", `{"b":1,"a":2}`, `{"b":1,"a":2}`},
	} {
		var order []string
		if tc.order != "" {
			order = []string{tc.order}
		}
		inv := newInvoker(t, Config{Rows: []directory.Row{{Key: "A", Type: directory.Agent, Target: url + "/agent", Template: tc.content}}})
		reply, err := inv.Invoke(t.Context(), runtime.Invocation{Contract: contractOf("A", order...), Args: json.RawMessage(tc.args)})
		var body agentRequest
		if err != nil || string(reply.Result) != `{"answer":1}` || json.Unmarshal([]byte(last.Body), &body) != nil || body.Message != tc.want || !strings.HasPrefix(last.Body, `{"message":`) {
			t.Errorf("%q: sent %s, got %s, %v", tc.content, last.Body, reply.Result, err)
		}
	}
}

func TestDispatchRequests(t *testing.T) {
	url, last := server(t, "text/plain", "ok")
	for _, tc := range []struct {
		content string
		args    []any
		want    string // "" means refused
	}{
		{"", []any{"x", 10}, "x|10"},
		{"", []any{"x|y", 10}, ""},
		{"", []any{"x", "y|z"}, ""},
		{"", []any{hostile}, ""},
		{"", []any{`{"not json`}, ""},
		{"$1|$2+", []any{"x", hostile}, "x|" + hostile},
		{"$1|$2+", []any{hostile, "x"}, ""},
		{"find|$1", []any{"a\"b\n$1"}, "find|a\"b\n$1"},
	} {
		*last = got{}
		var order []string
		var kv []any
		for i, v := range tc.args {
			order = append(order, string(rune('a'+i)))
			kv = append(kv, order[i], v)
		}
		inv := newInvoker(t, Config{Rows: []directory.Row{{Key: "REMOTE_K", Type: directory.Dispatch, Target: url + "/dispatch", Template: tc.content}}})
		_, err := inv.Invoke(t.Context(), runtime.Invocation{Contract: contractOf("REMOTE_K", order...), Args: object(t, kv...)})
		if tc.want == "" {
			wantCode(t, err, runtime.InvalidArgument)
			if last.Method != "" {
				t.Errorf("%q %q was sent: %s", tc.content, tc.args, last.Body)
			}
			continue
		}
		var body dispatchRequest
		if err != nil || json.Unmarshal([]byte(last.Body), &body) != nil || body != (dispatchRequest{"REMOTE_K", tc.want}) {
			t.Errorf("%q %q: sent %s, %v", tc.content, tc.args, last.Body, err)
		}
	}
}

func TestDispatchReplies(t *testing.T) {
	object := `{"type":"object"}`
	for _, tc := range []struct {
		media, text, schema, want string
		status                    int
		code                      runtime.Code
	}{
		{"text/plain", `HTTP 200:{"id":9007199254740993}`, object, `{"id":9007199254740993}`, 200, ""},
		{"text/plain", `HTTP 200:{"id":1}`, "true", `"{\"id\":1}"`, 200, ""},
		{"application/json", `"HTTP 201:a\nb"`, "true", `"a\nb"`, 201, ""},
		{"application/json", `{"id":1}`, object, `{"id":1}`, 0, ""},
		{"text/plain", "HTTP 204:", "true", "null", 204, ""},
		{"text/plain", "plain HTTP 200:x", "true", `"plain HTTP 200:x"`, 0, ""},
		{"text/plain", "HTTP 404:no such thing", "true", "", 404, runtime.NotFound},
		{"text/plain", "HTTP 409:taken", "true", "", 409, runtime.Conflict},
		{"text/plain", "HTTP 429:slow down", "true", "", 429, runtime.RateLimited},
		{"text/plain", "HTTP 500:tok-1234\x1b[0m " + strings.Repeat("é", 3000), "true", "", 500, runtime.RemoteFailed},
		{"text/plain", "ERR:dispatch:malformed_json", "true", "", 0, runtime.RemoteFailed},
	} {
		url, _ := server(t, tc.media, tc.text)
		c := contractOf("R")
		c.Result = json.RawMessage(tc.schema)
		inv := newInvoker(t, Config{Rows: []directory.Row{{Key: "R", Type: directory.Dispatch, Target: url, Headers: map[string]string{"X-Key": "$TOKEN"}}},
			Secrets: func(string) (string, error) { return "tok-1234", nil }})
		reply, err := inv.Invoke(t.Context(), runtime.Invocation{Contract: c, Args: json.RawMessage("{}")})
		if tc.code == "" {
			if err != nil || string(reply.Result) != tc.want || reply.Status != tc.status {
				t.Errorf("%.40q: got %s, %d, %v", tc.text, reply.Result, reply.Status, err)
			}
			continue
		}
		e := wantCode(t, err, tc.code)
		if e.Status != tc.status || e.Detail == "" || len(e.Detail) > maxDetailBytes || strings.ContainsAny(e.Detail, "\x1b") || strings.Contains(e.Detail, "tok-1234") {
			t.Errorf("%.40q: %d %q", tc.text, e.Status, e.Detail)
		}
	}
}

// Every way in which a destination can write a secret back is taken out, of results and of errors.
func TestSecretsStayInside(t *testing.T) {
	const secret = `s3cret/"value"+&`
	quoted, _ := json.Marshal(secret)
	forms := []string{
		secret, string(quoted), url.QueryEscape(secret), strings.ToLower(url.QueryEscape(secret)), url.PathEscape(secret),
		hex.EncodeToString([]byte(secret)), strings.ToUpper(hex.EncodeToString([]byte(secret))),
		base64.StdEncoding.EncodeToString([]byte(secret)), base64.URLEncoding.EncodeToString([]byte(secret)), base64.RawStdEncoding.EncodeToString([]byte("u:" + secret)),
		base64.StdEncoding.EncodeToString([]byte("user:" + secret + ":more")), base64.StdEncoding.EncodeToString([]byte("abc" + secret)),
	}
	for _, media := range []string{"text/plain", "application/json"} {
		for _, form := range forms {
			body := "before " + form + " after"
			if media == "application/json" {
				raw, _ := json.Marshal(map[string]string{"echo": form})
				body = string(raw)
			}
			url, _ := server(t, media, body)
			inv := newInvoker(t, Config{Rows: []directory.Row{{Key: "K", Type: directory.HTTP, Target: "GET " + url, Headers: map[string]string{"Authorization": "Bearer $TOKEN"}}},
				Secrets: func(string) (string, error) { return secret, nil }})
			reply, err := inv.Invoke(t.Context(), runtime.Invocation{Contract: contractOf("K"), Args: json.RawMessage("{}")})
			if err != nil || !json.Valid(reply.Result) || !strings.Contains(string(reply.Result), redacted) {
				t.Errorf("%s echoed as %s: %s, %v", form, media, reply.Result, err)
			}
		}
	}
	url, _ := server(t, "text/plain", "x")
	url = strings.Replace(url, "127.0.0.1", "$TOKEN.invalid", 1)
	inv := newInvoker(t, Config{Rows: []directory.Row{{Key: "K", Type: directory.HTTP, Target: "GET " + url}}, Secrets: func(string) (string, error) { return "secrethost", nil }})
	_, err := inv.Invoke(t.Context(), runtime.Invocation{Contract: contractOf("K"), Args: json.RawMessage("{}")})
	if e := wantCode(t, err, runtime.Unavailable); strings.Contains(e.Error(), "secrethost") {
		t.Errorf("%v", e)
	}
}

func TestSecretsInJSONTokens(t *testing.T) {
	url, _ := server(t, "application/json", `{"pin":12345678, "12345678":-1.5e3,"s":"x\u00312345678\\\"y"}`)
	inv := newInvoker(t, Config{Rows: []directory.Row{{Key: "K", Type: directory.HTTP, Target: "GET " + url, Auth: "PIN"}}, Secrets: func(string) (string, error) { return "12345678", nil }})
	reply, err := inv.Invoke(t.Context(), runtime.Invocation{Contract: contractOf("K"), Args: json.RawMessage("{}")})
	if err != nil || string(reply.Result) != `{"pin":"[secret]", "[secret]":-1.5e3,"s":"x[secret]\\\"y"}` {
		t.Errorf("got %s, %v", reply.Result, err)
	}
}

func TestPositional(t *testing.T) {
	url, last := server(t, "application/json", `"abc"`)
	rows := []directory.Row{
		{Key: "POST", Type: directory.HTTP, Target: "POST " + url + "/$1", Template: `{"q":"$1","bare":$2,"rest":"$3+"}`},
		{Key: "PLAIN", Type: directory.HTTP, Target: "GET " + url},
		{Key: "FLOW", Type: directory.Flow, Template: "POST:$1|1|x"},
	}
	inv := newInvoker(t, Config{Rows: rows, Contracts: []contract.Contract{contractOf("POST", "a", "b", "c")}})
	text := func(values ...string) (out []json.RawMessage) {
		for _, v := range values {
			out = append(out, encodeText(v))
		}
		return out
	}
	in := runtime.Invocation{Contract: contractOf("POST", "a", "b", "c")}
	for _, tc := range []struct {
		args []json.RawMessage
		body string
	}{
		{text("7", "7", "x", "y"), `{"q":"7","bare":7,"rest":"x|y"}`},
		{text(`a"b`, "many", ""), `{"q":"a\"b","bare":"many","rest":""}`},
		{text("x"), `{"q":"x"}`},
	} {
		reply, err := inv.InvokePositional(t.Context(), in, tc.args)
		if err != nil || last.Body != tc.body || string(reply.Result) != `"\"abc\""` {
			t.Errorf("%s: sent %s, got %s, %v", tc.args, last.Body, reply.Result, err)
		}
	}
	named, err := inv.BindPositional(in, text("7", "7", "x", "y"))
	if err != nil || string(named) != `{"a":"7","b":"7","c":"x|y"}` {
		t.Errorf("bound %s, %v", named, err)
	}
	if named, err = inv.BindPositional(runtime.Invocation{Contract: contractOf("PLAIN")}, text("dropped")); err != nil || string(named) != `{}` {
		t.Errorf("bound %s, %v", named, err)
	}
	_, err = inv.InvokePositional(t.Context(), runtime.Invocation{Contract: contractOf("PLAIN")}, []json.RawMessage{[]byte(`{"x":1}`)})
	if err != nil || last.URI != "/?x=1" {
		t.Errorf("sent %s, %v", last.URI, err)
	}
	// Only the row called is positional; a flow's steps are ordinary calls.
	g := &gate{inv: inv, contracts: []contract.Contract{contractOf("POST", "a", "b", "c")}}
	_, err = inv.Positional("FLOW", "", text(hostile)).Invoke(t.Context(), runtime.Invocation{Contract: contractOf("FLOW", "a"), Step: g.step})
	var body struct{ Q string }
	if err != nil || json.Unmarshal([]byte(last.Body), &body) != nil || body.Q != hostile {
		t.Errorf("sent %s, %v", last.Body, err)
	}
}
