package storetest

// This file tests checkpoints and blobs.

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"strings"

	"github.com/google/go-cmp/cmp"

	"codemode/runtime"
)

func checkpoint(task, name, data string) runtime.Checkpoint {
	return checkpointOf("run_1", task, name, data)
}

func checkpointOf(runID, task, name, data string) runtime.Checkpoint {
	return runtime.Checkpoint{Task: task, Name: name, RunID: runID, Value: json.RawMessage(data), At: at(4),
		Basis: runtime.Basis{Script: "sha256:aa", Inputs: "sha256:bb", Contracts: "sha256:cc"}}
}

func (f *fixture) saved(want runtime.Checkpoint) {
	f.Helper()
	got, err := f.store.Checkpoint(f.ctx, want.Task, want.Name)
	f.ok(err)
	if diff := cmp.Diff(want, got); diff != "" {
		f.Fatalf("checkpoint (-want +got):\n%s", diff)
	}
}

func testCheckpoints(f *fixture) {
	_, err := f.store.Checkpoint(f.ctx, "task_1", "page")
	f.fails(err, runtime.NotFound)
	f.start("run_1")
	f.start("run_2")
	f.ok(f.store.SaveCheckpoint(f.ctx, f.op(), 1, checkpoint("task_1", "page", `{"n":9007199254740993}`)))
	f.ok(f.store.SaveCheckpoint(f.ctx, f.op(), 1, checkpoint("task_1", "other", `null`)))
	f.ok(f.handle().SaveCheckpoint(f.ctx, f.op(), 1, checkpoint("task_2", "page", `"two"`)))
	f.reopen()
	f.saved(checkpoint("task_1", "page", `{"n":9007199254740993}`))
	f.saved(checkpoint("task_1", "other", `null`))
	f.saved(checkpoint("task_2", "page", `"two"`))

	next := checkpoint("task_1", "page", `{"n":2}`)
	next.RunID, next.At, next.Basis = "run_2", at(5), runtime.Basis{Script: "sha256:dd"}
	f.ok(f.store.SaveCheckpoint(f.ctx, f.op(), 1, next))
	f.saved(next)
	f.saved(checkpoint("task_2", "page", `"two"`))
	for _, none := range [][2]string{{"task_1", "Page"}, {"task_3", "page"}, {"", ""}, {"task_1", "%"}} {
		_, err := f.store.Checkpoint(f.ctx, none[0], none[1])
		f.fails(err, runtime.NotFound)
	}
}

func testRepeatedCheckpoints(f *fixture) {
	f.start("run_1")
	first, second := checkpoint("task_1", "page", `1`), checkpoint("task_1", "page", `2`)
	f.ok(f.store.SaveCheckpoint(f.ctx, "save 1", 1, first))
	f.ok(f.store.SaveCheckpoint(f.ctx, "save 2", 1, second))
	f.ok(f.store.SaveCheckpoint(f.ctx, "save 1", 1, first)) // late, and done already
	f.saved(second)
	f.fails(f.store.SaveCheckpoint(f.ctx, "save 1", 1, checkpoint("task_1", "other", `1`)), runtime.Conflict)
	f.fails(f.store.SaveCheckpoint(f.ctx, "save 1", 1, second), runtime.Conflict)
	f.saved(second)
}

// testFencedCheckpoints takes a run over and holds that only its holder saves, while it goes.
func testFencedCheckpoints(f *fixture) {
	f.fails(f.store.SaveCheckpoint(f.ctx, f.op(), 1, checkpoint("task_1", "page", `1`)), runtime.NotFound)
	f.ok(f.store.Start(f.ctx, f.op(), runRecord("run_1"), lease, started))
	f.ok(f.store.SaveCheckpoint(f.ctx, "first", 1, checkpoint("task_1", "page", `1`)))
	f.Pass(lease)
	f.claim("run_1", 2)
	second := checkpoint("task_1", "page", `2`)
	f.ok(f.handle().SaveCheckpoint(f.ctx, f.op(), 2, second))
	for _, epoch := range []int64{1, 3, 0, -2, math.MaxInt64, math.MinInt64} {
		f.fails(f.store.SaveCheckpoint(f.ctx, "late", epoch, checkpoint("task_1", "page", `3`)), runtime.Conflict)
	}
	f.ok(f.store.SaveCheckpoint(f.ctx, "first", 1, checkpoint("task_1", "page", `1`))) // done already, when it might
	f.saved(second)
	f.suspend("run_1", 2)
	f.fails(f.store.SaveCheckpoint(f.ctx, "late", 2, checkpoint("task_1", "page", `3`)), runtime.Conflict)
	f.claim("run_1", 3)
	f.finish("run_1", 3)
	f.fails(f.store.SaveCheckpoint(f.ctx, "late", 3, checkpoint("task_1", "page", `3`)), runtime.Conflict)
	f.saved(second)
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func testBlobs(f *fixture) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for _, data := range [][]byte{{}, nil, {0}, all, bytes.Repeat(all, 80<<10)} { // up to 20 MiB
		_, err := f.store.Blob(f.ctx, digest(data))
		if len(data) > 0 {
			f.fails(err, runtime.NotFound)
		}
		f.ok(f.store.PutBlob(f.ctx, digest(data), data))
		f.ok(f.handle().PutBlob(f.ctx, digest(data), data))
		f.reopen()
		got, err := f.store.Blob(f.ctx, digest(data))
		f.ok(err)
		if !bytes.Equal(got, data) {
			f.Errorf("%d bytes did not come back the same", len(data))
		}
	}
	name := digest([]byte("a"))
	for _, bad := range []string{digest([]byte("b")), "", "sha256:", strings.ToUpper(name), strings.TrimPrefix(name, "sha256:"), name + " ", "md5:0cc175b9c0f1b6a831c399e269772661"} {
		f.fails(f.store.PutBlob(f.ctx, bad, []byte("a")), runtime.InvalidArgument)
		_, err := f.store.Blob(f.ctx, bad)
		f.fails(err, runtime.NotFound)
	}
	_, err := f.store.Blob(f.ctx, name)
	f.fails(err, runtime.NotFound)
}
