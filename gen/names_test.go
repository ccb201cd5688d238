package gen_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/gen"
)

func TestNamesOfOneRow(t *testing.T) {
	for _, tt := range []struct {
		op   gen.Operation
		want string
	}{
		{gen.Operation{Key: "CLI_FFMPEG"}, "cli.ffmpeg"},
		{gen.Operation{Key: "CRM_LIST_CONTACTS"}, "crm.listContacts"},
		{gen.Operation{Key: "github/create_issue"}, "github.createIssue"},
		{gen.Operation{Key: "github.createIssue"}, "github.createIssue"},
		{gen.Operation{Key: "my-server/do-it.now"}, "myServer.doItNow"},
		{gen.Operation{Key: "GorillaFileSystem/ls"}, "gorillaFileSystem.ls"},
		{gen.Operation{Key: "TwitterAPI/getURLFor"}, "twitterApi.getUrlFor"},
		{gen.Operation{Key: "a/Summarize Detection"}, "a.summarizeDetection"},
		{gen.Operation{Key: "FFMPEG", Category: "Media tools", Type: directory.CLI}, "mediaTools.ffmpeg"},
		{gen.Operation{Key: "FFMPEG", Type: directory.CLI}, "cli.ffmpeg"},
		{gen.Operation{Key: "CRM_", Category: "sales"}, "sales.crm"},
		{gen.Operation{Key: "createIssue", Category: "git"}, "git.createIssue"},
		{gen.Operation{Key: "2FA_ENABLE"}, "_2fa.enable"},
		{gen.Operation{Key: "auth/2fa"}, "auth._2fa"},
		{gen.Operation{Key: "crm/delete"}, "crm.delete"},
		{gen.Operation{Key: "x/then"}, "x.then_"},
		{gen.Operation{Key: "x/constructor"}, "x.constructor_"},
		{gen.Operation{Key: "x/__proto__"}, "x.proto_"},
		{gen.Operation{Key: "x/to_string"}, "x.toString_"},
		{gen.Operation{Key: "x/has own property"}, "x.hasOwnProperty_"},
		{gen.Operation{Key: "STRING_TRIM"}, "string_.trim"},
		{gen.Operation{Key: "any/x"}, "any_.x"},
		{gen.Operation{Key: "delete/x"}, "delete_.x"},
		{gen.Operation{Key: "console/log"}, "console_.log"},
		{gen.Operation{Key: "con/x"}, "con_.x"},
		{gen.Operation{Key: "LPT1_x"}, "lpt1_.x"},
		{gen.Operation{Key: "codemode/x"}, "codemode_.x"},
		{gen.Operation{Key: "天気/取得"}, "天気.取得"},
		{gen.Operation{Key: "ÜBER_GRÖSSE_LESEN"}, "über.grösseLesen"},
		{gen.Operation{Key: "e\u0301tat/x"}, "état.x"},
		{gen.Operation{Key: "mail/\u202Esend\u0000*/"}, "mail.send"},
		{gen.Operation{Key: "CRM", Operation: "list_contacts"}, "crm.listContacts"},
		{gen.Operation{Key: "STRIPE_API", Operation: "charges.create"}, "stripeApi.chargesCreate"},
	} {
		if got := gen.Names([]gen.Operation{tt.op})[0]; got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.op, got, tt.want)
		}
	}
}

func TestNamesWithoutLetters(t *testing.T) {
	got := gen.Names([]gen.Operation{{Key: "___", Type: directory.MCP}, {Key: "🎉", Type: directory.MCP}, {Key: "", Operation: "  "}})
	for _, name := range got {
		checkName(t, name)
	}
	checkDistinct(t, got)
}

// One name changes only when another collides with it.
func TestNamesDependOnFewRows(t *testing.T) {
	alone := gen.Names([]gen.Operation{{Key: "crm/list"}, {Key: "crm/get"}})
	with := gen.Names([]gen.Operation{{Key: "crm/list"}, {Key: "crm/get"}, {Key: "CRM_LIST"}, {Key: "crm/add"}})
	if alone[0] != "crm.list" || alone[1] != with[1] || with[3] != "crm.add" {
		t.Errorf("alone %q, with others %q", alone, with)
	}
	if !strings.HasPrefix(with[0], "crm.list_") || !strings.HasPrefix(with[2], "crm.list_") || with[0] == with[2] {
		t.Errorf("colliding names are %q and %q", with[0], with[2])
	}
	spelt := gen.Names([]gen.Operation{{Key: "CRMAPI/x"}, {Key: "CrmApi/y"}, {Key: "CrmApi/z"}, {Key: "other/x"}})
	first, _, _ := strings.Cut(spelt[0], ".")
	second, _, _ := strings.Cut(spelt[1], ".")
	third, _, _ := strings.Cut(spelt[2], ".")
	if strings.EqualFold(first, second) || second != third || spelt[3] != "other.x" {
		t.Errorf("namespaces that differ in case only: %q", spelt)
	}
}

func TestNamesTorture(t *testing.T) {
	parts := []string{"list", "List", "LIST", "li_st", "l-i-s-t", "delete", "delete_", "then", "__proto__", "proto", "2fa", "_2fa",
		"天気", "Straße", "STRASSE", "\u212Aelvin", "kelvin", "e\u0301", "\u00e9", "", " ", "*/", "$", "x\u200Dy", "xy", strings.Repeat("long", 60), strings.Repeat("long", 60) + "er", "ǅ", "ǆ"}
	var ops []gen.Operation
	for _, a := range parts {
		for _, b := range parts {
			for _, sep := range []string{"/", "_", "."} {
				ops = append(ops, gen.Operation{Key: a + sep + b, Type: directory.MCP})
			}
			ops = append(ops, gen.Operation{Key: a, Operation: b, Type: directory.HTTP})
		}
	}
	ops = distinctOps(ops)
	names := gen.Names(ops)
	checkDistinct(t, names)
	for _, name := range names {
		checkName(t, name)
	}
	perm := rand.New(rand.NewPCG(1, 2)).Perm(len(ops))
	shuffled := make([]gen.Operation, len(ops))
	for i, p := range perm {
		shuffled[i] = ops[p]
	}
	for i, name := range gen.Names(shuffled) {
		if names[perm[i]] != name {
			t.Fatalf("%+v is %s in one order and %s in another", shuffled[i], names[perm[i]], name)
		}
	}
}

func distinctOps(ops []gen.Operation) []gen.Operation {
	seen := map[[2]string]bool{}
	return slices.DeleteFunc(ops, func(op gen.Operation) bool {
		id := [2]string{op.Key, op.Operation}
		dup := seen[id]
		seen[id] = true
		return dup
	})
}

func checkDistinct(t testing.TB, names []string) {
	t.Helper()
	seen := map[string]string{}
	namespaces := map[string]string{}
	for _, name := range names {
		low := strings.ToLower(name)
		if other, taken := seen[low]; taken {
			t.Errorf("%q and %q are one name where case does not count", other, name)
		}
		seen[low] = name
		ns, _, _ := strings.Cut(name, ".")
		if other, ok := namespaces[strings.ToLower(ns)]; ok && other != ns {
			t.Errorf("the files of %q and %q are one where case does not count", other, ns)
		}
		namespaces[strings.ToLower(ns)] = ns
	}
}

func checkName(t testing.TB, name string) {
	t.Helper()
	ns, method, ok := strings.Cut(name, ".")
	if !ok || strings.Contains(method, ".") {
		t.Errorf("%q is not namespace.method", name)
	}
	for _, half := range []string{ns, method} {
		for i, r := range half {
			letter := unicode.In(r, unicode.L, unicode.Nl) || r == '_'
			if !letter && (i == 0 || !unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd)) {
				t.Errorf("%q is no identifier", half)
			}
		}
		if half == "" || len([]rune(half)) > 100 || half == "then" || half == "__proto__" || half == "constructor" {
			t.Errorf("%q in %q is not allowed", half, name)
		}
	}
}

func FuzzNames(f *testing.F) {
	f.Add("CRM_LIST", "crm/list", "", "")
	f.Add("a.b", "A.B", "then", "__proto__")
	f.Add("\xff\xfe", "1", "ß", "ẞ")
	f.Fuzz(func(t *testing.T, a, b, op, category string) {
		ops := distinctOps([]gen.Operation{{Key: a, Category: category}, {Key: b, Type: directory.MCP}, {Key: a, Operation: op, Category: category}, {Key: b, Operation: op}, {Key: a + b}})
		names := gen.Names(ops)
		checkDistinct(t, names)
		for _, name := range names {
			checkName(t, name)
		}
		again := gen.Names(ops)
		if diff := cmp.Diff(names, again); diff != "" {
			t.Error(fmt.Sprint("not deterministic: ", diff))
		}
	})
}

// Letters that show nothing are in no name, and names that are one without them stay apart.
func TestInvisibleLetters(t *testing.T) {
	var ops []gen.Operation
	for _, r := range []string{"\u3164", "\u115f", "\u1160", "\uffa0", "\u034f", "\u180b", "\ufe0f", "\U000e0100"} {
		ops = append(ops, gen.Operation{Key: r, Type: directory.HTTP}, gen.Operation{Key: r + "_" + r, Type: directory.HTTP}, gen.Operation{Key: "CRM_" + r, Type: directory.HTTP},
			gen.Operation{Key: "CRM_LI" + r + "ST", Type: directory.HTTP}, gen.Operation{Key: "M", Operation: r})
	}
	names := gen.Names(ops)
	checkDistinct(t, names)
	for i, name := range names {
		ns, method, _ := strings.Cut(name, ".")
		if contract.Visible(name) != name || ns == "" || method == "" {
			t.Errorf("%+q is called %+q", ops[i].Key, name)
		}
		if strings.HasPrefix(ops[i].Key, "CRM_LI") && !strings.HasPrefix(name, "crm.list_") {
			t.Errorf("%+q is called %q", ops[i].Key, name)
		}
	}
	if gen.CheckName("crm.li\u3164st") == nil {
		t.Error("a recorded name may hold a letter that shows nothing")
	}
}
