package egress

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	goruntime "runtime"
	"testing"

	"codemode/runtime"
)

// A body is the same whatever its size, nothing is left of the file that a large one waits in, and room is
// asked for once.
func TestBodies(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	const limit = 1 << 20
	for size, fits := range map[int]bool{0: true, inMemory - 1: true, inMemory: true, inMemory + 1: true, limit: true, limit + 1: false} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			sent := bytes.Repeat([]byte("0123456789abcde"), size/15+1)[:size]
			url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.(http.Flusher).Flush() // no length is told
				_, _ = w.Write(sent)
			})
			var asked []int64
			r := Request{Method: "GET", URL: url, Allowed: []string{url}, MaxResponseBytes: limit, Room: func(_ context.Context, bytes int64) error {
				asked = append(asked, bytes)
				return nil
			}}
			if !fits {
				want(t, client(t, Config{}), r, runtime.ResultTooLarge)
			} else if resp, err := client(t, Config{}).Do(t.Context(), r); err != nil || !bytes.Equal(resp.Body, sent) || len(asked) != 1 || asked[0] != int64(size) {
				t.Errorf("%v, asked for %v", err, asked)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("%v, %d files are left", err, len(left))
			}
		})
	}
}

// A destination that stops in the middle of a large body has taken no room, and a cut connection leaves none
// of it.
func TestSlowBodyTakesNoRoom(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	arrived := make(chan struct{})
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(make([]byte, 2*inMemory))
		w.(http.Flusher).Flush()
		close(arrived)
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	asked := false
	r := Request{Method: "GET", URL: url, Allowed: []string{url}, Room: func(context.Context, int64) error {
		asked = true
		return nil
	}}
	go func() {
		<-arrived
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 && goruntime.GOOS != "windows" {
			t.Errorf("%v, a process that dies now leaves %d files", err, len(left))
		}
		cancel()
	}()
	_, err := client(t, Config{}).Do(ctx, r)
	if e := runtime.AsError(err); e.Code != runtime.Cancelled || asked {
		t.Errorf("%v, asked for room: %v", err, asked)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v, %d files are left", err, len(left))
	}
}

// Where no file can be made a large reply fails, and says that it is not the destination's fault.
func TestBodyWithoutAFile(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()+"/gone")
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 2*inMemory)) })
	c := client(t, Config{})
	for method, code := range map[string]runtime.Code{"GET": runtime.RemoteFailed, "POST": runtime.OutcomeUnknown} {
		e := want(t, c, Request{Method: method, URL: url, Allowed: []string{url}}, code)
		if !errors.Is(e, fs.ErrNotExist) {
			t.Errorf("%s: %v, cause %v", method, e, e.Cause)
		}
	}
}
