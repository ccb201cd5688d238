package mcp

// This file is the transport beneath the SDK's engine: a message a line, in both directions. The
// SDK has one too, but ends at the first line it cannot read, and cancels the requests under way
// when its input ends, which leaves `printf '...' | codemode mcp` without an answer.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	methodInitialize = "initialize"
	methodListen     = "subscriptions/listen" // stays open until the client leaves
)

// stream is one client's connection. It answers what is no message itself; everything else goes to
// the SDK and comes from it.
type stream struct {
	out    io.Writer
	limit  int // bytes of a line
	lines  chan line
	ended  error // why lines is closed
	closed chan struct{}
	once   sync.Once
	queue  []jsonrpc.Message // read and not yet handed on

	writing sync.Mutex // a message leaves whole; taken before mu

	mu      sync.Mutex
	changed *sync.Cond // of what follows
	open    map[jsonrpc.ID]request
	version string // of the protocol, once it is agreed
	gone    bool   // closed, or a write failed: nothing more will be answered
}

// request is one that has no answer yet.
type request struct {
	method string
	batch  *batch // nil for one that came alone
}

// batch gathers the answers to messages that came together.
type batch struct {
	open    int // requests without an answer
	answers []json.RawMessage
}

// newStream begins to read. The reading ends with in, or after its next line once the stream is
// closed: a read of somebody else's stream cannot be interrupted.
func newStream(in io.Reader, out io.Writer, limit int) *stream {
	s := &stream{out: out, limit: limit, lines: make(chan line), ended: io.EOF, closed: make(chan struct{}), open: map[jsonrpc.ID]request{}}
	s.changed = sync.NewCond(&s.mu)
	go func() {
		defer close(s.lines)
		for source := newLines(in, limit); ; {
			l, err := source.next()
			if err != nil {
				s.ended = err
				return
			}
			select {
			case s.lines <- l:
			case <-s.closed:
				return
			}
		}
	}()
	return s
}

// Connect makes the stream a transport too: it is connected from the start.
func (s *stream) Connect(context.Context) (sdk.Connection, error) { return s, nil }

// SessionID is empty: a pair of streams has one session.
func (s *stream) SessionID() string { return "" }

// Close ends Read. It closes neither of the streams beneath.
func (s *stream) Close() error {
	s.once.Do(func() {
		close(s.closed)
		s.leave()
	})
	return nil
}

// leave tells those who wait for answers that none will come.
func (s *stream) leave() {
	s.mu.Lock()
	s.gone = true
	s.changed.Broadcast()
	s.mu.Unlock()
}

// Read returns the client's next message. At the end of the input it waits until the requests under
// way are answered, and then returns io.EOF.
func (s *stream) Read(ctx context.Context) (jsonrpc.Message, error) {
	for len(s.queue) == 0 {
		select {
		case l, ok := <-s.lines:
			if !ok {
				return nil, s.end()
			}
			if err := s.take(l); err != nil {
				return nil, err
			}
		case <-s.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	next := s.queue[0]
	s.queue = s.queue[1:]
	return next, nil
}

// end returns why the input ended; io.EOF waits for answers, an error does not.
func (s *stream) end() error {
	if s.ended != io.EOF {
		return s.ended
	}
	s.await(func(r request) bool { return r.method != methodListen })
	s.writing.Lock() // the last answer may still be on its way
	defer s.writing.Unlock()
	return io.EOF
}

// await waits until no open request is one of those, or no answer can come any more.
func (s *stream) await(those func(request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	some := func() bool {
		for _, r := range s.open {
			if those(r) {
				return true
			}
		}
		return false
	}
	for !s.gone && some() {
		s.changed.Wait()
	}
}

// take queues the messages of a line, or answers it. Its error is one of the writing.
func (s *stream) take(l line) error {
	text := bytes.Trim(l.text, " \t\r")
	switch {
	case l.long:
		return s.answer(refuse(nil, jsonrpc.CodeInvalidRequest, "invalid request: the line is over %d bytes, more than any run may take", s.limit))
	case len(text) == 0:
		return nil
	}
	if r := checkJSON(text); r != nil {
		return s.answer(r)
	}
	if text[0] == '[' {
		return s.takeBatch(text)
	}
	message, r := s.admit(text, nil)
	if r != nil {
		return s.answer(r)
	}
	s.queue = append(s.queue, message)
	return nil
}

// takeBatch takes the messages of an array, which one version of the protocol has.
func (s *stream) takeBatch(text []byte) error {
	s.await(func(r request) bool { return r.method == methodInitialize }) // the version is being agreed
	s.mu.Lock()
	version := s.version
	s.mu.Unlock()
	if version != batchingVersion {
		return s.answer(refuse(nil, jsonrpc.CodeInvalidRequest, "invalid request: batches are part of protocol version %s only; send one message a line", batchingVersion))
	}
	elements, r := splitBatch(text)
	if r != nil {
		return s.answer(r)
	}
	b := &batch{}
	for _, element := range elements {
		message, r := s.admit(element, b)
		if r == nil {
			s.queue = append(s.queue, message)
			continue
		}
		raw, err := encode(r)
		if err != nil {
			return err
		}
		b.answers = append(b.answers, raw)
	}
	if b.open > 0 || len(b.answers) == 0 {
		return nil
	}
	return s.answer(b.answers)
}

// admit parses a message and, where it wants an answer, opens its request.
func (s *stream) admit(text []byte, b *batch) (jsonrpc.Message, *refusal) {
	message, r := parse(text)
	if r != nil {
		return nil, r
	}
	call, ok := message.(*jsonrpc.Request)
	if !ok || !call.IsCall() {
		return message, nil
	}
	if b != nil && call.Method == methodInitialize {
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "invalid request: initialize must not be part of a batch")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, taken := s.open[call.ID]; taken { // with the id, this would pass for the answer to the other
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "invalid request: the id %v belongs to a request under way", call.ID.Raw())
	}
	s.open[call.ID] = request{call.Method, b}
	if b != nil {
		b.open++
	}
	return message, nil
}

// Write sends a message of the SDK; the answers to a batch leave together, with the last of them.
func (s *stream) Write(ctx context.Context, message jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	text, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	response, ok := message.(*jsonrpc.Response)
	if !ok {
		return s.put(text)
	}
	b, whole := s.settle(response, text)
	switch {
	case b == nil:
		return s.put(text)
	case !whole:
		return nil
	}
	if text, err = encode(b.answers); err != nil {
		return err
	}
	return s.put(text)
}

// settle closes the request of a response, before it leaves: from then on the client may use the id
// again. It returns the batch that it belongs to, and whether that is answered whole.
func (s *stream) settle(response *jsonrpc.Response, text []byte) (b *batch, whole bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.open[response.ID]
	delete(s.open, response.ID)
	s.changed.Broadcast()
	if r.method == methodInitialize && response.Error == nil {
		var agreed struct {
			Version string `json:"protocolVersion"`
		}
		if json.Unmarshal(response.Result, &agreed) == nil {
			s.version = agreed.Version
		}
	}
	if r.batch == nil {
		return nil, true
	}
	r.batch.open--
	r.batch.answers = append(r.batch.answers, text)
	return r.batch, r.batch.open == 0
}

// answer sends what this package itself has to say, between the SDK's messages.
func (s *stream) answer(value any) error {
	text, err := encode(value)
	if err != nil {
		return err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.put(text)
}

// put writes one line, in one write. The caller holds writing.
func (s *stream) put(text []byte) error {
	if _, err := s.out.Write(append(text, '\n')); err != nil {
		s.leave()
		return fmt.Errorf("write to the client: %w", err)
	}
	return nil
}

// encode writes JSON as it is, without HTML's escapes.
func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return nil, fmt.Errorf("write json: %w", err)
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
