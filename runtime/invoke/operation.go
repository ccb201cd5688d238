package invoke

// This file makes operations of rows: one of a plain row, one for each entry of a target_map.

import (
	"maps"
	"slices"
	"strings"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/directory/template"
	"codemode/runtime"
)

type operationKey struct{ row, operation string }

func (k operationKey) String() string { return strings.TrimSpace(k.row + " " + k.operation) }

// operation is what one call performs.
type operation struct {
	key    operationKey
	kind   directory.Type
	target string
	auth   string
	// literals are credentials that the row's headers hold themselves.
	literals []string
	template *template.Template
	// endpoint renders the URL and headers of agent and dispatch rows, and of mcp rows that have a URL.
	endpoint *template.Template
	// order names the parameters that fill the slots where the row writes {name}; nil means the contract's
	// Positional says.
	order []string
	// operations are the names of a target_map row's entries, sorted; such a row is not called itself.
	operations []string
	// tool is the name of an mcp row's tool at its server, the target.
	tool string
	// empty says that the row has no content of its own.
	empty bool
	// broken is the error of every call of a row that cannot be performed.
	broken *runtime.Error
}

func (inv *Invoker) addRow(row directory.Row) {
	plain := &operation{key: operationKey{row.Key, ""}, kind: row.Type, target: strings.TrimSpace(row.Target), auth: row.Auth, literals: literals(row)}
	inv.operations[plain.key] = plain
	if row.Type == directory.MCP && len(row.TargetMap) == 0 {
		inv.addTool(plain, row)
		return
	}
	if src, ok := row.Source(); ok {
		plain.empty = strings.TrimSpace(row.Template) == ""
		inv.parse(plain, src)
		return
	}
	for name := range row.TargetMap {
		plain.operations = append(plain.operations, name)
		inv.addEntry(row, name)
	}
	slices.Sort(plain.operations)
	plain.broken = unperformed(plain.key, row.Type)
	if len(plain.operations) > 0 {
		plain.broken = runtime.Errorf(runtime.InvalidArgument, "%s holds many operations", row.Key).WithHint("name one of %s", listed(plain.operations))
	}
}

// addEntry adds one entry of a target_map: an http request, whatever the row's type.
func (inv *Invoker) addEntry(row directory.Row, name string) {
	op := &operation{key: operationKey{row.Key, name}, kind: directory.HTTP, auth: row.Auth, literals: literals(row)}
	inv.operations[op.key] = op
	src, err := row.OperationSource(name)
	if err != nil {
		op.broken = brokenRow(op.key, err)
		return
	}
	op.empty = strings.TrimSpace(src.Content) == ""
	inv.parse(op, src)
}

func literals(row directory.Row) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(row.Headers)) {
		out = append(out, directory.LiteralCredentials(name, row.Headers[name])...)
	}
	return out
}

// listed joins names for a message, the first twenty of them.
func listed(names []string) string {
	if len(names) > 20 {
		return strings.Join(names[:20], ", ") + " ..."
	}
	return strings.Join(names, ", ")
}

// parse reads an operation's template, or marks the operation as broken.
func (inv *Invoker) parse(op *operation, src template.Source) {
	switch op.kind {
	case directory.Agent, directory.Dispatch:
		op.parseEndpoint(src.Headers)
	case directory.HTTP:
		known := contract.PropertyNames(inv.contracts[op.key].Params)
		src.Params = slices.DeleteFunc(slices.Clone(src.Params), func(name string) bool { return !slices.Contains(known, name) })
	case directory.Fn, directory.Flow:
	default:
		op.broken = unperformed(op.key, op.kind)
		return
	}
	t, err := template.Parse(src)
	if err != nil {
		op.broken = brokenRow(op.key, err)
		return
	}
	op.template, op.order = t, t.Params
}

// unperformed is the error of a row whose kind this package does not perform.
func unperformed(key operationKey, kind directory.Type) *runtime.Error {
	const hint = "use another method, or ask the operator for a service that has one"
	switch kind {
	case directory.CLI:
		return runtime.Errorf(runtime.Unavailable, "%s runs a program, and this service has no sandbox for programs", key).WithHint(hint)
	}
	return runtime.Errorf(runtime.Unavailable, "%s has the type %q, which nothing performs", key, kind).WithHint("the row must be corrected")
}

// parseEndpoint reads the target of an agent or dispatch row, which may hold secrets and slots like
// that of an http row.
func (op *operation) parseEndpoint(headers map[string]string) {
	target := op.target
	if !strings.HasPrefix(strings.ToUpper(target), "POST ") {
		target = "POST " + target
	}
	endpoint, err := template.Parse(template.Source{Kind: template.HTTP, Target: target, Headers: headers})
	if err != nil {
		op.broken = brokenRow(op.key, err)
	}
	op.endpoint = endpoint
}

func brokenRow(key operationKey, err error) *runtime.Error {
	return runtime.Errorf(runtime.Unavailable, "the row %s cannot be performed: %v", key, err).WithHint("the row must be corrected").WithCause(err)
}

// positional are the parameters that fill $1, $2 ...
func (op *operation) positional(c contract.Contract) []string {
	if op.order != nil {
		return op.order
	}
	return c.Positional
}
