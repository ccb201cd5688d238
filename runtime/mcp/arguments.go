package mcp

// This file reads the arguments of the two tools. Sizes come first, and every error says what the
// caller should send instead: a model mends what it understands.

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"codemode/directory/contract"
	"codemode/directory/search"
	"codemode/runtime"
)

const (
	maxQueryBytes = 1000
	defaultHits   = 8
	maxHits       = 20
)

// arguments are the named arguments of a call.
type arguments struct {
	raw    json.RawMessage
	values map[string]json.RawMessage
}

// readArguments takes an object of the named arguments and no others.
func readArguments(tool string, raw json.RawMessage, known ...string) (arguments, *runtime.Error) {
	a := arguments{raw: raw}
	if len(raw) == 0 {
		raw = json.RawMessage(`{}`)
	}
	if err := json.Unmarshal(raw, &a.values); err != nil || a.values == nil {
		return a, bad("the arguments of %s must be an object", tool)
	}
	for _, name := range slices.Sorted(maps.Keys(a.values)) {
		if !slices.Contains(known, name) {
			return a, bad("%s has no argument %q", tool, clip(name, 50)).WithHint("it takes %s", joined(known))
		}
	}
	return a, nil
}

// joined lists names as a sentence does.
func joined(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

func bad(format string, args ...any) *runtime.Error {
	return runtime.Errorf(runtime.InvalidArgument, format, args...)
}

// text reads a string of at most limit bytes; what it is called stands in the errors.
func (a arguments) text(name string, limit int) (string, *runtime.Error) {
	raw, ok := a.values[name]
	if !ok {
		return "", bad("%s is missing", name)
	}
	if len(raw) > maxEscape*limit+2 {
		return "", tooLong(name, limit)
	}
	var s *string
	if json.Unmarshal(raw, &s) != nil || s == nil {
		return "", bad("%s must be a string", name)
	}
	if len(*s) > limit {
		return "", tooLong(name, limit)
	}
	if strings.TrimSpace(*s) == "" {
		return "", bad("%s is empty", name)
	}
	return *s, nil
}

func tooLong(name string, limit int) *runtime.Error {
	return bad("%s is over %d bytes", name, limit)
}

// exact refuses what decoding would change in silence: names that stand twice, half characters.
func (a arguments) exact() *runtime.Error {
	if len(a.raw) == 0 {
		return nil
	}
	if _, err := contract.Canonical(a.raw); err != nil {
		return bad("the arguments cannot be taken as they are: %s", strings.TrimPrefix(err.Error(), "canonical json: "))
	}
	return nil
}

// query are the arguments of search.
type query struct {
	words  string
	limit  int
	tokens int
}

func readQuery(raw json.RawMessage, limits Limits) (query, *runtime.Error) {
	q := query{limit: defaultHits, tokens: limits.SearchTokens}
	a, err := readArguments("search", raw, "query", "limit", "max_tokens")
	if err != nil {
		return q, err
	}
	if q.words, err = a.text("query", maxQueryBytes); err != nil {
		return q, err.WithHint("say in a few words what to do, or name a method")
	}
	if limit, ok := a.values["limit"]; ok {
		if json.Unmarshal(limit, &q.limit) != nil || q.limit < 1 || q.limit > maxHits {
			return q, bad("limit must be a whole number from 1 to %d", maxHits)
		}
	}
	if budget, ok := a.values["max_tokens"]; ok {
		if json.Unmarshal(budget, &q.tokens) != nil || q.tokens < search.MinTokens || q.tokens > limits.MaxSearchTokens {
			return q, bad("max_tokens must be a whole number from %d to %d", search.MinTokens, limits.MaxSearchTokens)
		}
	}
	return q, a.exact()
}

// job are the arguments of run.
type job struct {
	script string
	task   string // "" for a run that is an attempt at nothing
	inputs []runtime.Input
}

func readJob(raw json.RawMessage, limits Limits) (job, *runtime.Error) {
	var j job
	a, err := readArguments("run", raw, "script", "inputs", "task")
	if err != nil {
		return j, err
	}
	if j.script, err = a.text("script", limits.ScriptBytes); err != nil {
		return j, err.WithHint("send one TypeScript module; put data into inputs")
	}
	if j.inputs, err = readInputs(a.values["inputs"], limits); err != nil {
		return j, err
	}
	if _, said := a.values["task"]; said {
		if j.task, err = a.text("task", maxTask); err != nil {
			return j, err.WithHint("name what the script is an attempt at, or leave task out")
		}
	}
	return j, a.exact()
}

// maxTask is more than a name takes.
const maxTask = 200

// maxRunID is longer than any run's id.
const maxRunID = 200

func readRunID(raw json.RawMessage) (string, *runtime.Error) {
	a, err := readArguments("resume", raw, "run_id")
	if err != nil {
		return "", err
	}
	id, err := a.text("run_id", maxRunID)
	if err != nil {
		return "", err.WithHint("take it from the answer of the run that was suspended")
	}
	return id, a.exact()
}

func readInputs(raw json.RawMessage, limits Limits) ([]runtime.Input, *runtime.Error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var values map[string]json.RawMessage
	if json.Unmarshal(raw, &values) != nil {
		return nil, bad("inputs must be an object of file names to text")
	}
	if len(values) > limits.Inputs {
		return nil, bad("there are %d inputs, at most %d are taken", len(values), limits.Inputs).WithHint("join them into fewer files")
	}
	var inputs []runtime.Input
	total := 0
	for _, name := range slices.Sorted(maps.Keys(values)) {
		var text *string
		if json.Unmarshal(values[name], &text) != nil || text == nil {
			return nil, bad("the input %q must be a string", clip(name, 50)).WithHint("send JSON as text; the script parses it with inputs.<name>.json()")
		}
		if err := checkInputName(name); err != nil {
			return nil, err
		}
		if total += len(*text); total > limits.InputBytes {
			return nil, bad("the inputs are over %d bytes together", limits.InputBytes)
		}
		inputs = append(inputs, runtime.Input{Name: name, Bytes: []byte(*text), SHA256: contract.Digest([]byte(*text))})
	}
	return inputs, nil
}

var inputName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]{0,63}$`)

// checkInputName refuses names that are paths, or that mean something to every object of a script.
func checkInputName(name string) *runtime.Error {
	special := []string{"__proto__", "prototype", "constructor", "then", "toString", "valueOf", "toJSON", "hasOwnProperty"}
	if !inputName.MatchString(name) || strings.Contains(name, "..") || slices.Contains(special, name) {
		return bad("%q cannot name an input", clip(name, 50)).WithHint("use up to 64 letters, digits, _, - and single dots, such as orders or orders.csv")
	}
	return nil
}

// clip keeps what a caller sent short within messages.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "..."
}
