package runtime

// This file waits for a script's timers, outside its worker: when one is over is one of the script's
// settlements.

import (
	"cmp"
	"container/heap"
	"context"
	"encoding/json"
	"time"
)

// maxTimer bounds what a timer waits, in milliseconds; the worker's word for it is not believed.
const maxTimer = 1 << 31

// timer is one that waits.
type timer struct {
	call   CallEntry
	due    time.Time
	settle func(Settlement)
	alarm  *time.Timer
}

func (r *run) startTimer(c StubCall, settle func(Settlement)) {
	var t struct{ Ms, Due float64 }
	if err := json.Unmarshal(c.Args, &t); err != nil {
		t.Ms, t.Due = 0, 0
	}
	wait := time.Duration(min(max(t.Ms, 0), maxTimer) * float64(time.Millisecond))
	if r.resumed { // it may have been due while nobody held the run
		wait = min(wait, time.UnixMilli(int64(t.Due)).Sub(r.service.Now()))
	}
	e := entryOf(c)
	e.Now = min(int64(t.Due), r.service.Now().Add(wait).UnixMilli()+1) // a clock far ahead would be the script's for good
	w := &timer{call: e, due: time.Now().Add(wait), settle: settle}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.timeless {
		return
	}
	heap.Push(&r.timers, w)
	w.alarm = time.AfterFunc(wait, func() { r.ring(w.due) })
}

// ring delivers what is due by then, the earliest first: on a busy machine alarms come late and in any
// order.
func (r *run) ring(by time.Time) {
	r.ringing.Lock()
	defer r.ringing.Unlock()
	for _, t := range r.due(by) {
		r.deliver(context.Background(), t.call, false, t.settle)
	}
}

func (r *run) due(by time.Time) (out []*timer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.timers) > 0 && !r.timers[0].due.After(by) {
		out = append(out, heap.Pop(&r.timers).(*timer))
	}
	return out
}

// stopTimers lets none ring any more.
func (r *run) stopTimers() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.timeless = true
	for _, t := range r.timers {
		t.alarm.Stop()
	}
}

// timers are a heap: the first is that which is due first, of several the one that was set first.
type timers []*timer

func (t timers) Len() int      { return len(t) }
func (t timers) Swap(i, j int) { t[i], t[j] = t[j], t[i] }
func (t *timers) Push(x any)   { *t = append(*t, x.(*timer)) }

func (t timers) Less(i, j int) bool {
	return cmp.Or(t[i].due.Compare(t[j].due), t[i].call.Seq-t[j].call.Seq) < 0
}

func (t *timers) Pop() any {
	last := len(*t) - 1
	out := (*t)[last]
	(*t)[last] = nil
	*t = (*t)[:last]
	return out
}
