package learn

// This file reads recorded results: JSON Lines, each {"key", "result"}, {"key", "operation", "result"}
// or {"method", "result"}.

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
)

// Record is one recorded result.
type Record struct {
	Key       string          `json:"key,omitempty"`
	Operation string          `json:"operation,omitempty"`
	Method    string          `json:"method,omitempty"`
	Result    json.RawMessage `json:"result"`
	// Line counts from 1.
	Line int `json:"-"`
	// Through names all the lines of the recording up to this one, blank ones apart: a recording that
	// was only added to has the same name at the same line.
	Through string `json:"-"`
}

// Problem is a line that holds no result.
type Problem struct {
	Line    int    `json:"line"`
	Message string `json:"message"`
}

const (
	maxLine     = maxBytes + 1<<16
	maxProblems = 100
	// throughBytes are enough to tell the recordings of one row apart, and few in a file that is reviewed.
	throughBytes = 8
)

// MaxRecordings caps the names of recordings that are kept of one row.
const MaxRecordings = 200

// Recordings joins names of recordings, sorted. Of more than MaxRecordings the first are kept, so that
// the order in which they were merged makes no difference; one that is not kept can count again.
func Recordings(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	all = slices.Compact(all)
	return all[:min(len(all), MaxRecordings)]
}

// Read calls take for each record of a file. What is no record is a problem, the first 100 of which are
// kept; more is how many there were beside. Its error is the reader's.
func Read(r io.Reader, take func(Record) error) (problems []Problem, more int, err error) {
	in, through := bufio.NewReaderSize(r, 1<<16), sha256.New()
	for line := 1; ; line++ {
		text, long, err := readLine(in)
		if err != nil && !errors.Is(err, io.EOF) {
			return problems, more, err
		}
		if problem := record(text, long, line, through, take); problem != nil {
			if len(problems) < maxProblems {
				problems = append(problems, Problem{line, problem.Error()})
			} else {
				more++
			}
		}
		if err != nil {
			return problems, more, nil
		}
	}
}

// readLine reads one line; of one that is too long it keeps nothing.
func readLine(in *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if !long {
			line = append(line, part...)
		}
		if len(line) > maxLine {
			line, long = nil, true
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

func record(text []byte, long bool, line int, through hash.Hash, take func(Record) error) error {
	if long {
		return fmt.Errorf("the line is longer than %d bytes", maxLine)
	}
	if line == 1 {
		text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	}
	if text = bytes.TrimSpace(text); len(text) == 0 {
		return nil
	}
	through.Write(text)
	through.Write([]byte("\n"))
	var r Record
	if err := json.Unmarshal(text, &r); err != nil {
		return fmt.Errorf("want {\"key\" or \"method\", \"result\"}: %w", err)
	}
	if r.Result == nil {
		return errors.New(`"result" is missing`)
	}
	if (r.Key == "") == (r.Method == "") {
		return errors.New(`want either "key" or "method"`)
	}
	r.Line, r.Through = line, hex.EncodeToString(through.Sum(nil)[:throughBytes])
	return take(r)
}
