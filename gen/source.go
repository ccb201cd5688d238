package gen

// This file says by one digest what a call of each contract sends, so that a row cannot come to do
// something else behind a contract that stays the same.

import (
	"encoding/json"
	"slices"
	"strings"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/directory/template"
)

// sent is what decides a call beside its arguments. Of what documents a row nothing is in it.
type sent struct {
	Type    directory.Type
	Target  string
	Content string
	Headers map[string]string
	Auth    string
	Named   []string // the {name}s that are slots
}

// source gives every contract its Source.
func (g *generator) source() {
	own := make([]string, len(g.contracts))
	parallel(len(own), func(i int) { own[i] = digestOf(sentBy(*g.rows[i], g.contracts[i])) })
	for i := range g.contracts {
		if g.followed[i] == nil {
			g.contracts[i].Source = own[i]
		}
	}
	g.flowSources(own)
}

// digestOf digests what certainly has a JSON text: strings, lists and maps of them.
func digestOf(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("gen: " + err.Error())
	}
	return contract.Digest(text)
}

func sentBy(row directory.Row, c contract.Contract) sent {
	s := sent{Type: row.Type, Target: row.Target, Content: row.Template, Headers: row.Headers, Auth: row.Auth}
	src, ok := row.Source()
	if c.Operation != "" {
		var err error
		src, err = row.OperationSource(c.Operation)
		ok = err == nil
	}
	if ok {
		s.Target, s.Content, s.Headers, s.Named = src.Target, src.Content, src.Headers, namedSlots(src, c)
	}
	s.Target = strings.TrimSpace(s.Target)
	return s
}

// namedSlots are the names of a source that stand in it as {name} and that the contract has: the invoker
// takes the braces of any other as text.
func namedSlots(src template.Source, c contract.Contract) []string {
	text := src.Target + "\n" + src.Content
	for _, value := range src.Headers {
		text += "\n" + value
	}
	names := slices.DeleteFunc(slices.Clone(src.Params), func(name string) bool { return !strings.Contains(text, "{"+name) })
	if len(names) == 0 {
		return names
	}
	known := contract.PropertyNames(c.Params)
	names = slices.DeleteFunc(names, func(name string) bool {
		_, has := slices.BinarySearch(known, name)
		return !has
	})
	slices.Sort(names)
	return names
}

// flowSources completes flows: what one sends is in its steps. A flow is taken once all that it calls
// have been. Those that are left call each other in circles, or lead to one; they share a digest of all of
// them, so that no change in a circle goes unseen.
func (g *generator) flowSources(own []string) {
	waits, ready := map[*flow]int{}, []*flow{}
	for i := range g.contracts {
		if f := g.followed[i]; f != nil {
			if waits[f] = len(f.called); waits[f] == 0 {
				ready = append(ready, f)
			}
		}
	}
	for ; len(ready) > 0; ready = ready[1:] {
		f := ready[0]
		g.contracts[f.at].Source = digestOf([]any{own[f.at], g.stepSources(f)})
		for _, caller := range f.callers {
			if waits[caller]--; waits[caller] == 0 {
				ready = append(ready, caller)
			}
		}
	}
	g.circleSources(own)
}

func (g *generator) circleSources(own []string) {
	var left []int
	var all []any
	for i := range g.contracts {
		if f := g.followed[i]; f != nil && g.contracts[i].Source == "" {
			left = append(left, i)
			all = append(all, []any{reference(g.contracts[i]), own[i], g.stepSources(f)})
		}
	}
	if len(left) == 0 {
		return
	}
	shared := digestOf(all)
	for _, i := range left {
		g.contracts[i].Source = digestOf([]any{own[i], shared})
	}
}

// stepSources are the sources that each step may lead to, as far as they are known.
func (g *generator) stepSources(f *flow) [][]string {
	out := make([][]string, len(f.steps))
	for i, callees := range f.steps {
		for _, at := range callees {
			out[i] = append(out[i], g.contracts[at].Source)
		}
	}
	return out
}
