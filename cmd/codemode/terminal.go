package main

// This file writes to people and to pipes: results to standard output, all else to standard error.

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"
)

// terminal is where a command's words go.
type terminal struct {
	out   *output
	err   *os.File
	json  bool // --json
	debug bool // --debug

	mu    sync.Mutex // calls and the console are told at the same time
	width int        // of the progress line that stands on the screen, 0 for none
}

// output is standard output. It remembers the first error of a write, so that a result that did not
// arrive is never taken for one that did.
type output struct {
	w       io.Writer
	written int64
	failed  error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	o.written += int64(n)
	if err != nil && o.failed == nil {
		o.failed = err
	}
	return n, err
}

// printJSON writes one indented document to standard output.
func (t *terminal) printJSON(v any) error {
	enc := json.NewEncoder(t.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// say writes a line to standard error.
func (t *terminal) say(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wipe()
	fmt.Fprintf(t.err, format+"\n", args...)
}

// log is where the service writes what only its operator may see.
func (t *terminal) log() *slog.Logger {
	if !t.debug {
		return nil
	}
	return slog.New(slog.NewTextHandler(t.err, nil))
}

// progress shows a passing line on a terminal and nothing in a pipe.
func (t *terminal) progress(message string) {
	if !term.IsTerminal(int(t.err.Fd())) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wipe()
	message = printable(strings.ReplaceAll(message, "\n", " "), 100)
	fmt.Fprint(t.err, message)
	t.width = len(message)
}

// clear takes the progress line away.
func (t *terminal) clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wipe()
}

func (t *terminal) wipe() {
	if t.width > 0 {
		fmt.Fprint(t.err, "\r\x1b[K")
		t.width = 0
	}
}

// printable makes text from a script or a destination safe for a terminal: control characters, and
// those that reorder or hide text, show as escapes.
func printable(s string, limit int) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r < 0x20, r >= 0x7f && r < 0xa0, r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0xfeff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
		if limit > 0 && b.Len() >= limit {
			return b.String() + "..."
		}
	}
	return b.String()
}
