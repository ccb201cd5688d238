package typecheck

// This file applies the rule to one diagnostic: it finds the node it stands at, and asks what the
// rule wants to know about it.

import (
	"strings"

	"codemode/runtime"
)

// verdict is what becomes of a diagnostic.
type verdict struct {
	severity runtime.Severity
	code     string // "" for the compiler's own
	message  string
	hint     string
	method   string
	missing  string
	unknown  string
}

func (v verdict) block(yes bool) verdict {
	if yes {
		v.severity = runtime.SeverityError
	}
	return v
}

// site is a diagnostic with its place.
type site struct {
	*finding
	t    *tree
	node uint32
}

// judgeAll judges the findings in order until there are as many errors as are wanted: a script can
// have any number. Warnings past the limit are judged all the same, one of them may be an error.
func (x *examination) judgeAll(found []*finding) error {
	if err := x.findWritten(found); err != nil {
		return err
	}
	for _, f := range found {
		if x.count[runtime.SeverityError] >= x.limit {
			return nil
		}
		v, err := x.judge(f)
		if err != nil {
			return err
		}
		if x.req.Mode == runtime.CheckStrict {
			v.severity = runtime.SeverityError
		}
		x.add(f, v)
	}
	return x.findFloating()
}

// findWritten collects the members that the script itself adds to something.
func (x *examination) findWritten(found []*finding) error {
	x.written = map[string]bool{}
	for _, f := range found {
		if err := x.ctx.Err(); err != nil {
			return err
		}
		if rulingOf(f.Code) != asMember {
			continue
		}
		if s := x.siteOf(f); s.t.assigned(s.t.parent(s.node)) {
			x.written[s.t.text(s.node)] = true
		}
	}
	return nil
}

func (x *examination) siteOf(f *finding) site {
	t := x.trees[f.File]
	return site{f, t, t.at(f.Pos, f.End)}
}

// judge decides one diagnostic. Its verdict names the method even where it only warns.
func (x *examination) judge(f *finding) (verdict, error) {
	v := verdict{severity: runtime.SeverityWarning, message: flatten(f)}
	r := rulingOf(f.Code)
	if r == warns || r == blocks {
		return v.block(r == blocks), nil
	}
	if err := x.ctx.Err(); err != nil {
		return v, err
	}
	s := x.siteOf(f)
	switch r {
	case asName:
		return x.judgeName(s, v)
	case asMember:
		return x.judgeMember(s, v)
	case asIndex:
		return x.judgeIndex(s, v)
	case asValue:
		return x.judgeValue(s, v)
	case asExtra:
		return x.judgeExtra(s, v)
	case asCount:
		return x.judgeCount(s, v)
	case asCall:
		return x.judgeCall(s, v)
	case asPromise:
		return x.judgePromise(s, v)
	}
	return v, nil
}

// judgeName blocks. A name that is a namespace written without "tools." says so.
func (x *examination) judgeName(s site, v verdict) (verdict, error) {
	name := s.t.text(s.node)
	if name == "" {
		return v.block(true), nil
	}
	v.message = "there is no " + name + didYouMean(s.Text)
	tools, err := x.toolsType()
	if err != nil || tools == nil {
		return v.block(true), err
	}
	member, err := x.propertyOf(tools, name)
	if member != nil {
		v.message, v.hint = "there is no "+name, "write tools."+name
	} else if rulingOf(s.Code) == asName && didYouMean(s.Text) == "" {
		v.unknown = name
	}
	return v.block(true), err
}

// judgeMember blocks a member that does not exist on what was generated or on a value of the
// language itself, and warns where the type is the author's own or too vague to tell.
func (x *examination) judgeMember(s site, v verdict) (verdict, error) {
	owner := s.t.owner(s.node)
	if owner == 0 {
		return v, nil
	}
	t, err := x.typeAt(s.t.handle(owner))
	if err != nil {
		return v, err
	}
	return x.judgeOwner(s, v, owner, t, s.t.text(s.node))
}

// judgeIndex treats x["name"] like x.name; an index that is computed may be right, but for a number on what
// was generated and has no such field.
func (x *examination) judgeIndex(s site, v verdict) (verdict, error) {
	access := s.node
	for access != 0 && s.t.kind(access) != kindElementAccess {
		access = s.t.parent(access)
	}
	if access == 0 {
		return v, nil
	}
	t, err := x.typeAt(s.t.handle(s.t.first(access)))
	if err != nil {
		return v, err
	}
	index := s.t.last(access)
	switch s.t.kind(index) {
	case kindString, kindNoSubstitution:
		return x.judgeOwner(s, v, s.t.first(access), t, s.t.text(index))
	}
	number, err := x.typeAt(s.t.handle(index))
	if err != nil || !number.is(flagsNumber) || s.t.assigned(access) {
		return v, err
	}
	return x.judgeArray(s, v, s.t.first(access), t)
}

func (x *examination) judgeOwner(s site, v verdict, owner uint32, t *typ, name string) (verdict, error) {
	o, err := x.originOf(t, name)
	if err != nil {
		return v, err
	}
	if err := x.describeMember(s, &v, owner, o, name); err != nil {
		return v, err
	}
	if err := x.hintMember(s, &v, owner, t, o, name); err != nil {
		return v, err
	}
	access := s.t.parent(s.node)
	if s.t.kind(s.node) == kindElementAccess {
		access = s.node
	}
	switch o.from {
	case fromGenerated:
		ours := o.role == roleTools || o.role == roleNamespace
		return v.block(ours || !s.t.assigned(access) && !x.written[name]), nil
	case fromLanguage:
		return v.block(!s.t.assigned(access) && !x.written[name]), nil
	}
	return v, nil
}

// judgeValue blocks a value in a capability call's argument of which nothing could be right.
func (x *examination) judgeValue(s site, v verdict) (verdict, error) {
	place, err := x.placeOf(s)
	if err != nil || !place.ours {
		return v, err
	}
	v.method = place.method
	value := s.t.valueAt(s.node)
	fit, err := x.judgeExpression(s.t, value, 0)
	if err != nil {
		return v, err
	}
	describeValue(s, &v)
	return v.block(fit == never), nil
}

// judgeExtra blocks a field that a capability's argument does not have.
func (x *examination) judgeExtra(s site, v verdict) (verdict, error) {
	place, err := x.placeOf(s)
	if err != nil || !place.ours {
		return v, err
	}
	v.method = place.method
	describeExtra(s, &v)
	return v.block(true), nil
}

func (x *examination) judgeCount(s site, v verdict) (verdict, error) {
	call := s.t.enclosingCall(s.node)
	method, ours, err := x.methodOf(s.t, call)
	if err != nil {
		return v, err
	}
	if !ours {
		return x.judgeSurplus(s, v, call)
	}
	v.method = method
	describeCount(s, &v)
	return v.block(true), nil
}

// judgeSurplus blocks arguments that a function of the language does not take: the engine would ignore
// them without a word (there are no locales, so toLocaleString("de") is not what it says).
func (x *examination) judgeSurplus(s site, v verdict, call uint32) (verdict, error) {
	if call == 0 {
		return v, nil
	}
	t, err := x.typeAt(s.t.handle(s.t.first(call)))
	if err != nil {
		return v, err
	}
	o, err := x.originOf(t, "")
	if err != nil || o.from != fromLanguage {
		return v, err
	}
	if name := s.t.text(s.t.last(s.t.first(call))); strings.Contains(strings.ToLower(name), "locale") {
		v.hint = "there are no locales here; format the value in the script"
	}
	return v.block(true), nil
}

func (x *examination) judgeCall(s site, v verdict) (verdict, error) {
	call := s.t.enclosingCall(s.node)
	if call == 0 {
		return v, nil
	}
	callee := s.t.first(call)
	t, err := x.typeAt(s.t.handle(callee))
	if err != nil {
		return v, err
	}
	o, err := x.originOf(t, "")
	if err != nil {
		return v, err
	}
	if o.from == fromGenerated && o.role == roleNamespace {
		v.message = "tools." + o.name + " is a namespace, not a function; call one of its methods"
	}
	return v.block(o.from == fromGenerated || o.from == fromLanguage), nil
}

// judgePromise blocks where the value, or an operand of it, is a promise, and where what is iterated is
// generated and no array.
func (x *examination) judgePromise(s site, v verdict) (verdict, error) {
	candidates := []uint32{s.node}
	if s.t.kind(s.node) == kindBinary {
		candidates = append(candidates, s.t.first(s.node), s.t.last(s.node))
	}
	for _, c := range candidates {
		c = s.t.takenApart(c)
		t, err := x.typeAt(s.t.handle(c))
		if err != nil {
			return v, err
		}
		promise, err := x.isPromise(t)
		if err != nil {
			return v, err
		}
		if promise {
			v.message, v.hint = "a promise is used as if it were its value", "put await before the call"
			v.method = x.methodBehind(s.t, c)
			return v.block(true), nil
		}
		if iterates(s.Code) {
			return x.judgeArray(s, v, c, t)
		}
	}
	return v, nil
}

// didYouMean takes the compiler's suggestion out of its text, to append to ours.
func didYouMean(text string) string {
	_, rest, ok := strings.Cut(text, "Did you mean ")
	if !ok {
		return ""
	}
	name := strings.Trim(strings.TrimPrefix(strings.TrimSuffix(rest, "?"), "to write "), "'")
	if name == "" || strings.ContainsAny(name, " '") {
		return ""
	}
	return "; did you mean " + name + "?"
}
