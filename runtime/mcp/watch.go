package mcp

// This file tells a client that asked for it how a run gets on.

import (
	"context"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/runtime"
)

const (
	maxNotes     = 1000 // notifications of one run
	pendingNotes = 64   // kept for a client that reads slowly; what is over it is dropped
	maxNoteBytes = 500
)

// watch sends progress notifications of one run. Its events never wait for the client, so that a
// slow reader cannot hold a run up.
type watch struct {
	notes chan string
	done  chan struct{}

	mu    sync.Mutex
	left  int
	ended bool
}

// watch begins to tell of a run; nil tells nobody.
func (s *Server) watch(ctx context.Context, req *sdk.CallToolRequest) *watch {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	w := &watch{notes: make(chan string, pendingNotes), done: make(chan struct{}), left: maxNotes}
	go func() {
		defer close(w.done)
		sent := 0.0
		for message := range w.notes {
			sent++ // progress must grow with each notification
			err := req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: sent, Message: message})
			if err != nil {
				s.c.Log.Debug("progress was not delivered", "error", err)
			}
		}
	}()
	return w
}

func (w *watch) events() runtime.Events {
	if w == nil {
		return runtime.Events{}
	}
	return runtime.Events{
		Progress: w.note,
		Call:     func(c runtime.CallRecord) { w.note("call " + c.Method + " " + c.State) },
	}
}

func (w *watch) note(message string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended || w.left == 0 {
		return
	}
	select {
	case w.notes <- clip(message, maxNoteBytes):
		w.left--
	default:
	}
}

// stop ends the notifications; none follows the answer.
func (w *watch) stop() {
	if w == nil {
		return
	}
	w.mu.Lock()
	w.ended = true
	close(w.notes)
	w.mu.Unlock()
	<-w.done
}
