package assemble

// This file connects mcp rows to their servers. A program is only ever started because the service's
// configuration names it; an endpoint is only reached through package egress, with the origins of the
// call's grant.

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"codemode/directory/contract"
	"codemode/directory/mcpclient"
	"codemode/runtime"
	"codemode/runtime/egress"
	"codemode/runtime/invoke"
)

// MCPServer is a server that speaks over the standard streams of a program.
type MCPServer struct {
	Command string   `json:"command"`
	Args    []string `json:"args,omitempty"`
	// Env is added to PATH and HOME, which is all the program gets of this process's own environment.
	Env map[string]string `json:"env,omitempty"`
}

// maxConnections caps the connections that are kept; the one that rested longest makes room.
const maxConnections = 64

// mcpServers keeps one connection for each server, and for each set of credentials and origins that
// calls bring: a session that was opened with one grant's authority is never another's.
type mcpServers struct {
	programs map[string]MCPServer
	egress   *egress.Client

	mu          sync.Mutex
	connections map[string]*connection
	uses        int // counts calls; it is the clock of connection.used
	closed      bool
}

// connection is one server's. Its turn is held while it connects, so that a server starts once.
type connection struct {
	turn   chan struct{}
	client *mcpclient.Client // nil until connected
	calls  int               // under way
	used   int
}

func newMCPServers(programs map[string]MCPServer, client *egress.Client) *mcpServers {
	return &mcpServers{programs: programs, egress: client, connections: map[string]*connection{}}
}

// Call implements invoke.MCP. A connection that turns out dead before a call is made anew, and so is
// a session that the server no longer knows: it has not performed the call then. A call that was sent
// is never sent again.
func (m *mcpServers) Call(ctx context.Context, r invoke.MCPRequest) (json.RawMessage, error) {
	if r.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.Timeout)
		defer cancel()
	}
	conn, done, err := m.borrow(r)
	if err != nil {
		return nil, err
	}
	defer done()
	ctx = context.WithValue(ctx, tripKey{}, r)
	for attempt := 1; ; attempt++ {
		client, err := m.connected(ctx, conn, r)
		if err != nil {
			return nil, unreached(r, err)
		}
		result, err := client.Call(ctx, r.Tool, r.Args)
		if errors.Is(err, mcpclient.ErrSession) && attempt == 1 {
			client.Close()
			continue
		}
		if err != nil {
			return nil, failedCall(r, err)
		}
		return result, nil
	}
}

// borrow finds the connection of a request, or makes room for one that is not connected yet.
func (m *mcpServers) borrow(r invoke.MCPRequest) (*connection, func(), *runtime.Error) {
	key, err := connectionKey(r)
	if err != nil {
		return nil, nil, runtime.AsError(err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, nil, runtime.Errorf(runtime.Unavailable, "the service is closing")
	}
	conn := m.connections[key]
	if conn == nil {
		m.makeRoom()
		conn = &connection{turn: make(chan struct{}, 1)}
		m.connections[key] = conn
	}
	m.uses++
	conn.calls, conn.used = conn.calls+1, m.uses
	return conn, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		conn.calls--
	}, nil
}

// makeRoom ends the connection that rested longest, where there are too many. Those that are in use
// stay, even if that is more than the cap.
func (m *mcpServers) makeRoom() {
	if len(m.connections) < maxConnections {
		return
	}
	idle := slices.DeleteFunc(slices.Collect(maps.Keys(m.connections)), func(k string) bool { return m.connections[k].calls > 0 })
	if len(idle) == 0 {
		return
	}
	oldest := slices.MinFunc(idle, func(a, b string) int { return cmp.Compare(m.connections[a].used, m.connections[b].used) })
	if client := m.connections[oldest].client; client != nil {
		go client.Close()
	}
	delete(m.connections, oldest)
}

// connectionKey tells connections apart; credentials stand in it as a digest only.
func connectionKey(r invoke.MCPRequest) (string, error) {
	allowed := slices.Sorted(slices.Values(r.Allowed))
	raw, err := json.Marshal([]any{r.Server, r.Header, slices.Compact(allowed)})
	return contract.Digest(raw), err
}

// connected is the client of a connection, made where there is none that lives.
func (m *mcpServers) connected(ctx context.Context, conn *connection, r invoke.MCPRequest) (*mcpclient.Client, error) {
	select {
	case conn.turn <- struct{}{}:
		defer func() { <-conn.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	m.mu.Lock()
	have := conn.client
	m.mu.Unlock()
	if have != nil && have.Alive() {
		return have, nil
	}
	if have != nil {
		have.Close()
	}
	server, err := m.server(r)
	if err != nil {
		return nil, err
	}
	client, err := mcpclient.Connect(ctx, server, mcpclient.Limits{})
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		go client.Close()
		return nil, runtime.Errorf(runtime.Unavailable, "the service is closing")
	}
	conn.client = client
	return client, nil
}

// server says how a request's server is reached.
func (m *mcpServers) server(r invoke.MCPRequest) (mcpclient.Server, error) {
	if strings.Contains(r.Server, "://") {
		return mcpclient.Server{URL: r.Server, HTTP: &trip{m.egress, r}}, nil
	}
	p, ok := m.programs[r.Server]
	if !ok || p.Command == "" {
		return mcpclient.Server{}, runtime.Errorf(runtime.Unavailable, "this service knows no MCP server called %.100q", r.Server).
			WithHint("the operator must configure it")
	}
	env := mcpclient.BaseEnv()
	for _, name := range slices.Sorted(maps.Keys(p.Env)) {
		env = append(env, name+"="+p.Env[name])
	}
	return mcpclient.Server{Command: append([]string{p.Command}, p.Args...), Env: env}, nil
}

// Close ends every connection and waits for the programs.
func (m *mcpServers) Close() error {
	m.mu.Lock()
	m.closed = true
	var clients []*mcpclient.Client
	for _, c := range m.connections {
		if c.client != nil {
			clients = append(clients, c.client)
		}
	}
	m.connections = map[string]*connection{}
	m.mu.Unlock()
	var wait sync.WaitGroup
	for _, c := range clients {
		wait.Go(func() { c.Close() })
	}
	wait.Wait()
	return nil
}

// trip sends what the SDK asks for through the policy of the connection's grant.
type trip struct {
	egress *egress.Client
	r      invoke.MCPRequest // the one that opened the connection
}

// tripKey holds, in the context, the request that is being performed: its scrubber is its own.
type tripKey struct{}

// maxTripBytes caps one answer of an endpoint.
const maxTripBytes = 16 << 20

func (t *trip) RoundTrip(req *http.Request) (*http.Response, error) {
	now, _ := req.Context().Value(tripKey{}).(invoke.MCPRequest)
	out := egress.Request{
		Method: req.Method, URL: req.URL.String(), Header: maps.Clone(t.r.Header), Allowed: t.r.Allowed,
		MaxResponseBytes: maxTripBytes, Timeout: t.r.Timeout, Scrub: now.Scrub,
	}
	if out.Header == nil {
		out.Header = map[string]string{}
	}
	for name := range req.Header {
		if out.Header[name] == "" {
			out.Header[name] = req.Header.Get(name)
		}
	}
	if req.Body != nil {
		body, err := io.ReadAll(req.Body)
		req.Body.Close()
		if err != nil {
			return nil, err
		}
		out.Body = body
	}
	reply, err := t.egress.Do(req.Context(), out)
	if err != nil {
		return answered(req, err)
	}
	return response(req, reply.Status, reply.Header, reply.Body), nil
}

// answered makes a response of an error that is one: the protocol gives statuses a meaning.
func answered(req *http.Request, err error) (*http.Response, error) {
	var known *runtime.Error
	if errors.As(err, &known) && known.Status/100 > 3 && known.Code != runtime.OutcomeUnknown {
		return response(req, known.Status, http.Header{"Content-Type": {"text/plain"}}, []byte(known.Detail)), nil
	}
	return nil, err
}

func response(req *http.Request, status int, header http.Header, body []byte) *http.Response {
	return &http.Response{
		StatusCode: status, Status: strconv.Itoa(status) + " " + http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: req,
	}
}

// unreached is the error of a server that could not be connected to: nothing was called.
func unreached(r invoke.MCPRequest, err error) *runtime.Error {
	var known *runtime.Error
	switch {
	case errors.As(err, &known) && known.Code != runtime.OutcomeUnknown && known.Code != runtime.InvalidArgument:
		return known
	case errors.Is(err, context.DeadlineExceeded):
		return runtime.Errorf(runtime.Timeout, "the MCP server of this tool did not come up in time; nothing was called").WithHint("try again later")
	case errors.Is(err, context.Canceled):
		return runtime.Errorf(runtime.Cancelled, "the call was cancelled before anything was sent")
	}
	out := runtime.Errorf(runtime.Unavailable, "the MCP server of this tool cannot be reached; nothing was called").WithHint("try again later").WithCause(err)
	var status *mcpclient.StatusError
	if errors.As(err, &status) {
		out.Status, out.Detail = status.Status, status.Body
	}
	return out
}

// failedCall is the error of a call that was begun. What it did is unknown where no answer came.
func failedCall(r invoke.MCPRequest, err error) *runtime.Error {
	var status *mcpclient.StatusError
	var server *mcpclient.ServerError
	var known *runtime.Error
	switch {
	case errors.As(err, &status):
		out := runtime.Errorf(runtime.CodeOfStatus(status.Status), "the MCP server of this tool answered %d %s", status.Status, http.StatusText(status.Status))
		out.Status, out.Detail = status.Status, status.Body
		return out
	case errors.As(err, &server):
		return serverError(r, server)
	case errors.Is(err, mcpclient.ErrTooLarge):
		return runtime.Errorf(runtime.ResultTooLarge, "the answer of the MCP server is too large").WithHint("ask for less: a page, a filter, fewer fields")
	case errors.As(err, &known) && known.Code != runtime.OutcomeUnknown:
		return known
	case !r.Read:
		return runtime.Errorf(runtime.OutcomeUnknown, "the call was sent to the MCP server and no answer came").
			WithHint("it may have taken effect: read it back before trying again").WithCause(err)
	case errors.Is(err, context.DeadlineExceeded):
		return runtime.Errorf(runtime.Timeout, "the MCP server did not answer in time").WithHint("try again later, or ask for less").WithCause(err)
	case errors.Is(err, context.Canceled):
		return runtime.Errorf(runtime.Cancelled, "the call to the MCP server was cancelled").WithCause(err)
	}
	return runtime.Errorf(runtime.Unavailable, "the MCP server went away before it answered").WithHint("try again").WithCause(err)
}

// invalidParams is JSON-RPC's code for them; servers answer so to tools they do not know, too.
const invalidParams = -32602

func serverError(r invoke.MCPRequest, err *mcpclient.ServerError) *runtime.Error {
	code := runtime.RemoteFailed
	if err.Code == invalidParams {
		code = runtime.InvalidArgument
	}
	out := runtime.Errorf(code, "the MCP server refused the call (error %d)", err.Code)
	words := err.Message
	if r.Scrub != nil {
		words = r.Scrub(words)
	}
	out.Detail = plain(words)
	return out
}

// plain is a server's own words without control characters, cut to size.
func plain(words string) string {
	words = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(words, "\uFFFD"))
	if len(words) > 2<<10 {
		words = strings.ToValidUTF8(words[:2<<10], "") + "..."
	}
	return strings.TrimSpace(words)
}
