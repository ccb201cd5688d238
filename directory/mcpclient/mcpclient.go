// Package mcpclient is the one MCP client: it connects to a server, lists its tools and calls them.
//
//	client, err := mcpclient.Connect(ctx, mcpclient.Server{Command: []string{"npx", "some-server"}}, mcpclient.Limits{})
//	defer client.Close()
//	page, err := client.Page(ctx, "")
//	result, err := client.Call(ctx, "find", []byte(`{"words":"rent"}`))
//
// The protocol (modelcontextprotocol.io/specification) is the official SDK's, over the standard
// streams of a process or over streamable HTTP. What a server answers to tools/list and tools/call is
// handed on byte for byte, because the SDK decodes it into values that round integers above 2^53 and
// forget the order of a schema: an answer passes through the SDK as a text (see carry.go).
//
// A process is started from the words its caller gives and from nothing else, without a shell, and what
// it started ends with it: its process group, and on Linux whatever still has the mark in its environment
// that the process was given. A process that left the group and dropped its environment outlives it, as
// does one that left the group on other systems. Over HTTP every request leaves through the
// http.RoundTripper given, so that whoever connects decides what may be reached; redirects are followed
// within the server's origin only.
//
// It offers a server nothing: no roots, sampling or elicitation. A server that asks for something in
// the middle of a call over HTTP is not heard before its answer has ended, and so runs into the
// call's deadline. It retries nothing and keeps no list of tools.
package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Server says where a server is. Exactly one of Command and URL is set.
type Server struct {
	// Command is a program and its arguments, spoken to over its standard input and output.
	Command []string
	// Env is the program's environment, as "NAME=value"; nil means BaseEnv. Beside it the program has only
	// CODEMODE_MCP_PROCESS, by which what it starts is found when it ends.
	Env []string
	// URL is the endpoint of a server that speaks streamable HTTP.
	URL string
	// HTTP sends the requests to URL; nil means http.DefaultTransport.
	HTTP http.RoundTripper
}

// Limits bound a connection. The zero value is the documented defaults.
type Limits struct {
	// MaxMessageBytes caps one message of the server; 0 means 16 MiB. A larger one ends the connection
	// with ErrTooLarge.
	MaxMessageBytes int
	// ConnectTimeout bounds the start of the process and the handshake; 0 means 30 s.
	ConnectTimeout time.Duration
	// CloseTimeout is how long a process may take to end by itself; 0 means 2 s. It is killed then.
	CloseTimeout time.Duration
}

func (l Limits) withDefaults() Limits {
	if l.MaxMessageBytes <= 0 {
		l.MaxMessageBytes = 16 << 20
	}
	if l.ConnectTimeout <= 0 {
		l.ConnectTimeout = 30 * time.Second
	}
	if l.CloseTimeout <= 0 {
		l.CloseTimeout = 2 * time.Second
	}
	return l
}

// Errors that callers tell apart. A context that ended is the context's own error.
var (
	// ErrClosed says that the connection is gone: the process ended, or it was closed here.
	ErrClosed = errors.New("the connection to the server is closed")
	// ErrSession says that the server no longer knows the session, and so has not performed the request;
	// a new connection is needed (specification, session management).
	ErrSession = errors.New("the server no longer knows the session")
	// ErrRedirect says that the server sent a request on to another origin.
	ErrRedirect = errors.New("the server redirects to another origin")
	// ErrTooLarge says that the server sent a message over the limit.
	ErrTooLarge = errors.New("the server sent a message that is too large")
)

// ServerError is an answer of the server that is a JSON-RPC error.
type ServerError struct {
	Code    int64
	Message string // the server's own words: not trusted, not cut
}

func (e *ServerError) Error() string { return fmt.Sprintf("the server answered with error %d", e.Code) }

// Client is one connection. It is safe for concurrent use.
type Client struct {
	session *sdk.ClientSession
	process *process // nil over HTTP
	closed  chan struct{}
	dead    atomic.Bool // closed here
	once    sync.Once
}

// Connect opens a connection and shakes hands. Errors: a server that is none or cannot be started,
// ErrTooLarge, ErrClosed, ErrRedirect, *ServerError, *StatusError, what Server.HTTP returned, and the context's own.
func Connect(ctx context.Context, s Server, limits Limits) (*Client, error) {
	limits = limits.withDefaults()
	ctx, cancel := context.WithTimeout(ctx, limits.ConnectTimeout)
	defer cancel()
	c, err := open(ctx, s, limits, firstVersion(s))
	var refused *ServerError
	if errors.As(err, &refused) && firstVersion(s) != "" {
		if again, err := open(ctx, s, limits, ""); err == nil {
			return again, nil
		}
	}
	return c, err
}

// firstVersion is the protocol version that the handshake begins with, "" for the SDK's latest. From
// 2026-07-28 on a client asks server/discover before anything else, and a program that passes over what it
// does not know answers nothing, so a program is asked to initialize first: one that is newer must refuse
// that with an error (specification, version negotiation), and is started again for the newer handshake.
// Over HTTP a request has an answer of its own, and the SDK falls back by it.
func firstVersion(s Server) string {
	if len(s.Command) > 0 {
		return "2025-11-25"
	}
	return ""
}

// open makes one attempt at a connection.
func open(ctx context.Context, s Server, limits Limits, version string) (*Client, error) {
	c := &Client{closed: make(chan struct{})}
	transport, err := c.transport(s, limits)
	if err != nil {
		return nil, err
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "codemode", Version: "1"}, &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}})
	f := &failure{}
	session, err := client.Connect(context.WithValue(ctx, failureKey{}, f), transport, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		err = c.explain(ctx, err, f)
		if c.process != nil {
			c.process.stop() // before it is asked what it said: all of that is here then
			if said := c.process.errors.String(); said != "" {
				err = fmt.Errorf("%w; it said: %s", err, said)
			}
		}
		return nil, err
	}
	c.session = session
	go func() {
		session.Wait()
		close(c.closed)
	}()
	return c, nil
}

func (c *Client) transport(s Server, limits Limits) (sdk.Transport, error) {
	switch {
	case len(s.Command) > 0 && s.URL == "":
		p, err := start(s, limits)
		if err != nil {
			return nil, err
		}
		c.process = p
		return keeping{&sdk.IOTransport{Reader: p.stdout, Writer: p.stdin, MaxLineLength: -1}}, nil
	case len(s.Command) == 0 && s.URL != "":
		u, err := url.Parse(s.URL)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
			return nil, errors.New("a server's url is http or https, with a host and without user information")
		}
		base := s.HTTP
		if base == nil {
			base = http.DefaultTransport
		}
		return &sdk.StreamableClientTransport{
			Endpoint: s.URL, HTTPClient: &http.Client{Transport: &keepingHTTP{base, limits.MaxMessageBytes}, CheckRedirect: sameOrigin},
			MaxRetries: -1, DisableStandaloneSSE: true,
		}, nil
	}
	return nil, errors.New("a server is either a command or a url")
}

// Name is what the server calls itself: its own word, not trusted.
func (c *Client) Name() string {
	if r := c.session.InitializeResult(); r != nil && r.ServerInfo != nil {
		return r.ServerInfo.Name
	}
	return ""
}

// Page is one page of the tools, as the server wrote them, and the cursor of the next, "" at the end.
// Errors are those of Connect.
func (c *Client) Page(ctx context.Context, cursor string) (tools []json.RawMessage, next string, err error) {
	f := &failure{}
	result, err := c.session.ListTools(context.WithValue(ctx, failureKey{}, f), &sdk.ListToolsParams{Cursor: cursor})
	if err != nil {
		return nil, "", c.explain(ctx, err, f)
	}
	raw, err := whole(result.Meta)
	if err != nil {
		return nil, "", err
	}
	var page struct {
		Tools  []json.RawMessage `json:"tools"`
		Cursor *string           `json:"nextCursor"`
	}
	if err := json.Unmarshal(raw, &page); err != nil {
		return nil, "", errors.New("the server's answer to tools/list is no list of tools")
	}
	if page.Cursor != nil {
		next = *page.Cursor
	}
	return page.Tools, next, nil
}

// Call calls a tool with an object of arguments, sent byte for byte, and returns the whole result of
// tools/call as it came: content, structuredContent, isError. Errors are those of Connect.
func (c *Client) Call(ctx context.Context, tool string, args json.RawMessage) (json.RawMessage, error) {
	f := &failure{}
	result, err := c.session.CallTool(context.WithValue(ctx, failureKey{}, f), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return nil, c.explain(ctx, err, f)
	}
	return whole(result.Meta)
}

// Alive reports whether the connection still stands, as far as is known here.
func (c *Client) Alive() bool {
	if c.dead.Load() {
		return false
	}
	select {
	case <-c.closed:
		return false
	default:
		return true
	}
}

// Close ends the session, and the process with everything it started.
func (c *Client) Close() error {
	c.dead.Store(true)
	c.once.Do(func() {
		if c.process != nil {
			c.process.stop()
		}
		c.session.Close() // fails where the other side is gone already, which is what is wanted
	})
	return nil
}

// explain tells apart what ended a request.
func (c *Client) explain(ctx context.Context, err error, f *failure) error {
	var answered *jsonrpc.Error
	switch {
	case f.get() != nil:
		return f.get()
	case ctx.Err() != nil:
		return ctx.Err()
	case c.process != nil && c.process.stdout.tooLong():
		return ErrTooLarge
	case errors.Is(err, sdk.ErrSessionMissing):
		return ErrSession
	case errors.Is(err, sdk.ErrConnectionClosed):
		c.dead.Store(true) // known from here on, before the process is waited for
		return ErrClosed
	case errors.As(err, &answered): // the process may have ended since: a refused handshake ends it
		return &ServerError{Code: answered.Code, Message: answered.Message}
	case c.process != nil && c.process.ended():
		c.dead.Store(true)
		return ErrClosed
	}
	return err
}
