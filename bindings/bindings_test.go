package bindings_test

// This file implements generated interfaces and calls them from scripts, through compiler, worker, Gate
// and store.

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"codemode/bindings"
	"codemode/bindings/gofunc"
	"codemode/bindings/handler"
	"codemode/directory"
	"codemode/fixtures"
	"codemode/runtime"
	"codemode/runtime/assemble"
)

// texts implements two methods of the namespace text.
type texts struct {
	bindings.UnimplementedTextHandler
}

func (texts) Slugify(_ context.Context, args *bindings.TextSlugifyArgs) (string, error) {
	words := strings.Fields(strings.ToLower(args.Text))
	return strings.Join(words, handler.Or(args.Separator, "-")), nil
}

func (texts) Truncate(_ context.Context, args *bindings.TextTruncateArgs) (string, error) {
	if args.Length == 0 {
		return "", runtime.Errorf(runtime.Conflict, "nothing would be left of %q", args.Text)
	}
	return args.Text[:args.Length] + handler.Or(args.Mark, "…"), nil
}

// contacts stands in for an http row: the Go function is called and nothing is sent.
type contacts struct {
	bindings.UnimplementedCrmHandler
}

func (contacts) GetContact(_ context.Context, args *bindings.CrmGetContactArgs) (*bindings.CrmGetContactResult, error) {
	return &bindings.CrmGetContactResult{ID: args.ID, Name: "Ada", Email: "ada@example.com", Status: "lead", Created: "2026-03-02T00:00:00Z"}, nil
}

type sumArgs struct {
	Numbers []int64 `json:"numbers" jsonschema:"minItems=1"`
}

type sumResult struct {
	Sum   int64    `json:"sum"`
	Notes []string `json:"notes"`
}

func sum(_ context.Context, args *sumArgs) (*sumResult, error) {
	out := &sumResult{}
	for _, n := range args.Numbers {
		out.Sum += n
	}
	return out, nil
}

func open(t *testing.T) *assemble.System {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", dir, "codemode/cmd/codemode-worker").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	exact, err := gofunc.Describe(directory.Row{Key: "EXACT_SUM", Description: "Adds whole numbers of 64 bits.", WhenToUse: "For large amounts.", Effect: "read"}, sum)
	if err != nil {
		t.Fatal(err)
	}
	handlers := gofunc.Handlers(exact)
	for _, more := range []map[string]handler.Func{bindings.TextHandlers(texts{}), bindings.CrmHandlers(contacts{})} {
		for key, h := range more {
			handlers[key] = h
		}
	}
	system, err := assemble.Open(t.Context(), assemble.Config{
		Directory: fixtures.Start(t).Directory(t), Store: filepath.Join(t.TempDir(), "store.db"), Check: runtime.CheckTools,
		Rows: gofunc.Rows(exact), Handlers: handlers,
	})
	if err != nil {
		if os.Getenv("CODEMODE_TEST_REQUIRE") == "all" {
			t.Fatal(err)
		}
		t.Skipf("a part is missing: %v", err)
	}
	t.Cleanup(func() {
		if err := system.Close(); err != nil {
			t.Error(err)
		}
	})
	return system
}

func TestHandlersThroughTheGate(t *testing.T) {
	system := open(t)
	grants, err := runtime.ParseGrants("all.json", []byte(`{"principal":"user:ana","agent":"agent:t","resource":"*","operations":["*"],"when":"","expires":"task","decisions":{"required":[],"mode":"suspend"},"egress":[],"budget":{"calls":20,"wall_ms":30000}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, script, want, code string }{
		{"typed arguments", `return [await tools.text.slugify({ text: "Big | News" }), await tools.text.slugify({ text: "a b", separator: "" })]`, `["big-|-news","ab"]`, ""},
		{"an error of the handler", `try { return await tools.text.truncate({ text: "abc", length: 0 }) } catch (e) { return (e as ToolError).code }`, `"conflict"`, ""},
		{"an unimplemented method", `return await tools.text.distance({ a: "x", b: "y" })`, "", "unavailable"},
		{"in the place of an http row", `return (await tools.crm.getContact({ id: "con_1" })).name`, `"Ada"`, ""},
		{"a contract from a struct, exact", `const r = await tools.exact.sum({ numbers: [9007199254740993n, 1n] }); return [r.sum, r.notes.length]`, `[9007199254740994,0]`, ""},
		{"and validated", `return await tools.exact.sum({ numbers: [] })`, "", "invalid_argument"},
		{"and checked", `return await tools.exact.sum({ number: [1n] })`, "", "check_failed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := system.Service.Run(t.Context(), runtime.Request{Sources: []runtime.Source{{Name: "main.ts", Text: tt.script}}, Grants: grants})
			if tt.code != "" {
				if r.Error == nil || string(r.Error.Code) != tt.code {
					t.Errorf("error %v, want %s", r.Error, tt.code)
				}
				return
			}
			if r.Error != nil || string(r.Result) != tt.want {
				t.Errorf("%s, %v; want %s", r.Result, r.Error, tt.want)
			}
			for _, c := range r.Calls {
				if c.State == "finished" && c.ResultState != "valid" {
					t.Errorf("%s: result state %s", c.Method, c.ResultState)
				}
			}
		})
	}
}

// The legacy surface reaches a handler too, its text bound to names.
func TestLegacyCallReachesAHandler(t *testing.T) {
	system := open(t)
	grants, err := runtime.ParseGrants("all.json", []byte(`{"principal":"user:ana","agent":"agent:t","resource":"*","operations":["*"],"when":"","expires":"task","decisions":{"required":[],"mode":"suspend"},"egress":[],"budget":{"calls":20,"wall_ms":30000}}`))
	if err != nil {
		t.Fatal(err)
	}
	if answer := system.Legacy(grants).Dispatch(t.Context(), "EXACT_SUM", "1|2"); !strings.Contains(answer, "takes no arguments by position") {
		t.Errorf("lost arguments: %s", answer)
	}
	for key, tt := range map[string]struct{ body, want string }{
		"TEXT_TRUNCATE": {"abcdef|3", "abc…"},
		"EXACT_SUM":     {`{"numbers":[9007199254740993,1]}`, `9007199254740994`},
		"TEXT_SLUGIFY":  {"", `"text" is missing`},
	} {
		if answer := system.Legacy(grants).Dispatch(t.Context(), key, tt.body); !strings.Contains(answer, tt.want) {
			t.Errorf("%s: %s, want %s", key, answer, tt.want)
		}
	}
}

// What a handler says has its row's name wherever it is listed.
func TestGlueNamesRows(t *testing.T) {
	raw, err := os.ReadFile("contracts.json")
	if err != nil {
		t.Fatal(err)
	}
	var contracts []struct{ Key, Operation, Name string }
	if err := json.Unmarshal(raw, &contracts); err != nil {
		t.Fatal(err)
	}
	handlers, n := bindings.CrmHandlers(contacts{}), 0
	for _, c := range contracts {
		if strings.HasPrefix(c.Name, "crm.") {
			if n++; handlers[directory.Reference(c.Key, c.Operation)] == nil {
				t.Errorf("no handler of %s", c.Name)
			}
		}
	}
	if n == 0 || n != len(handlers) {
		t.Errorf("%d contracts, %d handlers", n, len(handlers))
	}
}
