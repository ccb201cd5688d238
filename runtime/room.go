package runtime

// This file bounds how many large values the service holds at once, over all its runs: a script may have
// many calls open, and each result is in memory several times until it is journaled and delivered; an
// artifact is, until the store has it. A place is taken for a value that is there to be read, not while a
// destination has yet to send it: one that sends slowly would hold the place for as long as it likes.

import (
	"context"
	"sync"
)

const (
	// small is how large a value may be that takes no room, in bytes.
	small = 256 << 10
	// largeAtOnce is how many values over small are held at once; of those over a run's ResultBytes, which
	// no script gets whole, one.
	largeAtOnce = 4
)

// Room is that of a service; nil is without end.
type Room struct{ large, huge chan struct{} }

// NewRoom returns an empty one.
func NewRoom() *Room {
	return &Room{large: make(chan struct{}, largeAtOnce), huge: make(chan struct{}, 1)}
}

// stay is what one call, or one artifact, has taken of the room.
type stay struct {
	room        *Room
	limit       int64 // above it a value is huge
	mu          sync.Mutex
	large, huge bool
}

func (r *Room) enter(limit int64) *stay {
	return &stay{room: r, limit: limit}
}

// grow waits until there is room for a value of this size. A call that has taken room keeps it until it
// leaves.
func (s *stay) grow(ctx context.Context, bytes int64) error {
	if s.room == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := take(ctx, s.room.large, &s.large, bytes > small); err != nil {
		return err
	}
	return take(ctx, s.room.huge, &s.huge, bytes > s.limit)
}

func take(ctx context.Context, places chan struct{}, taken *bool, wanted bool) error {
	if *taken || !wanted {
		return nil
	}
	select {
	case places <- struct{}{}:
		*taken = true
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// leave gives back what was taken.
func (s *stay) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.huge {
		<-s.room.huge
	}
	if s.large {
		<-s.room.large
	}
	s.huge, s.large = false, false
}
