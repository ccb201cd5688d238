package worker

// This file holds the wire between the service and a worker: frames over the worker's standard input
// and output. A frame is two big-endian uint32 lengths, a JSON header and a payload, which carries
// what is large (a script, arguments, a result, a file) without another encoding. Each side caps what
// it reads; the worker's side of the pipe is hostile.

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"codemode/runtime"
)

// protocol numbers this wire: a worker of another build is refused.
const protocol = 3

// Kinds of frames; towards the worker: input, run, settled, suspend, kept. From it: the others, in the
// order ready, bundled, any of call console progress artifact waiting, done.
const (
	kindInput    = "input"    // one input file, before run
	kindRun      = "run"      // the program
	kindSettled  = "settled"  // a call's settlement
	kindSuspend  = "suspend"  // no call that the script waits for has settled: it is to end
	kindKept     = "kept"     // an artifact was taken or refused
	kindReady    = "ready"    // the worker waits for a run
	kindBundled  = "bundled"  // bundling went well; the code runs from here
	kindCall     = "call"     // the script calls
	kindWaiting  = "waiting"  // the script can only go on with pending calls
	kindConsole  = "console"  // a console line
	kindProgress = "progress" // a progress message
	kindArtifact = "artifact" // a file
	kindDone     = "done"     // how it ended
)

// frame is a header and its payload; which fields a kind uses stands beside them.
type frame struct {
	Kind string `json:"kind"`
	// Protocol and Confined: ready. A worker of another build is refused.
	Protocol int    `json:"protocol,omitempty"`
	Confined string `json:"confined,omitempty"`
	// Name: input, its name; bundled, the code's digest.
	Name   string `json:"name,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
	// Seq, Helper, Method, At: call. Seq: settled.
	Seq    int            `json:"seq,omitempty"`
	Helper runtime.Helper `json:"helper,omitempty"`
	Method string         `json:"method,omitempty"`
	At     runtime.Pos    `json:"at,omitzero"`
	// Waiting: waiting, the numbers of the pending calls.
	Waiting []int `json:"waiting,omitempty"`
	// BigInts, Now, Pending: settled. Err: settled, kept.
	BigInts []string       `json:"bigints,omitempty"`
	Now     int64          `json:"now,omitempty"`
	Pending bool           `json:"pending,omitempty"`
	Err     *runtime.Error `json:"err,omitempty"`
	// Level: console, with At.
	Level string `json:"level,omitempty"`
	// Path, MediaType: artifact.
	Path      string `json:"path,omitempty"`
	MediaType string `json:"media_type,omitempty"`
	// Ended: done; the result is the payload.
	Ended *ended `json:"ended,omitempty"`

	Payload []byte `json:"-"`
}

// ended is an Outcome without its result.
type ended struct {
	Reason           runtime.Reason       `json:"reason,omitempty"`
	Err              *runtime.Error       `json:"err,omitempty"`
	Cause            string               `json:"cause,omitempty"`
	Waiting          []int                `json:"waiting,omitempty"`
	Settled          int                  `json:"settled,omitempty"`
	Diagnostics      []runtime.Diagnostic `json:"diagnostics,omitempty"`
	ConsoleTruncated bool                 `json:"console_truncated,omitempty"`
}

// caps bound one frame, in bytes: its header, and its payload by kind.
type caps struct {
	header  uint32
	payload func(kind string) int64
}

// readFrame reads one frame within the caps. It reserves no memory for bytes that have not come. The
// error is io.EOF only between frames.
func readFrame(in io.Reader, c caps) (frame, error) {
	f, payload, err := readHeader(in, c)
	if err != nil {
		return f, err
	}
	f.Payload, err = readExactly(in, payload)
	return f, err
}

// readHeader reads a frame up to its payload, and says how long that is.
func readHeader(in io.Reader, c caps) (f frame, payload uint32, err error) {
	var lengths [8]byte
	if _, err := io.ReadFull(in, lengths[:]); err != nil {
		return f, 0, err
	}
	header, payload := binary.BigEndian.Uint32(lengths[:4]), binary.BigEndian.Uint32(lengths[4:])
	if header > c.header {
		return f, 0, broken("a frame header of %d bytes, more than %d", header, c.header)
	}
	raw, err := readExactly(in, header)
	if err != nil {
		return f, 0, err
	}
	if err := json.Unmarshal(raw, &f); err != nil {
		return f, 0, broken("a frame header that does not parse: %v", err)
	}
	if most := c.payload(f.Kind); int64(payload) > most {
		return f, 0, broken("a frame %.20q of %d bytes, more than %d", f.Kind, payload, most)
	}
	return f, payload, nil
}

func readExactly(in io.Reader, n uint32) ([]byte, error) {
	const chunk = 1 << 20
	buf := make([]byte, 0, min(n, chunk))
	for uint32(len(buf)) < n {
		step := min(n-uint32(len(buf)), chunk)
		buf = append(buf, make([]byte, step)...)
		if _, err := io.ReadFull(in, buf[uint32(len(buf))-step:]); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
	}
	return buf, nil
}

// frameWriter writes whole frames from any goroutine.
type frameWriter struct {
	mu  sync.Mutex
	out *bufio.Writer
}

func newFrameWriter(out io.Writer) *frameWriter {
	return &frameWriter{out: bufio.NewWriterSize(out, 16<<10)}
}

func (w *frameWriter) write(f frame) error {
	header, err := json.Marshal(f)
	if err != nil {
		return fmt.Errorf("frame header: %w", err)
	}
	var lengths [8]byte
	binary.BigEndian.PutUint32(lengths[:4], uint32(len(header)))
	binary.BigEndian.PutUint32(lengths[4:], uint32(len(f.Payload)))
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, part := range [][]byte{lengths[:], header, f.Payload} {
		if _, err := w.out.Write(part); err != nil {
			return err
		}
	}
	return w.out.Flush()
}
