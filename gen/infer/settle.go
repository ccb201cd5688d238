package infer

// This file takes the type of an argument from its default, or from "list of ..." at the head of its
// description, where nothing else says one.

import (
	"encoding/json"
	"slices"
	"strings"

	"codemode/directory/contract"
)

// settleNumber takes a default that is a number for the type, where nothing else says one.
func (d *docParam) settleNumber() {
	n, ok := d.value.(json.Number)
	if _, flag := d.value.(bool); flag && d.hasDefault && d.schema.len() == 0 {
		d.schema, d.typed = obj("type", "boolean"), contract.FromProse
	}
	switch {
	case !d.hasDefault || !ok:
	case d.schema.text("type") == "string" && d.schema.len() == 1 && d.typeFrom() == contract.FromArgs:
		d.value = string(n)
	case d.schema.len() > 0:
	case strings.ContainsAny(string(n), ".eE") || fractional(d.name) && !countsWhole(d.name) || percentWords.MatchString(d.description):
		d.schema, d.typed = obj("type", "number"), contract.FromProse
	default:
		d.schema, d.typed = obj("type", "integer"), contract.FromProse
	}
}

// isUnitOf reports whether what looks like a default tells a unit: "the temperature, default to be celsius".
func isUnitOf(name string, value any) bool {
	unit, _ := value.(string)
	return fractional(name) && slices.Contains(fractions, strings.ToLower(unit))
}

// countsWhole reports whether a name is of time that people count in whole numbers where they give one.
func countsWhole(name string) bool {
	words := nameWords(name)
	return len(words) > 0 && slices.Contains([]string{"hours", "seconds", "secs"}, words[len(words)-1])
}

// settleList takes "List of numbers to sum" for the type of an argument that travels as JSON.
func (d *docParam) settleList() {
	if d.schema.len() > 0 || !listOfWords.MatchString(d.description) {
		return
	}
	t, _, ok := parseTypePrefix(d.description)
	if !ok || t.schema.text("type") != "array" {
		t.schema = obj("type", "array")
	}
	d.schema, d.typed = t.schema, contract.FromProse
}

var percentWords = compile(`(?i)\bper ?cent|\bpercentage`)
