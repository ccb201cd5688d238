// Package mcp is the one MCP server: it offers a directory to an agent as three tools, search, run and resume.
//
//	server := mcp.New(mcp.Config{
//		Runner: service, Grants: grants, Contracts: contracts,
//		Search: index.Query, Declare: declare, Entry: entry, Count: counter.Count,
//	})
//	err := server.Serve(ctx, os.Stdin, os.Stdout)
//
// The protocol is the Model Context Protocol (modelcontextprotocol.io/specification) over lines of
// JSON-RPC. An agent reads the index of granted methods in the server's instructions, searches for
// declarations, and sends one script; what comes back is the run's answer, as text and as structured
// content. A run that asks a person ends in its questions, and is resumed once they are answered, which no
// agent can do. Only what the grants allow is ever named.
//
// The package runs, checks and decides nothing itself, and it offers no method as a tool of its own:
// a script is the one way to call.
package mcp

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync/atomic"
	"syscall"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/directory/contract"
	"codemode/directory/search"
	"codemode/runtime"
)

// Runner takes a script to its result, or to the questions that it waits for. All that goes wrong is in the
// Result.
type Runner interface {
	Run(ctx context.Context, req runtime.Request) runtime.Result
	// ResumeUnder goes on with a run that was begun under exactly these grants.
	ResumeUnder(ctx context.Context, grants []runtime.Grant, runID string, events runtime.Events) runtime.Result
	// Artifact returns the bytes of one of a Result's artifacts.
	Artifact(ctx context.Context, sha256 string) ([]byte, *runtime.Error)
}

// Config says what a server offers. Runner, Search, Declare, Entry and Count must be set.
type Config struct {
	Runner Runner
	// Grants are what every run of this server may use; none offers nothing.
	Grants []runtime.Grant
	// Contracts is the directory. The server offers those that a grant covers.
	Contracts []contract.Contract
	// Search ranks for a query in words or a name: the best first, at most limit. What the grants do
	// not cover is dropped from its answer; of a page of documentation they cover the key.
	Search func(query string, limit int) []search.Hit
	// Declare writes the complete declaration of a method, Entry says what the index has of it.
	Declare func(contract.Contract) string
	Entry   func(contract.Contract) search.Entry
	// Limited are the limits that every run is held to, such as "wall_ms 30000".
	Limited []string
	// Packages are those that scripts may import, such as "lodash-es@4.17.21".
	Packages []string
	// Count is what a text costs in tokens.
	Count func(string) int
	// Check is the mode of every run; "" means runtime.CheckTools.
	Check   runtime.CheckMode
	Limits  Limits
	Version string           // of the program; "" means "devel"
	Now     func() time.Time // the clock that ends grants; nil means time.Now
	Log     *slog.Logger     // private; nil discards
}

// Limits bound what a client may ask and is told. Zero means the default.
type Limits struct {
	ScriptBytes int // of one script; default 256 KiB
	InputBytes  int // of all input files of a run; default 4 MiB
	Inputs      int // input files of a run; default 50
	Runs        int // going on at once, over all clients; default 4
	Waiting     int // runs that wait for their turn; default 16, further ones are refused
	IndexTokens int // of the index in the instructions; default 1,000
	// SearchTokens is what a search's answer takes at most where the caller does not say, default
	// 3,000; MaxSearchTokens is what a caller may ask for, default 20,000.
	SearchTokens, MaxSearchTokens int
	// TextBytes is how much of a run's result, of its console and of its files the answer repeats as
	// text, each; default 8 KiB. Structured content has them whole.
	TextBytes int
	// FileBytes is the largest text artifact that the answer holds the content of, FilesBytes that of
	// all of them; defaults 32 KiB and 64 KiB.
	FileBytes, FilesBytes int
}

func (l Limits) orDefault() Limits {
	fill := func(n *int, def int) {
		if *n <= 0 {
			*n = def
		}
	}
	fill(&l.ScriptBytes, 256<<10)
	fill(&l.InputBytes, 4<<20)
	fill(&l.Inputs, 50)
	fill(&l.Runs, 4)
	fill(&l.Waiting, 16)
	fill(&l.IndexTokens, 1000)
	fill(&l.SearchTokens, 3000)
	fill(&l.MaxSearchTokens, 20_000)
	fill(&l.TextBytes, 8<<10)
	fill(&l.FileBytes, 32<<10)
	fill(&l.FilesBytes, 64<<10)
	return l
}

// maxEscape is how many bytes JSON may take for one of text: \u0000.
const maxEscape = 6

// messageBytes caps one message of a client: the largest run, however it is escaped.
func (l Limits) messageBytes() int { return maxEscape*(l.ScriptBytes+l.InputBytes) + 64<<10 }

// Server offers a directory. It is safe for concurrent use and may serve several clients at once,
// each by a call of Serve; the bound on runs is over all of them.
type Server struct {
	c       Config
	slots   chan struct{} // one for each run going on
	waiting atomic.Int64  // runs that go on or wait
}

// New makes a server. It starts nothing.
func New(c Config) *Server {
	c.Limits = c.Limits.orDefault()
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Version == "" {
		c.Version = "devel"
	}
	return &Server{c: c, slots: make(chan struct{}, c.Limits.Runs)}
}

// Serve answers one client until the client leaves, which is no error, or ctx ends, which is. It
// returns when the client's runs are over: at the end of in they go on to their answers, within
// their own limits; when a write to out fails, or ctx ends, they are cancelled. A line that is no
// message is answered with a JSON-RPC error and the next one read. Out carries the protocol and
// nothing else; neither stream is closed.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	stream := newStream(in, out, s.c.Limits.messageBytes())
	defer stream.Close()
	err := s.protocol(ctx).Run(ctx, stream)
	if left(err) {
		return nil
	}
	return err
}

// left reports the errors of streams whose other end is gone.
func left(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) || errors.Is(err, syscall.EPIPE)
}

// protocol is a server of the SDK whose runs end with ctx: the SDK itself lets them go on.
func (s *Server) protocol(ctx context.Context) *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: "codemode", Title: "codemode", Version: s.c.Version}, &sdk.ServerOptions{
		Instructions: s.instructions(),
		Logger:       s.c.Log,
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
	})
	server.AddTool(s.searchTool(), within(ctx, s.search))
	server.AddTool(s.runTool(), within(ctx, s.run))
	server.AddTool(s.resumeTool(), within(ctx, s.resume))
	return server
}

// within ends a handler's context with ctx too.
func within(ctx context.Context, handle sdk.ToolHandler) sdk.ToolHandler {
	return func(call context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		call, cancel := context.WithCancel(call)
		defer cancel()
		defer context.AfterFunc(ctx, cancel)()
		return handle(call, req)
	}
}

// failure is an answer that says what is wrong with the request, for the model to mend.
func failure(err *runtime.Error) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: err.Error()}}}
}
