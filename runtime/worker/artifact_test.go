package worker_test

import (
	"context"
	"slices"
	"testing"

	"codemode/runtime"
)

// A file is taken once there is room for all of it, and what it took is given back when the host has had it.
func TestArtifactsWaitForRoom(t *testing.T) {
	var steps []int64
	h := &host{}
	h.room = func(_ context.Context, bytes int64) (func(), error) {
		steps = append(steps, bytes)
		return func() { steps = append(steps, -int64(len(h.artifacts))) }, nil
	}
	out := run(t, newPool(t), script(`artifacts.write("a", new Uint8Array(3 * 2 ** 20)); artifacts.write("b", ""); export default 1`), h)
	if out.Err != nil || len(h.artifacts) != 2 || len(h.artifacts[0].Bytes) != 3<<20 || len(h.artifacts[1].Bytes) != 0 {
		t.Fatalf("%d artifacts; %s", len(h.artifacts), describe(out))
	}
	if want := []int64{3 << 20, -1, 0, -2}; !slices.Equal(steps, want) {
		t.Errorf("room was asked for and left as %v, want %v", steps, want)
	}
}

// A run that ends while a file of it waits for room ends as any other.
func TestRunEndsWhileAnArtifactWaits(t *testing.T) {
	pool := newPool(t)
	h := &host{room: func(ctx context.Context, _ int64) (func(), error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	p := script(`artifacts.write("a", "x"); export default 1`)
	p.Limits.WallMillis = 300
	if out := run(t, pool, p, h); out.Reason != runtime.ReasonWall || len(h.artifacts) != 0 {
		t.Errorf("%d artifacts; %s", len(h.artifacts), describe(out))
	}
	ctx, cancel := context.WithCancel(t.Context())
	h.room = func(context.Context, int64) (func(), error) {
		cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	}
	p.Limits.WallMillis = 60_000
	if out, err := pool.Run(ctx, p, h); err != nil || out.Reason != runtime.ReasonCancelled {
		t.Errorf("%v; %s", err, describe(out))
	}
}
