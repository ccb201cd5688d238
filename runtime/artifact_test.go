package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codemode/directory/contract"
)

// An artifact's bytes go to the store when they are written, a path has its last ones, and a write that the
// store does not take fails, with the run going on.
func TestArtifactsGoToTheStore(t *testing.T) {
	s, store, _ := newFakeService()
	s.Workers = fakeWorkers(func(ctx context.Context, _ Program, h Host) (Outcome, error) {
		for _, text := range []string{"first", "last"} {
			if err := h.Artifact(ctx, ArtifactData{Path: "a.txt", MediaType: "text/plain", Bytes: []byte(text)}); err != nil {
				t.Error(err)
			}
			if string(store.blobs[contract.Digest([]byte(text))]) != text {
				t.Errorf("%s is not in the store", text)
			}
		}
		for _, fault := range []error{Errorf(Unavailable, "the disk is full").WithHint("make room"), errors.New("some fault")} {
			store.fail["PutBlob"] = fault
			err := h.Artifact(ctx, ArtifactData{Path: "b.txt", Bytes: []byte("b")})
			if err == nil || err.Code != Unavailable || err.Hint == "" {
				t.Errorf("a write that failed with %v: %v", fault, err)
			}
		}
		return Outcome{Result: json.RawMessage("1")}, nil
	})
	result := s.Run(t.Context(), request(grant("*")))
	want := []Artifact{{Path: "a.txt", MediaType: "text/plain", Bytes: 4, SHA256: contract.Digest([]byte("last"))}}
	if diff := cmp.Diff(want, result.Artifacts); diff != "" || result.State != Finished {
		t.Errorf("%s %v\n%s", result.State, result.Error, diff)
	}
	if diff := cmp.Diff(want, store.receipt.Artifacts); diff != "" {
		t.Error(diff)
	}
	if bytes, err := s.Artifact(t.Context(), want[0].SHA256); err != nil || string(bytes) != "last" {
		t.Errorf("%q, %v", bytes, err)
	}
	if _, err := s.Artifact(t.Context(), contract.Digest(nil)); err == nil || err.Code != NotFound {
		t.Errorf("an artifact that nobody wrote: %v", err)
	}
}

// Large files wait for each other, over all runs; one whose run ends while it waits leaves no place taken.
func TestRoomForArtifacts(t *testing.T) {
	s := &Service{Room: NewRoom()}
	one, other := &run{service: s, limits: Limits{ResultBytes: 1 << 20}}, &run{service: s, limits: Limits{ResultBytes: 1 << 20}}
	leave, err := one.Room(t.Context(), 2<<20)
	if err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := other.Room(ended, 2<<20); !errors.Is(err, context.Canceled) {
		t.Errorf("there was room for a second huge file: %v", err)
	}
	if len(s.Room.large) != 1 {
		t.Errorf("%d places are taken by one file", len(s.Room.large))
	}
	leave()
	if leave, err = other.Room(ended, small); err != nil {
		t.Errorf("a small file waited: %v", err)
	}
	leave()
	if len(s.Room.large) != 0 || len(s.Room.huge) != 0 {
		t.Errorf("%d and %d places are still taken", len(s.Room.large), len(s.Room.huge))
	}
}
