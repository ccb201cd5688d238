package infer

// This file keeps the schema a row gives, and ties its properties to the template's slots.

import (
	"slices"

	"codemode/directory"
	"codemode/directory/contract"
)

// givenSchema reads the row's input_schema as an object schema; nil means that there is none to use.
func (b *builder) givenSchema() *object {
	if isBlank(b.row.InputSchema) {
		return nil
	}
	tree, ok := b.readSchema("input_schema", "params", b.row.InputSchema)
	if !ok {
		return b.closeParams("cannot be read")
	}
	if list, _ := tree.([]any); tree == true || list != nil && len(list) == 0 {
		return nil // anything, or an empty object as PHP writes it
	}
	root, isObject := tree.(*object)
	if !isObject {
		b.fail("params", "input_schema describes no object", `write {"type":"object","properties":{...}}`)
		return b.closeParams("describes no object")
	}
	if isPropertyMap(root) {
		b.warn("params", "input_schema is a bare map of properties", `write {"type":"object","properties":{...}}`)
		root = obj("type", "object", "properties", root)
	}
	dropped := false
	root, isObject = normalize(root, func(format string, args ...any) {
		b.remark("input_schema", "params")(format, args...)
		dropped = true
	}).(*object)
	switch {
	case (!isObject || root.len() == 0) && dropped:
		b.fail("params", "nothing of input_schema can be read", `write {"type":"object","properties":{...}}`)
		return b.closeParams("cannot be read")
	case !isObject || root.len() == 0:
		return nil
	}
	return b.asObject(root)
}

// closeParams is the schema of a row that says what its arguments must be, in a way that cannot be read:
// nothing fits it. Open arguments would send what the row forbids, and a row that is left out would
// take its name with it.
func (b *builder) closeParams(why string) *object {
	b.closed, b.shut = true, "It cannot be called: its input_schema "+why+"."
	return obj("type", "object", "not", obj())
}

// isPropertyMap reports whether an object maps names to schemas without saying so: no keyword of
// JSON Schema among its members, and every member a schema or a type word.
func isPropertyMap(o *object) bool {
	return o.len() > 0 && !slices.ContainsFunc(o.keys, func(k string) bool {
		kind, keyword := keywordKinds[k]
		word, isWord := o.values[k].(string)
		_, isType := parseWords(word)
		_, isSchema := o.values[k].(*object)
		return keyword && kind.fits(o.values[k]) && (!isSchema || k == "properties") || isWord && !isType || !isWord && !isSchema
	})
}

// asObject makes the root an object schema. A root of another type becomes its only property.
func (b *builder) asObject(root *object) *object {
	types := typesOf(root)
	switch {
	case slices.Equal(types, []string{"object"}):
		return root
	case len(types) == 0 || slices.Contains(types, "object"):
		root.set("type", "object")
		return root
	}
	b.warn("params", "input_schema is not of type object; it is taken as the only argument", "describe an object whose properties are the arguments")
	name := "arg1"
	if f := b.shape.slots[1]; f != nil && len(f.hints()) > 0 {
		name = f.hints()[0]
	}
	return obj("type", "object", "properties", obj(name, root), "required", []any{name})
}

// keepSchema makes the parameters of a row with a schema.
func (b *builder) keepSchema(root *object, docs docArgs) *object {
	props := root.object("properties")
	b.say("params", contract.FromSchema, source{"input_schema", string(b.row.InputSchema)})
	switch {
	case b.shape.byDefault || !b.shape.bound:
		b.order(props)
	case b.shape.lone() && props.len() != 1:
		b.add(1, b.wrap(root, contract.FromSchema))
		b.record(b.params[0])
		root = b.object()
		b.params = nil
	default:
		root = b.bindSchema(root, docs)
	}
	b.describe(root, docs)
	return root
}

// order gives the properties of rows without a template the order they are written in, where the
// destination goes by order.
func (b *builder) order(props *object) {
	if b.row.Type == directory.Dispatch || b.row.Type == directory.Agent && props.len() == 1 {
		b.positional = slices.Clone(props.names())
	}
}

// bindSchema leaves of the schema's properties those that a slot carries and adds the slots that
// the schema does not know.
func (b *builder) bindSchema(root *object, docs docArgs) *object {
	props := root.object("properties")
	if props == nil {
		props = obj()
		root.set("properties", props)
	}
	var named []docParam
	for _, name := range inDocOrder(props.keys, docs) {
		named = append(named, docParam{name: name})
	}
	assigned := b.match(named, false)
	for _, i := range b.shape.indexes() {
		at, known := assigned[i]
		if !known {
			b.adopt(root, i)
			continue
		}
		b.place(i, named[at].name)
		if b.shape.slots[i].mustFill() {
			require(root, named[at].name)
		}
	}
	for at, d := range named {
		if !hasValue(assigned, at) && !b.shape.room {
			b.warn(fieldOf(d.name), "input_schema names "+label(d)+", and no slot of the template carries it; it is not offered", "add a slot for it, or take it out of the schema")
			props.del(d.name)
		}
	}
	if !b.shape.room {
		dropRequired(root, props)
	}
	return root
}

// inDocOrder puts names in the order the documentation lists them, where it lists them all.
func inDocOrder(names []string, docs docArgs) []string {
	var out []string
	for _, d := range docs.params {
		if slices.Contains(names, d.name) && !slices.Contains(out, d.name) {
			out = append(out, d.name)
		}
	}
	if len(out) < len(names) {
		return slices.Clone(names)
	}
	return out
}

// adopt adds the parameter of a slot that the schema does not know.
func (b *builder) adopt(root *object, index int) {
	props, p := root.object("properties"), b.slotParam(b.shape.slots[index])
	base := p.name
	for n := 2; props.has(p.name); n++ {
		p.name = base + itoa(n)
	}
	b.place(index, p.name)
	props.set(p.name, p.schema)
	if p.required {
		require(root, p.name)
	}
	b.record(p)
	b.warn(fieldOf(p.name), "the template has a slot that input_schema does not know", "add "+p.name+" to the schema's properties")
}

func require(root *object, name string) {
	list, _ := root.values["required"].([]any)
	if !slices.Contains(list, any(name)) {
		root.set("required", append(list, name))
	}
}

func dropRequired(root, props *object) {
	list, _ := root.values["required"].([]any)
	kept := slices.DeleteFunc(slices.Clone(list), func(v any) bool { return !props.has(v.(string)) })
	if len(kept) == 0 {
		root.del("required")
		return
	}
	root.set("required", kept)
}

// describe completes the properties of a schema from words: descriptions of ARGS lines, defaults,
// and value lists in the one form that leaves no doubt.
func (b *builder) describe(root *object, docs docArgs) {
	props := root.object("properties")
	for i := 0; i < props.len(); i++ {
		name := props.keys[i]
		field := fieldOf(name)
		if _, done := b.prov[field]; done {
			continue
		}
		at := source{"input_schema/properties/" + contract.EscapeToken(name), string(render(props.values[name]))}
		b.say(field, contract.FromSchema, at)
		b.say(field+"/type", contract.FromSchema, at)
		sub, ok := props.values[name].(*object)
		if !ok || !saysType(sub) {
			b.prov[field+"/type"] = contract.FromNone
		}
		if ok {
			b.describeProperty(root, sub, name, docs)
		}
	}
}

func (b *builder) describeProperty(root, sub *object, name string, docs docArgs) {
	field, at := fieldOf(name), "input_schema/properties/"+contract.EscapeToken(name)
	for _, d := range docs.params {
		if d.name == name && d.description != "" && !sub.has("description") {
			sub.set("description", d.description)
			b.say(field+"/description", contract.FromArgs, d.source)
		}
	}
	text := sub.text("description")
	if v, ok := proseDefault(text, sub); ok && !sub.has("default") && len(typesOf(sub)) > 0 {
		sub.set("default", v)
		b.say(field+"/default", contract.FromProse, source{at + "/description", text})
	}
	target := sub
	if items := sub.object("items"); items != nil && slices.Equal(typesOf(sub), []string{"array"}) {
		target = items
	}
	values := markedValues(text)
	if values != nil && len(typesOf(target)) > 0 && !target.has("enum") && !slices.ContainsFunc(values, func(v any) bool { return !fitsType(v, target) }) {
		target.set("enum", values)
		b.say(field+"/enum", contract.FromProse, source{at + "/description", text})
	}
}

// saysType reports whether a schema says anything of its type.
func saysType(o *object) bool {
	return slices.ContainsFunc(o.keys, func(k string) bool {
		return slices.Contains([]string{"type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf", "properties", "items", "prefixItems", "$dynamicRef"}, k)
	})
}
