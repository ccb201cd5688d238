package mcpclient_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"codemode/directory/mcpclient"
)

// asServer makes this test program a server over its standard streams, of the kind the variable names.
const asServer = "MCPCLIENT_TEST_SERVER"

func TestMain(m *testing.M) {
	if kind := os.Getenv(asServer); kind != "" {
		play(kind, os.Stdin, os.Stdout)
		return
	}
	os.Exit(m.Run())
}

// play answers like a server that is hostile or broken in one way.
func play(kind string, in io.Reader, out io.Writer) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var req struct {
			ID     json.RawMessage
			Method string
			Params struct{ Name, Cursor string }
		}
		if json.Unmarshal(lines.Bytes(), &req) != nil || req.ID == nil {
			continue
		}
		answer := func(result string) { fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", req.ID, result) }
		switch {
		case kind == "mute":
			time.Sleep(time.Minute)
		case kind == "ignorant" && req.Method != "initialize" && req.Method != "tools/list":
		case kind == "newest" && req.Method == "initialize":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"method not found"}}`+"\n", req.ID)
		case kind == "newest" && req.Method == "server/discover":
			answer(`{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`)
		case req.Method == "initialize":
			answer(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"` + kind + `","version":"1"}}`)
		case req.Method == "tools/list" && kind == "flood":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"x","description":"`, req.ID)
			for range 1 << 10 {
				io.WriteString(out, strings.Repeat("x", 1<<20))
			}
		case req.Method == "tools/list":
			answer(`{"tools":[{"name":"b","inputSchema":{"z":1,"a":9007199254740993}},{"name":"b"},{"name":7},null],"nextCursor":"2","_meta":{"codemode/whole":"{}"}}`)
		case req.Method == "tools/call" && req.Params.Name == "die":
			os.Exit(3)
		case req.Method == "tools/call" && req.Params.Name == "hang":
		case req.Method == "tools/call" && req.Params.Name == "refuse":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"no such tool"}}`+"\n", req.ID)
		case req.Method == "tools/call":
			answer(`{"content":[],"structuredContent":{"z":12345678901234567890,"a":1.10}}`)
		default:
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"method not found"}}`+"\n", req.ID)
		}
	}
}

func connect(t *testing.T, kind string, limits mcpclient.Limits) *mcpclient.Client {
	t.Helper()
	c, err := mcpclient.Connect(t.Context(), server(kind), limits)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func server(kind string) mcpclient.Server {
	self, _ := os.Executable()
	return mcpclient.Server{Command: []string{self}, Env: []string{asServer + "=" + kind}}
}

// What a server writes arrives byte for byte: order of members, integers, and elements that are no tools.
func TestAnswersArriveWhole(t *testing.T) {
	c := connect(t, "plain", mcpclient.Limits{})
	tools, next, err := c.Page(t.Context(), "")
	if err != nil || next != "2" || len(tools) != 4 || string(tools[0]) != `{"name":"b","inputSchema":{"z":1,"a":9007199254740993}}` {
		t.Errorf("Page = %s, %q, %v", tools, next, err)
	}
	result, err := c.Call(t.Context(), "x", []byte(`{"n":9007199254740993}`))
	if err != nil || string(result) != `{"content":[],"structuredContent":{"z":12345678901234567890,"a":1.10}}` {
		t.Errorf("Call = %s, %v", result, err)
	}
	if c.Name() != "plain" {
		t.Errorf("the server calls itself %q", c.Name())
	}
}

func TestServersThatFail(t *testing.T) {
	c := connect(t, "plain", mcpclient.Limits{})
	var answered *mcpclient.ServerError
	if _, err := c.Call(t.Context(), "refuse", []byte(`{}`)); !errors.As(err, &answered) || answered.Code != -32602 || answered.Message != "no such tool" {
		t.Errorf("an error of the server is %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := c.Call(ctx, "hang", []byte(`{}`)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a call that hangs is %v", err)
	}
	if _, err := c.Call(t.Context(), "die", []byte(`{}`)); !errors.Is(err, mcpclient.ErrClosed) {
		t.Errorf("a server that dies is %v", err)
	}
	if _, err := c.Call(t.Context(), "x", []byte(`{}`)); !errors.Is(err, mcpclient.ErrClosed) || c.Alive() {
		t.Errorf("a dead server is %v, alive %v", err, c.Alive())
	}
}

// A message without an end is not read to its end.
func TestFlood(t *testing.T) {
	c := connect(t, "flood", mcpclient.Limits{MaxMessageBytes: 1 << 20})
	if _, _, err := c.Page(t.Context(), ""); !errors.Is(err, mcpclient.ErrTooLarge) {
		t.Errorf("a gigabyte of description is %v", err)
	}
}

func TestNoServer(t *testing.T) {
	short := mcpclient.Limits{ConnectTimeout: 200 * time.Millisecond}
	if _, err := mcpclient.Connect(t.Context(), server("mute"), short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a mute server is %v", err)
	}
	for _, tt := range []struct {
		server mcpclient.Server
		want   string
	}{
		{mcpclient.Server{}, "either a command or a url"},
		{mcpclient.Server{Command: []string{"x"}, URL: "http://h"}, "either a command or a url"},
		{mcpclient.Server{Command: []string{"/nowhere/at-all"}}, "cannot be started"},
		{mcpclient.Server{Command: []string{"sh", "-c", "echo no such package >&2; exit 1"}}, "it said: no such package"},
		{mcpclient.Server{URL: "ftp://h/x"}, "http or https"},
		{mcpclient.Server{URL: "https://user:pass@h/x"}, "without user information"},
	} {
		if _, err := mcpclient.Connect(t.Context(), tt.server, mcpclient.Limits{}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Connect(%+v) = %v, want %q", tt.server, err, tt.want)
		}
	}
}

// Closing takes down what the process has started, too.
func TestCloseEndsChildren(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	mark := filepath.Join(t.TempDir(), "pid")
	s := mcpclient.Server{Command: []string{"sh", "-c", `sleep 60 >/dev/null 2>&1 & echo $! >"$0"; "$1"; wait`, mark, self}, Env: []string{asServer + "=plain", "PATH=" + os.Getenv("PATH")}}
	c, err := mcpclient.Connect(t.Context(), s, mcpclient.Limits{CloseTimeout: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	pid, err := os.ReadFile(mark)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	for range 100 {
		stat, err := os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("a child of the server is still there")
}

// A server that answers only what it knows, and one that knows only the newer handshake, both connect.
func TestHandshakes(t *testing.T) {
	for _, kind := range []string{"ignorant", "newest"} {
		c := connect(t, kind, mcpclient.Limits{ConnectTimeout: 20 * time.Second})
		if tools, _, err := c.Page(t.Context(), ""); err != nil || len(tools) != 4 {
			t.Errorf("%s: %d tools, %v", kind, len(tools), err)
		}
	}
}

// A redirect to another origin ends the connection; one within the origin is followed.
func TestRedirects(t *testing.T) {
	reached := false
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { reached = true; respond(false)(w, r) }))
	defer other.Close()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, other.URL+"/mcp", http.StatusTemporaryRedirect)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusPermanentRedirect)
		case "/near":
			http.Redirect(w, r, "/mcp", http.StatusTemporaryRedirect)
		default:
			respond(false)(w, r)
		}
	}))
	defer srv.Close()
	_, err := mcpclient.Connect(t.Context(), mcpclient.Server{URL: srv.URL + "/away"}, mcpclient.Limits{})
	if !errors.Is(err, mcpclient.ErrRedirect) || !strings.Contains(err.Error(), other.URL+"; connect to its url if that is meant") || reached {
		t.Errorf("a redirect to another origin is %v, reached %v", err, reached)
	}
	if _, err := mcpclient.Connect(t.Context(), mcpclient.Server{URL: srv.URL + "/round"}, mcpclient.Limits{}); err == nil || !strings.Contains(err.Error(), "redirects more than 10 times") {
		t.Errorf("a circle is %v", err)
	}
	c, err := mcpclient.Connect(t.Context(), mcpclient.Server{URL: srv.URL + "/near"}, mcpclient.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if tools, _, err := c.Page(t.Context(), ""); err != nil || len(tools) != 4 {
		t.Errorf("a redirect within the origin: %d tools, %v", len(tools), err)
	}
}

// respond serves streamable HTTP like play, as one JSON document or as events.
func respond(events bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var out strings.Builder
		play("web", strings.NewReader(string(body)+"\n"), &out)
		switch {
		case out.Len() == 0:
			w.WriteHeader(http.StatusAccepted)
		case events:
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, ": hello\n\nid: 1\ndata:\n\nevent: message\ndata: "+out.String()+"\n\n")
		default:
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, out.String())
		}
	}
}

func TestHTTP(t *testing.T) {
	for _, events := range []bool{false, true} {
		srv := httptest.NewServer(respond(events))
		c, err := mcpclient.Connect(t.Context(), mcpclient.Server{URL: srv.URL}, mcpclient.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		result, err := c.Call(t.Context(), "x", []byte(`{}`))
		if err != nil || string(result) != `{"content":[],"structuredContent":{"z":12345678901234567890,"a":1.10}}` {
			t.Errorf("events %v: Call = %s, %v", events, result, err)
		}
		srv.Close()
		if _, err := c.Call(t.Context(), "x", []byte(`{}`)); err == nil || errors.Is(err, mcpclient.ErrClosed) {
			t.Errorf("a server that went away is %v, want the transport's own error", err)
		}
		c.Close()
	}
}

// A refusal of the round tripper comes back as itself, so that a policy can be told from a failure.
func TestRoundTripperDecides(t *testing.T) {
	mine := errors.New("not allowed here")
	s := mcpclient.Server{URL: "http://192.0.2.1/mcp", HTTP: trip(func(*http.Request) (*http.Response, error) { return nil, mine })}
	if _, err := mcpclient.Connect(t.Context(), s, mcpclient.Limits{}); !errors.Is(err, mine) {
		t.Errorf("Connect = %v, want the round tripper's error", err)
	}
}

func TestStatus(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	defer srv.Close()
	var status *mcpclient.StatusError
	if _, err := mcpclient.Connect(t.Context(), mcpclient.Server{URL: srv.URL}, mcpclient.Limits{}); !errors.As(err, &status) || status.Status != 403 {
		t.Errorf("Connect = %v, want status 403", err)
	}
}

type trip func(*http.Request) (*http.Response, error)

func (f trip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
