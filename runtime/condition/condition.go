// Package condition compiles the "when" of a grant: a CEL expression over the typed arguments of one
// operation, true where the grant permits the call.
//
//	cond, err := condition.New().Compile(`args.amount <= 5000 && args.currency == "EUR"`, contract.Params)
//	// a misspelt field fails here: when 1:5: args has no field "amuont"; did you mean "amount"?
//	ok, err := cond.Holds(args)     // an error denies
//
// The one variable is args. Its fields have the types of the operation's parameters: string, int
// (64 bits), double, bool, list, map, and objects whose fields are known. What a schema leaves open
// (any type, alternatives, an object whose additionalProperties are said to be allowed) is checked
// when it is evaluated. A parameter that is not required may be absent: ask has(args.x) first. A name
// that is no identifier is written args.`content-type`.
//
// The language is CEL (https://cel.dev) with its standard functions and the macros has, all, exists
// and exists_one. An evaluation may cost 262,144 of CEL's units, some 50 ms; what needs more is an
// error. There is no clock, no look-up and no state: the same arguments give the same answer. It does
// not decide which grant applies.
package condition

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"

	"codemode/runtime"
)

const (
	maxExpression = 4096    // code points
	maxNesting    = 50      // of an expression
	maxCost       = 1 << 18 // CEL's cost units of one evaluation
	maxRegexp     = 1000    // instructions of a pattern
	maxArgs       = 64 << 20
)

// Conditions compiles expressions. It is safe for concurrent use.
type Conditions struct{}

var _ runtime.Conditions = (*Conditions)(nil)

// New returns a compiler.
func New() *Conditions { return &Conditions{} }

// Compile checks an expression against a parameter schema. It returns InvalidArgument, naming line and
// column, for one that does not compile, is not a condition (true or false), or is too large; and for
// a schema that does not read.
func (*Conditions) Compile(expr string, params json.RawMessage) (c runtime.Condition, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = runtime.Errorf(runtime.InvalidArgument, "when: the expression can't be compiled").WithHint("simplify it").
				WithCause(fmt.Errorf("panic: %v", r))
		}
	}()
	args, err := readShape(params)
	if err != nil {
		return nil, runtime.Errorf(runtime.InvalidArgument, "when: the operation's parameters can't be read: %v", err)
	}
	known := newProvider(args)
	env, err := cel.NewEnv(
		cel.CustomTypeAdapter(known), cel.CustomTypeProvider(known),
		cel.Variable(variable, args.celType()),
		cel.ClearMacros(), cel.Macros(cel.HasMacro, cel.AllMacro, cel.ExistsMacro, cel.ExistsOneMacro),
		cel.EnableIdentifierEscapeSyntax(), cel.CrossTypeNumericComparisons(true), cel.DefaultUTCTimeZone(true),
		cel.ParserExpressionSizeLimit(maxExpression), cel.ParserRecursionLimit(maxNesting), cel.RegexProgramSizeLimit(maxRegexp),
		cel.ASTValidators(cel.ValidateRegexLiterals(), cel.ValidateTimestampLiterals(), cel.ValidateDurationLiterals()),
	)
	if err != nil {
		return nil, runtime.Errorf(runtime.InvalidArgument, "when: the operation's parameters can't be typed").WithCause(err)
	}
	ast, issues := env.Compile(expr)
	if issues.Err() != nil {
		return nil, known.explain(issues)
	}
	if !ast.OutputType().IsExactType(cel.BoolType) {
		return nil, runtime.Errorf(runtime.InvalidArgument, "when: the expression gives %s, want true or false", ast.OutputType()).
			WithHint("compare it, as in args.x == true")
	}
	program, err := env.Program(ast, cel.CostLimit(maxCost))
	if err != nil {
		return nil, runtime.Errorf(runtime.InvalidArgument, "when: %s", clip(err.Error()))
	}
	return &condition{program, args}, nil
}

// explain turns the first thing that CEL found into words.
func (p *provider) explain(issues *cel.Issues) *runtime.Error {
	errs := issues.Errors()
	if len(errs) == 0 {
		return runtime.Errorf(runtime.InvalidArgument, "when: %s", clip(issues.Err().Error()))
	}
	first := errs[0]
	say := func(format string, args ...any) *runtime.Error {
		at := fmt.Sprintf("when %d:%d: ", first.Location.Line(), first.Location.Column()+1)
		return runtime.Errorf(runtime.InvalidArgument, "%s%s", at, fmt.Sprintf(format, args...))
	}
	if owner, field, ok := p.missing(first.Message); ok {
		return say("%s has no field %q", owner.place, field).WithHint("%s", owner.hint(field))
	}
	message := strings.TrimSuffix(first.Message, " (in container '')")
	if name, ok := strings.CutPrefix(message, "undeclared reference to "); ok {
		return say("there is no %s", clip(name)).WithHint("the one variable is args; functions are those of CEL, macros has, all, exists and exists_one")
	}
	return say("%s", clip(message))
}

type condition struct {
	program cel.Program
	args    *shape
}

// Holds evaluates the condition. Every error is NotGranted: the caller denies.
func (c *condition) Holds(args json.RawMessage) (holds bool, err error) {
	defer func() {
		if r := recover(); r != nil {
			holds, err = false, denied(fmt.Errorf("panic: %v", r))
		}
	}()
	doc, err := decode(args, maxArgs)
	if err != nil {
		return false, denied(err)
	}
	if _, ok := doc.(map[string]any); !ok {
		return false, denied(fmt.Errorf("the arguments are not an object"))
	}
	out, _, err := c.program.Eval(map[string]any{variable: c.args.convert(doc, variable)})
	if err != nil {
		return false, denied(err)
	}
	answer, ok := out.(types.Bool)
	if !ok {
		return false, denied(fmt.Errorf("the condition gave %s", out.Type().TypeName()))
	}
	return bool(answer), nil
}

func denied(err error) error {
	return runtime.Errorf(runtime.NotGranted, "the grant's condition could not be evaluated: %s", clip(err.Error())).
		WithHint("give the arguments that the condition asks for").WithCause(err)
}

// decode reads one JSON document with its numbers as they are written.
func decode(raw []byte, most int) (any, error) {
	if len(raw) > most {
		return nil, fmt.Errorf("%d bytes, at most %d are allowed", len(raw), most)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var doc any
	if err := dec.Decode(&doc); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("there is more after the JSON value")
	}
	return doc, nil
}

func clip(s string) string {
	const most = 300
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\n", " "), "?")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}
