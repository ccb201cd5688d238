package mcp

// This file tells a message that the SDK can take from one that is answered here. Its decoder treats
// a message it cannot read as a broken connection; JSON-RPC 2.0 (jsonrpc.org/specification) wants
// an answer, and the next message read.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const (
	maxBatch        = 100 // messages
	maxReasonBytes  = 200
	maxEchoedID     = 200       // bytes
	maxSafeInteger  = 1<<53 - 1 // an id over it would come back as another number
	batchingVersion = "2025-03-26"
)

// refusal is the answer to a message that is none. An ID that is not known is null.
type refusal struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   jsonrpc.Error   `json:"error"`
}

// refuse makes a refusal; an id of nil is not known.
func refuse(id json.RawMessage, code int64, format string, args ...any) *refusal {
	if len(id) == 0 || len(id) > maxEchoedID {
		id = json.RawMessage("null")
	}
	return &refusal{Version: "2.0", ID: id, Error: jsonrpc.Error{Code: code, Message: clip(fmt.Sprintf(format, args...), maxReasonBytes)}}
}

// checkJSON says what keeps a line from being one JSON value in UTF-8.
func checkJSON(text []byte) *refusal {
	if !utf8.Valid(text) {
		return refuse(nil, jsonrpc.CodeParseError, "parse error: the line is not UTF-8")
	}
	if json.Valid(text) {
		return nil
	}
	var value json.RawMessage
	err := json.Unmarshal(text, &value) // says why
	return refuse(nil, jsonrpc.CodeParseError, "parse error: %v; send one JSON-RPC message a line", err)
}

// parse reads one message of valid JSON.
func parse(text []byte) (jsonrpc.Message, *refusal) {
	var envelope struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(text, &envelope) != nil {
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "invalid request: a message is a JSON object")
	}
	id, ok := readID(envelope.ID)
	if !ok {
		return nil, refuse(id, jsonrpc.CodeInvalidRequest, "invalid request: an id is a string or a whole number within 2^53")
	}
	message, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		return nil, refuse(id, jsonrpc.CodeInvalidRequest, "invalid request: %s", strings.TrimPrefix(err.Error(), "unmarshaling jsonrpc message: "))
	}
	if r, ok := message.(*jsonrpc.Response); ok && r.Error == nil && len(r.Result) == 0 {
		return nil, refuse(id, jsonrpc.CodeInvalidRequest, "invalid request: the message has no method")
	}
	return message, nil
}

// readID returns the id to answer with, and whether the SDK gives back just that one. A message
// without an id is a notification, which is fine.
func readID(raw json.RawMessage) (json.RawMessage, bool) {
	if raw == nil || raw[0] == '"' {
		return raw, true
	}
	var number *float64
	if json.Unmarshal(raw, &number) != nil || number == nil {
		return nil, false
	}
	return raw, *number == math.Trunc(*number) && math.Abs(*number) <= maxSafeInteger
}

// splitBatch returns the messages of a valid JSON array.
func splitBatch(text []byte) ([]json.RawMessage, *refusal) {
	var out []json.RawMessage
	dec := json.NewDecoder(bytes.NewReader(text))
	if _, err := dec.Token(); err != nil {
		return nil, refuse(nil, jsonrpc.CodeParseError, "parse error: %v", err)
	}
	for dec.More() {
		if len(out) == maxBatch {
			return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "invalid request: the batch has over %d messages", maxBatch)
		}
		var element json.RawMessage
		if err := dec.Decode(&element); err != nil {
			return nil, refuse(nil, jsonrpc.CodeParseError, "parse error: %v", err)
		}
		out = append(out, element)
	}
	if len(out) == 0 {
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "invalid request: the batch is empty")
	}
	return out, nil
}
