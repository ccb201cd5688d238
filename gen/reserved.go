package gen

// This file lists the words that are no names, and judges names that the rules did not make.

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// keywords are what ECMAScript (ECMA-262, 12.7.2, strict mode) and its early errors keep from
// identifiers; a namespace is declared under its name.
var keywords = strings.Fields(`arguments await break case catch class const continue debugger default delete do else
	enum eval export extends false finally for function if implements import in instanceof interface let new null
	package private protected public return static super switch this throw true try typeof undefined var void while
	with yield`)

// predefinedTypes cannot name a type or namespace of their own in TypeScript.
var predefinedTypes = strings.Fields(`any asserts bigint boolean infer intrinsic is keyof never number object
	readonly string symbol unique unknown`)

// ambient are the other names a script sees, and the files that stand beside the namespaces'.
var ambient = strings.Fields(`artifacts ask checkpoint codemode console directory inputs progress tools
	globalthis module namespace require exports`)

// inherited are properties every object answers, and "then", which would make an object look like a promise.
var inherited = strings.Fields(`constructor hasOwnProperty isPrototypeOf propertyIsEnumerable proto prototype then
	toLocaleString toString valueOf`)

// deviceFile matches names that Windows keeps for devices, whatever their extension.
var deviceFile = regexp.MustCompile(`^(?i:con|prn|aux|nul|com[0-9]|lpt[0-9])$`)

// reservedMethod reports what no method may be called. A keyword may: crm.delete() is a property
// access, where ECMAScript takes any IdentifierName.
func reservedMethod(id string) bool { return slices.Contains(inherited, id) }

func reservedNamespace(id string) bool {
	return slices.Contains(inherited, id) || slices.Contains(keywords, id) || slices.Contains(predefinedTypes, id) ||
		slices.Contains(ambient, id) || deviceFile.MatchString(id)
}

// CheckName says why a method cannot be called so. What it lets pass is "namespace.method", two
// identifiers of letters and digits of any script and "_", neither of them reserved.
func CheckName(full string) error {
	ns, method, ok := strings.Cut(full, ".")
	switch {
	case !ok || !isIdentifier(ns) || !isIdentifier(method):
		return fmt.Errorf("%.100q is not namespace.method", full)
	case reservedNamespace(ns):
		return fmt.Errorf("%q is reserved and cannot be a namespace", ns)
	case reservedMethod(method):
		return fmt.Errorf("%q is reserved and cannot be a method", method)
	}
	return nil
}

// maxName caps either half of a name, in runes: a cut one with its hashes.
const maxName = maxIdentifier + 200

func isIdentifier(s string) bool {
	if s == "" || s == "__proto__" || len([]rune(s)) > maxName || !norm.NFC.IsNormalString(s) {
		return false
	}
	for i, r := range s {
		if r != '_' && !identifierStart(r) && (i == 0 || !identifierPart(r)) {
			return false
		}
	}
	return true
}
