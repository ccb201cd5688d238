package mcp_test

// This file tests what happens while runs go: progress, cancellation, bounds, and the real streams.

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/runtime"
	"codemode/runtime/mcp"
)

func TestProgress(t *testing.T) {
	notes := make(chan *sdk.ProgressNotificationParams, 9)
	opts := &sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, req *sdk.ProgressNotificationClientRequest) { notes <- req.Params }}
	c := connect(t, mcp.New(config(func(_ context.Context, req runtime.Request) runtime.Result {
		req.Events.Progress("half")
		req.Events.Call(runtime.CallRecord{Method: "crm.get", State: "finished"})
		return runtime.Result{State: runtime.Finished}
	})), opts)
	params := &sdk.CallToolParams{Name: "run", Arguments: map[string]any{"script": "1"}}
	params.SetProgressToken("token")
	if _, err := c.CallTool(t.Context(), params); err != nil {
		t.Fatal(err)
	}
	for i, message := range []string{"half", "call crm.get finished"} {
		if n := <-notes; n.ProgressToken != "token" || n.Progress != float64(i+1) || n.Message != message {
			t.Errorf("notification %+v, want %q", n, message)
		}
	}
}

// A script that floods, and a client that does not read, hold nobody up.
func TestProgressFlood(t *testing.T) {
	in, out := io.Pipe()
	fromServer, toClient := io.Pipe()
	ran := make(chan struct{})
	s := mcp.New(config(func(_ context.Context, req runtime.Request) runtime.Result {
		for range 100_000 {
			req.Events.Progress(strings.Repeat("x", 1000))
		}
		close(ran)
		return runtime.Result{State: runtime.Finished}
	}))
	served := make(chan error, 1)
	go func() { served <- s.Serve(context.Background(), in, toClient) }()
	go io.WriteString(out, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`+"\n"+
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"run","arguments":{"script":"1"},"_meta":{"progressToken":7}}}`+"\n")
	lines := bufio.NewScanner(fromServer)
	lines.Scan() // the answer to initialize, and no more until the run is over
	<-ran
	notes := 0
	for lines.Scan() && !strings.Contains(lines.Text(), `"id":2`) {
		notes++
		if len(lines.Text()) > 1000 {
			t.Fatalf("a notification of %d bytes", len(lines.Text()))
		}
	}
	if notes == 0 || notes > 1000 {
		t.Errorf("%d notifications, want some and at most 1000", notes)
	}
	out.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// blocking runs until its context ends.
func blocking(begun chan<- struct{}, ended chan<- struct{}) runner {
	return func(ctx context.Context, _ runtime.Request) runtime.Result {
		begun <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return runtime.Result{State: runtime.WasCancelled, Reason: runtime.ReasonCancelled}
	}
}

func TestCancel(t *testing.T) {
	begun, ended := make(chan struct{}, 9), make(chan struct{}, 9)
	t.Run("by the client", func(t *testing.T) {
		c := connect(t, mcp.New(config(blocking(begun, ended))), nil)
		ctx, cancel := context.WithCancel(t.Context())
		go func() { <-begun; cancel() }()
		if _, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "run", Arguments: map[string]any{"script": "1"}}); err == nil {
			t.Error("no error")
		}
		<-ended
	})
	t.Run("by the server", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		fromClient, toServer := io.Pipe()
		fromServer, toClient := io.Pipe()
		served := make(chan error, 1)
		go func() { served <- mcp.New(config(blocking(begun, ended))).Serve(ctx, fromClient, toClient) }()
		client, err := sdk.NewClient(&sdk.Implementation{Name: "t", Version: "1"}, nil).Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
		if err != nil {
			t.Fatal(err)
		}
		go client.CallTool(t.Context(), &sdk.CallToolParams{Name: "run", Arguments: map[string]any{"script": "1"}})
		<-begun
		cancel()
		<-ended
		if err := <-served; err != context.Canceled {
			t.Errorf("Serve ended with %v", err)
		}
		toClient.Close()
		client.Close()
	})
}

// Two clients share the places that runs have; what is over places and queue is told so.
func TestBoundedRuns(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	var mu sync.Mutex
	now, most := 0, 0
	cfg := config(func(context.Context, runtime.Request) runtime.Result {
		mu.Lock()
		now++
		most = max(most, now)
		mu.Unlock()
		begun <- struct{}{}
		<-release
		mu.Lock()
		now--
		mu.Unlock()
		return runtime.Result{State: runtime.Finished}
	})
	cfg.Limits = mcp.Limits{Runs: 2, Waiting: 1}
	s := mcp.New(cfg)
	clients := []*sdk.ClientSession{connect(t, s, nil), connect(t, s, nil)}
	answers := make(chan *sdk.CallToolResult, 4)
	send := func(c *sdk.ClientSession) {
		res, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "run", Arguments: map[string]any{"script": "1"}})
		if err != nil {
			t.Error(err)
		}
		answers <- res
	}
	go send(clients[0])
	go send(clients[1])
	<-begun
	<-begun
	go send(clients[0])
	go send(clients[1])
	res := <-answers // of the two sent last one waits and one is refused at once
	if !res.IsError {
		t.Error("a run over the queue was not refused")
	}
	want(t, textOf(t, res), "unavailable: too many runs are going on; wait for one to end")
	close(release)
	<-begun
	for range 3 {
		if res := <-answers; res.IsError {
			t.Errorf("a run failed: %s", textOf(t, res))
		}
	}
	if most != 2 {
		t.Errorf("%d runs at once, want 2", most)
	}
}

// command is this test binary as a server.
func command(ctx context.Context, t *testing.T) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), serveVariable+"=1")
	return cmd
}

func TestStdio(t *testing.T) {
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: command(t.Context(), t)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	res := call(t, c, "run", map[string]any{"script": "return 1"})
	want(t, textOf(t, res), `"script":"return 1"`)
	if err := c.Close(); err != nil {
		t.Errorf("the server did not end well: %v", err)
	}
}

// Standard output carries messages only, one a line, and nothing after the client has left.
func TestStdoutIsProtocol(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := command(ctx, t)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`+"\n"+
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"run","arguments":{"script":"1\n2"},"_meta":{"progressToken":"p"}}}`+"\n"+
		`{"jsonrpc":"2.0","id":3,"method":"no/such"}`+"\n")
	lines, answers := bufio.NewScanner(out), 0
	for answers < 3 && lines.Scan() {
		var message struct {
			JSONRPC string
			ID      *int
		}
		if err := json.Unmarshal(lines.Bytes(), &message); err != nil || message.JSONRPC != "2.0" {
			t.Fatalf("standard output has %q (%v)", lines.Text(), err)
		}
		if message.ID != nil {
			answers++
		}
	}
	in.Close()
	if lines.Scan() {
		t.Errorf("more on standard output: %q", lines.Text())
	}
	if err := cmd.Wait(); err != nil || answers != 3 || stderr.Len() > 0 {
		t.Errorf("%d answers, %v, standard error %q", answers, err, &stderr)
	}
}
