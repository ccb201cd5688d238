package infer_test

import (
	"strings"
	"testing"

	"codemode/directory"
	"codemode/gen/infer"
)

func TestUnreadableReturnsAreTold(t *testing.T) {
	for returns, at := range map[string]string{
		"{id: strng, km int}":           `"strng, km int}"`,
		"{id: string, km int}":          `"int}"`,
		"JSON: {id: string, tags: [x]}": `"x]}"`,
		"[{id: string}":                 `"its end"`,
		"{id: string":                   `"its end"`,
		"{: string}":                    `": string}"`,
		"{id: string}":                  "",
		"[{id, name?: string}] sorted":  "",
		"{id: integer} if found":        "",
		"the {id} of it":                "",
		"number of rows":                "",
	} {
		row := directory.Row{Key: "R", Type: directory.HTTP, Description: "d", Target: "GET https://a.example/x", Docs: directory.Docs{Returns: []string{returns}}}
		_, diagnostics := infer.Infer(row, infer.Options{})
		var got string
		for _, d := range diagnostics {
			if d.Field == "result" {
				got += d.Message
			}
		}
		if at == "" && got != "" || !strings.Contains(got, at) {
			t.Errorf("%s: %q, want one that names %s", returns, got, at)
		}
	}
}

// TestTypeWordsPassLint keeps lint's list of type words as long as the one that is understood here.
func TestTypeWordsPassLint(t *testing.T) {
	for _, word := range infer.TypeWords() {
		row := directory.Row{Key: "R", Type: directory.MCP, Target: "s", Description: "d", WhenToUse: "w", Arguments: []directory.Argument{{Name: "a", Type: word}}}
		for _, f := range directory.Lint(&directory.Directory{Rows: []directory.Row{row}}) {
			t.Errorf("%s: %v", word, f)
		}
	}
}
