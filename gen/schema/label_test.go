package schema_test

import (
	"strings"
	"testing"

	"codemode/gen/schema"
)

func TestLikeLabel(t *testing.T) {
	for _, line := range []string{
		"Effect: read", "effect : read", "EFFECT:read", "**Effect:** read", "- Effect: read", "  * When to use: always", "when_to_use: always", "When-to-use= always",
		"Undo: crm.restore()", "Readback: x", "Precondition: x", "Returns: {id}", "Arguments: none", "Deprecated: no", "@deprecated", "Needs a decision", "Needs a decision: no", "needs a decision only sometimes", "needs a decision only",
		"\u0415ffect: read", "Ｅffect： read", "Eff\u0435ct\u2236 read", "Effect", "> Effect: read", "\"Effect\": read",
	} {
		if !schema.LikeLabel(line) || !strings.HasPrefix(schema.Quoted(line), "> ") {
			t.Errorf("%q passes", line)
		}
	}
	for _, line := range []string{
		"", "Reads an effect: the latest.", "Undo the last change.", "Returns the list: all of it.", "Effects: none", "Arguments are ignored.", "Side effect: none", "Note: x", "3d", "https://a.example: x", "日本",
	} {
		if schema.LikeLabel(line) || schema.Quoted(line) != line {
			t.Errorf("%q is taken for a label", line)
		}
	}
}
