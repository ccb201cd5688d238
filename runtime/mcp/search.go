package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/directory/contract"
)

// moreHits are named below the declarations: a second tier that costs few words. What is over it is
// counted.
const moreHits = 12

// search answers with declarations as text only: within JSON they would be harder to read.
func (s *Server) search(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	q, err := readQuery(req.Params.Arguments)
	if err != nil {
		return failure(err), nil
	}
	granted := map[string]bool{}
	for _, c := range s.granted() {
		granted[c.Name] = true
	}
	hits := slices.DeleteFunc(slices.Clone(s.c.Search(q.words, len(s.c.Contracts))), func(c contract.Contract) bool { return !granted[c.Name] })
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: s.found(q, hits)}}}, nil
}

// found writes whole declarations while they fit, the first in any case, and then names.
func (s *Server) found(q query, hits []contract.Contract) string {
	if len(hits) == 0 {
		return fmt.Sprintf("No granted method matches %q. Try other words, or a name from the index in the server's instructions.", clip(q.words, 200))
	}
	var b strings.Builder
	var rest []string
	for i, c := range hits {
		declaration := fmt.Sprintf("// %s: %s\n%s\n", c.Name, s.terms(c), strings.TrimRight(s.c.Declare(c), "\n")+"\n")
		if i >= q.limit || i > 0 && b.Len()+len(declaration) > s.c.Limits.SearchBytes {
			rest = append(rest, c.Name)
			continue
		}
		b.WriteString(declaration)
	}
	if len(rest) > 0 {
		b.WriteString(byName(rest))
	}
	return b.String()
}

// byName counts the methods that matched and are not declared, and names the first of them.
func byName(rest []string) string {
	named, over := rest[:min(len(rest), moreHits)], ""
	if more := len(rest) - len(named); more > 0 {
		over = fmt.Sprintf(", and %d not named", more)
	}
	return fmt.Sprintf("// %d more matched less closely; search for a name to see its declaration: %s%s\n", len(rest), strings.Join(named, ", "), over)
}
