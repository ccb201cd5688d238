package typecheck

// This file holds the framing of the compiler's protocol: JSON bodies behind a Content-Length
// header, as the base protocol of the Language Server Protocol 3.17 has it. The other side has read
// a hostile script, so every size is capped before memory is spent on it.

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

const (
	maxFrameBytes  = 64 << 20
	maxHeaderBytes = 4 << 10
)

var errFrame = errors.New("malformed frame")

// readFrame returns the next body. Its error is io.EOF when the stream ended between frames, and
// wraps errFrame when the header is not one.
func readFrame(r *bufio.Reader) ([]byte, error) {
	size, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	// The buffer grows with what arrives, so that a header alone costs nothing.
	var body bytes.Buffer
	if _, err := io.CopyN(&body, r, size); err != nil {
		return nil, fmt.Errorf("%w: the body ends early: %w", errFrame, err)
	}
	return body.Bytes(), nil
}

func readHeader(r *bufio.Reader) (int64, error) {
	size, spent := int64(-1), 0
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return 0, headerError(err, spent+len(line))
		}
		if spent += len(line); spent > maxHeaderBytes {
			return 0, fmt.Errorf("%w: header over %d bytes", errFrame, maxHeaderBytes)
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			break
		}
		if size, err = contentLength(line, size); err != nil {
			return 0, err
		}
	}
	if size < 0 {
		return 0, fmt.Errorf("%w: no Content-Length", errFrame)
	}
	return size, nil
}

func headerError(err error, spent int) error {
	if errors.Is(err, io.EOF) && spent == 0 {
		return io.EOF
	}
	return fmt.Errorf("%w: header: %w", errFrame, err)
}

// contentLength returns the size that the header line gives, or size if the line is another.
func contentLength(line []byte, size int64) (int64, error) {
	key, value, ok := bytes.Cut(line, []byte(":"))
	if !ok {
		return 0, fmt.Errorf("%w: header line without a colon", errFrame)
	}
	if !bytes.EqualFold(bytes.TrimSpace(key), []byte("Content-Length")) {
		return size, nil
	}
	n, err := strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 64)
	if err != nil || n < 0 || n > maxFrameBytes || size >= 0 {
		return 0, fmt.Errorf("%w: Content-Length is not one number from 0 to %d", errFrame, maxFrameBytes)
	}
	return n, nil
}

// appendFrame appends body with its header to b.
func appendFrame(b, body []byte) []byte {
	b = fmt.Appendf(b, "Content-Length: %d\r\n\r\n", len(body))
	return append(b, body...)
}
