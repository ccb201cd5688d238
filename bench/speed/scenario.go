package speed

// This file holds the scripts, and how each is measured.

import (
	"time"

	"codemode/bench"
	"codemode/runtime"
)

// script is one script and what it is granted: one read, or "*" for everything.
type script struct {
	name, text string
	wide       bool
	write      bool // it is granted a write
}

// scenarios are the scripts. Their calls are functions that compute little.
func scenarios() []script {
	return []script{
		{name: "trivial", text: "export default 1 + 1"},
		{name: "1 read", text: `export default await tools.text.slugify({ text: "Two Words" })`},
		{name: "100 reads in turn", text: `const all = []
for (let i = 0; i < 100; i++) all.push(await tools.text.slugify({ text: "Word " + i }))
export default all.length`},
		{name: "100 reads at once", text: `const all = await Promise.all(Array.from({ length: 100 }, (_, i) => tools.text.slugify({ text: "Word " + i })))
export default all.length`},
		{name: "loop of 1e6", text: "let n = 0\nfor (let i = 0; i < 1e6; i++) n += i % 7\nexport default n"},
		{name: "trivial", text: "export default 1 + 1", wide: true},
		{name: "1 read", text: `export default await tools.text.slugify({ text: "Two Words" })`, wide: true},
		{name: "1 durable write", text: `export default await tools.bench.book({ text: "Two Words" })`, write: true},
	}
}

func (s script) sources() []runtime.Source { return []runtime.Source{{Name: "main.ts", Text: s.text}} }

func (s script) grants() []runtime.Grant {
	operations := []string{"text.slugify"}
	switch {
	case s.wide:
		operations = []string{"*"}
	case s.write:
		operations = []string{"bench.book"}
	}
	return []runtime.Grant{{
		Principal: "user:bench", Agent: "agent:bench", Resource: "*", Operations: operations, Decisions: runtime.Decisions{Required: []string{}},
		Budget: runtime.Budget{runtime.Calls: 200},
	}}
}

// Scenario is one script: bare, as a run without the check, and as a run with it.
type Scenario struct {
	Name      string `json:"name"`
	Methods   int    `json:"methods"` // granted
	Bare      Times  `json:"bare"`
	Unchecked Times  `json:"unchecked"`
	Checked   Times  `json:"checked"`
}

func (m *measurement) scenario(s script) (Scenario, error) {
	methods := 1
	if s.wide {
		methods = len(m.system.Surface.Contracts)
	}
	bare, err := newFloor(s)
	if err != nil {
		return Scenario{}, err
	}
	ways := []struct {
		timer bench.Timer
		run   func() error
	}{
		{run: bare.run},
		{run: func() error { return m.run(s, runtime.CheckOff) }},
		{run: func() error { return m.run(s, runtime.CheckTools) }},
	}
	for round := range m.warming + m.rounds {
		for i := range ways {
			m.system.WaitIdle()
			begun := time.Now()
			if err := ways[i].run(); err != nil {
				return Scenario{}, err
			}
			if round >= m.warming {
				ways[i].timer.Add(time.Since(begun))
			}
		}
	}
	return Scenario{Name: s.name, Methods: methods, Bare: times(&ways[0].timer), Unchecked: times(&ways[1].timer), Checked: times(&ways[2].timer)}, nil
}
