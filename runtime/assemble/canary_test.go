package assemble_test

// This file puts secrets into every place that a service keeps them in, has a script provoke every way in
// which they could come back, and looks for them in all that is written, shown or answered.

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"codemode/directory/contract"
	"codemode/directory/search"
	"codemode/runtime"
	"codemode/runtime/assemble"
	"codemode/runtime/invoke"
	"codemode/runtime/mcp"
)

// asLeaky makes this test program an MCP server that says on its standard error what is in its environment, and dies.
const asLeaky = "ASSEMBLE_TEST_LEAKY"

// hidden are the secrets by where they are kept. Each has characters that encodings write otherwise.
var hidden = map[string]string{
	"environment": "sesame/environment+1 ä",
	"header":      "sesame-header-/+ 2",
	"query":       "sesame/query+&3",
	"body":        "sesame\"body\\4",
	"userinfo":    "sesame-userinfo%5",
	"literal":     "sesame-literal-6",
	"bearer":      "sesame-bearer/+10",
	"api key":     "sesame\"key\\11",
	"cookie":      "sesame-cookie=12",
	"password":    "sesame-password:13",
	"program":     "sesame-program-7",
	"panic":       "sesame-panic-8",
	"cause":       "sesame-cause-9",
}

var (
	hexRE    = regexp.MustCompile(`[0-9A-Fa-f]{8,}`)
	base64RE = regexp.MustCompile(`[A-Za-z0-9+/_-]{8,}`)
)

// readings are a text and what it says to one who decodes parts of it; without backslashes, which nested JSON doubles.
func readings(text string) string {
	var b strings.Builder
	b.WriteString(text + "\n")
	for _, part := range hexRE.FindAllString(text, -1) {
		for from := range 2 {
			if raw, err := hex.DecodeString(part[from : from+(len(part)-from)/2*2]); err == nil {
				b.Write(append(raw, '\n'))
			}
		}
	}
	for _, part := range base64RE.FindAllString(text, -1) {
		part = strings.NewReplacer("-", "+", "_", "/").Replace(part)
		for from := range 4 {
			end := len(part)
			if (end-from)%4 == 1 {
				end-- // of a byte that is not there whole
			}
			if raw, err := base64.RawStdEncoding.DecodeString(part[from:end]); err == nil {
				b.Write(append(raw, '\n'))
			}
		}
	}
	return strings.ReplaceAll(b.String(), `\`, "")
}

// forms are the ways in which a text may be written, as readings shows them.
func forms(v string) []string {
	v = strings.ReplaceAll(v, `\`, "")
	return []string{v, url.QueryEscape(v), url.PathEscape(v), strings.ReplaceAll(v, "&", "u0026"), strings.ReplaceAll(url.QueryEscape(v), "+", "%20")}
}

// echo answers with all of the request: as a result, an error, a redirect or a broken reply.
func echo(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	said := map[string]any{"url": r.URL.String(), "query": r.URL.Query(), "header": r.Header, "body": string(body), "hex": hex.EncodeToString(body), "base64": base64.StdEncoding.EncodeToString(body)}
	w.Header().Set("Content-Type", "application/json")
	switch r.URL.Path[strings.LastIndex(r.URL.Path, "/"):] {
	case "/away":
		w.Header().Set("Location", "http://user:"+url.QueryEscape(hidden["header"])+"@127.0.0.2:9/"+url.PathEscape(hidden["query"])+"?"+r.URL.RawQuery+"&h="+url.QueryEscape(r.Header.Get("X-Key")))
		w.WriteHeader(http.StatusTemporaryRedirect)
	case "/odd":
		w.Header().Set("Location", "http://"+hidden["header"]+":x/%zz")
		w.WriteHeader(http.StatusFound)
	case "/broken":
		w.Header().Set("Content-Length", "100000")
	case "/error":
		w.WriteHeader(http.StatusInternalServerError)
	}
	_ = json.NewEncoder(w).Encode(said) // a client that is gone
}

func canaryRows(origin string) string {
	var b strings.Builder
	row := func(key, kind, target, content, effect string, more map[string]any) {
		r := map[string]any{"key": key, "type": kind, "description": "d", "when_to_use": "w", "target": target, "content": content, "effect": effect}
		for k, v := range more {
			r[k] = v
		}
		raw, err := json.Marshal(r)
		if err != nil {
			panic(err)
		}
		b.Write(append(raw, '\n'))
	}
	for _, how := range []string{"ok", "error", "away", "odd", "broken"} {
		up := strings.ToUpper(how)
		header := map[string]any{"headers": map[string]string{"X-Key": "$HEADER", "Authorization": "Bearer $HEADER"}}
		row("GET_"+up, "http", "GET "+origin+"/"+how+"?key=$QUERY&q=$1", "# ARGS: q", "read", header)
		row("PUT_"+up, "http", "POST "+origin+"/"+how, "# ARGS: q\n{\"q\":\"$1\",\"key\":\"$BODY\"}", "", header)
		row("INFO_"+up, "http", "GET "+strings.Replace(origin, "://", "://svc:$USERINFO@", 1)+"/"+how+"?q=$1", "# ARGS: q", "read", nil)
		row("WRITTEN_"+up, "http", "GET "+origin+"/"+how+"?q=$1", "# ARGS: q", "read", map[string]any{"headers": map[string]string{
			"Authorization": "Bearer " + hidden["bearer"], "X-Api-Key": hidden["api key"], "Cookie": "lang=en; id=" + hidden["cookie"],
		}})
		row("LOGIN_"+up, "http", "GET "+origin+"/"+how+"?q=$1", "# ARGS: q", "read", map[string]any{"headers": map[string]string{
			"Authorization": "Basic " + base64.StdEncoding.EncodeToString([]byte("svc:"+hidden["password"])),
		}})
		row("LITERAL_"+up, "http", "GET "+strings.Replace(origin, "://", "://svc:"+hidden["literal"]+"@", 1)+"/"+how+"?q=$1", "# ARGS: q", "read", nil)
	}
	row("leaky/say", "mcp", "leaky", "", "read", map[string]any{"input_schema": map[string]any{"type": "object"}})
	row("FN_PANIC", "fn", "panics", "# ARGS: q", "read", nil)
	row("FN_FAIL", "fn", "fails", "# ARGS: q", "read", nil)
	return b.String()
}

// canaryScript calls everything, and hands on all that it can get hold of in every way that there is.
const canaryScript = `
const seen: unknown[] = [];
const dump = (e: any) => ({ text: String(e), stack: e?.stack, all: Object.fromEntries(Object.getOwnPropertyNames(e ?? {}).map((k) => [k, e[k]])) });
for (const space of Object.keys(tools)) for (const name of Object.keys((tools as any)[space])) {
	try { seen.push(await (tools as any)[space][name](space === "leaky" ? {} : { q: "x" })); } catch (e) { seen.push(dump(e)); }
}
const world: string[] = [];
for (const k of Object.getOwnPropertyNames(globalThis)) { try { world.push(k + "=" + String((globalThis as any)[k])); } catch (e) { world.push(String(e)); } }
console.log(seen, world);
for (const s of seen) progress(JSON.stringify(s) ?? "");
artifacts.write("seen.json", JSON.stringify(seen));
await checkpoint.save("seen", JSON.stringify(seen).slice(0, 100000));
const found = await directory.search("get put info literal written login leaky", 20);
const answer = await ask("seen " + JSON.stringify(seen).slice(0, 50000));
export default { seen, world, found, answer };
`

// canary is a system that keeps the secrets, and its log.
type canary struct {
	system *assemble.System
	dir    string
	log    bytes.Buffer
}

func newCanary(t *testing.T, origin string) *canary {
	t.Helper()
	workerOnPath(t)
	t.Setenv("CODEMODE_CANARY", hidden["environment"])
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &canary{dir: t.TempDir()}
	secrets := map[string]string{"HEADER": hidden["header"], "QUERY": hidden["query"], "BODY": hidden["body"], "USERINFO": hidden["userinfo"]}
	config := assemble.Config{
		Directory: filepath.Join(c.dir, "rows.jsonl"), Store: filepath.Join(c.dir, "store.db"), Check: runtime.CheckOff, Log: slog.New(slog.NewTextHandler(&c.log, nil)),
		Secrets:    func(name string) (string, error) { return secrets[name], nil },
		MCPServers: map[string]assemble.MCPServer{"leaky": {Command: self, Env: map[string]string{asLeaky: hidden["program"]}}},
		Functions: map[string]invoke.Func{
			"panics": func(context.Context, []json.RawMessage) (json.RawMessage, error) { panic(hidden["panic"]) },
			"fails": func(context.Context, []json.RawMessage) (json.RawMessage, error) {
				return nil, errors.New(hidden["cause"])
			},
		},
	}
	if err := os.WriteFile(config.Directory, []byte(canaryRows(origin)), 0o600); err != nil {
		t.Fatal(err)
	}
	if c.system, err = assemble.Open(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.system.Close() })
	return c
}

func TestSecretsComeBackNowhere(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(echo))
	defer server.Close()
	c := newCanary(t, server.URL)
	system := c.system
	var told told
	request := runtime.Request{Sources: []runtime.Source{{Name: "main.ts", Text: canaryScript}}, Check: runtime.CheckOff, Grants: killGrants(server.URL), Events: told.events()}
	result := system.Service.Run(t.Context(), request)
	told.add("suspended", result)
	if result.State != runtime.Suspended {
		t.Fatalf("%s %v", result.State, result.Error)
	}
	if _, err := system.Service.Answer(t.Context(), result.RunID, 0, json.RawMessage(`"yes"`), "user:ana"); err != nil {
		t.Fatal(err)
	}
	result = system.Service.Resume(t.Context(), result.RunID, told.events())
	told.add("finished", result)
	if result.State != runtime.Finished || len(result.Calls) != 33 {
		t.Fatalf("%s %v after %d calls", result.State, result.Error, len(result.Calls))
	}
	again, replayed := system.Service.Replay(t.Context(), result.RunID, told.events())
	told.add("again", again)
	told.add("replayed", replayed)
	for _, a := range result.Artifacts {
		bytes, err := system.Service.Artifact(t.Context(), a.SHA256)
		if err != nil {
			t.Fatal(err)
		}
		told.text("file "+a.Path, string(bytes))
	}
	told.stored(t, system.Service.Store, result.RunID)
	told.mcp(t, system, request)
	if err := system.Close(); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"store.db", "store.db-wal"} {
		raw, err := os.ReadFile(filepath.Join(c.dir, name))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		told.text("bytes of "+name, string(raw))
	}
	told.search(t)
}

// told is all that came out, by where.
type told struct {
	mu   sync.Mutex
	what map[string]string
}

func (o *told) text(where, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.what == nil {
		o.what = map[string]string{}
	}
	o.what[where] += text + "\n"
}

func (o *told) add(where string, v any) {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	o.text(where, string(raw)+fmt.Sprintf("%+v", v))
}

func (o *told) events() runtime.Events {
	return runtime.Events{
		Console: func(l runtime.ConsoleLine) { o.text("console", l.Text) }, Progress: func(m string) { o.text("progress", m) },
		Call: func(c runtime.CallRecord) { o.add("calls", c) },
	}
}

func (o *told) stored(t *testing.T, store runtime.Store, runID string) {
	t.Helper()
	journal, err := store.Journal(t.Context(), runID)
	if err != nil {
		t.Fatal(err)
	}
	receipt, err := store.Receipt(t.Context(), runID)
	if err != nil {
		t.Fatal(err)
	}
	status, err := store.Run(t.Context(), runID)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range journal {
		o.text("journal", string(e.Data))
	}
	o.add("receipt", receipt)
	o.add("run", status)
}

// mcp runs the script for an agent.
func (o *told) mcp(t *testing.T, system *assemble.System, request runtime.Request) {
	t.Helper()
	script, err := json.Marshal(request.Sources[0].Text)
	if err != nil {
		t.Fatal(err)
	}
	server := mcp.New(mcp.Config{
		Runner: system.Service, Grants: request.Grants, Contracts: system.Surface.Contracts, Check: runtime.CheckOff, Declare: system.Surface.Declare,
		Search: search.New(system.Surface.Contracts, system.Directory).Query, Count: func(s string) int { return len(s) / 4 },
		Entry: func(contract.Contract) search.Entry { return search.Entry{} },
	})
	in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"search","arguments":{"query":"get put info literal written login"}}}
{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"run","arguments":{"script":` + string(script) + `}}}
`
	var out bytes.Buffer
	if err := server.Serve(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), `"id":4`) {
		t.Errorf("no answer: %.2000s", out.String())
	}
	o.text("mcp", out.String())
}

// search fails for every secret in anything.
func (o *told) search(t *testing.T) {
	t.Helper()
	for where, text := range o.what {
		if len(text) < 3 && !strings.HasPrefix(where, "bytes") {
			t.Errorf("nothing in %s", where)
		}
		text = readings(text)
		for kept, secret := range hidden {
			if i := slices.IndexFunc(forms(secret), func(f string) bool { return strings.Contains(text, f) }); i >= 0 {
				at := strings.Index(text, forms(secret)[i])
				t.Errorf("%s: the secret of the %s: ...%q...", where, kept, text[max(0, at-200):min(len(text), at+100)])
			}
		}
	}
}

// The log is the operator's: it says why a function failed. Of credentials it holds none.
func TestTheLogHoldsCausesAndNoCredentials(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(echo))
	defer server.Close()
	c := newCanary(t, server.URL)
	for _, method := range []string{"fn.panic", "fn.fail", "get.away", "get.broken", "info.odd", "put.away", "put.error", "literal.broken", "literal.odd", "written.error", "written.odd", "written.broken", "login.away", "login.error"} {
		result := c.system.Service.Call(t.Context(), runtime.CallRequest{Method: method, Args: json.RawMessage(`{"q":"x"}`), Grants: killGrants(server.URL)})
		if result.Error == nil {
			t.Errorf("%s: %s", method, result.Result)
		}
	}
	text := readings(c.log.String())
	for kept, secret := range hidden {
		found := slices.ContainsFunc(forms(secret), func(f string) bool { return strings.Contains(text, f) })
		if cause := kept == "panic" || kept == "cause"; found != cause {
			t.Errorf("the secret of the %s stands in the log: %v, want %v", kept, found, cause)
		}
	}
}
