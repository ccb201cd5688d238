package mcp

// This file cuts what a client sends into lines. A line over the limit is read past, never held.

import (
	"bufio"
	"bytes"
	"io"
)

// line is one line without its end.
type line struct {
	text []byte
	long bool // it was over the limit, and text is empty
}

// lines reads lines of at most limit bytes. It is not safe for concurrent use.
type lines struct {
	r     *bufio.Reader
	limit int
	err   error // ends the lines, after what stood before it
}

func newLines(r io.Reader, limit int) *lines {
	return &lines{r: bufio.NewReaderSize(r, min(64<<10, limit+1)), limit: limit}
}

// next returns the next line, then the reader's error: io.EOF where it just ends. A last line need
// not have an end.
func (l *lines) next() (line, error) {
	if l.err != nil {
		return line{}, l.err
	}
	var pieces [][]byte
	size := 0
	for {
		piece, err := l.r.ReadSlice('\n')
		size += len(piece)
		if size > l.limit+1 { // the line's end comes on top
			pieces = nil
		} else {
			pieces = append(pieces, bytes.Clone(piece))
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if l.err = err; err != nil && (err != io.EOF || size == 0) {
			return line{}, err
		}
		return line{text: bytes.TrimRight(join(pieces), "\r\n"), long: pieces == nil}, nil
	}
}

// join copies only where there is more than one piece.
func join(pieces [][]byte) []byte {
	if len(pieces) == 1 {
		return pieces[0]
	}
	return bytes.Join(pieces, nil)
}
