package mcp_test

// This file sends the server what clients should not send, and takes the streams away from it.

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	goruntime "runtime"
	"strings"
	"syscall"
	"testing"

	"codemode/runtime"
	"codemode/runtime/mcp"
)

// hello begins a session of a protocol version.
func hello(version string) string {
	return `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
}

// runOf is a request to run a script.
func runOf(id, script string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"run","arguments":{"script":"` + script + `"}}}`
}

// reply is what stands in an answer.
type reply struct {
	JSONRPC string
	ID      json.RawMessage
	Result  *struct{ StructuredContent struct{ State string } }
	Error   *struct {
		Code    int
		Message string
	}
}

func (r reply) String() string {
	if r.Error != nil {
		return fmt.Sprintf("%s: %d %s", r.ID, r.Error.Code, r.Error.Message)
	}
	if r.Result != nil && r.Result.StructuredContent.State != "" {
		return fmt.Sprintf("%s: %s", r.ID, r.Result.StructuredContent.State)
	}
	return fmt.Sprintf("%s: ok", r.ID)
}

// replies reads a server's whole output: answers, one a line, those to a batch in an array.
func replies(t *testing.T, out string) (all []reply, batches int) {
	t.Helper()
	for text := range strings.Lines(out) {
		var one reply
		var many []reply
		switch {
		case text[0] == '[' && json.Unmarshal([]byte(text), &many) == nil:
			batches++
		case json.Unmarshal([]byte(text), &one) == nil:
			many = []reply{one}
		default:
			t.Fatalf("the output has %q", text)
		}
		for _, r := range many {
			if r.JSONRPC != "2.0" || r.ID == nil {
				t.Errorf("no JSON-RPC answer: %s", text)
			}
		}
		all = append(all, many...)
	}
	return all, batches
}

// hostile are lines and how the answer to each begins; "" is none. The SDK's engine answers some.
var hostile = []struct {
	name, line, want string
	engine           bool
}{
	{"no JSON", "not json", "null: -32700 parse error: invalid character 'o'", false},
	{"cut", `{"jsonrpc":"2.0","id":7`, "null: -32700 parse error: unexpected end", false},
	{"two values", `{}{}`, "null: -32700 parse error: invalid character '{' after top-level", false},
	{"NUL", "\x00\x00\x00", "null: -32700 parse error", false},
	{"NUL within", "{\"jsonrpc\":\"2.0\",\x00\"id\":7}", "null: -32700 parse error", false},
	{"no UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\xff\"}", "null: -32700 parse error: the line is not UTF-8", false},
	{"byte order mark", "\ufeff{}", "null: -32700 parse error", false},
	{"deep", strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000), "null: -32700 parse error", false},
	{"deep params", `{"jsonrpc":"2.0","id":7,"method":"ping","params":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`, "7: -32600 invalid request", false},
	{"blank", " \t ", "", false},
	{"null", `null`, "null: -32600 invalid request", false},
	{"number", `12`, "null: -32600 invalid request: a message is a JSON object", false},
	{"empty object", `{}`, "null: -32600 invalid request", false},
	{"no version", `{"id":7,"method":"ping"}`, "7: -32600 invalid request", false},
	{"other version", `{"jsonrpc":"1.0","id":"a","method":"ping"}`, `"a": -32600 invalid request`, false},
	{"no method", `{"jsonrpc":"2.0","id":7}`, "7: -32600 invalid request: the message has no method", false},
	{"no method or id", `{"jsonrpc":"2.0"}`, "null: -32600 invalid request", false},
	{"method of another type", `{"jsonrpc":"2.0","id":7,"method":{}}`, "7: -32600 invalid request", false},
	{"id null", runOf("null", "1"), "null: -32600 invalid request: an id is", false},
	{"id an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, "null: -32600 invalid request: an id is", false},
	{"id a fraction", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, "1.5: -32600 invalid request: an id is", false},
	{"id too large", `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, "9007199254740993: -32600 invalid request: an id is", false},
	{"method unknown", `{"jsonrpc":"2.0","id":7,"method":"no/such"}`, "7: -32601", true},
	{"params of another type", `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":3}`, "8: -32602", true},
	{"answer to nothing", `{"jsonrpc":"2.0","id":7,"result":{}}`, "", false},
	{"notification unknown", `{"jsonrpc":"2.0","method":"no/such"}`, "", false},
	{"batch", `[` + runOf("7", "1") + `]`, "null: -32600 invalid request: batches are part of protocol version 2025-03-26 only", false},
	{"empty batch", `[]`, "null: -32600 invalid request: batches", false},
}

// Whatever a line is, it is answered and the next one is served: before the session has begun, within
// it, and as a last line without an end.
func TestHostileLines(t *testing.T) {
	for _, tt := range hostile {
		t.Run(tt.name, func(t *testing.T) {
			parts, times := []string{hello("2025-06-18"), tt.line + "\r\n", runOf("99", "1") + "\n"}, 1
			if !tt.engine {
				parts, times = append(append([]string{tt.line + "\n"}, parts...), tt.line), 3
			}
			if tt.want == "" {
				times = 0
			}
			var out bytes.Buffer
			if err := mcp.New(config(echo)).Serve(t.Context(), strings.NewReader(strings.Join(parts, "")), &out); err != nil {
				t.Fatal(err)
			}
			all, _ := replies(t, out.String())
			answered := 0
			for _, r := range all {
				if tt.want != "" && strings.HasPrefix(r.String(), tt.want) {
					answered++
				}
			}
			want(t, fmt.Sprint(all), "99: finished", `"hello": ok`)
			if answered != times || len(all) != times+2 {
				t.Errorf("answered %d times, want %d:\n%s", answered, times, &out)
			}
		})
	}
}

func TestSameID(t *testing.T) {
	begun, release := make(chan struct{}, 2), make(chan struct{})
	in, client := io.Pipe()
	fromServer, out := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- mcp.New(config(gate(begun, release))).Serve(context.Background(), in, out)
		out.Close()
	}()
	go io.WriteString(client, hello("2025-06-18"))
	answers := bufio.NewScanner(fromServer)
	answers.Scan() // to hello
	go io.WriteString(client, runOf("1", "1")+"\n"+runOf("1", "1")+"\n")
	for _, wanted := range []string{`"id":null,"error":{"code":-32600,"message":"invalid request: the id 1 belongs to a request under way"}`, `"id":1,"result"`} {
		answers.Scan()
		want(t, answers.Text(), wanted)
		if strings.Contains(wanted, "null") {
			close(release)
		}
	}
	go io.WriteString(client, runOf("1", "1")+"\n") // it is free again
	answers.Scan()
	want(t, answers.Text(), `"id":1,"result"`)
	client.Close()
	if err := <-served; err != nil || answers.Scan() {
		t.Errorf("Serve ended with %v, after it: %q", err, answers.Text())
	}
}

func TestBatches(t *testing.T) {
	note := `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`
	tests := []struct {
		name, version, batch string
		want                 []string // among the answers
		batches              int
	}{
		{"taken", "2025-03-26", "[" + runOf("1", "1") + "," + note + "," + note + "," + runOf(`"b"`, "2") + "]", []string{"1: finished", `"b": finished`}, 1},
		{"some are none", "2025-03-26", "[1," + runOf("1", "1") + `,{"jsonrpc":"2.0","id":5}]`, []string{"null: -32600", "5: -32600", "1: finished"}, 1},
		{"none is one", "2025-03-26", "[1,{}]", []string{"null: -32600 invalid request: a message is a JSON object"}, 1},
		{"same id", "2025-03-26", "[" + runOf("1", "1") + "," + runOf("1", "2") + "]", []string{"null: -32600 invalid request: the id 1", "1: finished"}, 1},
		{"notifications", "2025-03-26", "[" + note + "]", nil, 0},
		{"empty", "2025-03-26", "[]", []string{"null: -32600 invalid request: the batch is empty"}, 0},
		{"large", "2025-03-26", "[0" + strings.Repeat(",0", 100_000) + "]", []string{"null: -32600 invalid request: the batch has over 100 messages"}, 0},
		{"initialize", "2025-03-26", "[" + strings.TrimSpace(strings.SplitAfter(hello("2025-03-26"), "\n")[0]) + "]", []string{"null: -32600 invalid request: initialize must not"}, 1},
		{"before them", "2024-11-05", "[" + runOf("1", "1") + "]", []string{"null: -32600 invalid request: batches are part"}, 0},
		{"after them", "2025-11-25", "[" + runOf("1", "1") + "]", []string{"null: -32600 invalid request: batches are part"}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			in := hello(tt.version) + tt.batch + "\n" + runOf("99", "1") + "\n"
			if err := mcp.New(config(echo)).Serve(t.Context(), strings.NewReader(in), &out); err != nil {
				t.Fatal(err)
			}
			all, batches := replies(t, out.String())
			want(t, fmt.Sprint(all), append(tt.want, "99: finished")...)
			if batches != tt.batches {
				t.Errorf("%d answers are arrays, want %d:\n%s", batches, tt.batches, &out)
			}
		})
	}
}

// flood is a stream of one line that never was in memory.
type flood struct{ left int }

var xs = bytes.Repeat([]byte("x"), 64<<10)

func (f *flood) Read(p []byte) (int, error) {
	if f.left == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), f.left)], xs)
	f.left -= n
	return n, nil
}

func TestHugeLine(t *testing.T) {
	cfg := config(echo)
	cfg.Limits = mcp.Limits{ScriptBytes: 1000, InputBytes: 1000}
	in := io.MultiReader(strings.NewReader(hello("2025-06-18")), &flood{256 << 20}, strings.NewReader("\n"+runOf("99", "1")+"\n"), &flood{1 << 20})
	var out bytes.Buffer
	var before, after goruntime.MemStats
	goruntime.ReadMemStats(&before)
	if err := mcp.New(cfg).Serve(t.Context(), in, &out); err != nil {
		t.Fatal(err)
	}
	goruntime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 16<<20 {
		t.Errorf("%d bytes were allocated for a line that is not kept", took)
	}
	all, _ := replies(t, out.String())
	want(t, fmt.Sprint(all), "null: -32600 invalid request: the line is over 77536 bytes", "99: finished")
	if len(all) != 4 {
		t.Errorf("answers %v, want 4", all)
	}
}

// The largest run that is allowed gets through, and a byte more than the line's limit does not.
func TestLineLimit(t *testing.T) {
	cfg := config(echo)
	cfg.Limits = mcp.Limits{ScriptBytes: 100, InputBytes: 100}
	const limit = 6*200 + 64<<10
	for over, wanted := range map[int]string{0: "1: finished", 1: "null: -32600"} {
		script := strings.Repeat(`\u0001`, 100)
		text := runOf("1", script)
		text += strings.Repeat(" ", limit-len(text)+over)
		var out bytes.Buffer
		if err := mcp.New(cfg).Serve(t.Context(), strings.NewReader(hello("2025-06-18")+text+"\n"), &out); err != nil {
			t.Fatal(err)
		}
		all, _ := replies(t, out.String())
		want(t, fmt.Sprint(all), wanted)
	}
}

// gate is a Runner that tells when a run began, and ends it when told to or when it is cancelled.
func gate(begun chan<- struct{}, release <-chan struct{}) runner {
	return func(ctx context.Context, req runtime.Request) runtime.Result {
		begun <- struct{}{}
		if req.Events.Progress != nil {
			req.Events.Progress("begun")
		}
		select {
		case <-release:
			return runtime.Result{State: runtime.Finished}
		case <-ctx.Done():
			return runtime.Result{State: runtime.WasCancelled, Reason: runtime.ReasonCancelled}
		}
	}
}

// At the end of the input runs go on, those that wait for their turn too.
func TestEndOfInput(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	cfg := config(gate(begun, release))
	cfg.Limits = mcp.Limits{Runs: 1}
	in, client := io.Pipe()
	var out bytes.Buffer
	served := make(chan error, 1)
	go func() { served <- mcp.New(cfg).Serve(context.Background(), in, &out) }()
	io.WriteString(client, hello("2025-06-18")+runOf("1", "1")+"\n"+runOf("2", "1")) // the last line has no end
	client.Close()
	<-begun
	release <- struct{}{}
	<-begun
	select {
	case err := <-served:
		t.Fatalf("Serve ended before the runs did: %v", err)
	default:
	}
	release <- struct{}{}
	if err := <-served; err != nil {
		t.Fatal(err)
	}
	all, _ := replies(t, out.String())
	want(t, fmt.Sprint(all), "1: finished", "2: finished")
}

// A subscription has no end of its own, so it holds nobody up.
func TestEndOfInputWithSubscription(t *testing.T) {
	in := `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}` + "\n"
	var out bytes.Buffer
	if err := mcp.New(config(echo)).Serve(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
}

// brokenAfter takes so many writes and then fails as a pipe without a reader does.
type brokenAfter struct{ left int }

func (b *brokenAfter) Write(p []byte) (int, error) {
	if b.left--; b.left < 0 {
		return 0, syscall.EPIPE
	}
	return len(p), nil
}

// A client that reads no more has its runs cancelled, whether its input has ended or not.
func TestBrokenOutput(t *testing.T) {
	for _, ends := range []bool{true, false} {
		begun := make(chan struct{}, 1)
		in, client := io.Pipe()
		served := make(chan error, 1)
		go func() {
			served <- mcp.New(config(gate(begun, nil))).Serve(context.Background(), in, &brokenAfter{1})
		}()
		io.WriteString(client, hello("2025-06-18")+strings.Replace(runOf("1", "1"), `"arguments"`, `"_meta":{"progressToken":1},"arguments"`, 1)+"\n")
		if ends {
			client.Close()
		}
		<-begun
		if err := <-served; err != nil {
			t.Errorf("a client that left is no error: %v", err)
		}
		client.Close()
	}
	if err := mcp.New(config(echo)).Serve(t.Context(), strings.NewReader("garbage\n"), &brokenAfter{0}); err != nil {
		t.Errorf("a client that left is no error: %v", err)
	}
}

// An input that fails is an error and no end: the runs are cancelled.
func TestBrokenInput(t *testing.T) {
	begun, failed := make(chan struct{}, 1), errors.New("the disk is gone")
	in, client := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- mcp.New(config(gate(begun, nil))).Serve(context.Background(), in, io.Discard)
	}()
	io.WriteString(client, hello("2025-06-18")+runOf("1", "1")+"\n")
	<-begun
	client.CloseWithError(failed)
	if err := <-served; !errors.Is(err, failed) {
		t.Errorf("Serve ended with %v", err)
	}
}

// spoken sends everything to the server as a process, ends its input, and returns its output and
// the most memory that it took, in bytes.
func spoken(t *testing.T, in io.Reader) (string, int64) {
	t.Helper()
	cmd := command(t.Context(), t)
	var out, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &out, &stderr
	if err := cmd.Run(); err != nil || stderr.Len() > 0 {
		t.Fatalf("the server ended with %v: %s", err, &stderr)
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		t.Skip("no figures of a process's memory here")
	}
	return out.String(), usage.Maxrss << 10
}

func TestHostileStdio(t *testing.T) {
	var in []io.Reader
	add := func(text string) { in = append(in, strings.NewReader(text)) }
	add("garbage before anything\n" + hello("2025-06-18"))
	answers := 2 // to those
	for _, h := range hostile {
		add(h.line + "\n")
		if h.want != "" {
			answers++
		}
	}
	in = append(in, &flood{64 << 20})
	add("\n" + runOf("99", "1")) // and no end
	out, peak := spoken(t, io.MultiReader(in...))
	all, _ := replies(t, out)
	if got := fmt.Sprint(all); !strings.Contains(got, "99: finished") || len(all) != answers+2 {
		t.Errorf("%d answers, want %d:\n%s", len(all), answers+2, strings.ReplaceAll(got, " ", "\n"))
	}
	_, usual := spoken(t, strings.NewReader(hello("2025-06-18")+runOf("99", "1")+"\n"))
	if peak > usual+32<<20 {
		t.Errorf("a line of 64 MiB took %d bytes at the most, an ordinary session %d", peak, usual)
	}
	t.Logf("peak %d, usual %d", peak, usual)
}

// Lines of any kind are answered or taken, and never end the server.
func FuzzLines(f *testing.F) {
	for _, h := range hostile {
		if len(h.line) < 1000 {
			f.Add([]byte(h.line))
		}
	}
	f.Add([]byte("[" + runOf("1", "1") + "]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var out bytes.Buffer
		in := hello("2025-03-26") + string(text) + "\n" + runOf(`"the last"`, "1")
		if err := mcp.New(config(echo)).Serve(t.Context(), strings.NewReader(in), &out); err != nil {
			t.Fatalf("%q ended it: %v", text, err)
		}
		if all, _ := replies(t, out.String()); !strings.Contains(fmt.Sprint(all), `"the last": `) {
			t.Errorf("after %q no answer:\n%s", text, &out)
		}
	})
}
