package worker

// This file holds the worker's end of the pipe, as the engine uses it.

import (
	"bufio"
	"context"
	"io"
	"slices"

	"codemode/runtime"
)

// Port takes a script's calls to the service and brings back what comes of them. The engine's goroutine
// is the only one that calls its methods. When the service is gone, or speaks another language, it ends
// the context of the run.
type Port struct {
	in     *bufio.Reader
	out    *frameWriter
	cancel context.CancelFunc

	// settled are the settlements that the engine has not taken, in the order of the pipe. The pipe is
	// always read: a service that could not write would not read either, and the two would wait for each
	// other.
	settled mailbox
	kept    chan *runtime.Error
	closed  chan struct{} // the service's side is gone
	waiting []int         // the pending calls that the service was last told the script waits for
	taken   int           // settlements that the engine has taken
}

func newPort(in io.Reader, out io.Writer, cancel context.CancelFunc) *Port {
	return &Port{in: bufio.NewReaderSize(in, 64<<10), out: newFrameWriter(out), cancel: cancel,
		settled: newMailbox(), kept: make(chan *runtime.Error, 1), closed: make(chan struct{})}
}

// settled is a settlement and the number of its call: 0 when the script is to be suspended.
type settled struct {
	seq int
	runtime.Settlement
}

// receive reads frames until the service is gone or breaks the protocol; then the run ends.
func (p *Port) receive() {
	defer close(p.closed)
	defer p.cancel()
	for {
		f, err := readFrame(p.in, fromService)
		if err != nil {
			return
		}
		switch f.Kind {
		case kindSettled, kindSuspend:
			p.settled.put(settled{f.Seq, runtime.Settlement{Result: f.Payload, BigInts: f.BigInts, Err: f.Err, Pending: f.Pending, NowUnixMillis: f.Now}})
		case kindKept:
			p.kept <- f.Err
		default:
			return
		}
	}
}

func (p *Port) write(f frame) {
	if err := p.out.write(f); err != nil {
		p.cancel()
	}
}

// Call sends a call.
func (p *Port) Call(c runtime.StubCall) {
	p.write(frame{Kind: kindCall, Seq: c.Seq, Helper: c.Helper, Method: c.Method, At: c.At, Payload: c.Args})
}

// Next returns the next settlement and the number of its call. It tells the service of the pending
// calls that the script waits for, and returns 0 when none of them has settled.
func (p *Port) Next(ctx context.Context, pending []int) (int, runtime.Settlement, error) {
	if len(pending) > 0 && !slices.Equal(pending, p.waiting) {
		p.waiting = pending
		p.write(frame{Kind: kindWaiting, Waiting: pending})
	}
	s, err := p.settled.next(ctx)
	if s.seq > 0 && !s.Pending {
		p.taken++
	}
	return s.seq, s.Settlement, err
}

// Console writes a line; a service that is slow to take it slows the script.
func (p *Port) Console(l runtime.ConsoleLine) {
	p.write(frame{Kind: kindConsole, Level: l.Level, At: l.At, Payload: []byte(l.Text)})
}

// Progress writes a message.
func (p *Port) Progress(message string) { p.write(frame{Kind: kindProgress, Payload: []byte(message)}) }

// Artifact writes a file and waits until the service has taken or refused it.
func (p *Port) Artifact(a runtime.ArtifactData) *runtime.Error {
	p.write(frame{Kind: kindArtifact, Path: a.Path, MediaType: a.MediaType, Payload: a.Bytes})
	select {
	case e := <-p.kept:
		return e
	case <-p.closed:
		return runtime.Errorf(runtime.Cancelled, "the run has ended")
	}
}
