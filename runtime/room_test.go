package runtime

import (
	"context"
	"errors"
	"testing"
	"time"
)

// Large values wait for each other, small ones never do, and a call that gives up has taken nothing.
func TestRoom(t *testing.T) {
	const limit = 1 << 20
	r := NewRoom()
	ctx := t.Context()
	var inside []*stay
	for range largeAtOnce {
		s := r.enter(limit)
		for _, bytes := range []int64{small, small + 1, limit} { // it takes its place once
			if err := s.grow(ctx, bytes); err != nil {
				t.Fatal(err)
			}
		}
		inside = append(inside, s)
	}
	late, end := context.WithTimeout(ctx, 20*time.Millisecond)
	defer end()
	outside := r.enter(limit)
	if err := outside.grow(late, small); err != nil {
		t.Errorf("a small value waited: %v", err)
	}
	if err := outside.grow(late, small+1); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("there was room for one more: %v", err)
	}
	outside.leave()
	if err := inside[0].grow(ctx, limit+1); err != nil {
		t.Fatal(err)
	}
	if err := inside[1].grow(late, limit+1); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("there was room for a second huge one: %v", err)
	}
	for _, s := range inside {
		s.leave()
	}
	if err := (*Room)(nil).enter(limit).grow(ctx, 2*limit); err != nil {
		t.Errorf("no room is no bound: %v", err)
	}
	if len(r.large) != 0 || len(r.huge) != 0 {
		t.Errorf("%d and %d places are still taken", len(r.large), len(r.huge))
	}
}
