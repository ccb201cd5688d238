package template

// This file parses flows, "KEY:args > KEY2:$PREV => name", and renders one step's arguments. Steps
// and arguments are cut before slots are looked for, so a pipe, ">" or "=>" in a value is a value.

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// maxSteps caps the steps of a flow.
const maxSteps = 100

type step struct {
	Step
	args []stepArg
}

// stepArg is one argument: JSON with slots, or text with slots.
type stepArg struct {
	json  *node
	parts []part
}

// flowParser reads a flow. White space around keys and arguments is not part of them.
type flowParser struct {
	b    *builder
	text string
	at   int
}

func (t *Template) parseFlow(b *builder, content string) error {
	b.named = map[string]bool{}
	p := &flowParser{b: b, text: strings.TrimSpace(content)}
	for {
		s, err := p.step()
		if err != nil {
			return err
		}
		t.steps = append(t.steps, s)
		if len(t.steps) > maxSteps {
			return p.errorf("more than %d steps", maxSteps)
		}
		if s.As != "" {
			b.named[s.As] = true
		}
		if p.at == len(p.text) {
			return nil
		}
		p.at++ // the ">" that step stopped at
	}
}

func (p *flowParser) errorf(format string, args ...any) error {
	return fmt.Errorf("%w: flow at byte %d: %s", ErrTemplate, p.at+1, fmt.Sprintf(format, args...))
}

func (p *flowParser) space() {
	p.at += span(p.text[p.at:], func(c byte) bool { return strings.IndexByte(" \t\r\n", c) >= 0 })
}

func (p *flowParser) take(token string) bool {
	if !strings.HasPrefix(p.text[p.at:], token) {
		return false
	}
	p.at += len(token)
	return true
}

// step reads one step and stops at the ">" after it or at the end.
func (p *flowParser) step() (step, error) {
	p.space()
	width := span(p.text[p.at:], func(c byte) bool { return isNameByte(c) || strings.IndexByte(".-/#", c) >= 0 })
	if width == 0 {
		return step{}, p.errorf("expected the key of a row")
	}
	s := step{Step: Step{Key: p.text[p.at : p.at+width]}}
	p.at += width
	p.space()
	if p.take(":") {
		p.args(&s)
	}
	if p.take("=>") {
		if err := p.name(&s); err != nil {
			return step{}, err
		}
	}
	if p.at < len(p.text) && p.text[p.at] != '>' {
		return step{}, p.errorf("expected : or > or => after %s", s.Key)
	}
	return s, nil
}

func (p *flowParser) name(s *step) error {
	p.space()
	width := span(p.text[p.at:], isNameByte)
	s.As = p.text[p.at : p.at+width]
	if width == 0 || s.As[0] >= '0' && s.As[0] <= '9' || s.As == "PREV" || p.b.named[s.As] {
		return p.errorf("expected a new name after =>")
	}
	p.at += width
	p.space()
	return nil
}

func (p *flowParser) args(s *step) {
	p.space()
	if p.ended() {
		return
	}
	for {
		arg, text := p.arg()
		s.args = append(s.args, arg)
		s.Args = append(s.Args, text)
		if !p.take("|") {
			break
		}
		p.space()
	}
	if len(s.args) == 1 && s.args[0].json == nil && json.Valid([]byte(s.Args[0])) {
		s.args[0] = stepArg{json: &node{kind: literalNode, literal: s.Args[0]}}
	}
}

// ended reports whether the step's arguments end here.
func (p *flowParser) ended() bool {
	return p.at == len(p.text) || p.text[p.at] == '>' || strings.HasPrefix(p.text[p.at:], "=>")
}

// arg reads one argument, as JSON where it is JSON up to the next separator.
func (p *flowParser) arg() (stepArg, string) {
	start := p.at
	if start < len(p.text) && strings.IndexByte(`{["`, p.text[start]) >= 0 {
		before := p.b.mark()
		j := &jsonParser{b: p.b, text: p.text, at: start}
		n, err := j.value("")
		text := p.text[start:j.at]
		p.at = j.at
		p.space()
		if err == nil && (p.ended() || p.text[p.at] == '|') {
			return stepArg{json: n}, text
		}
		p.b.reset(before)
		p.at = start
	}
	for !p.ended() && p.text[p.at] != '|' {
		p.at++
	}
	text := strings.TrimSpace(p.text[start:p.at])
	return stepArg{parts: p.b.lex(text, place{ctx: Body, prose: true})}, text
}

// Steps are the steps of a flow template as written, nil of another kind.
func (t *Template) Steps() []Step {
	var steps []Step
	for _, s := range t.steps {
		steps = append(steps, Step{Key: s.Key, Args: slices.Clone(s.Args), As: s.As})
	}
	return steps
}

// StepArgs renders the arguments of step i (from 0) of a flow, one JSON value each; nil where a whole
// argument is absent. A whole slot hands its value on with its type; text around slots makes a
// string. Set v.Prev to the result of step i-1 and v.Named to the named results before it.
func (t *Template) StepArgs(i int, v Values) ([]json.RawMessage, error) {
	if err := t.want(Flow); err != nil {
		return nil, err
	}
	if i < 0 || i >= len(t.steps) {
		return nil, fmt.Errorf("%w: flow has no step %d", ErrTemplate, i)
	}
	f := &filler{v: v}
	var out []json.RawMessage
	for n, arg := range t.steps[i].args {
		value, err := f.stepArg(arg)
		if err != nil {
			return nil, fmt.Errorf("step %d (%s), argument %d: %w", i+1, t.steps[i].Key, n+1, err)
		}
		out = append(out, value)
	}
	return out, nil
}

func (f *filler) stepArg(arg stepArg) (json.RawMessage, error) {
	if arg.json != nil {
		text, err := f.renderJSON(arg.json)
		return json.RawMessage(text), err
	}
	if len(arg.parts) == 1 && arg.parts[0].slot != nil {
		if s := arg.parts[0].slot; s.Whole && s.Form != Raw && s.dollar == "" {
			return f.value(s)
		}
	}
	text, absent, err := f.fill(arg.parts, verbatim)
	if err != nil || absent {
		return nil, err
	}
	if hasRaw(arg.parts) && !oneArgument(text) {
		return nil, fmt.Errorf("%w: a raw slot changed the steps of the flow", ErrStructure)
	}
	return quote(text), nil
}

// oneArgument reports whether text, standing in a flow, is one argument of one step.
func oneArgument(text string) bool {
	p := &flowParser{b: &builder{}, text: "K:" + strings.TrimSpace(text)}
	s, err := p.step()
	return err == nil && p.at == len(p.text) && len(s.args) <= 1 && s.As == ""
}
