package accuracy

// This file runs the JSON Schema Test Suite: every schema a type, every instance the type that has no
// other value, one assignment each. So neither widening nor the rule for fresh object literals blurs
// the answer.

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"codemode/gen/schema"
	"codemode/gen/ts"
)

// Judged counts what the compiler said of instances.
type Judged struct {
	Schemas       int `json:"schemas"`
	Broken        int `json:"broken"`         // declarations that do not compile
	Remote        int `json:"remote"`         // schemas that refer to another document: not judged
	Refused       int `json:"refused"`        // schemas that could not be read for another reason
	Valid         int `json:"valid"`          // valid instances
	ValidRejected int `json:"valid_rejected"` // valid instances that do not fit the type
	Invalid       int `json:"invalid"`
	InvalidCaught int `json:"invalid_caught"`
}

func (j *Judged) add(o Judged) {
	j.Schemas, j.Broken, j.Remote, j.Refused = j.Schemas+o.Schemas, j.Broken+o.Broken, j.Remote+o.Remote, j.Refused+o.Refused
	j.Valid, j.ValidRejected = j.Valid+o.Valid, j.ValidRejected+o.ValidRejected
	j.Invalid, j.InvalidCaught = j.Invalid+o.Invalid, j.InvalidCaught+o.InvalidCaught
}

// DraftFigures are one draft's required tests under one reading.
type DraftFigures struct {
	Draft    string           `json:"draft"`
	Reading  string           `json:"reading"`
	Total    Judged           `json:"total"`
	Can      Judged           `json:"expressible"` // the keywords a type can express
	Keywords []KeywordFigures `json:"keywords"`
	// Rejected are the valid instances that do not fit, as "keyword: schema: instance".
	Rejected []string `json:"rejected,omitempty"`
	// Missed are the invalid instances that do fit, of the keywords a type can express.
	Missed []string `json:"missed,omitempty"`
	// Problems are what the compiler said of declarations, and why schemas were refused.
	Problems []string `json:"problems,omitempty"`
}

// KeywordFigures are the tests of one file.
type KeywordFigures struct {
	Keyword string `json:"keyword"`
	Judged
}

type suiteGroup struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

var drafts = []struct{ folder, dialect string }{
	{"draft7", "http://json-schema.org/draft-07/schema#"},
	{"draft2020-12", "https://json-schema.org/draft/2020-12/schema"},
}

func (r *SchemaReport) measureSuite(c compiler, path string) error {
	for _, reading := range readings {
		for _, draft := range drafts {
			run := &suiteRun{figures: DraftFigures{Draft: draft.folder, Reading: reading.name}, reading: reading.reading, dialect: draft.dialect}
			figures, err := run.all(c, filepath.Join(path, draft.folder))
			if err != nil {
				return err
			}
			r.Suite = append(r.Suite, figures)
		}
	}
	return nil
}

// suiteRun writes one program. Line n of its script judges instance n-1; line n of its types belongs
// to the schema of owners[n-1].
type suiteRun struct {
	figures       DraftFigures
	reading       schema.Reading
	dialect       string
	types, script strings.Builder
	instances     []suiteInstance
	owners        []*KeywordFigures
}

type suiteInstance struct {
	keyword *KeywordFigures
	name    string
	valid   bool
}

func (s *suiteRun) all(c compiler, folder string) (DraftFigures, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.json")) // sorted; the optional tests are in folders below
	if err != nil || len(files) == 0 {
		return s.figures, fmt.Errorf("no tests in %s", folder)
	}
	s.figures.Keywords = make([]KeywordFigures, len(files)) // not to move: instances point into it
	for i, file := range files {
		s.figures.Keywords[i].Keyword = strings.TrimSuffix(filepath.Base(file), ".json")
		if err := s.file(file, &s.figures.Keywords[i]); err != nil {
			return s.figures, err
		}
	}
	if err := s.judge(c); err != nil {
		return s.figures, err
	}
	for _, k := range s.figures.Keywords {
		s.figures.Total.add(k.Judged)
		if isExpressible(k.Keyword) {
			s.figures.Can.add(k.Judged)
		}
	}
	return s.figures, nil
}

func (s *suiteRun) file(file string, k *KeywordFigures) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var groups []suiteGroup
	if err := json.Unmarshal(raw, &groups); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for _, g := range groups {
		if err := s.group(g, k); err != nil {
			return fmt.Errorf("%s: %s: %w", file, g.Description, err)
		}
	}
	return nil
}

func (s *suiteRun) group(g suiteGroup, k *KeywordFigures) error {
	k.Schemas++
	graph, err := schema.Parse(inDialect(g.Schema, s.dialect), schema.Options{Untyped: s.reading})
	if errors.Is(err, schema.ErrRemoteRef) {
		k.Remote++
		return nil
	} else if err != nil {
		k.Refused++
		s.figures.Problems = append(s.figures.Problems, fmt.Sprintf("%s: %s: %v", k.Keyword, g.Description, err))
		return nil
	}
	name := fmt.Sprintf("S%d", len(s.owners))
	text := ts.Types(name, graph)
	s.types.WriteString(text)
	for range strings.Count(text, "\n") {
		s.owners = append(s.owners, k)
	}
	for _, test := range g.Tests {
		value, err := ts.Value(test.Data)
		if err != nil {
			return err
		}
		s.instances = append(s.instances, suiteInstance{k, k.Keyword + ": " + g.Description + ": " + test.Description, test.Valid})
		n := len(s.instances)
		fmt.Fprintf(&s.script, "declare const v%d: %s; const w%d: %s.Root = v%d;\n", n, value, n, name, n)
	}
	return nil
}

// inDialect says in the schema itself which draft it is of, as the suite's folder does.
func inDialect(doc json.RawMessage, dialect string) json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(doc, &m) != nil || m == nil || m["$schema"] != nil {
		return doc
	}
	m["$schema"] = json.RawMessage(`"` + dialect + `"`)
	out, err := json.Marshal(m)
	if err != nil {
		return doc
	}
	return out
}

func (s *suiteRun) judge(c compiler) error {
	problems, err := c.check(map[string]string{"types.d.ts": s.types.String(), "script.ts": s.script.String()})
	if err != nil {
		return err
	}
	rejected := map[int]bool{}
	for _, p := range problems {
		switch {
		case p.File == "script.ts" && p.Line > 0 && p.Line <= len(s.instances):
			rejected[p.Line-1] = true
		case p.File == "types.d.ts" && p.Line > 0 && p.Line <= len(s.owners):
			s.owners[p.Line-1].Broken++
			s.figures.Problems = append(s.figures.Problems, p.String())
		default:
			return fmt.Errorf("the compiler says of the program: %s", p)
		}
	}
	for i, instance := range s.instances {
		s.count(instance, rejected[i])
	}
	return nil
}

func (s *suiteRun) count(i suiteInstance, rejected bool) {
	n := 0
	if rejected {
		n = 1
	}
	if !i.valid {
		i.keyword.Invalid++
		i.keyword.InvalidCaught += n
		if !rejected && isExpressible(i.keyword.Keyword) {
			s.figures.Missed = append(s.figures.Missed, i.name)
		}
		return
	}
	i.keyword.Valid++
	i.keyword.ValidRejected += n
	if rejected {
		s.figures.Rejected = append(s.figures.Rejected, i.name)
	}
}
