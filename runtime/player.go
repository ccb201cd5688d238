package runtime

// This file plays a recorded history to a fresh worker: the settlements that the script was given, in the
// same order. Then the run goes on, or, where it is only repeated, ends.

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

type player struct {
	run     *run
	history *history
	audit   bool          // repeats the run and adds nothing
	patient time.Duration // how long a repeated script may go on after the last settlement
	played  atomic.Int64  // settlements delivered

	mu     sync.Mutex
	made   map[int]madeCall // calls of the script that have no settlement yet
	live   bool
	arrive chan struct{} // tells play that a call was made
	remade remade        // what a repetition does
}

type madeCall struct {
	call   StubCall
	settle func(Settlement)
}

func newPlayer(r *run, h *history) *player {
	return &player{run: r, history: h, made: map[int]madeCall{}, arrive: make(chan struct{}, 1), remade: remade{calls: map[int]CallEntry{}}}
}

// report takes a message of progress, and says whether it is one of the past.
func (p *player) report(message string) bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.remade.progress = append(p.remade.progress, message)
	return p.audit || len(p.remade.progress) <= p.history.progress
}

// playing reports whether what the script does now is a repetition.
func (p *player) playing() bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.live
}

// take keeps a call that the script made until its settlement is played. It is false for a call that
// the run has to make: one that came after the history.
func (p *player) take(c StubCall, settle func(Settlement)) bool {
	if err := p.history.verify(c); err != nil {
		p.run.stop(ReasonDiverged, err)
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.remade.calls[c.Seq] = entryOf(c)
	if p.live {
		return p.again(madeCall{c, settle})
	}
	p.made[c.Seq] = madeCall{c, settle}
	select {
	case p.arrive <- struct{}{}:
	default:
	}
	return true
}

// again reports whether a call past the history is not made, since the run is only repeated. A call that
// the journal does not know at all is a divergence; one that waited for a person waits again.
func (p *player) again(m madeCall) bool {
	if !p.audit {
		return false
	}
	_, known := p.history.calls[m.call.Seq]
	switch {
	case m.call.Helper == HelperTimer: // one that was not due before the end is in no journal
	case !known && p.history.finished:
		err := Errorf(Conflict, "the script made call %d (%s), which its journal does not have", m.call.Seq, entryOf(m.call).say())
		err.Pos = &m.call.At
		p.run.stop(ReasonDiverged, err)
	case m.call.Helper == HelperAsk:
		p.run.inFlight.Go(func() { p.run.postpone(m.settle) })
	}
	return true
}

// play delivers the recorded settlements, then makes the calls that have none.
func (p *player) play(ctx context.Context) {
	for _, e := range p.history.settled {
		m, ok := p.wait(ctx, e.Seq)
		if !ok {
			return
		}
		p.deliver(e, m)
	}
	for _, m := range p.goLive() {
		if !p.again(m) {
			p.run.begin(ctx, m.call, m.settle)
		}
	}
	if p.audit {
		p.endLater(ctx)
	}
}

// endLater stops a repeated script that goes on without its settlements.
func (p *player) endLater(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(p.patient):
		p.run.stop(ReasonCancelled, Errorf(Cancelled, "the journal ends here, and the script does not"))
	}
}

func (p *player) deliver(e CallEntry, m madeCall) {
	r := p.run
	r.order.Lock()
	defer r.order.Unlock()
	r.clock = e.Now
	if e.Err != nil && e.Err.Handle != "" {
		r.mu.Lock()
		r.held[e.Err.Handle] = true
		r.mu.Unlock()
	}
	if !r.over {
		m.settle(e.settlement())
		p.played.Add(1)
	}
}

// wait returns the call once the script has made it.
func (p *player) wait(ctx context.Context, seq int) (madeCall, bool) {
	for {
		p.mu.Lock()
		m, ok := p.made[seq]
		delete(p.made, seq)
		p.mu.Unlock()
		if ok {
			return m, true
		}
		select {
		case <-p.arrive:
		case <-ctx.Done():
			return m, false
		}
	}
}

// goLive ends the repetition and returns the calls that are still open, in the order made.
func (p *player) goLive() []madeCall {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live = true
	var open []madeCall
	for _, m := range p.made {
		open = append(open, m)
	}
	slices.SortFunc(open, func(a, b madeCall) int { return a.call.Seq - b.call.Seq })
	p.made = nil
	return open
}

// begun is the record of a call that began before, and whose outcome nobody recorded.
func (p *player) begun(seq int) (CallRecord, bool) {
	if p == nil {
		return CallRecord{}, false
	}
	for _, c := range p.history.charged {
		if c.Seq == seq && c.Step == 0 && !p.history.hasSettled(seq) {
			return c, true
		}
	}
	return CallRecord{}, false
}

// asked reports whether the question was asked before, and its answer, nil for none.
func (p *player) asked(seq int) (bool, json.RawMessage) {
	if p == nil {
		return false, nil
	}
	_, asked := p.history.calls[seq]
	return asked, p.history.answers[seq]
}
