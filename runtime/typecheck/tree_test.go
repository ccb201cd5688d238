package typecheck

import (
	"encoding/base64"
	"strings"
	"testing"
)

// treeOf has the compiler parse the text.
func treeOf(t testing.TB, text string) (*tree, string) {
	t.Helper()
	c := open(t, Config{})
	p, err := c.acquire(requestFor(t, "tools", text))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.greet(); err != nil {
		t.Fatal(err)
	}
	snap, err := p.load(single(text), "", "", false)
	if err != nil {
		t.Fatal(err)
	}
	reply, err := ask[struct{ Data string }](snap, "getSourceFile", map[string]any{"file": scriptDir + "main.ts"})
	if err != nil {
		t.Fatal(err)
	}
	tr, err := decodeTree(scriptDir+"main.ts", reply.Data)
	if err != nil {
		t.Fatal(err)
	}
	return tr, reply.Data
}

// TestKinds pins the node kinds to the compiler at hand: each must be found where the text has it.
func TestKinds(t *testing.T) {
	text := `
interface I { p: string; m(): void }
declare namespace N { type T = X.Y }
class C { constructor() {} get g() { return 1 } set g(v) {} meth() {} }
const { a } = {} as any, [b] = [1, ...[2]];
function decl(par) { for (const x of []) {} }
const f = function () {}, g = () => {};
(a.b!)["c"] = <any>d("s", ` + "`t`" + `) satisfies any;
delete a.b, await a ? b || c : d && e ?? ((f));
new Date();
export default { p: 1, a, ...b };
`
	tr, _ := treeOf(t, text)
	have := map[kind]string{}
	for i, n := range tr.nodes {
		if n.kind != kindList && n.pos <= n.end && int(n.end) <= len(text) {
			have[n.kind] = text[n.pos:n.end]
			_ = i
		}
	}
	for k, part := range map[kind]string{
		kindIdentifier: "", kindString: `"s"`, kindNoSubstitution: "`t`", kindParameter: "", kindPropertySignature: "p: string",
		kindMethodSignature: "m(): void", kindMethod: "meth() {}", kindConstructor: "constructor() {}", kindGetAccessor: "get g()", kindSetAccessor: "set g(v)",
		kindObjectPattern: "{ a }", kindArrayPattern: "[b]", kindBindingElement: "b", kindArrayLiteral: "[", kindObjectLiteral: "{ p: 1, a, ...b }",
		kindPropertyAccess: "a.b", kindElementAccess: `["c"]`, kindCall: `d("s"`, kindNew: "new Date()", kindTypeAssertion: "<any>d", kindParenthesized: "(f)",
		kindFunction: "function () {}", kindArrow: "() => {}", kindDelete: "delete a.b", kindBinary: "", kindConditional: "?",
		kindAs: "{} as any", kindNonNull: "a.b!", kindSatisfies: "satisfies any", kindBlock: "{", kindExpression: "new Date();",
		kindVariable: "", kindFunctionDecl: "function decl", kindInterface: "interface I", kindModule: "namespace N",
		kindPropertyAssign: "p: 1", kindShorthand: "a", kindSpreadAssign: "...b", kindSourceFile: "interface", kindBarBar: "||", kindAmpersandAnd: "&&", kindQuestionQuestion: "??",
		kindComma: ",", kindFirstAssignment: "=",
	} {
		if got, ok := have[k]; !ok || !strings.Contains(got, part) {
			t.Errorf("kind %d is %q, want %q", k, got, part)
		}
	}
}

func TestTreeTexts(t *testing.T) {
	tr, _ := treeOf(t, "const größe = \"ü💡\", b = { 'k-x': größe };\ntools.crm . listContacts({});")
	var texts []string
	for i := range tr.nodes {
		if s := tr.text(uint32(i)); s != "" {
			texts = append(texts, s)
		}
	}
	if got, want := strings.Join(texts, " "), "größe ü💡 b k-x größe tools crm listContacts"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// FuzzDecodeTree holds that a tree that is none is refused, and that whatever is accepted can be
// walked: every question the rules ask of a tree ends.
func FuzzDecodeTree(f *testing.F) {
	_, data := treeOf(f, `const { a } = tools; await a.b({ c: "d" });`)
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add(raw[:len(raw)/2])
	f.Add([]byte{0, 0, 0, 5})
	f.Fuzz(func(t *testing.T, raw []byte) {
		tr, err := decodeTree("/x", base64.StdEncoding.EncodeToString(raw))
		if err != nil {
			return
		}
		for i := range min(len(tr.nodes), 200) {
			at := uint32(i)
			tr.text(at)
			tr.parts(at)
			tr.owner(at)
			tr.argumentOf(at)
			tr.enclosingCall(at)
			tr.assigned(at)
			tr.takenApart(at)
			tr.dropped(at, 0)
			tr.start(at)
			tr.dotted(at)
			tr.at(tr.nodes[i].pos, tr.nodes[i].end)
		}
	})
}

func TestUndeclared(t *testing.T) {
	for in, want := range map[string]string{"crm": "crm", "$package": "package", "$my$2d$name": "my-name", "$a$24$b": "a$b", "$": "", "$x$": "x", "$x$zz$y": "xy", "$9lives": "9lives"} {
		if got := undeclared(in); got != want {
			t.Errorf("%s is %q, want %q", in, got, want)
		}
	}
}
