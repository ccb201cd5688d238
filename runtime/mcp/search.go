package mcp

import (
	"context"
	"fmt"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/directory/contract"
	"codemode/directory/search"
)

// askedHits is how many hits are looked at: more than an answer has room for, so that what the grants
// do not cover can be dropped.
const askedHits = 400

// search answers with declarations as text only: within JSON they would be harder to read.
func (s *Server) search(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	q, err := readQuery(req.Params.Arguments, s.c.Limits)
	if err != nil {
		return failure(err), nil
	}
	granted := map[string]bool{}
	for _, c := range s.granted() {
		granted[c.Name] = true
	}
	hits := slices.DeleteFunc(s.c.Search(q.words, askedHits), func(h search.Hit) bool {
		if h.Page != nil {
			return !s.readable(h.Page.Key)
		}
		return !granted[h.Contract.Name]
	})
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: s.found(q, hits)}}}, nil
}

// found writes complete declarations, and then lines, within the tokens asked for.
func (s *Server) found(q query, hits []search.Hit) string {
	if len(hits) == 0 {
		return fmt.Sprintf("No granted method matches %q. Try other words, or a name from the index in the server's instructions.", clip(q.words, 200))
	}
	return search.Answer(hits, search.AnswerOptions{
		Tokens: q.tokens, Declarations: q.limit, Count: s.c.Count,
		Declare: func(c contract.Contract) string {
			return fmt.Sprintf("// %s: %s\n%s", c.Name, s.terms(c), s.c.Declare(c))
		},
		Line: s.line,
	}).Text
}

// line is a method's line of the index, with what a call of it comes to.
func (s *Server) line(c contract.Contract) string {
	e := s.c.Entry(c)
	if s.needsDecision(c) {
		e.Mark = " [needs a decision]"
	}
	return e.Line()
}
