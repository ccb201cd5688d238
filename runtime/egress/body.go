package egress

// This file takes in the body of a reply. A large one waits in a file until all of it has come, and takes
// its room in memory then: how slowly a destination sends costs its own caller time, and nobody else room.

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
)

// inMemory is how much of a body that has not all come is held in memory, in bytes.
const inMemory = 256 << 10

// errTooLarge is a body of more bytes than the exchange takes.
var errTooLarge = errors.New("the body is too large")

// read takes in a body. Its errors are errTooLarge, an *fs.PathError of the file that it waited in, and what
// the connection or the room say.
func (x *exchange) read(ctx context.Context, in io.Reader) ([]byte, error) {
	in = io.LimitReader(in, x.limit+1)
	head, err := io.ReadAll(io.LimitReader(in, inMemory))
	switch {
	case int64(len(head)) > x.limit:
		return nil, errTooLarge
	case err != nil:
		return nil, err
	case len(head) < inMemory:
		return head, x.wait(ctx, int64(len(head)))
	}
	file, err := os.CreateTemp("", "codemode-reply-")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(file.Name()) // so that nothing stays if this process dies; where an open file keeps its name, discard takes it away
	defer discard(file)
	return x.readOn(ctx, file, head, in)
}

// readOn takes in the rest by way of the file.
func (x *exchange) readOn(ctx context.Context, file *os.File, head []byte, in io.Reader) ([]byte, error) {
	if _, err := file.Write(head); err != nil {
		return nil, err
	}
	rest, err := io.Copy(file, in)
	if err != nil {
		return nil, err
	}
	size := int64(len(head)) + rest
	if size > x.limit {
		return nil, errTooLarge
	}
	if err := x.wait(ctx, size); err != nil {
		return nil, err
	}
	body := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead)) // it is read whole without growing
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	_, err = body.ReadFrom(file)
	return body.Bytes(), err
}

func (x *exchange) wait(ctx context.Context, size int64) error {
	if x.room == nil {
		return nil
	}
	return x.room(ctx, size)
}

// discard closes the file and takes it away.
func discard(file *os.File) {
	_ = file.Close() // nothing of it is wanted any more
	_ = os.Remove(file.Name())
}

// broke says how a body that did not come whole failed.
func broke(err error) string {
	if file := (*fs.PathError)(nil); errors.As(err, &file) {
		return "could not be kept while it came"
	}
	return "broke off"
}
