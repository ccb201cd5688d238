package typecheck

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestReadFrame(t *testing.T) {
	long := strings.Repeat("x", maxHeaderBytes)
	for _, tc := range []struct {
		name, in, want string
		err            error
	}{
		{"plain", "Content-Length: 2\r\n\r\n{}", "{}", nil},
		{"other headers", "Content-Type: x\r\ncontent-length:2\r\n\r\n{}", "{}", nil},
		{"bare newlines", "Content-Length: 2\n\n{}", "{}", nil},
		{"empty body", "Content-Length: 0\r\n\r\n", "", nil},
		{"end", "", "", io.EOF},
		{"end in header", "Content-Le", "", errFrame},
		{"end before body", "Content-Length: 2\r\n\r\n", "", errFrame},
		{"end in body", "Content-Length: 9\r\n\r\n{}", "", errFrame},
		{"no length", "X: 1\r\n\r\n{}", "", errFrame},
		{"no colon", "hello\r\n\r\n", "", errFrame},
		{"negative", "Content-Length: -1\r\n\r\n", "", errFrame},
		{"not a number", "Content-Length: 1e3\r\n\r\n", "", errFrame},
		{"huge", "Content-Length: 99999999999\r\n\r\n", "", errFrame},
		{"past int64", "Content-Length: 99999999999999999999999\r\n\r\n", "", errFrame},
		{"twice", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "", errFrame},
		{"long line", "X: " + long, "", errFrame},
		{"long header", strings.Repeat("X: y\r\n", maxHeaderBytes/4), "", errFrame},
		{"promise without body", fmt.Sprintf("Content-Length: %d\r\n\r\n", maxFrameBytes), "", errFrame},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := readFrame(bufio.NewReader(strings.NewReader(tc.in)))
			if string(got) != tc.want || !errors.Is(err, tc.err) {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

// FuzzReadFrame holds that what was framed reads back, and that nothing panics or hangs.
func FuzzReadFrame(f *testing.F) {
	f.Add([]byte("Content-Length: 2\r\n\r\n{}"))
	f.Add([]byte("\r\n\r\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		r := bufio.NewReader(bytes.NewReader(raw))
		for {
			if _, err := readFrame(r); err != nil {
				break
			}
		}
		got, err := readFrame(bufio.NewReader(bytes.NewReader(appendFrame(nil, raw))))
		if err != nil || !bytes.Equal(got, raw) {
			t.Errorf("%q: %q, %v", raw, got, err)
		}
	})
}

// TestMalformedReplies holds that a compiler that says nonsense ends the conversation with an
// error, and that one that only refuses does not.
func TestMalformedReplies(t *testing.T) {
	frame := func(s string) string { return string(appendFrame(nil, []byte(s))) }
	for _, tc := range []struct {
		name, in string
		remote   bool
	}{
		{"nothing", "", false},
		{"not framed", "panic: runtime error\n\n", false},
		{"not json", frame("nonsense"), false},
		{"json of another shape", frame("[1,2]"), false},
		{"answer to nothing asked", frame(`{"id":99,"result":1}`), false},
		{"answer without id", frame(`{"result":1}`), false},
		{"answer of another type", frame(`{"id":1,"result":{"a":"b"}}`), false},
		{"question of unknown kind", frame(`{"id":"q","method":"writeFile","params":"/x"}`), false},
		{"question without path", frame(`{"id":"q","method":"readFile","params":{"a":1}}`), false},
		{"question with a long path", frame(`{"id":"q","method":"readFile","params":"` + strings.Repeat("x", maxQuestion) + `"}`), false},
		{"questions without end", strings.Repeat(frame(`{"id":"q","method":"fileExists","params":"/x"}`), maxQuestions+1), false},
		{"refusal", frame(`{"id":1,"error":{"code":-32603,"message":"panic: no"}}`), true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := newConn(strings.NewReader(tc.in), io.Discard, newFileSystem(&library{}, newPackages(nil)))
			var into []int
			err := c.call("x", nil, &into)
			var remote *remoteError
			if err == nil || errors.As(err, &remote) != tc.remote {
				t.Errorf("error %v", err)
			}
		})
	}
}
