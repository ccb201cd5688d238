package gen

// This file turns row keys into the names scripts call. A name is made from its row alone; other
// rows matter only where two names would be the same to a reader or a file system, which distinct.go
// settles.

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"codemode/directory"
	"codemode/directory/contract"
)

// maxIdentifier caps either half of a name, in runes; a longer one is cut and told apart by hash.
const maxIdentifier = 80

// Operation says which operation a name is for.
type Operation struct {
	Key       string
	Operation string // the entry of a target_map, else ""
	Category  string
	Type      directory.Type
}

// name is "namespace.method" while it is being made.
type name struct {
	op                Operation
	namespace, method string
	kept              bool // recorded: it stays as it is
}

func (n name) String() string { return n.namespace + "." + n.method }

// Names gives every operation its "namespace.method", in the order of ops, by these rules:
//
//   - The namespace is the key's first segment and the method the rest: up to the first "/", "." or
//     ":" where there is one, else up to the first "_", "-" or space. CRM_LIST_CONTACTS is
//     crm.listContacts, my-server/do_it is myServer.doIt.
//   - A key of one segment takes its category as namespace, else its type.
//   - An operation of a target_map takes the whole key as namespace and its own name as method.
//   - Both halves are camelCase identifiers that keep letters of any script; "_" leads one that
//     would begin with a digit; "_" ends one that is reserved (see reserved.go): a method named then,
//     constructor or toString, a namespace named string, delete or console. Letters that show nothing
//     are left out.
//   - Namespaces that differ in case only, and methods of one namespace that do or are equal, each
//     get "_" and a short hash of their own spelling, key and operation.
//
// No two names are equal, nor equal but for case. (key, operation) pairs must be distinct.
func Names(ops []Operation) []string { return NamesWith(ops, nil) }

// NamesWith is Names where some names are taken: recorded holds them by directory.Reference. An
// operation that is among them has its name whatever the rules say, and no other gets a name of
// theirs, also where the operation they belong to is not among ops. A recorded name that CheckName
// refuses, or that is another's but for case, counts as not recorded.
func NamesWith(ops []Operation, recorded map[string]string) []string {
	recorded = usable(recorded)
	names := make([]name, len(ops), len(ops)+len(recorded))
	for i, op := range ops {
		names[i] = rawName(op)
		ref := directory.Reference(op.Key, op.Operation)
		if have, ok := recorded[ref]; ok {
			names[i].namespace, names[i].method, _ = strings.Cut(have, ".")
			names[i].kept = true
			delete(recorded, ref)
		}
	}
	for _, absent := range recorded {
		n := name{kept: true}
		n.namespace, n.method, _ = strings.Cut(absent, ".")
		names = append(names, n)
	}
	splitNamespaces(names)
	splitMethods(names)
	out := make([]string, len(ops))
	for i := range ops {
		out[i] = names[i].String()
	}
	return out
}

// usable copies the recorded names that can be kept: of two that are one but for case, the one whose
// reference sorts first.
func usable(recorded map[string]string) map[string]string {
	out := make(map[string]string, len(recorded))
	taken, spelling := map[string]bool{}, map[string]string{}
	for _, ref := range slices.Sorted(maps.Keys(recorded)) {
		have := recorded[ref]
		ns, _, _ := strings.Cut(have, ".")
		folded, foldedNs := directory.FoldCase(have), directory.FoldCase(ns)
		if CheckName(have) != nil || taken[folded] || spelling[foldedNs] != "" && spelling[foldedNs] != ns {
			continue
		}
		out[ref], taken[folded], spelling[foldedNs] = have, true, ns
	}
	return out
}

func rawName(op Operation) name {
	ns, method := segments(op.Key)
	switch {
	case op.Operation != "":
		ns, method = op.Key, op.Operation
	case method == "":
		ns, method = fallbackNamespace(op), op.Key
	}
	n := name{op: op, namespace: camel(ns), method: camel(method)}
	if n.namespace == "" {
		n.namespace = camel(fallbackNamespace(op))
	}
	if n.method == "" {
		n.method = "call_" + shortHash(op.Key, op.Operation, 0)
	}
	n.namespace = guard(n.namespace, reservedNamespace)
	n.method = guard(n.method, reservedMethod)
	return n
}

// segments cuts a key in two; method is "" when there is nothing to cut.
func segments(key string) (ns, method string) {
	for _, separators := range []string{"/.:", "_- "} {
		trimmed := strings.Trim(key, separators)
		at := strings.IndexAny(trimmed, separators)
		if at < 0 {
			continue
		}
		ns, method = trimmed[:at], trimmed[at+1:]
		if len(words(ns)) > 0 && len(words(method)) > 0 {
			return ns, method
		}
	}
	return "", ""
}

func fallbackNamespace(op Operation) string {
	for _, s := range []string{op.Category, string(op.Type)} {
		if len(words(s)) > 0 {
			return s
		}
	}
	return "misc"
}

// camel joins the words of s as one identifier; "" when s holds nothing an identifier may hold.
func camel(s string) string {
	var b strings.Builder
	for i, w := range words(s) {
		w = strings.ToLower(w)
		if i > 0 {
			w = title(w)
		}
		b.WriteString(w)
	}
	id := norm.NFC.String(b.String())
	if id == "" {
		return ""
	}
	if runes := []rune(id); len(runes) > maxIdentifier {
		id = string(runes[:maxIdentifier]) + "_" + shortHash(s, "", 0)
	}
	if first := []rune(id)[0]; !identifierStart(first) {
		return "_" + id
	}
	return id
}

func title(w string) string {
	runes := []rune(w)
	runes[0] = unicode.ToUpper(runes[0])
	return string(runes)
}

// words splits at everything no identifier may hold and where the case says a word begins:
// "getURLFor" is get, URL, For.
func words(s string) []string {
	var out []string
	for _, part := range strings.FieldsFunc(norm.NFC.String(withoutHidden(s)), func(r rune) bool { return !identifierPart(r) }) {
		out = append(out, caseWords([]rune(part))...)
	}
	return out
}

// withoutHidden leaves out the letters and marks that are not seen, so that no name holds one or is
// nothing but them. Names that are one without them are told apart like others. Format characters, which
// no identifier holds, part words as white space does.
func withoutHidden(s string) string {
	return strings.Map(func(r rune) rune {
		if contract.Invisible(r) && unicode.In(r, unicode.L, unicode.M) {
			return -1
		}
		return r
	}, s)
}

func caseWords(part []rune) []string {
	var out []string
	start := 0
	for i := 1; i < len(part); i++ {
		lowUp := !unicode.IsUpper(part[i-1]) && unicode.IsUpper(part[i])
		upUpLow := i+1 < len(part) && unicode.IsUpper(part[i-1]) && unicode.IsUpper(part[i]) && unicode.IsLower(part[i+1])
		if (lowUp && !unicode.IsDigit(part[i-1])) || upUpLow {
			out = append(out, string(part[start:i]))
			start = i
		}
	}
	return append(out, string(part[start:]))
}

// identifierStart and identifierPart follow ECMAScript's IdentifierName, without "$" and "_",
// which are kept for what this file adds.
func identifierStart(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	return unicode.In(r, unicode.L, unicode.Nl) && !contract.Invisible(r)
}

func identifierPart(r rune) bool {
	if r < utf8.RuneSelf {
		return identifierStart(r) || r >= '0' && r <= '9'
	}
	return (identifierStart(r) || unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd)) && !contract.Invisible(r)
}

func guard(id string, reserved func(string) bool) string {
	if reserved(id) {
		return id + "_"
	}
	return id
}
