package worker

// This file holds what lies between the goroutine that reads the pipe and the engine's.

import (
	"context"
	"sync"
)

// mailbox is a queue without end, of one reader: the service bounds what it sends.
type mailbox struct {
	mu    sync.Mutex
	queue []settled
	filed chan struct{} // has room for one: something lies in the queue
}

func newMailbox() mailbox { return mailbox{filed: make(chan struct{}, 1)} }

func (m *mailbox) put(s settled) {
	m.mu.Lock()
	m.queue = append(m.queue, s)
	m.mu.Unlock()
	select {
	case m.filed <- struct{}{}:
	default:
	}
}

// next waits for the first.
func (m *mailbox) next(ctx context.Context) (settled, error) {
	for {
		if s, ok := m.take(); ok {
			return s, nil
		}
		select {
		case <-m.filed:
		case <-ctx.Done():
			return settled{}, ctx.Err()
		}
	}
}

func (m *mailbox) take() (settled, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.queue) == 0 {
		return settled{}, false
	}
	s := m.queue[0]
	m.queue[0] = settled{} // its result is the engine's now
	if m.queue = m.queue[1:]; len(m.queue) == 0 {
		m.queue = nil
	}
	return s, true
}
