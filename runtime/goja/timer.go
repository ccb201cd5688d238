package goja

// This file holds timers. They wait in real time; the clock a script reads when one fires is the
// time it was due on that clock, so that it does not depend on how busy the machine was.

import (
	"container/heap"
	"time"

	js "github.com/dop251/goja"
)

// maxTimers bounds the timers that wait at once.
const maxTimers = 10_000

type timers struct {
	next  int
	queue timerQueue
	byID  map[int]*timer
}

type timer struct {
	id, index int
	f         js.Callable
	every     time.Duration // 0 for once
	at        time.Time     // real
	clock     time.Time     // the script's
}

func (t *timers) empty() bool { return len(t.queue) == 0 }

// wait returns a channel that tells when the next timer is due, nil without one.
func (t *timers) wait() (<-chan time.Time, func()) {
	if t.empty() {
		return nil, func() {}
	}
	w := time.NewTimer(time.Until(t.queue[0].at))
	return w.C, func() { w.Stop() }
}

func (r *run) nativeSetTimer(c js.FunctionCall) js.Value {
	if len(r.timers.queue) >= maxTimers {
		panic(r.vm.NewTypeError("more than %d timers wait already", maxTimers))
	}
	f, ok := js.AssertFunction(c.Argument(0))
	if !ok {
		panic(r.vm.NewTypeError("a timer takes a function"))
	}
	ms := min(max(c.Argument(1).ToFloat(), 1), 1<<31-1)
	if ms != ms {
		ms = 1
	}
	wait := time.Duration(ms * float64(time.Millisecond))
	r.timers.next++
	t := &timer{id: r.timers.next, f: f, at: time.Now().Add(wait), clock: r.clock.Add(wait)}
	if c.Argument(2).ToBoolean() {
		t.every = wait
	}
	if r.timers.byID == nil {
		r.timers.byID = map[int]*timer{}
	}
	r.timers.byID[t.id] = t
	heap.Push(&r.timers.queue, t)
	return r.vm.ToValue(t.id)
}

func (r *run) nativeClearTimer(c js.FunctionCall) js.Value {
	if t, ok := r.timers.byID[int(c.Argument(0).ToInteger())]; ok {
		delete(r.timers.byID, t.id)
		if t.index >= 0 {
			heap.Remove(&r.timers.queue, t.index)
		}
	}
	return js.Undefined()
}

// fire runs the next timer.
func (r *run) fire() error {
	t := heap.Pop(&r.timers.queue).(*timer)
	r.advance(t.clock.UnixMilli())
	if t.every == 0 {
		delete(r.timers.byID, t.id)
	} else {
		t.at, t.clock = time.Now().Add(t.every), t.clock.Add(t.every)
		heap.Push(&r.timers.queue, t)
	}
	_, err := t.f(nil)
	return err
}

// advance moves the script's clock; it never goes back.
func (r *run) advance(unixMillis int64) {
	if now := time.UnixMilli(unixMillis); now.After(r.clock) {
		r.clock = now
	}
}

// timerQueue is a heap, the earliest first and equals in the order set.
type timerQueue []*timer

func (q timerQueue) Len() int { return len(q) }
func (q timerQueue) Less(i, j int) bool {
	if q[i].at.Equal(q[j].at) {
		return q[i].id < q[j].id
	}
	return q[i].at.Before(q[j].at)
}
func (q timerQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}
func (q *timerQueue) Push(x any) {
	t := x.(*timer)
	t.index = len(*q)
	*q = append(*q, t)
}
func (q *timerQueue) Pop() any {
	old := *q
	t := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	t.index = -1
	return t
}
