package infer

// This file lists the keywords of JSON Schema and what their values must be, after the 2020-12
// meta-schema (json-schema.org/draft/2020-12/schema). A value of another kind would make the whole
// document fail to compile at the first call.

import (
	"encoding/json"
	"strings"
)

type valueKind int

const (
	anyValue    valueKind = iota
	oneSchema             // a schema
	schemaList            // a list of schemas, at least one
	schemaMap             // an object of schemas
	textValue             // a string
	flagValue             // a boolean
	numberValue           // a number
	countValue            // a whole number, 0 or more
	factorValue           // a number above 0
	textList              // a list of strings
	textListMap           // an object of lists of strings
	listValue             // a list
)

var keywordKinds = map[string]valueKind{
	"additionalProperties": oneSchema, "unevaluatedProperties": oneSchema, "propertyNames": oneSchema,
	"items": oneSchema, "contains": oneSchema, "unevaluatedItems": oneSchema, "not": oneSchema,
	"if": oneSchema, "then": oneSchema, "else": oneSchema, "contentSchema": oneSchema,
	"allOf": schemaList, "anyOf": schemaList, "oneOf": schemaList, "prefixItems": schemaList,
	"properties": schemaMap, "patternProperties": schemaMap, "dependentSchemas": schemaMap, "$defs": schemaMap,
	"definitions": schemaMap,
	"title":       textValue, "description": textValue, "format": textValue, "pattern": textValue, "$ref": textValue,
	"$anchor": textValue, "$dynamicRef": textValue, "$dynamicAnchor": textValue, "$comment": textValue,
	"contentEncoding": textValue, "contentMediaType": textValue,
	"deprecated": flagValue, "readOnly": flagValue, "writeOnly": flagValue, "uniqueItems": flagValue,
	"minimum": numberValue, "maximum": numberValue, "exclusiveMinimum": numberValue, "exclusiveMaximum": numberValue,
	"multipleOf": factorValue,
	"minLength":  countValue, "maxLength": countValue, "minItems": countValue, "maxItems": countValue,
	"minProperties": countValue, "maxProperties": countValue, "minContains": countValue, "maxContains": countValue,
	"required": textList, "dependentRequired": textListMap,
	"enum": listValue, "examples": listValue, "const": anyValue, "default": anyValue, "type": anyValue,
}

// fits reports whether v is of the kind. Empty schema lists and enums accept nothing and fit nothing.
func (k valueKind) fits(v any) bool {
	list, isList := v.([]any)
	o, isObject := v.(*object)
	number, isNumber := v.(json.Number)
	_, isText := v.(string)
	_, isFlag := v.(bool)
	switch k {
	case oneSchema:
		return isObject || isFlag
	case schemaList:
		return isList && len(list) > 0
	case schemaMap:
		return isObject
	case textValue:
		return isText
	case flagValue:
		return isFlag
	case numberValue:
		return isNumber
	case factorValue:
		return isNumber && !strings.HasPrefix(string(number), "-") && strings.ContainsAny(string(number), "123456789")
	case countValue:
		return isNumber && !strings.ContainsAny(string(number), "-.eE") && len(number) < 16
	case textList:
		return isList && allText(list)
	case textListMap:
		return isObject && allTextLists(o)
	case listValue:
		return isList
	}
	return true
}

func allText(list []any) bool {
	for _, e := range list {
		if _, ok := e.(string); !ok {
			return false
		}
	}
	return true
}

func allTextLists(o *object) bool {
	for _, k := range o.keys {
		list, ok := o.values[k].([]any)
		if !ok || !allText(list) {
			return false
		}
	}
	return true
}
