package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codemode/directory"
	"codemode/runtime/assemble"
)

const learnRows = `{"key":"A","type":"mcp","target":"a","description":"d","when_to_use":"w"}
{"key":"B","type":"mcp","target":"b","description":"d","when_to_use":"w"}
{"key":"SHOP","type":"http","description":"d","when_to_use":"w","target_map":{"get":"GET https://shop.example/$1"}}
`

// learnInto learns lines into the directory at dir, and loads it anew.
func learnInto(t *testing.T, dir string, lines []string) (*learnAnswer, *directory.Directory) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "results.jsonl")
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	loaded, output, err := assemble.Generate(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	l := newLearner(output.Contracts, loaded.Observed, false)
	if err := l.read(file); err != nil {
		t.Fatal(err)
	}
	answer := l.answer()
	if err := answer.merge(dir, loaded); err != nil {
		t.Fatal(err)
	}
	again, err := directory.Load(dir, directory.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return answer, again
}

func learnDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "rows.jsonl"), []byte(learnRows), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestUnusableResultsLearnNothing: a method none of whose results can be used is not in the file.
func TestUnusableResultsLearnNothing(t *testing.T) {
	deep := strings.Repeat("[", 9000) + strings.Repeat("]", 9000)
	answer, again := learnInto(t, learnDir(t), []string{`{"key":"A","result":` + deep + `}`, `{"key":"B","result":1}`})
	if len(again.Findings) > 0 || len(again.Observed) != 1 || again.Observed["B"].Results != 1 {
		t.Errorf("findings %v, observed %v", again.Findings, again.Observed)
	}
	if len(answer.Methods) != 1 || len(answer.Problems) != 1 || !strings.HasPrefix(answer.Problems[0].Message, "a result of mcp.a is passed over: ") {
		t.Errorf("methods %v, problems %v", answer.Methods, answer.Problems)
	}
}

// hostileResult is a random result: deep, wide, of odd keys and of keys that are data.
func hostileResult(r *rand.Rand, depth int) string {
	quoted := func(s string) string { raw, _ := json.Marshal(s); return string(raw) } // a string: it cannot fail
	keys := []string{"", "id", "__proto__", "constructor", "a/b~c", "\x00", "\u2028", "é", "*", "ana@example.com", "AKIAQWERTZUIOPASDFGH", "password=hunter2222",
		strings.Repeat("long", 300), "1001", "$ref", "type", "$schema", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmN"}
	switch n := r.IntN(12); {
	case n == 0:
		depth := r.IntN(9500)
		return strings.Repeat(`{"a":[`, depth/2) + "1" + strings.Repeat(`]}`, depth/2)
	case n < 5 && depth > 0:
		var members []string
		most := 4
		if r.IntN(8) == 0 {
			most, depth = 300, 0 // more than are kept apart
		}
		for i := range r.IntN(most) {
			key := keys[r.IntN(len(keys))]
			if r.IntN(3) == 0 {
				key = fmt.Sprintf("field %d", i)
			}
			members = append(members, quoted(key)+":"+hostileResult(r, depth-2))
		}
		return "{" + strings.Join(members, ",") + "}"
	case n < 8 && depth > 0:
		items := make([]string, 1+r.IntN(3))
		for i := range items {
			items[i] = hostileResult(r, depth-1)
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	return []string{"null", "true", "1", "-0", "1e999", "9007199254740993", "18446744073709551616", `"\ud800"`, `"x"`, `"{}"`, "{", "\"\xff\""}[r.IntN(12)]
}

// TestWhatIsLearntLoads: whatever is merged, in however many parts, loads without a finding, and no key of
// it is a credential.
func TestWhatIsLearntLoads(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 7))
		dir := learnDir(t)
		for range 3 {
			var lines []string
			for range r.IntN(12) {
				to := []string{`"key":"A"`, `"key":"B"`, `"key":"SHOP","operation":"get"`, `"method":"mcp.a"`, `"key":"NONE"`}[r.IntN(5)]
				lines = append(lines, "{"+to+`,"result":`+hostileResult(r, 8)+"}")
			}
			_, again := learnInto(t, dir, lines)
			for _, f := range directory.Lint(again) {
				if f.File == again.Rows[0].File {
					continue
				}
				t.Fatalf("seed %d: %v", seed, f)
			}
			for ref, o := range again.Observed {
				for _, data := range []string{"ana@example.com", "AKIA", "hunter2222", "eyJ"} {
					if strings.Contains(string(o.Schema)+string(o.Seen), data) {
						t.Fatalf("seed %d: %s is learnt of %s", seed, data, ref)
					}
				}
			}
		}
	}
}
