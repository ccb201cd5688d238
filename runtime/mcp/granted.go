package mcp

// This file tells what the grants offer: which methods, and which of them wait for a decision.

import (
	"path"
	"slices"
	"time"

	"codemode/directory/contract"
	"codemode/runtime"
)

// Granted returns the contracts that a grant covers at now, in their order.
func Granted(contracts []contract.Contract, grants []runtime.Grant, now time.Time) []contract.Contract {
	var out []contract.Contract
	for _, c := range contracts {
		if slices.ContainsFunc(grants, func(g runtime.Grant) bool { return g.Covers(c) && !g.Expired(now) }) {
			out = append(out, c)
		}
	}
	return out
}

func (s *Server) granted() []contract.Contract {
	return Granted(s.c.Contracts, s.c.Grants, s.c.Now())
}

// needsDecision reports whether a person must decide on a call: any grant that covers it may say so.
func (s *Server) needsDecision(c contract.Contract) bool {
	return NeedsDecision(c, s.c.Grants, s.c.Now())
}

// NeedsDecision reports whether a person must decide on a call at now.
func NeedsDecision(c contract.Contract, grants []runtime.Grant, now time.Time) bool {
	return slices.ContainsFunc(grants, func(g runtime.Grant) bool { return g.Covers(c) && !g.Expired(now) && g.NeedsDecision(c) })
}

// readable reports whether a grant covers the key of a page of documentation.
func (s *Server) readable(key string) bool {
	now := s.c.Now()
	return slices.ContainsFunc(s.c.Grants, func(g runtime.Grant) bool {
		matches, err := path.Match(g.Resource, key)
		return !g.Empty() && !g.Expired(now) && (g.Resource == "*" || err == nil && matches)
	})
}

// terms says what a call of the method comes to.
func (s *Server) terms(c contract.Contract) string {
	if s.needsDecision(c) {
		return string(c.Effect) + ", needs a decision"
	}
	return string(c.Effect) + ", no decision needed"
}
