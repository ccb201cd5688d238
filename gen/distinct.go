package gen

// This file tells apart names that would be one to a reader or a file system. Each that collides gets a
// hash of its own spelling or key, and a longer one as long as it still collides; recorded names never
// change. What is decided for one name depends on the set of names alone, not on their order.

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"codemode/directory"
)

// splitNamespaces tells apart namespaces that a file system without case would not. The hash is of
// the spelling, so that all the methods of one namespace stay together.
func splitNamespaces(names []name) {
	kept, rounds := map[string]bool{}, map[string]int{}
	for _, n := range names {
		if n.kept {
			kept[n.namespace] = true
		} else {
			rounds[n.namespace] = 0
		}
	}
	for again := true; again; {
		again = false
		spellings := map[string]map[string]bool{}
		note := func(ns string) {
			folded := directory.FoldCase(ns)
			if spellings[folded] == nil {
				spellings[folded] = map[string]bool{}
			}
			spellings[folded][ns] = true
		}
		for ns := range kept {
			note(ns)
		}
		for ns, round := range rounds {
			note(hashed(ns, round, ns, ""))
		}
		for ns, round := range rounds {
			now := hashed(ns, round, ns, "")
			if len(spellings[directory.FoldCase(now)]) > 1 && !kept[now] {
				rounds[ns]++
				again = true
			}
		}
	}
	for i, n := range names {
		if !n.kept {
			names[i].namespace = hashed(n.namespace, rounds[n.namespace], n.namespace, "")
		}
	}
}

// splitMethods gives each of several methods that share a name a hash of its own key.
func splitMethods(names []name) {
	rounds := make([]int, len(names))
	spelt := func(i int) string {
		return hashed(names[i].method, rounds[i], names[i].op.Key, names[i].op.Operation)
	}
	all := make([]int, len(names))
	for i := range all {
		all[i] = i
	}
	sharing := map[string][]int{}
	for moved := all; len(moved) > 0; {
		for _, i := range moved {
			full := directory.FoldCase(names[i].namespace + "." + spelt(i))
			sharing[full] = append(sharing[full], i)
		}
		moved = nil
		for full, group := range sharing {
			if len(group) < 2 {
				continue
			}
			// A spelling that was shared once stays taken, by -1 where nobody keeps it, so that nothing
			// depends on who came first.
			stay := []int{-1}
			for _, i := range group {
				if i < 0 || names[i].kept {
					stay = []int{i}
				} else {
					rounds[i]++
					moved = append(moved, i)
				}
			}
			sharing[full] = stay
		}
	}
	for i := range names {
		names[i].method = spelt(i)
	}
}

// hashed is a name in one round: as it is in round 0, then with 4 hex digits, 4 more each round.
func hashed(name string, round int, key, operation string) string {
	if round == 0 {
		return name
	}
	return name + "_" + shortHash(key, operation, round-1)
}

// maxRound is where a hash has its full length; later rounds hash anew.
const maxRound = 15

// shortHash is 4 hex digits, and 4 more each round.
func shortHash(key, operation string, round int) string {
	salt := ""
	if round > maxRound {
		salt, round = strconv.Itoa(round)+"\x00", maxRound
	}
	sum := sha256.Sum256([]byte(salt + strconv.Itoa(len(key)) + ":" + key + operation))
	return hex.EncodeToString(sum[:])[:4*(round+1)]
}
