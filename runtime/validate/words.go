package validate

// This file says one problem in words: where, what was got, what is wanted.

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"codemode/runtime"
)

// lines says a problem; missing and unknown members, which are called so, make a line each.
func (s *schema) lines(p problem, doc any, member string) []string {
	if len(p.at) > 0 {
		member = "field"
	}
	got := value(doc, p.at)
	switch k := p.kind.(type) {
	case *kind.Required:
		return each(p.at, k.Missing, func(name string) string { return "missing " + member + " " + quoted(name) })
	case *kind.AdditionalProperties:
		return each(p.at, k.Properties, func(name string) string { return "unknown " + member + " " + quoted(name) + s.meant(p, name) })
	case *kind.DependentRequired:
		return each(p.at, k.Missing, func(name string) string { return quoted(k.Prop) + " also needs " + member + " " + quoted(name) })
	case *kind.Dependency:
		return each(p.at, k.Missing, func(name string) string { return quoted(k.Prop) + " also needs " + member + " " + quoted(name) })
	case *kind.PropertyNames:
		return each(p.at, []string{k.Property}, func(name string) string { return "the name " + quoted(name) + " is not allowed" })
	}
	return []string{with(p.at, said(p, got))}
}

// said says a problem of the value itself.
func said(p problem, got any) string {
	switch k := p.kind.(type) {
	case *kind.Type:
		return "got " + show(got) + ", want " + alternatives(k.Want)
	case *kind.Enum:
		return "got " + show(got) + ", want " + oneOf(k.Want) + closestValue(got, k.Want)
	case *kind.Const:
		return "got " + show(got) + ", want " + show(k.Want)
	case *kind.Format:
		if again := (*notUnique)(nil); errors.As(k.Err, &again) {
			return again.Error()
		}
		return "got " + show(got) + ", want " + formatWords(k.Want)
	case *kind.Pattern:
		return "got " + show(got) + ", want text that matches " + clip(k.Want, 80)
	case *kind.FalseSchema:
		return "nothing is allowed here"
	case *kind.Not:
		return "got " + show(got) + ", which is excluded"
	case *kind.OneOf:
		return "fits several alternatives of which it must fit one"
	}
	if text, ok := sizes(p.kind); ok {
		return text
	}
	if text, ok := bounds(p.kind); ok {
		return "got " + show(got) + ", want " + text
	}
	return "does not fit " + quoted(strings.Join(p.kind.KeywordPath(), "/"))
}

func sizes(k any) (string, bool) {
	switch k := k.(type) {
	case *kind.MinLength:
		return fmt.Sprintf("has %s, want %d or more", many(k.Got, "character"), k.Want), true
	case *kind.MaxLength:
		return fmt.Sprintf("has %s, want %d or fewer", many(k.Got, "character"), k.Want), true
	case *kind.MinItems:
		return fmt.Sprintf("has %s, want %d or more", many(k.Got, "item"), k.Want), true
	case *kind.MaxItems:
		return fmt.Sprintf("has %s, want %d or fewer", many(k.Got, "item"), k.Want), true
	case *kind.AdditionalItems:
		return fmt.Sprintf("has %d items too many", k.Count), true
	case *kind.MinProperties:
		return fmt.Sprintf("has %s, want %d or more", many(k.Got, "field"), k.Want), true
	case *kind.MaxProperties:
		return fmt.Sprintf("has %s, want %d or fewer", many(k.Got, "field"), k.Want), true
	case *kind.Contains:
		return "no item is of the kind that must be among them", true
	case *kind.MinContains:
		return fmt.Sprintf("has %d items of the kind of which %d are needed", len(k.Got), k.Want), true
	case *kind.MaxContains:
		return fmt.Sprintf("has %d items of the kind of which at most %d are allowed", len(k.Got), k.Want), true
	}
	return "", false
}

// many is a count and what is counted.
func many(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

func bounds(k any) (string, bool) {
	switch k := k.(type) {
	case *kind.Minimum:
		return decimal(k.Want) + " or more", true
	case *kind.Maximum:
		return decimal(k.Want) + " or less", true
	case *kind.ExclusiveMinimum:
		return "more than " + decimal(k.Want), true
	case *kind.ExclusiveMaximum:
		return "less than " + decimal(k.Want), true
	case *kind.MultipleOf:
		return "a multiple of " + decimal(k.Want), true
	}
	return "", false
}

func each(at, names []string, say func(string) string) []string {
	var lines []string
	for _, name := range slices.Sorted(slices.Values(names)) {
		lines = append(lines, with(at, say(name)))
	}
	return lines
}

func with(at []string, text string) string {
	if len(at) == 0 {
		return text
	}
	return place(at) + ": " + text
}

// meant names the known field that an unknown one is close to, else those there are.
func (s *schema) meant(p problem, name string) string {
	owner := s.at[p.schema]
	if owner == nil || len(owner.Properties) == 0 {
		return ""
	}
	known := slices.Sorted(maps.Keys(owner.Properties))
	if near := runtime.Nearest(name, known); near != "" {
		return "; did you mean " + quoted(near) + "?"
	}
	return "; known are " + nameList(known)
}

func nameList(names []string) string {
	const most = 10
	var out []string
	for _, name := range names[:min(len(names), most)] {
		out = append(out, quoted(name))
	}
	text := strings.Join(out, ", ")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return text
}

// show shows a value when it is short, and else says what it is.
func show(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		return clip(v.String(), 40)
	case string:
		if len(v) > 40 {
			return fmt.Sprintf("a string of %d characters", len([]rune(v)))
		}
		return strconv.Quote(v)
	case []any:
		return fmt.Sprintf("an array of %d items", len(v))
	case map[string]any:
		return fmt.Sprintf("an object of %d fields", len(v))
	}
	return "a value"
}

func alternatives(types []string) string { return strings.Join(types, " or ") }

func oneOf(values []any) string {
	if len(values) == 1 {
		return show(values[0])
	}
	const most = 12
	var out []string
	for _, v := range values[:min(len(values), most)] {
		out = append(out, show(v))
	}
	text := "one of " + strings.Join(out, ", ")
	if len(values) > most {
		text += fmt.Sprintf(" and %d more", len(values)-most)
	}
	return text
}

// closestValue helps where the list is cut or long.
func closestValue(got any, values []any) string {
	asked, ok := got.(string)
	if !ok || len(values) < 2 {
		return ""
	}
	var texts []string
	for _, v := range values {
		if text, ok := v.(string); ok {
			texts = append(texts, text)
		}
	}
	if near := runtime.Nearest(asked, texts); near != "" {
		return "; did you mean " + quoted(near) + "?"
	}
	return ""
}

func quoted(name string) string { return strconv.Quote(clip(name, 60)) }

// decimal writes a bound as a person would.
func decimal(r *big.Rat) string {
	if r.IsInt() {
		return clip(r.Num().String(), 40)
	}
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}
