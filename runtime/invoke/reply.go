package invoke

// This file makes a JSON value of a reply.

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"mime"
	"slices"
	"strings"
	"unicode/utf8"

	"codemode/runtime"
)

// maxSchemaDepth bounds how far a result schema is followed.
const maxSchemaDepth = 16

// reply reads a body: JSON as it came, every digit kept, when its media type says JSON; text as a
// string, or as JSON where the contract declares a result that is no string; nothing as null. JSON
// that is none is text, and so a mismatch of what was declared. What is no text at all becomes
// {"media_type", "base64"}.
func (c *call) reply(resp *Response) runtime.Reply {
	out := runtime.Reply{Status: resp.Status, Bytes: int64(len(resp.Body))}
	switch {
	case c.verbatim:
		out.Result = verbatim(resp)
	case len(resp.Body) == 0:
		out.Result = json.RawMessage("null")
	default:
		out.Result = c.value(resp)
	}
	return out
}

func (c *call) value(resp *Response) json.RawMessage {
	if !utf8.Valid(resp.Body) {
		return binary(resp)
	}
	body := bytes.TrimSpace(bytes.TrimPrefix(resp.Body, []byte("\xEF\xBB\xBF")))
	if json.Valid(body) && (isJSON(mediaType(resp)) || declaresNoString(c.in.Contract.Result)) {
		return body
	}
	return encodeText(string(resp.Body))
}

// verbatim keeps the text of a body exactly: a JSON value that is no string has itself as its text,
// anything else is written as a string.
func verbatim(resp *Response) json.RawMessage {
	if first := bytes.TrimLeft(resp.Body, " \t\r\n"); len(first) == len(resp.Body) && len(first) > 0 && first[0] != '"' &&
		isJSON(mediaType(resp)) && utf8.Valid(resp.Body) && json.Valid(resp.Body) {
		return resp.Body
	}
	return encodeText(string(resp.Body))
}

func binary(resp *Response) json.RawMessage {
	media := strings.ToValidUTF8(mediaType(resp), "")
	if media == "" {
		media = "application/octet-stream"
	}
	var out bytes.Buffer
	out.WriteString(`{"media_type":`)
	out.Write(encodeText(media))
	out.WriteString(`,"base64":"` + base64.StdEncoding.EncodeToString(resp.Body) + `"}`)
	return out.Bytes()
}

func mediaType(resp *Response) string {
	media, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		return ""
	}
	return media
}

// isJSON knows JSON by its media type (RFC 8259, RFC 6839).
func isJSON(media string) bool {
	return media == "application/json" || media == "text/json" || strings.HasSuffix(media, "+json")
}

// declaresNoString reports whether a result schema says something that excludes strings, so that
// text which is JSON is meant as JSON.
func declaresNoString(schema json.RawMessage) bool {
	return noString(schema, schema, 0)
}

func noString(root, schema json.RawMessage, depth int) bool {
	var s struct {
		Type       json.RawMessage            `json:"type"`
		Ref        string                     `json:"$ref"`
		AnyOf      []json.RawMessage          `json:"anyOf"`
		OneOf      []json.RawMessage          `json:"oneOf"`
		AllOf      []json.RawMessage          `json:"allOf"`
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if depth > maxSchemaDepth || json.Unmarshal(schema, &s) != nil {
		return false
	}
	if types := typeNames(s.Type); len(types) > 0 {
		return !slices.Contains(types, "string")
	}
	if target, ok := localRef(root, s.Ref); ok {
		return noString(root, target, depth+1)
	}
	for _, part := range s.AllOf {
		if noString(root, part, depth+1) {
			return true
		}
	}
	if branches := append(s.AnyOf, s.OneOf...); len(branches) > 0 {
		for _, branch := range branches {
			if !noString(root, branch, depth+1) {
				return false
			}
		}
		return true
	}
	return len(s.Properties) > 0
}
