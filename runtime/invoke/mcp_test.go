package invoke_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/runtime"
	"codemode/runtime/invoke"
)

// server is an MCP that answers with one result and keeps what it was asked.
type server struct {
	result string
	err    error
	asked  invoke.MCPRequest
}

func (s *server) Call(_ context.Context, r invoke.MCPRequest) (json.RawMessage, error) {
	r.Scrub = nil // functions are not compared
	s.asked = r
	return json.RawMessage(s.result), s.err
}

func mcpInvoker(t *testing.T, s *server, row directory.Row, result string) (*invoke.Invoker, contract.Contract) {
	t.Helper()
	row.Type = directory.MCP
	c := contract.Contract{Key: row.Key, Name: "s.tool", Effect: contract.Irreversible, Params: json.RawMessage(`{"type":"object"}`), Result: json.RawMessage(result)}
	secrets := func(name string) (string, error) { return "s3cret-" + name, nil }
	config := invoke.Config{Rows: []directory.Row{row}, Contracts: []contract.Contract{c}, Secrets: secrets}
	if s != nil {
		config.MCP = s
	}
	inv, err := invoke.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return inv, c
}

func TestMCPResults(t *testing.T) {
	const text = `{"type":"text","text":"1"}`
	tests := []struct {
		name, answer, schema, want string
		code                       runtime.Code
		detail                     string
	}{
		{"structured", `{"content":[` + text + `],"structuredContent":{"z":12345678901234567890,"a":1.10}}`, ``, `{"z":12345678901234567890,"a":1.10}`, "", ""},
		{"structured null", `{"content":[` + text + `],"structuredContent":null}`, ``, `"1"`, "", ""},
		{"text", `{"content":[` + text + `,{"type":"text","text":"<2>"}]}`, ``, `"1\n<2>"`, "", ""},
		{"text that is JSON", `{"content":[` + text + `]}`, `{"type":"integer"}`, `1`, "", ""},
		{"text that may be text", `{"content":[` + text + `]}`, `{"type":["integer","string"]}`, `"1"`, "", ""},
		{"text that is no JSON", `{"content":[{"type":"text","text":"{"}]}`, `{"type":"object"}`, `"{"`, "", ""},
		{"image", `{"content":[` + text + `,{"type":"image","data":"AA==","mimeType":"image/png","x":1.0}]}`, ``, `[{"type":"text","text":"1"},{"type":"image","data":"AA==","mimeType":"image/png","x":1.0}]`, "", ""},
		{"nothing", `{"content":[]}`, ``, `null`, "", ""},
		{"error", `{"isError":true,"content":[{"type":"text","text":"no\u001b[2J s3cret-T"}],"structuredContent":{"a":1}}`, ``, ``, runtime.RemoteFailed, "no [2J [secret]"},
		{"asks back", `{"resultType":"input_required","content":[]}`, ``, ``, runtime.RemoteFailed, ""},
		{"another kind", `[1]`, ``, ``, runtime.RemoteFailed, ""},
		{"blocks of another kind", `{"content":[7,null]}`, ``, `[7,null]`, "", ""},
		{"a secret that comes back", `{"content":[{"type":"text","text":"s3cret-T"}]}`, ``, `"[secret]"`, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &server{result: tt.answer}
			inv, c := mcpInvoker(t, s, directory.Row{Key: "s/tool", Target: "https://h.example/mcp", Auth: "bearer:T"}, tt.schema)
			reply, err := inv.Invoke(t.Context(), runtime.Invocation{Contract: c, Args: json.RawMessage(`{}`)})
			if tt.code != "" {
				if failed := runtime.AsError(err); err == nil || failed.Code != tt.code || failed.Detail != tt.detail {
					t.Errorf("error %+v, want %s %q", err, tt.code, tt.detail)
				}
				return
			}
			if err != nil || string(reply.Result) != tt.want || reply.Bytes != int64(len(tt.answer)) {
				t.Errorf("%s, %d bytes, %v; want %s", reply.Result, reply.Bytes, err, tt.want)
			}
		})
	}
}

func TestMCPRequests(t *testing.T) {
	tests := []struct {
		name string
		row  directory.Row
		want invoke.MCPRequest
		code runtime.Code
	}{
		{"program", directory.Row{Key: "notes/find%2Fall", Target: " notes "}, invoke.MCPRequest{Server: "notes", Tool: "find/all"}, ""},
		{"endpoint", directory.Row{Key: "K", Target: "https://h.example/mcp?k=$KEY#find", Auth: "header:X-Key:OTHER", Headers: map[string]string{"X-Tenant": "t"}},
			invoke.MCPRequest{Server: "https://h.example/mcp?k=s3cret-KEY", Tool: "find", Header: map[string]string{"X-Key": "s3cret-OTHER", "X-Tenant": "t"}}, ""},
		{"a password in the url", directory.Row{Key: "s/x", Target: "https://u:$PASS@h.example/mcp"}, invoke.MCPRequest{Server: "https://h.example/mcp", Tool: "x", Header: map[string]string{"Authorization": "Basic dTpzM2NyZXQtUEFTUw=="}}, ""},
		{"no server", directory.Row{Key: "s/x"}, invoke.MCPRequest{}, runtime.Unavailable},
		{"no tool", directory.Row{Key: "s/x", Target: "notes#"}, invoke.MCPRequest{}, runtime.Unavailable},
		{"a credential for a program", directory.Row{Key: "s/x", Target: "notes", Auth: "bearer:T"}, invoke.MCPRequest{}, runtime.Unavailable},
		{"no url", directory.Row{Key: "s/x", Target: "https://"}, invoke.MCPRequest{}, runtime.Unavailable},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &server{result: `{"content":[]}`}
			inv, c := mcpInvoker(t, s, tt.row, "")
			const args = `{"b":9007199254740993, "a":1.10}`
			_, err := inv.Invoke(t.Context(), runtime.Invocation{Contract: c, Args: json.RawMessage(args), Egress: []string{"https://h.example"}})
			if tt.code != "" {
				if err == nil || runtime.AsError(err).Code != tt.code || s.asked.Tool != "" {
					t.Errorf("error %v, asked %+v", err, s.asked)
				}
				return
			}
			tt.want.Args, tt.want.Allowed, tt.want.Timeout = json.RawMessage(args), []string{"https://h.example"}, s.asked.Timeout
			if d := cmp.Diff(tt.want, s.asked); err != nil || d != "" {
				t.Errorf("%v %s", err, d)
			}
		})
	}
}

func TestMCPPositional(t *testing.T) {
	s := &server{result: `{"content":[]}`}
	inv, c := mcpInvoker(t, s, directory.Row{Key: "s/x", Target: "notes"}, "")
	for _, tt := range []struct {
		args []json.RawMessage
		want string
	}{
		{nil, `{}`},
		{[]json.RawMessage{[]byte(`{"b":9007199254740993,"a":"|"}`)}, `{"a":"|","b":9007199254740993}`},
	} {
		if _, err := inv.InvokePositional(t.Context(), runtime.Invocation{Contract: c}, tt.args); err != nil || string(s.asked.Args) != tt.want {
			t.Errorf("%s sent %s, %v; want %s", tt.args, s.asked.Args, err, tt.want)
		}
	}
	_, err := inv.InvokePositional(t.Context(), runtime.Invocation{Contract: c}, []json.RawMessage{[]byte(`"a"`), []byte(`"b"`)})
	if err == nil || runtime.AsError(err).Code != runtime.InvalidArgument {
		t.Errorf("arguments without names are %v", err)
	}
}

func TestMCPNeedsAConnection(t *testing.T) {
	inv, c := mcpInvoker(t, nil, directory.Row{Key: "s/x", Target: "notes"}, "")
	_, err := inv.Invoke(t.Context(), runtime.Invocation{Contract: c, Args: json.RawMessage(`{}`)})
	if err == nil || runtime.AsError(err).Code != runtime.Unavailable || !strings.Contains(err.Error(), "no connection") {
		t.Errorf("error %v", err)
	}
}
