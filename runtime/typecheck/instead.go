package typecheck

// This file says what there is in place of a member that does not exist: the inputs that were given, or the
// array of a result that was taken for one.

import (
	"regexp"
	"slices"
	"strconv"

	"codemode/runtime"
)

// arrayMembers are the members by which a value is taken for an array.
var arrayMembers = []string{"length", "map", "filter", "forEach", "find", "slice", "reduce", "some", "every", "sort", "flatMap", "at", "entries"}

// hintMember adds what there is in place of a member that does not exist: the inputs, or the array of a
// result that was taken for one.
func (x *examination) hintMember(s site, v *verdict, owner uint32, t *typ, o origin, name string) error {
	if o.from != fromGenerated || o.role != roleValue || name == "" {
		return nil
	}
	if inputs, err := x.isInputs(t); err != nil {
		return err
	} else if inputs {
		return x.describeInput(s, v, t, name)
	}
	if o.method == "" || !slices.Contains(arrayMembers, name) || t.is(flagUnion) {
		return nil
	}
	members, err := x.propertiesOf(t)
	if err != nil {
		return err
	}
	arrays, err := x.arraysOf(members)
	if len(arrays) == 1 {
		v.hint, err = x.hintArray(s, owner, members)
	}
	return err
}

// isInputs says whether the type is that of the global inputs.
func (x *examination) isInputs(t *typ) (bool, error) {
	sym, err := x.global("inputs")
	if err != nil || sym == nil || t == nil || sourceOf(sym) != fromGenerated {
		return false, err
	}
	inputs, err := x.typeOf(sym)
	return inputs != nil && inputs.ID == t.ID, err
}

// describeInput says which inputs there are, and how the one that is missing is given.
func (x *examination) describeInput(s site, v *verdict, t *typ, name string) error {
	members, err := x.propertiesOf(t)
	if err != nil {
		return err
	}
	v.message = "there is no input " + name + didYouMean(s.Text)
	v.hint = "the run has no inputs"
	if len(members) > 0 {
		v.hint = "the inputs are " + runtime.Listed(namesOf(members), 10)
	}
	v.hint += "; --input " + name + "=PATH gives it, over MCP the argument inputs"
	return nil
}

func namesOf(members []*symbol) []string {
	out := make([]string, len(members))
	for i, m := range members {
		out[i] = m.Name
	}
	return out
}

// accessOf writes the access to a field: .name, or ["a-name"].
func accessOf(name string) string {
	if plain := regexp.MustCompile(`^[A-Za-z_$][\w$]*$`); plain.MatchString(name) {
		return "." + name
	}
	return "[" + strconv.Quote(name) + "]"
}
