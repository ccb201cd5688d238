package validate

// This file compiles a schema document and refuses what could not be checked safely.

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"codemode/directory/contract"
)

const (
	location      = "https://schema.invalid/" // RFC 2606: resolves nowhere
	maxSubschemas = 5_000                     // the compiler's time grows with the square
	maxInPlace    = 200                       // $ref, allOf ... in a row on one value
)

func compile(raw []byte) (s *schema, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("it is malformed in a way that the compiler does not expect")
		}
	}()
	doc, err := decode(raw, maxSchema)
	if err != nil {
		return nil, err
	}
	if n := countObjects(doc); n > maxSubschemas {
		return nil, fmt.Errorf("%d objects, at most %d are allowed", n, maxSubschemas)
	}
	s = &schema{meter: &meter{}, at: map[string]*jsonschema.Schema{}}
	s.meter.unlimited()
	c := s.compiler()
	if err := c.AddResource(location, doc); err != nil {
		return nil, err
	}
	if s.root, err = c.Compile(location); err != nil {
		return nil, plain(err)
	}
	return s, s.instrument()
}

func (s *schema) compiler() *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.UseLoader(nowhere{})
	c.UseRegexpEngine(s.meter.pattern)
	for _, f := range append(integerFormats(), ignored()...) {
		c.RegisterFormat(f)
	}
	return c
}

// nowhere is the loader: nothing outside the document is read.
type nowhere struct{}

func (nowhere) Load(string) (any, error) {
	return nil, errors.New("a schema may refer to itself only")
}

// plain shortens what the compiler says. It speaks of the document by the location that it was given.
func plain(err error) error {
	var invalid *jsonschema.SchemaValidationError
	if errors.As(err, &invalid) {
		err = invalid.Err
	}
	return errors.New(strings.ReplaceAll(strings.ReplaceAll(err.Error(), location, ""), "\n", " "))
}

func countObjects(doc any) int {
	n := 0
	switch doc := doc.(type) {
	case map[string]any:
		n = 1
		for _, v := range doc {
			n += countObjects(v)
		}
	case []any:
		for _, v := range doc {
			n += countObjects(v)
		}
	}
	return n
}

// instrument walks the compiled schemas, refuses endless ones, and puts each under the meter.
func (s *schema) instrument() error {
	todo := []*jsonschema.Schema{s.root}
	for len(todo) > 0 {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if s.at[next.Location] == next {
			continue
		}
		s.at[next.Location] = next
		if next.DynamicRef != nil || next.RecursiveRef != nil {
			return errors.New("$dynamicRef and $recursiveRef are not supported")
		}
		loosen(next)
		todo = append(todo, edges(next).all()...)
	}
	depth := map[*jsonschema.Schema]int{}
	for _, sub := range s.at {
		if _, err := inPlaceDepth(sub, depth); err != nil {
			return err
		}
	}
	for _, sub := range s.at {
		s.meter.watch(sub)
	}
	return nil
}

// loosen frees the fields that a pattern which is not enforced would hold to its schema. Such a pattern
// matches every name, so that no field counts as additional either.
func loosen(s *jsonschema.Schema) {
	for re := range s.PatternProperties {
		if p, ok := re.(*pattern); ok && p.re == nil {
			s.PatternProperties[re] = &jsonschema.Schema{Location: s.Location + "/true", Bool: new(true)}
		}
	}
}

// inPlaceDepth is how many schemas apply one within the other to the same value. A circle there has
// no end. seen holds -1 for a schema on the way down.
func inPlaceDepth(s *jsonschema.Schema, seen map[*jsonschema.Schema]int) (int, error) {
	if d, ok := seen[s]; ok {
		if d < 0 {
			return 0, fmt.Errorf("%q refers to itself without an end", strings.TrimPrefix(s.Location, location))
		}
		return d, nil
	}
	seen[s] = -1
	deepest := 0
	for _, sub := range edges(s).inPlace {
		d, err := inPlaceDepth(sub, seen)
		if err != nil {
			return 0, err
		}
		deepest = max(deepest, d+1)
	}
	if deepest > maxInPlace {
		return 0, fmt.Errorf("more than %d schemas refer one to the next", maxInPlace)
	}
	seen[s] = deepest
	return deepest, nil
}

// pattern is the regexp engine: it never fails, see the package comment.
func (m *meter) pattern(text string) (jsonschema.Regexp, error) {
	p := &pattern{text: text, meter: m}
	expr, instructions, ok := contract.CheckedPattern(text)
	if !ok {
		return p, nil
	}
	if re, err := regexp.Compile(expr); err == nil {
		p.re, p.insts = re, instructions
	}
	return p, nil
}

// pattern is a regular expression; re is nil where it is not enforced.
type pattern struct {
	re    *regexp.Regexp
	insts int
	text  string
	meter *meter
}

func (p *pattern) String() string { return p.text }

func (p *pattern) MatchString(s string) bool {
	if p.re == nil {
		return true
	}
	p.meter.spend(1 + len(s)*p.insts/32)
	return p.re.MatchString(s)
}
