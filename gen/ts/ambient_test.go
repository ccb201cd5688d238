package ts

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAmbient uses everything the run-time provides the way a script would, with the right types;
// what must not type-check is marked.
func TestAmbient(t *testing.T) {
	const script = `
const code: ToolErrorCode = "not_found";
try { progress("half"); } catch (e) {
  if (e instanceof ToolError) { const s: number | undefined = e.status; const m: string = e.message + e.code + (e.hint ?? "") + e.method + (e.detail ?? "") + (e.handle ?? ""); }
}
const answer: { id: number } = await ask<{ id: number }>("Which account?", { type: "object" });
const unsure: unknown = await ask("Go on?");
await checkpoint.save("page", { n: answer.id });
const page: { n: number } | undefined = await checkpoint.load<{ n: number }>("page");
const nothing: void = await checkpoint.save("page", 1);
const found: { name: string; description: string; declaration: string }[] = await directory.search("list invoices", 5);
let part: { text: string; next?: number; bytes: number } = await results.read("sha256:1");
if (part.next !== undefined) part = await results.read("sha256:1", part.next, 65536);
const rows: Record<string, string>[] = inputs["orders.csv"].csv();
const n: number = inputs["orders.csv"].size + inputs["orders.csv"].bytes().length + inputs["orders.csv"].text().length;
const parsed: unknown = inputs["orders.csv"].json();
const info: ArtifactInfo = artifacts.write("out/a.json", { a: 1 }, { mediaType: "application/json" });
artifacts.write("b", new Uint8Array(3)); artifacts.write("c", [1, 2]); artifacts.write("d", "text");
console.log(1, "a", {}); console.info(); console.warn(info.bytes); console.error(info.path); console.debug(info.mediaType);
export default rows;
const bad1: ToolErrorCode = "nope"; // want
new ToolError(); // want
artifacts.write("e", 5); // want
inputs.other; // want
tools.crm; // want
parsed.x; // want
unsure.x; // want
page.n; // want
ask(5); // want
ask("q", "string"); // want
checkpoint.save("page"); // want
found[0].nope; // want
results.read(); // want
`
	want := map[int]bool{}
	for i, line := range strings.Split(script, "\n") {
		if strings.HasSuffix(line, "// want") {
			want[i+1] = true
		}
	}
	got := map[int]bool{}
	for _, p := range compile(t, map[string]string{"ambient.d.ts": Ambient(), "granted.d.ts": Granted(nil, []string{"orders.csv"}, []string{"wall_ms 30000", "calls 1000"}), "script.ts": script}) {
		if got[p.Line] = true; p.File != "script.ts" || !want[p.Line] {
			t.Errorf("%s:%d: %s", p.File, p.Line, p.Text)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("lines that must fail (-want +got):\n", diff)
	}
}

// TestErrorCodes compares the codes with those of package runtime, which this package cannot import.
func TestErrorCodes(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../../runtime/error.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		kind, _ := spec.Type.(*ast.Ident)
		value, _ := spec.Values[0].(*ast.BasicLit)
		if kind != nil && kind.Name == "Code" && value != nil {
			s, err := strconv.Unquote(value.Value)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, s)
		}
		return true
	})
	union, _, _ := strings.Cut(Ambient(), "declare class")
	var got []string
	for _, m := range regexp.MustCompile(`\| "(\w+)"`).FindAllStringSubmatch(union, -1) {
		got = append(got, m[1])
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
		t.Error(diff)
	}
}
