// Package infer makes the contract of a directory row: parameters, result, effect and the rest, each
// with where it came from.
//
//	contracts, diagnostics := infer.Infer(row, infer.Options{})
//	// GET https://api.example/users/$1?limit=$2, "# ARGS: id|limit: integer (default 10)"
//	// -> {id: string, limit?: integer}, effect read
//
// Sources, strongest first: the row's own fields and schemas ("schema"), the slots of its template
// ("template"), argument lists and documentation lines ("args"), worked calls ("example"), words
// ("prose"). The template decides which arguments exist, since one that no slot carries would be
// dropped in silence; the documentation names and types them. What nothing says stays unknown: a
// wrong type is worse than none. So a slot that stands bare in JSON is of any type until documentation,
// examples of one kind or a unit in its name ("amount_cents") tell which.
//
// Documented arguments come in many forms, each with a reader of its own, tried in the order that
// readers lists: Markdown tables, the docstrings of numpy, Sphinx and Google, bullets, a command's
// synopsis with its list of options, example bodies, lines of settings, name=value examples, and sentences
// ("Takes the city and, optionally, a number of days"). The last five show names without calling them
// arguments, so they count only where the template bears them out, and a row without a template never
// gets a parameter from them. Sentences also complete what is known by name ("limit is 20 unless given"),
// and tell of results.
//
// An argument is required when its slot needs a value and nothing says that it is optional. Without
// a slot to fill it is optional unless something says that it is required; in a list where some
// entries are flagged, those without a flag are the opposite.
//
// An operation of a target_map is read from its own target, documentation and schemas; of the row it
// takes the notes, when to use it, and what it says nothing of. A place in the URL that one operation
// documents ("/tickets/$1" as ticket_id) has that name in all of them.
//
// The package names nothing for scripts, seals no contract and performs no call; package gen does
// the first two.
package infer

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"codemode/directory"
	"codemode/directory/contract"
)

// Options bound what is read. The zero value is the documented defaults.
type Options struct {
	// MaxSchemaBytes caps one schema of a row; 0 means 1 MiB. A larger one is a diagnostic: as
	// output_schema it counts as none, and a row with such an input_schema has a contract that no
	// arguments fit.
	MaxSchemaBytes int
	// MaxSchemaDepth caps the nesting of a schema; 0 means 64.
	MaxSchemaDepth int
}

func (o Options) withDefaults() Options {
	if o.MaxSchemaBytes <= 0 {
		o.MaxSchemaBytes = 1 << 20
	}
	if o.MaxSchemaDepth <= 0 {
		o.MaxSchemaDepth = 64
	}
	return o
}

// Diagnostic is one remark about a row.
type Diagnostic struct {
	Key string `json:"key"`
	// Operation is the entry of a target_map, "" for the row itself.
	Operation string `json:"operation,omitempty"`
	// Field is the part of the contract: "params/limit", "result", "effect", "template".
	Field    string             `json:"field"`
	Severity directory.Severity `json:"severity"`
	Message  string             `json:"message"`
	Hint     string             `json:"hint,omitempty"`
}

// maxDiagnostics caps the remarks about one operation.
const maxDiagnostics = 50

// Infer makes one contract of a row, or one for each entry of its target_map, in the order of their
// names. A disabled row has none. The contracts have no Name and no Digest yet, and their references
// name row keys ("KEY" or "KEY#operation").
//
// Positional names the parameter of each slot $1, $2 ..., "" for a number without a slot. It is empty
// where the arguments travel as one object: rows of type mcp, and fn rows with a schema and no
// template of their own.
func Infer(row directory.Row, opts Options) ([]contract.Contract, []Diagnostic) {
	var contracts []contract.Contract
	var diagnostics []Diagnostic
	operations := builders(row, opts)
	for _, b := range operations {
		contracts = append(contracts, b.contract())
		diagnostics = append(diagnostics, b.remarks()...)
	}
	if len(row.TargetMap) > 0 && len(operations) > 0 {
		diagnostics = append(diagnostics, sensitiveDiagnostics(operations...)...)
	}
	return contracts, diagnostics
}

// remarks are the diagnostics, each with its operation, which is not known yet when the first are made.
func (b *builder) remarks() []Diagnostic {
	for i := range b.diagnostics {
		b.diagnostics[i].Operation = b.operation
	}
	return b.diagnostics
}

// again is a builder for another inference of an operation that has only been read.
func (b *builder) again() *builder {
	out := *b
	out.prov, out.sources, out.diagnostics = map[string]contract.Provenance{}, map[string]source{}, slices.Clone(b.diagnostics)
	return &out
}

// builders are those of a row's operations. An operation of a target_map with a place in its URL is
// inferred twice: what one documents of "/tickets/$1" names the same place of the others.
func builders(row directory.Row, opts Options) []*builder {
	if !row.IsEnabled() {
		return nil
	}
	opts = opts.withDefaults()
	if len(row.TargetMap) == 0 {
		return []*builder{newBuilder(row, opts)}
	}
	var out []*builder
	names := slices.Sorted(maps.Keys(row.TargetMap))
	known := places{}
	for _, name := range names {
		b := newBuilder(operationRow(row, name), opts)
		if b.hasPlaces() {
			first := b.again()
			known.learn(first, first.paramsSchema(first.documented()))
		}
		b.operation, b.known = name, known
		out = append(out, b)
	}
	return out
}

// operationRow is one entry of a target_map as a row of its own, an http request whatever the row's
// type. Its $1 is the first argument after the operation's name, which the legacy surface takes as
// argument one. Load has moved the documentation lines from its content to Docs; the row's own notes
// hold for each operation, the rest of its documentation for none.
func operationRow(row directory.Row, name string) directory.Row {
	op := row.TargetMap[name]
	out := row
	out.Type, out.TargetMap = directory.HTTP, nil
	out.Docs, out.Content, out.Template = op.Docs, "", op.Content
	out.Docs.Notes = slices.Concat(op.Docs.Notes, row.Docs.Notes)
	out.InputSchema, out.OutputSchema, out.Arguments, out.Examples = op.InputSchema, op.OutputSchema, nil, nil
	if src, err := row.OperationSource(name); err == nil {
		out.Target, out.Template = src.Target, src.Content
	}
	if op.Description != "" {
		out.Description = op.Description
	} else if text := out.Docs.Text(); text != "" {
		out.Description = text
	}
	if op.Effect != "" {
		out.Effect = op.Effect
	}
	if !strings.EqualFold(out.Effect, string(contract.Reversible)) {
		out.Undo, out.Readback = "", "" // the row's are not for every operation
	}
	return out
}

// reading is what is read of one operation, whatever is inferred of it.
type reading struct {
	row      directory.Row
	opts     Options
	examples []example
	read     []passage  // once asked for
	content  []passage  // the same
	listings []listing  // the same
	told     []sentence // the same
	offered  []option   // the same
	aside    []sentence // those taken out of told: they are of an option alone
}

// builder gathers what is known of one operation.
type builder struct {
	*reading
	operation   string
	known       places     // what the row's other operations document
	lists       [][]string // the value lists of the output_schema, once listsRead
	listsRead   bool
	shape       shape
	params      []param
	positional  []string
	open        bool   // arguments of any name may travel
	closed      bool   // no others may
	shut        string // why no arguments fit, "" where some do
	prov        map[string]contract.Provenance
	sources     map[string]source // what each field was read from, by the keys of prov
	diagnostics []Diagnostic
	strays      []sensitiveStray // of the row's sensitive list
}

func newBuilder(row directory.Row, opts Options) *builder {
	b := &builder{reading: &reading{row: row, opts: opts}, prov: map[string]contract.Provenance{}, sources: map[string]source{}}
	shape, dollars, err := readTemplate(row)
	b.shape = shape
	switch {
	case err != nil:
		b.fail("template", "the template cannot be used: "+clean(err.Error()), "correct the row's target or content; every call of it fails")
	case !row.Type.Known():
		b.fail("template", "no type is called \""+short(string(row.Type))+"\"", "write fn, http, cli, flow, mcp, agent or dispatch")
	}
	for _, d := range dollars {
		b.warn("template", "\""+short(d.Text)+"\" looks like a slot and is taken as text ("+d.Reason+")", "")
	}
	b.forgetSwitches()
	b.readExamples()
	return b
}

func (b *builder) contract() contract.Contract {
	docs := b.documented()
	params := b.paramsSchema(docs)
	result, resultFrom, resultSource := b.result()
	c := contract.Contract{
		Key: text(b.row.Key), Operation: b.operation, Version: max(b.row.Version, 1),
		Description: b.description(), WhenToUse: b.whenToUse(), Notes: b.noteObserved(b.notes(docs), resultFrom), Deprecated: text(b.row.Deprecated),
		Params: render(params), Result: render(result), Positional: b.positional,
		Placement: b.placement(), Destinations: b.destinations(), Sensitive: b.sensitive(params), Auth: text(b.row.Auth),
		Readback: b.reference("readback", b.row.Readback), Undo: b.reference("undo", b.row.Undo),
		Examples: b.contractExamples(params), Provenance: b.prov,
	}
	b.notePatterns("params", params)
	b.notePatterns("result", result)
	b.say("result", resultFrom, resultSource)
	effect, from, why := b.effect()
	b.say("effect", from, why)
	c.Effect = effect
	c.Idempotency, b.prov["idempotency"] = b.idempotency()
	b.say("description", b.descriptionFrom(), source{"description", c.Description})
	return c
}

func (b *builder) paramsSchema(docs docArgs) *object {
	given := b.givenSchema()
	if b.shut != "" {
		b.say("params", contract.FromNone, source{})
		return given
	}
	if given != nil {
		return b.keepSchema(given, docs)
	}
	b.docsToParams(docs)
	for _, p := range b.params {
		b.record(p)
	}
	return b.object()
}

// readSchema parses one schema of the row.
func (b *builder) readSchema(name, field string, raw json.RawMessage) (any, bool) {
	if len(raw) > b.opts.MaxSchemaBytes {
		b.fail(field, name+" is larger than "+itoa(b.opts.MaxSchemaBytes)+" bytes and was not read", "shorten it")
		return nil, false
	}
	tree, err := parseTree(raw, b.opts.MaxSchemaDepth)
	if err != nil {
		b.fail(field, name+" cannot be read: "+clean(err.Error()), "write a JSON Schema document")
		return nil, false
	}
	return tree, true
}

// isBlank reports whether a schema field says nothing.
func isBlank(raw json.RawMessage) bool {
	switch strings.TrimSpace(string(raw)) {
	case "", "null", "{}", `""`:
		return true
	}
	return false
}
