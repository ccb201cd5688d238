package condition

// This file tells CEL's checker which fields the arguments have.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"codemode/runtime"
)

// provider knows the objects of one parameter schema. It belongs to one compilation and remembers
// which fields were asked for in vain.
type provider struct {
	*types.Registry
	objects map[string]*shape // by CEL type name
	missed  []miss
}

type miss struct {
	owner *shape
	field string
}

var _ interface {
	types.Provider
	types.Adapter
} = (*provider)(nil)

func newProvider(args *shape) *provider {
	p := &provider{Registry: types.NewEmptyRegistry(), objects: map[string]*shape{}}
	p.add(args)
	return p
}

func (p *provider) add(s *shape) {
	if s.kind == object {
		p.objects[s.celType().TypeName()] = s
	}
	if s.elem != nil {
		p.add(s.elem)
	}
	for _, f := range s.fields {
		p.add(f)
	}
}

// FindStructType implements types.Provider.
func (p *provider) FindStructType(name string) (*types.Type, bool) {
	if _, ok := p.objects[name]; ok {
		return types.NewTypeTypeWithParam(types.NewObjectType(name)), true
	}
	return p.Registry.FindStructType(name)
}

// FindStructFieldNames implements types.Provider.
func (p *provider) FindStructFieldNames(name string) ([]string, bool) {
	if s, ok := p.objects[name]; ok {
		return slices.Sorted(maps.Keys(s.fields)), true
	}
	return p.Registry.FindStructFieldNames(name)
}

// FindStructFieldType implements types.Provider. It gives no accessors: the values are maps.
func (p *provider) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	s, ok := p.objects[name]
	if !ok {
		return p.Registry.FindStructFieldType(name, field)
	}
	f, ok := s.fields[field]
	if !ok {
		p.missed = append(p.missed, miss{s, field})
		return nil, false
	}
	return &types.FieldType{Type: f.celType()}, true
}

// NewValue implements types.Provider: conditions build no objects.
func (p *provider) NewValue(name string, fields map[string]ref.Val) ref.Val {
	if _, ok := p.objects[name]; ok {
		return types.NewErr("%s can't be built in a condition", name)
	}
	return p.Registry.NewValue(name, fields)
}

// missing reads CEL's message about a field that is not there.
func (p *provider) missing(message string) (*shape, string, bool) {
	for _, m := range p.missed {
		if message == fmt.Sprintf("undefined field '%s'", m.field) {
			return m.owner, m.field, true
		}
	}
	return nil, "", false
}

// hint names the field that was probably meant, and those there are.
func (s *shape) hint(field string) string {
	const most = 20
	names := slices.Sorted(maps.Keys(s.fields))
	if len(names) == 0 {
		return "it has no fields"
	}
	known := "known fields are " + strings.Join(names[:min(len(names), most)], ", ")
	if len(names) > most {
		known += fmt.Sprintf(" and %d more", len(names)-most)
	}
	if near := runtime.Nearest(field, names); near != "" {
		return fmt.Sprintf("did you mean %q? %s", near, known)
	}
	return known
}
