package gen

// This file grades how well a row types its operation, and says which line would lift it.

import (
	"encoding/json"
	"fmt"
	"strings"

	"codemode/directory"
	"codemode/directory/contract"
)

// Level is how much of an operation is typed.
type Level string

const (
	Typed       Level = "typed"        // every argument and the result
	PartlyTyped Level = "partly typed" // something of them, or all with a result that is only observed
	Untyped     Level = "untyped"      // nothing
)

// Grade is the level of one operation, what it lacks, and what to write into its row.
type Grade struct {
	Key       string `json:"key"`
	Operation string `json:"operation,omitempty"`
	Name      string `json:"name"`
	Level     Level  `json:"level"`
	// Missing are the fields without a type: "params" (nothing says which arguments there are),
	// "params/<name>" and "result".
	Missing []string `json:"missing"`
	// Observed says that the result's type comes from recorded results and nobody has declared it. Such
	// an operation is partly typed at the most: what a few results had the next need not have, and a
	// count of typed operations that learning alone can raise would hide what is left to declare.
	Observed bool `json:"observed,omitempty"`
	// Suggestion are documentation lines for the row's content, or fields of the row, with TYPE
	// where its author has to say what nobody else can.
	Suggestion []string `json:"suggestion"`
	// Where is the field that documentation lines go into: "content", or that of an operation,
	// "target_map.get_order.content".
	Where string `json:"where"`
	File  string `json:"file"`
	Line  int    `json:"line"`
}

// Grades counts operations by level.
type Grades struct {
	Typed       int `json:"typed"`
	PartlyTyped int `json:"partly_typed"`
	Untyped     int `json:"untyped"`
	// Observed counts those of PartlyTyped whose result is observed and not declared.
	Observed int `json:"observed"`
}

func (g Grades) String() string {
	observed := ""
	if g.Observed > 0 {
		observed = fmt.Sprintf(" (%d with an observed result)", g.Observed)
	}
	return fmt.Sprintf("%d typed, %d partly typed%s, %d untyped", g.Typed, g.PartlyTyped, observed, g.Untyped)
}

// GradeAll grades the contracts that Generate made of a directory, in their order.
func GradeAll(dir *directory.Directory, contracts []contract.Contract) ([]Grade, Grades) {
	rows := make(map[string]int, len(dir.Rows))
	for i := range dir.Rows {
		rows[dir.Rows[i].Key] = i
	}
	grades, total := make([]Grade, 0, len(contracts)), Grades{}
	for _, c := range contracts {
		var row directory.Row
		if i, ok := rows[c.Key]; ok {
			row = dir.Rows[i]
		}
		g := GradeOf(row, c)
		switch grades = append(grades, g); g.Level {
		case Typed:
			total.Typed++
		case PartlyTyped:
			total.PartlyTyped++
		default:
			total.Untyped++
		}
		if g.Observed {
			total.Observed++
		}
	}
	return grades, total
}

// GradeOf grades one contract of a row.
func GradeOf(row directory.Row, c contract.Contract) Grade {
	g := Grade{Key: c.Key, Operation: c.Operation, Name: c.Name, Missing: []string{}, Suggestion: []string{}, Where: "content", File: row.File, Line: row.Line}
	if g.Operation != "" {
		g.Where = "target_map." + g.Operation + ".content"
	}
	typedParams := 0
	names := contract.PropertyNames(c.Params)
	if c.Provenance["params"] == contract.FromNone && len(names) == 0 {
		g.Missing = append(g.Missing, "params")
	}
	for _, name := range names {
		if paramKnown(c, name) == typed {
			typedParams++
		} else {
			g.Missing = append(g.Missing, "params/"+contract.EscapeToken(name))
		}
	}
	missingParams := len(g.Missing) > 0
	typedResult := resultKnown(c.Result) == typed
	g.Observed = typedResult && c.Provenance["result"] == contract.FromObserved
	if !typedResult {
		g.Missing = append(g.Missing, "result")
	}
	switch {
	case len(g.Missing) == 0 && !g.Observed:
		g.Level = Typed
	case typedResult || typedParams > 0 || !missingParams:
		g.Level = PartlyTyped
	default:
		g.Level = Untyped
	}
	g.suggest(row, c, missingParams, !typedResult || g.Observed)
	return g
}

// suggest says what to write. An argument list or a schema of the row's own is completed in its
// place, since it counts more than a line of documentation.
func (g *Grade) suggest(row directory.Row, c contract.Contract, params, result bool) {
	schemaGiven := len(row.InputSchema) > 0 && c.Operation == "" || c.Operation != "" && len(row.TargetMap[c.Operation].InputSchema) > 0
	switch {
	case params && (schemaGiven || len(row.Arguments) > 0):
		field := "input_schema"
		if !schemaGiven {
			field = "arguments"
		}
		for _, missing := range g.Missing {
			if name, ok := strings.CutPrefix(missing, "params/"); ok {
				g.Suggestion = append(g.Suggestion, fmt.Sprintf("%s: give %s a type", field, contract.UnescapeToken(name)))
			}
		}
	case params:
		g.Suggestion = append(g.Suggestion, "# ARGS: "+argsLine(c))
	}
	if result {
		g.Suggestion = append(g.Suggestion, "# RETURNS: {field: TYPE, other?: TYPE}, [TYPE], TYPE or nothing")
	}
}

// argsLine documents the arguments, with what is known of them, in the order of the template.
func argsLine(c contract.Contract) string {
	names := c.Positional
	if len(names) == 0 {
		names = contract.PropertyNames(c.Params)
	}
	if len(names) == 0 {
		return "name (TYPE), other (TYPE, optional), or none"
	}
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
	}
	if json.Unmarshal(c.Params, &schema) != nil {
		return ""
	}
	required := map[string]bool{}
	for _, name := range schema.Required {
		required[name] = true
	}
	var items []string
	for i, name := range names {
		if name == "" {
			continue
		}
		word := "TYPE"
		if paramKnown(c, name) == typed {
			word = typeWord(schema.Properties[name])
		}
		if !required[name] {
			word += ", optional"
		}
		shown := name
		if c.Provenance["params/"+contract.EscapeToken(name)] == contract.FromNone {
			shown = fmt.Sprintf("NAME%d", i+1)
		}
		items = append(items, fmt.Sprintf("%s (%s)", shown, word))
	}
	return strings.Join(items, ", ")
}

// typeWord is a schema's type in one word, TYPE where it takes more than one.
func typeWord(schema json.RawMessage) string {
	var s struct {
		Type any   `json:"type"`
		Enum []any `json:"enum"`
	}
	if json.Unmarshal(schema, &s) != nil {
		return "TYPE"
	}
	if word, ok := s.Type.(string); ok {
		return word
	}
	if len(s.Enum) > 0 {
		return "string"
	}
	return "TYPE"
}
