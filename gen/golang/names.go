package golang

// This file makes Go names of names that may hold anything.

import (
	"crypto/sha256"
	"encoding/hex"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"codemode/directory/contract"
)

// maxName caps a Go name, in runes; a longer one is cut and told apart by a hash.
const maxName = 80

// initialisms are written in capitals, as Go does (go.dev/wiki/CodeReviewComments, "Initialisms").
var initialisms = strings.Fields(`api ascii cpu css dns eof guid html http https id ip json lhs qps ram rhs rpc sla smtp sql
	ssh tcp tls ttl udp ui uid uuid uri url utf8 vm xml xmpp xsrf xss`)

// exported makes a Go name of a key: "customer_id" is CustomerID, "3d-model" X3dModel. Different keys
// may give one name; see distinct.
func exported(key string) string {
	var b strings.Builder
	for _, w := range words(key) {
		if low := strings.ToLower(w); slices.Contains(initialisms, low) {
			b.WriteString(strings.ToUpper(w))
			continue
		}
		runes := []rune(w)
		b.WriteRune(unicode.ToUpper(runes[0]))
		b.WriteString(string(runes[1:]))
	}
	name := b.String()
	if first := firstRune(name); !unicode.IsUpper(first) {
		name = "X" + name
	}
	return cut(name, key)
}

// standardMethods are names whose signature go vet expects to be that of the standard library's interface
// (golang.org/x/tools/go/analysis/passes/stdmethods).
var standardMethods = strings.Fields(`As Format GobDecode GobEncode Is MarshalJSON MarshalXML ReadByte ReadFrom ReadRune Scan Seek
	UnmarshalJSON UnmarshalXML UnreadByte UnreadRune Unwrap WriteByte WriteTo`)

// methodName is the Go name of a method: writeByte is CallWriteByte, since WriteByte means another one.
func methodName(key string) string {
	if name := exported(key); !slices.Contains(standardMethods, name) {
		return name
	}
	return "Call" + exported(key)
}

func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}

// cut shortens a name; of is what it stands for.
func cut(name, of string) string {
	runes := []rune(name)
	if len(runes) <= maxName {
		return name
	}
	return string(runes[:maxName-8]) + shortHash(of, 8)
}

// words splits at everything a Go identifier cannot hold, at "_", and where the case says so: "userId"
// is user, Id and "HTTPServer" HTTP, Server.
func words(s string) []string {
	var out []string
	for _, part := range strings.FieldsFunc(contract.Visible(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		runes, start := []rune(part), 0
		for i := 1; i < len(runes); i++ {
			rise := unicode.IsLower(runes[i-1]) && unicode.IsUpper(runes[i])
			last := i+1 < len(runes) && unicode.IsUpper(runes[i-1]) && unicode.IsUpper(runes[i]) && unicode.IsLower(runes[i+1])
			if rise || last {
				out, start = append(out, string(runes[start:i])), i
			}
		}
		out = append(out, string(runes[start:]))
	}
	return out
}

// distinct gives every item a name of its own: want(i) where no other wants it, else with "_" and a
// hash of identity(i), which must differ. No wanted name holds "_".
func distinct(n int, want, identity func(int) string) []string {
	wanted := map[string]int{}
	for i := range n {
		wanted[want(i)]++
	}
	out := make([]string, n)
	for i := range n {
		if out[i] = want(i); wanted[out[i]] > 1 {
			out[i] += "_" + shortHash(identity(i), 6)
		}
	}
	return unlike(out, want, identity)
}

// unlike makes the hashes longer in the rare case that two of them are equal.
func unlike(names []string, want, identity func(int) string) []string {
	seen := map[string]bool{}
	for _, name := range names {
		if seen[name] {
			for i := range names {
				names[i] = want(i) + "_" + shortHash(identity(i), 64)
			}
			return names
		}
		seen[name] = true
	}
	return names
}

func shortHash(of string, digits int) string {
	sum := sha256.Sum256([]byte(of))
	return hex.EncodeToString(sum[:])[:digits]
}

var plainFile = regexp.MustCompile(`^[a-z][a-zA-Z0-9]{0,99}$`)

// fileName is a namespace's file. The go command reads "_" in a file's name: a leading one hides the
// file and a last word like linux binds it to a system. So other names end in a hash.
func fileName(ns string) string {
	if plainFile.MatchString(ns) && ns != "tools" {
		return ns + ".gen.go"
	}
	kept := strings.Map(func(r rune) rune {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return -1
	}, ns)
	return "ns" + kept[:min(len(kept), 80)] + "_n" + shortHash(ns, 12) + ".gen.go"
}

var packageName = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

func isPackageName(s string) bool {
	return packageName.MatchString(s) && !token.IsKeyword(s) && s != "main"
}
