package typecheck

// This file writes what a diagnostic says. TypeScript prints whole types; a model has to read it, so
// the common ones say in our words what is missing and what there is.

import (
	"strings"
)

// flatten joins the chain of a diagnostic to one line: the first sentence says what, the last why.
func flatten(f *finding) string {
	text, last := strings.ReplaceAll(f.Text, packagesDir, ""), f
	for depth := 0; len(last.Chain) > 0 && depth < 50; depth++ {
		last = last.Chain[0]
	}
	if last != f {
		text = strings.TrimSuffix(clip(text, maxMessage/2), ".") + ": " + lowerFirst(last.Text)
	}
	return lowerFirst(strings.TrimSuffix(strings.Join(strings.Fields(text), " "), "."))
}

func lowerFirst(s string) string {
	if s == "" || s[0] < 'A' || s[0] > 'Z' || len(s) > 1 && s[1] >= 'A' && s[1] <= 'Z' {
		return s
	}
	return string(s[0]+'a'-'A') + s[1:]
}

// describeMember writes the message of a member that does not exist, and what was asked for.
func (x *examination) describeMember(s site, v *verdict, owner uint32, o origin, name string) error {
	hint := didYouMean(s.Text)
	switch {
	case name == "":
	case o.role == roleTools:
		v.message, v.missing = "there is no namespace "+name+hint, name
	case o.role == roleNamespace:
		v.message, v.missing = o.name+" has no method "+name+hint, o.name+"."+name
	case o.from == fromGenerated && o.method != "":
		v.message, v.method = "the result of "+o.method+" has no field "+name+hint, o.method
	case o.from == fromGenerated && s.t.dotted(owner) != "":
		v.message = s.t.dotted(owner) + " has no member " + name + hint
	case o.from == fromGenerated:
		v.message = "there is no field " + name + " here" + hint
	case o.from == fromLanguage && o.name == "Promise":
		v.message, v.hint = "a promise has no "+name, "put await before the call"
		v.method = x.methodBehind(s.t, owner)
	case o.from == fromLanguage:
		v.message = languageName(o.name) + " has no member " + name + hint
	}
	return nil
}

func languageName(name string) string {
	switch name {
	case "Array", "ReadonlyArray":
		return "an array"
	case "String", "Number", "Boolean", "BigInt":
		return "a " + strings.ToLower(name)
	}
	return name
}

// describeValue names the arguments that are missing, else puts the method before the compiler's words.
func describeValue(s site, v *verdict) {
	if v.method == "" {
		return
	}
	for f, depth := s.finding, 0; depth < 50; depth++ {
		if names := missingArguments(f); names != "" {
			v.message = v.method + " needs " + names
			return
		}
		if len(f.Chain) == 0 {
			break
		}
		f = f.Chain[0]
	}
	v.message = "wrong argument to " + v.method + ": " + v.message
}

// missingArguments reads the names out of "Property 'x' is missing in type ..." and of "... is
// missing the following properties from type ...: x, y".
func missingArguments(f *finding) string {
	switch f.Code {
	case 2741:
		_, rest, _ := strings.Cut(f.Text, "Property '")
		if name, _, ok := strings.Cut(rest, "' is missing"); ok {
			return "the argument " + name
		}
	case 2739, 2740:
		if i := strings.LastIndex(f.Text, "': "); i >= 0 {
			return "the arguments " + strings.TrimSuffix(f.Text[i+len("': "):], ".")
		}
	}
	return ""
}

func describeExtra(s site, v *verdict) {
	name := s.t.text(s.node)
	if name == "" || v.method == "" {
		return
	}
	v.message = v.method + " takes no argument " + name + didYouMean(s.Text)
}

func describeCount(s site, v *verdict) {
	if v.method == "" {
		return
	}
	v.message = "wrong number of arguments to " + v.method + ": " + v.message
	v.hint = "a method takes one object with its arguments by name, or nothing"
}
