package assemble_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	notes "codemode/fixtures/mcp"
	"codemode/runtime"
	"codemode/runtime/assemble"
)

// asNotes makes this test program a server of notes over its standard streams.
const asNotes = "ASSEMBLE_TEST_NOTES"

func TestMain(m *testing.M) {
	if os.Getenv(asNotes) != "" {
		if err := notes.New().Serve(context.Background(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if secret := os.Getenv(asLeaky); secret != "" {
		fmt.Fprintln(os.Stderr, "cannot start with "+secret)
		os.Exit(1)
	}
	if text := os.Getenv(asVictim); text != "" {
		if err := runVictim(text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// rowsOf are the rows of the notes server at a target.
func rowsOf(target, more string) string {
	row := func(name, effect, schemas string) string {
		return fmt.Sprintf(`{"key":"notes/%s","type":"mcp","description":"d","when_to_use":"w","target":%q,"effect":%q%s%s}`+"\n", name, target, effect, schemas, more)
	}
	const any = `,"input_schema":{"type":"object"}`
	return row("find", "read", `,"input_schema":{"type":"object","properties":{"word":{"type":"string"}}},"output_schema":{"type":"object","properties":{"notes":{"type":"array","items":{"type":"object","properties":{"number":{"type":"integer","format":"int64"}}}},"total":{"type":"integer"}}}`) +
		row("add", "", any) + row("number.next", "read", `,"input_schema":{"type":"object","properties":{"number":{"type":"integer","format":"int64"}}}`) +
		row("picture", "read", any) + row("burn", "", any) + row("wait", "read", any) + row("nothing", "read", any)
}

func open(t *testing.T, rows string, config assemble.Config) *assemble.System {
	t.Helper()
	config.Directory = filepath.Join(t.TempDir(), "rows.jsonl")
	if err := os.WriteFile(config.Directory, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	config.Store, config.Check, config.CallsOnly = filepath.Join(t.TempDir(), "s.db"), runtime.CheckOff, true
	system, err := assemble.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { system.Close() })
	return system
}

// call goes through the Gate with everything granted that egress names.
func call(t *testing.T, s *assemble.System, method, args string, egress ...string) runtime.Result {
	t.Helper()
	return callWith(t, t.Context(), s, method, args, egress...)
}

func callWith(t *testing.T, ctx context.Context, s *assemble.System, method, args string, egress ...string) runtime.Result {
	t.Helper()
	grant, err := json.Marshal(map[string]any{"principal": "user:t", "agent": "agent:t", "resource": "*", "operations": []string{"*"}, "decisions": map[string]any{"required": []string{}, "mode": "suspend"}, "egress": egress})
	if err != nil {
		t.Fatal(err)
	}
	grants, err := runtime.ParseGrants("grant", grant)
	if err != nil {
		t.Fatal(err)
	}
	return s.Service.Call(ctx, runtime.CallRequest{Method: method, Args: json.RawMessage(args), Grants: grants})
}

func wantResult(t *testing.T, got runtime.Result, want string) {
	t.Helper()
	if got.Error != nil || string(got.Result) != want {
		t.Errorf("result %s, error %v; want %s", got.Result, got.Error, want)
	}
}

func wantCode(t *testing.T, got runtime.Result, code runtime.Code, words string) {
	t.Helper()
	if got.Error == nil || got.Error.Code != code || !strings.Contains(got.Error.Message+got.Error.Detail, words) {
		t.Errorf("result %s, error %+v; want %s with %q", got.Result, got.Error, code, words)
	}
}

// The same calls give the same over both transports.
func TestMCPRows(t *testing.T) {
	srv := httptest.NewServer(notes.New().Handler())
	defer srv.Close()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	config := assemble.Config{MCPServers: map[string]assemble.MCPServer{"notes": {Command: self, Env: map[string]string{asNotes: "1"}}}}
	for name, target := range map[string]string{"http": srv.URL + "/mcp", "stdio": "notes"} {
		t.Run(name, func(t *testing.T) {
			s := open(t, rowsOf(target, ""), config)
			one := func(method, args string) runtime.Result { return call(t, s, method, args, srv.URL) }
			wantResult(t, one("notes.find", `{"word":"Ana"}`), `{"notes":[{"id":"note_3","text":"call \"Ana\"","number":9007199254740997}],"total":1}`)
			wantResult(t, one("notes.numberNext", `{"number":9007199254740992}`), `{"next":9007199254740993}`)
			wantResult(t, one("notes.add", `{"text":"a|b"}`), `"added note_4\nits text is a|b"`)
			wantResult(t, one("notes.find", `{"word":"a|b"}`), `{"notes":[{"id":"note_4","text":"a|b","number":9007199254740999}],"total":1}`)
			wantResult(t, one("notes.picture", `{}`), `[{"type":"text","text":"a drawer"},{"type":"image","mimeType":"image/gif","data":"R0lGODlh"}]`)
			wantCode(t, one("notes.burn", `{}`), runtime.RemoteFailed, "the notes do not burn; remove them one by one")
			wantCode(t, one("notes.nothing", `{}`), runtime.InvalidArgument, "refused the call")
		})
	}
}

func TestMCPEndpointNeedsTheGrant(t *testing.T) {
	var requests atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	defer srv.Close()
	s := open(t, rowsOf(srv.URL+"/mcp", ""), assemble.Config{})
	wantCode(t, call(t, s, "notes.find", `{}`), runtime.Refused, "not one that the grant may reach")
	wantCode(t, call(t, s, "notes.find", `{}`, "https://example.com"), runtime.Refused, "not one that the grant may reach")
	if requests.Load() > 0 {
		t.Error("the endpoint was asked all the same")
	}
}

// A program that the configuration does not name is never started, whatever a row says.
func TestMCPProgramsAreTheConfigurations(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "mark")
	s := open(t, rowsOf("touch "+mark, ""), assemble.Config{})
	wantCode(t, call(t, s, "notes.find", `{}`), runtime.Unavailable, "knows no MCP server")
	if _, err := os.Stat(mark); err == nil {
		t.Error("the row's target was run")
	}
	s = open(t, rowsOf("notes", ""), assemble.Config{MCPServers: map[string]assemble.MCPServer{"notes": {Command: "/nowhere/at-all"}}})
	wantCode(t, call(t, s, "notes.find", `{}`), runtime.Unavailable, "cannot be reached; nothing was called")
}

// The endpoint gets the row's credential, one session serves many calls, and a session that the server
// forgets is opened again.
func TestMCPSession(t *testing.T) {
	drawer := notes.New()
	var mu sync.Mutex
	handler, opened := drawer.Handler(), 0
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer s3cret-token" {
			http.Error(w, "who are you? not Bearer s3cret-token?", http.StatusUnauthorized)
			return
		}
		mu.Lock()
		h := handler
		if r.Method == http.MethodPost && r.Header.Get("Mcp-Session-Id") == "" {
			opened++
		}
		mu.Unlock()
		h.ServeHTTP(w, r)
	}))
	defer srv.Close()
	token := "s3cret-token"
	s := open(t, rowsOf(srv.URL, `,"auth":"bearer:NOTES_TOKEN"`), assemble.Config{Secrets: func(string) (string, error) { return token, nil }})
	for range 5 {
		wantResult(t, call(t, s, "notes.numberNext", `{"number":1}`, srv.URL), `{"next":2}`)
	}
	mu.Lock()
	first := opened
	handler = drawer.Handler() // knows none of the sessions
	mu.Unlock()
	wantResult(t, call(t, s, "notes.numberNext", `{"number":2}`, srv.URL), `{"next":3}`)
	mu.Lock()
	if opened != 2*first {
		t.Errorf("%d requests without a session for two sessions, %d for the first", opened, first)
	}
	mu.Unlock()
	token = "another-token"
	got := call(t, s, "notes.find", `{}`, srv.URL)
	wantCode(t, got, runtime.Unavailable, "cannot be reached")
	if got.Error.Status != http.StatusUnauthorized || strings.Contains(got.Error.Detail, "another-token") {
		t.Errorf("error %+v", got.Error)
	}
}

// A call that is cancelled, or whose time is over, ends at once, and the connection goes on.
func TestMCPCancelled(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(notes.New().Handler())
	defer srv.Close()
	config := assemble.Config{MCPServers: map[string]assemble.MCPServer{"notes": {Command: self, Env: map[string]string{asNotes: "1"}}}}
	for _, target := range []string{"notes", srv.URL} {
		s := open(t, strings.ReplaceAll(rowsOf(target, ""), `"effect":""`, `"effect":"irreversible"`), config)
		wantResult(t, call(t, s, "notes.numberNext", `{"number":1}`, srv.URL), `{"next":2}`)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, cancel)
		got := callWith(t, ctx, s, "notes.wait", `{"ms":20000}`, srv.URL)
		if got.Error == nil || got.Error.Code != runtime.Cancelled {
			t.Errorf("%s: a cancelled read is %+v", target, got.Error)
		}
		wantResult(t, call(t, s, "notes.numberNext", `{"number":1}`, srv.URL), `{"next":2}`)
	}
}

// A program that dies is unavailable or leaves a write unknown, and the next call starts it again.
func TestMCPProgramDies(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	pids := filepath.Join(t.TempDir(), "pids")
	s := open(t, rowsOf("notes", ""), assemble.Config{MCPServers: map[string]assemble.MCPServer{
		"notes": {Command: "sh", Args: []string{"-c", `echo $$ >>"$0"; exec "$1"`, pids, self}, Env: map[string]string{asNotes: "1"}},
	}})
	wantResult(t, call(t, s, "notes.numberNext", `{"number":1}`), `{"next":2}`)
	kill := func() {
		raw, err := os.ReadFile(pids)
		if err != nil {
			t.Error(err)
			return
		}
		all := strings.Fields(string(raw))
		var pid int
		fmt.Sscan(all[len(all)-1], &pid)
		if p, err := os.FindProcess(pid); err == nil {
			p.Kill()
		}
	}
	time.AfterFunc(200*time.Millisecond, kill)
	wantCode(t, call(t, s, "notes.wait", `{"ms":20000}`), runtime.Unavailable, "went away")
	wantResult(t, call(t, s, "notes.numberNext", `{"number":2}`), `{"next":3}`)
	if raw, err := os.ReadFile(pids); err != nil || len(strings.Fields(string(raw))) != 2 {
		t.Errorf("the program was started as %q, want twice", raw)
	}
}
