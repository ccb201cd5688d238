package typecheck

// This file holds the JSON-RPC 2.0 conversation with the compiler. It is driven by the caller: who
// waits for an answer also serves the compiler's questions about files until the answer is there.
// So there is no goroutine to leak, and a silent connection costs nothing.

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxQuestions bounds the file questions of one exchange: a script cannot make the compiler ask for ever.
const maxQuestions = 200_000

// conn is one conversation; it must not be used by two callers at once.
type conn struct {
	in   *bufio.Reader
	out  io.Writer
	fs   *fileSystem
	next int64
}

func newConn(in io.Reader, out io.Writer, fs *fileSystem) *conn {
	return &conn{in: bufio.NewReaderSize(in, 64<<10), out: out, fs: fs}
}

// request is one method call of a batch; into receives the result.
type request struct {
	method string
	params any
	into   any
}

// message is any of the three kinds that travel: request, response, notification.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *remoteError    `json:"error"`
}

// remoteError is the compiler's own failure on one request; the conversation goes on after it.
type remoteError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *remoteError) Error() string { return clip("compiler: "+e.Message, 400) }

// call makes one request.
func (c *conn) call(method string, params, into any) error {
	return c.batch([]request{{method, params, into}})
}

// batch makes the requests at once, which the compiler may work on side by side, and returns when
// all are answered. An error that is not a *remoteError means that the conversation is over.
func (c *conn) batch(requests []request) error {
	waiting := make(map[string]*request, len(requests))
	var wire []byte
	for i := range requests {
		c.next++
		id := fmt.Sprint(c.next)
		body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": c.next, "method": requests[i].method, "params": requests[i].params})
		if err != nil {
			return fmt.Errorf("%s: %w", requests[i].method, err)
		}
		waiting[id] = &requests[i]
		wire = appendFrame(wire, body)
	}
	if _, err := c.out.Write(wire); err != nil {
		return err
	}
	return c.gather(waiting)
}

// gather reads until every waiting request is answered, and returns the first failure.
func (c *conn) gather(waiting map[string]*request) error {
	var failed error
	for questions := 0; len(waiting) > 0; {
		m, err := c.read()
		if err != nil {
			return err
		}
		if m.Method != "" {
			if questions++; questions > maxQuestions {
				return fmt.Errorf("more than %d questions about files", maxQuestions)
			}
			if err := c.answer(m); err != nil {
				return err
			}
			continue
		}
		r, ok := waiting[string(m.ID)]
		if !ok {
			return fmt.Errorf("answer to %s, which was not asked", clip(string(m.ID), 40))
		}
		delete(waiting, string(m.ID))
		failed = errors.Join(failed, r.settle(m))
	}
	return failed
}

func (r *request) settle(m message) error {
	if m.Error != nil {
		return m.Error
	}
	if r.into == nil || len(m.Result) == 0 {
		return nil
	}
	if err := json.Unmarshal(m.Result, r.into); err != nil {
		return fmt.Errorf("%s: answer of another shape: %w", r.method, err)
	}
	return nil
}

func (c *conn) read() (message, error) {
	var m message
	body, err := readFrame(c.in)
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return m, fmt.Errorf("%w: %w", errFrame, err)
	}
	return m, nil
}

// answer replies to one of the compiler's questions. Every question gets a result: the compiler
// panics on an error, and takes null as leave to ask the host.
func (c *conn) answer(m message) error {
	if len(m.ID) == 0 {
		return nil // a notification
	}
	result, err := c.fs.answer(m.Method, m.Params)
	if err != nil {
		return err
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": result})
	if err != nil {
		return err
	}
	_, err = c.out.Write(appendFrame(nil, body))
	return err
}
