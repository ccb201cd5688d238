package worker

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"codemode/runtime"

	"github.com/google/go-cmp/cmp"
)

func encode(t testing.TB, f frame) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := newFrameWriter(&out).write(f); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestFrameRoundTrip(t *testing.T) {
	want := frame{Kind: kindCall, Seq: 3, Method: "a.b", At: runtime.Pos{File: "m.ts", Line: 1, Column: 2}, Payload: []byte("{\"a\":\"\x00\xff\"}")}
	got, err := readFrame(bytes.NewReader(encode(t, want)), capped(1<<10, 1<<10))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFrameCaps(t *testing.T) {
	raw := encode(t, frame{Kind: kindConsole, Payload: make([]byte, 100)})
	for _, c := range []struct {
		name string
		raw  []byte
		caps caps
		want error
	}{
		{"header too large", raw, capped(4, 1000), nil},
		{"payload too large", raw, capped(1000, 99), nil},
		{"cut in the lengths", raw[:5], capped(1000, 1000), io.ErrUnexpectedEOF},
		{"cut in the header", raw[:20], capped(1000, 1000), io.ErrUnexpectedEOF},
		{"cut in the payload", raw[:len(raw)-1], capped(1000, 1000), io.ErrUnexpectedEOF},
		{"nothing", nil, capped(1000, 1000), io.EOF},
		{"no JSON", append([]byte{0, 0, 0, 2, 0, 0, 0, 0}, "{]"...), capped(1000, 1000), nil},
	} {
		_, err := readFrame(bytes.NewReader(c.raw), c.caps)
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// A length is only a claim: memory is taken as bytes come.
func TestFrameClaimTakesNoMemory(t *testing.T) {
	raw := binary.BigEndian.AppendUint32(nil, 2)
	raw = binary.BigEndian.AppendUint32(raw, 1<<30)
	raw = append(raw, "{}"...)
	got := testing.AllocsPerRun(1, func() {
		if _, err := readFrame(bytes.NewReader(raw), capped(1<<20, 1<<31)); err == nil {
			t.Error("a cut frame was read")
		}
	})
	if got > 100 {
		t.Errorf("%v allocations", got)
	}
}

// FuzzFrame: whatever the worker writes is read within the caps or refused.
func FuzzFrame(f *testing.F) {
	f.Add(encode(f, frame{Kind: kindReady, Protocol: 1}))
	f.Add(encode(f, frame{Kind: kindDone, Ended: &ended{Reason: runtime.ReasonScript}, Payload: []byte("1")}))
	f.Add([]byte{0, 0, 0, 2, 0, 0, 0, 1, '{', '}', 'x'})
	f.Add([]byte{255, 255, 255, 255, 255, 255, 255, 255})
	limits := capped(1<<10, 1<<12)
	f.Fuzz(func(t *testing.T, raw []byte) {
		in := bytes.NewReader(raw)
		for {
			got, err := readFrame(in, limits)
			if err != nil {
				return
			}
			if len(got.Payload) > 1<<12 {
				t.Fatalf("a payload of %d bytes", len(got.Payload))
			}
			again, err := readFrame(bytes.NewReader(encode(t, got)), caps{header: 1 << 14, payload: limits.payload})
			if err != nil {
				t.Fatalf("its own frame is refused: %v", err)
			}
			if again.Kind != got.Kind && strings.ToValidUTF8(got.Kind, "\ufffd") == got.Kind {
				t.Fatalf("kind %q became %q", got.Kind, again.Kind)
			}
		}
	})
}

func TestLastWords(t *testing.T) {
	for _, c := range []struct {
		text          string
		memory, stack bool
	}{
		{"fatal error: runtime: out of memory\n", true, false},
		{"runtime: cannot allocate memory", true, false},
		{"runtime: failed to create new OS thread (have 5 already; errno=11)", true, false},
		{"SIGSEGV: segmentation violation\nPC=0x436cfd m=0 sigcode=1 addr=0x0\n", true, false},
		{"runtime: goroutine stack exceeds 67108864-byte limit\nfatal error: stack overflow", false, true},
		{"panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: segmentation violation code=0x1]", false, false},
		{"", false, false},
	} {
		if got := outOfMemory(c.text); got != c.memory {
			t.Errorf("%q: memory %v", c.text, got)
		}
		if got := stackOverflow(c.text); got != c.stack {
			t.Errorf("%q: stack %v", c.text, got)
		}
	}
}

func TestScrub(t *testing.T) {
	if got := scrub("a\x1b[31mb\u202ec\xff\nd\u0085"); got != "a[31mbc?\nd" {
		t.Errorf("%q", got)
	}
}

// capped are caps that are the same for every kind.
func capped(header uint32, payload int64) caps {
	return caps{header: header, payload: func(string) int64 { return payload }}
}

// What a frame may carry is bounded by its kind before any of it is read.
func TestPayloadsByKind(t *testing.T) {
	l := runtime.Limits{ArgumentBytes: 1 << 20, ConsoleBytes: 2 << 20, ArtifactBytes: 3 << 20, OutputBytes: 4 << 20}
	const slack = 64 << 10
	for kind, most := range map[string]uint32{
		kindCall: 1<<20 + slack, kindConsole: 2<<20 + slack, kindProgress: 2<<20 + slack, kindArtifact: 3<<20 + slack, kindDone: 4<<20 + slack,
		kindReady: 0, kindBundled: 0, kindWaiting: 0, "": 0, "other": 0,
	} {
		header := fmt.Appendf(nil, `{"kind":%q}`, kind)
		for _, size := range []uint32{most, most + 1} {
			raw := append(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(len(header))), size), header...)
			_, got, err := readHeader(bytes.NewReader(raw), fromWorker(l))
			if fits := size == most; (err == nil) != fits || fits && got != size {
				t.Errorf("%q of %d bytes: %d, %v", kind, size, got, err)
			}
		}
	}
}
