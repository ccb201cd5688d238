package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestScrubber(t *testing.T) {
	for _, tt := range []struct{ auth, value, url, in, want string }{
		{"bearer:X", "s3cret", "", `{"a":"the s3cret","s3cret":[1,"\u00733cret!"]}`, `{"a":"the [secret]","[secret]":[1,"[secret]!"]}`},
		{"bearer:X", "12345", "", `[12345,1.0,"a\"b",-912345]`, `["[secret]",1.0,"a\"b","-9[secret]"]`},
		{"bearer:X", ",", "", `[1, ","]`, `[1, "[secret]"]`},
		{"bearer:X", `q"\`, "", `{"a":"q\"\\ z"}`, `{"a":"[secret] z"}`},
		{"basic:X", "ana:longpassword", "", `["YW5hOmxvbmdwYXNzd29yZA==","ana","longpassword"]`, `["[secret]","ana","[secret]"]`},
		{"", "", "https://h/mcp?key=s3cret-key&v=1", `["v=1","s3cret-key","key=s3cret-key&v=1"]`, `["v=1","[secret]","[secret]"]`},
		{"", "", "https://h/mcp", `{"z":9007199254740993, "a":1.10}`, `{"z":9007199254740993, "a":1.10}`},
	} {
		s := newScrubber(tt.auth, tt.value, tt.url)
		got := s.json(json.RawMessage(tt.in))
		if string(got) != tt.want || !json.Valid(got) || (len(s.finding()) > 0) != (tt.in != tt.want) {
			t.Errorf("%s: %s, want %s; told %v", tt.in, got, tt.want, s.finding())
		}
	}
}

// echo is a server that repeats the credentials it is given wherever it can.
func echo(w http.ResponseWriter, r *http.Request) {
	var req struct {
		ID     json.RawMessage
		Method string
	}
	body, _ := io.ReadAll(r.Body)
	secret := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") + r.URL.Query().Get("key")
	switch json.Unmarshal(body, &req); {
	case req.ID == nil:
		w.WriteHeader(http.StatusAccepted)
	case req.Method == "initialize":
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"own%s","version":"1"}}}`, req.ID, secret)
	case req.Method == "tools/list":
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"t%s","title":%q,"description":"you are %s","x-%s":1,"inputSchema":{"type":"object","properties":{"a":{"default":"%s"}}}}]}}`, req.ID, secret, secret, secret, secret, secret)
	default:
		http.Error(w, secret, http.StatusBadRequest)
	}
}

// told runs codemode import and returns all that it wrote to standard output and standard error.
func told(t *testing.T, args ...string) (string, error) {
	t.Helper()
	stderr, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer stderr.Close()
	var stdout bytes.Buffer
	cmd := newRoot(&terminal{out: &output{w: &stdout}, err: stderr})
	cmd.SetArgs(append([]string{"import", "mcp"}, args...))
	cmd.SetErr(stderr)
	failed := cmd.ExecuteContext(t.Context())
	said, err := os.ReadFile(stderr.Name())
	if err != nil {
		t.Fatal(err)
	}
	return stdout.String() + string(said), failed
}

// No secret of the connection is written or printed, whatever the server repeats.
func TestImportLeavesSecretsOut(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(echo))
	const secret = "t0ken-of-the-connection"
	t.Setenv("CODEMODE_SECRET_ECHO", secret)
	file := filepath.Join(t.TempDir(), "rows.jsonl")
	for _, source := range [][]string{{"--url", srv.URL, "--auth", "bearer:ECHO"}, {"--url", srv.URL + "/?key=" + secret}} {
		for _, form := range [][]string{nil, {"--json"}, {"--out", file}} {
			all, err := told(t, append(source, form...)...)
			if err != nil {
				t.Fatal(err)
			}
			if len(form) == 2 {
				rows, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				all += string(rows)
			}
			if strings.Contains(all, secret) || !strings.Contains(all, "you are [secret]") || !strings.Contains(all, "secret_echoed") {
				t.Errorf("%v %v:\n%s", source, form, all)
			}
		}
	}
	srv.Close()
	all, err := told(t, "--url", srv.URL+"/?key="+secret)
	var exit *exitError
	if !errors.As(err, &exit) || exit.code != exitUnavailable || strings.Contains(err.Error()+all, secret) {
		t.Errorf("a server that is gone: %v\n%s", err, all)
	}
}
