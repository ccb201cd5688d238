package infer

// This file takes the result of a row that declares none from recorded results.

import (
	"fmt"
	"strings"

	"codemode/directory/contract"
)

// observed returns what recorded results say of the result; false where there are none, or they show
// nothing.
func (b *builder) observed() (any, source, bool) {
	o, ok := b.row.Observed[b.operation]
	if !ok || isBlank(o.Schema) || strings.TrimSpace(string(o.Schema)) == "true" {
		return nil, source{}, false
	}
	tree, ok := b.readSchema("the schema in observed.json", "result", o.Schema)
	if !ok {
		return nil, source{}, false
	}
	return orTrue(normalize(tree, b.remark("observed.json", "result"))), source{"observed.json", b.observedWords()}, true
}

func (b *builder) observedWords() string {
	n := b.row.Observed[b.operation].Results
	return fmt.Sprintf("observed from %d recorded result%s", n, map[bool]string{false: "s"}[n == 1])
}

// noteObserved tells the reader of a declaration that its result type is no promise.
func (b *builder) noteObserved(notes []string, from contract.Provenance) []string {
	if from != contract.FromObserved {
		return notes
	}
	return append(notes, "the result type is "+b.observedWords()+", not declared; others may come")
}
