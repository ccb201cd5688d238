package openapi_test

// This file reads a real document that stands beside the project.

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"codemode/directory"
	"codemode/directory/importer"
	"codemode/directory/importer/openapi"
)

func github(t testing.TB) []byte {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "shared", "data", "openapi", "github_rest_v3_1.1.4.json"))
	if err != nil {
		t.Skipf("the data beside the project is absent: %v", err)
	}
	return data
}

func TestGitHub(t *testing.T) {
	data := github(t)
	got, err := openapi.Import(bytes.NewReader(data), openapi.Options{File: "github.json", Server: "github"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range got.Findings {
		t.Log(f)
	}
	t.Log(got.NotCarried)
	var out bytes.Buffer
	if err := importer.Write(&out, got.Rows); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	dir, err := directory.Load(path, directory.LoadOptions{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(dir.Rows) != 710 {
		t.Errorf("%d rows, want one for each of the 710 operations", len(dir.Rows))
	}
	servers := map[string]int{}
	for _, r := range dir.Rows {
		server, _, _ := strings.Cut(r.Key, "/")
		servers[server]++
		if r.Key == "github_repos/upload-release-asset" && (r.Content != "{body}" || r.Headers["Content-Type"] != "text/plain") {
			t.Errorf("the file of a release is sent as %q, %v", r.Content, r.Headers)
		}
	}
	if len(servers) != 31 || servers["github_repos"] != 143 || got.LeftOut != 0 {
		t.Errorf("%d left out, keys by server %v, want one for each of the 31 tags, 143 of repos", got.LeftOut, servers)
	}
	for _, c := range directory.CountByRule(directory.Lint(dir)) {
		t.Log(c)
		if c.Rule != "missing_when_to_use" && c.Rule != "torn_sentence" { // no document says the one, this one has the other
			t.Errorf("lint finds %s %d times", c.Rule, c.Count)
		}
	}
	largest := 0
	for _, r := range dir.Rows {
		raw, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		largest = max(largest, len(raw))
	}
	t.Logf("%d bytes of rows, the largest %d", out.Len(), largest)
}

func BenchmarkGitHub(b *testing.B) {
	data := github(b)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := openapi.Import(bytes.NewReader(data), openapi.Options{Server: "github"}); err != nil {
			b.Fatal(err)
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.Sys)/1e6, "MB-sys")
}
