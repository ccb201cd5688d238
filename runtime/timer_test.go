package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// On a busy machine every alarm is late, and they come in any order. The script's timers are over in the
// order in which they were due all the same.
func TestTimersInOrder(t *testing.T) {
	service, _, _ := newFakeService()
	const n = 200
	due := map[int]time.Time{}
	var order []int
	service.Workers = fakeWorkers(func(ctx context.Context, _ Program, h Host) (Outcome, error) {
		r := h.(*countedHost).Host.(*run)
		settled := make(chan int, n)
		r.ringing.Lock() // no alarm gets through until all of them have come
		for seq := 1; seq <= n; seq++ {
			ms := n - seq/2 // two of each, the last is due first
			c := StubCall{Seq: seq, Helper: HelperTimer, Args: json.RawMessage(fmt.Sprintf(`{"ms":%d,"due":%d}`, ms, 1_000_000+ms))}
			h.Call(ctx, c, func(Settlement) { settled <- seq })
		}
		r.mu.Lock()
		all := slices.Clone(r.timers)
		r.mu.Unlock()
		for _, w := range all {
			due[w.call.Seq] = w.due
		}
		rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		r.ringing.Unlock()
		for _, w := range all {
			r.ring(w.due)
		}
		for range n {
			order = append(order, <-settled)
		}
		return Outcome{Result: json.RawMessage(`1`)}, nil
	})
	if result := service.Run(t.Context(), request(grant("*"))); result.State != Finished {
		t.Fatalf("%s: %v", result.Reason, result.Error)
	}
	for i := 1; i < n; i++ {
		if a, b := due[order[i-1]], due[order[i]]; b.Before(a) {
			t.Fatalf("timer %d, due at %v, came after %d, due at %v", order[i], b, order[i-1], a)
		}
	}
}
