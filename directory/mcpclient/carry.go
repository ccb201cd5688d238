package mcpclient

// This file carries answers through the SDK byte for byte: on the way in, the result of a tools/list
// or tools/call becomes an empty one that holds the real one as a text, and whole takes it out again.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// carriedField is where the text stands. A server cannot put one there: its whole result is within.
const carriedField = "codemode/whole"

// carried reports the methods whose results are carried.
func carried(method string) bool { return method == "tools/list" || method == "tools/call" }

func carry(result json.RawMessage) (json.RawMessage, error) {
	return json.Marshal(map[string]any{"tools": []any{}, "content": []any{}, "_meta": map[string]string{carriedField: string(result)}})
}

func whole(meta sdk.Meta) (json.RawMessage, error) {
	text, ok := meta[carriedField].(string)
	if !ok || !json.Valid([]byte(text)) {
		return nil, errors.New("the server's answer is not what was asked for")
	}
	return json.RawMessage(text), nil
}

// keeping is a transport that carries results; the SDK's own does the rest.
type keeping struct{ sdk.Transport }

func (k keeping) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := k.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &keepingConnection{Connection: c, open: map[jsonrpc.ID]bool{}}, nil
}

type keepingConnection struct {
	sdk.Connection
	mu   sync.Mutex
	open map[jsonrpc.ID]bool // requests whose result is carried
}

func (k *keepingConnection) Write(ctx context.Context, m jsonrpc.Message) error {
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() && carried(r.Method) {
		k.mu.Lock()
		k.open[r.ID] = true
		k.mu.Unlock()
	}
	return k.Connection.Write(ctx, m)
}

func (k *keepingConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := k.Connection.Read(ctx)
	r, ok := m.(*jsonrpc.Response)
	if err != nil || !ok {
		return m, err
	}
	k.mu.Lock()
	asked := k.open[r.ID]
	delete(k.open, r.ID)
	k.mu.Unlock()
	if asked && r.Error == nil {
		r.Result, err = carry(r.Result)
	}
	return r, err
}

// carryMessage carries the result of a JSON-RPC response in its written form; anything else stays.
func carryMessage(text []byte) ([]byte, error) {
	var m map[string]json.RawMessage
	if json.Unmarshal(text, &m) != nil || m["result"] == nil || m["method"] != nil {
		return text, nil
	}
	result, err := carry(m["result"])
	if err != nil {
		return nil, err
	}
	m["result"] = result
	return json.Marshal(m)
}

// carryEvents carries the results within server-sent events (html.spec.whatwg.org, event streams). Ids
// are dropped: the whole stream is here already, and there is nothing to take up again.
func carryEvents(stream []byte) ([]byte, error) {
	stream = bytes.ReplaceAll(bytes.ReplaceAll(stream, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
	var out bytes.Buffer
	for _, event := range bytes.Split(stream, []byte("\n\n")) {
		var data [][]byte
		for _, line := range bytes.Split(event, []byte("\n")) {
			if rest, ok := bytes.CutPrefix(line, []byte("data:")); ok {
				data = append(data, bytes.TrimPrefix(rest, []byte(" ")))
			}
		}
		if len(bytes.TrimSpace(bytes.Join(data, nil))) == 0 {
			continue
		}
		message, err := carryMessage(bytes.Join(data, []byte("\n")))
		if err != nil {
			return nil, err
		}
		out.WriteString("event: message\n")
		for _, line := range bytes.Split(message, []byte("\n")) {
			out.WriteString("data: " + string(line) + "\n")
		}
		out.WriteString("\n")
	}
	return out.Bytes(), nil
}
