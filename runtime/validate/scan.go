package validate

// This file reads JSON under limits, before anything walks it.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// limits bound one document.
type limits struct {
	bytes, values, depth int
}

var (
	maxValue  = limits{bytes: 64 << 20, values: 1_000_000, depth: 128}
	maxSchema = limits{bytes: 1 << 20, values: 200_000, depth: 128}
)

const (
	maxNumberBytes = 512 // digits of one number
	maxExponent    = 400 // a double ends at 308
)

// decode reads one document with its numbers as they are written.
func decode(raw []byte, max limits) (any, error) {
	if err := scan(raw, max); err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var doc any
	if err := dec.Decode(&doc); err != nil {
		return nil, notJSON(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("there is more after the JSON value")
	}
	return doc, nil
}

func notJSON(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("the JSON value ends too early")
	}
	return fmt.Errorf("not JSON: %w", err)
}

// scan counts what is in a document, in one pass and without a stack. It need not know whether the
// document is JSON at all.
func scan(raw []byte, max limits) error {
	if len(raw) > max.bytes {
		return fmt.Errorf("%d bytes, at most %d are allowed", len(raw), max.bytes)
	}
	depth, values := 0, 1
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			i = stringEnd(raw, i)
		case c == '{' || c == '[':
			values++
			if depth++; depth > max.depth {
				return fmt.Errorf("nested more than %d deep", max.depth)
			}
		case c == '}' || c == ']':
			depth--
		case c == ',':
			values++
		case c == '-' || c >= '0' && c <= '9':
			end := numberEnd(raw, i)
			if err := plainNumber(raw[i:end]); err != nil {
				return err
			}
			i = end - 1
		}
	}
	if values > max.values {
		return fmt.Errorf("more than %d values", max.values)
	}
	return nil
}

// stringEnd returns the index of the closing quote, or the last of the document.
func stringEnd(raw []byte, i int) int {
	for i++; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return i
}

func numberEnd(raw []byte, i int) int {
	for i < len(raw) && strings.IndexByte("+-.eE0123456789", raw[i]) >= 0 {
		i++
	}
	return i
}

// plainNumber refuses numbers whose exact value would fill the memory.
func plainNumber(n []byte) error {
	if len(n) > maxNumberBytes {
		return fmt.Errorf("a number of %d digits, at most %d are allowed", len(n), maxNumberBytes)
	}
	_, exponent, ok := strings.Cut(strings.ToLower(string(n)), "e")
	if !ok {
		return nil
	}
	if e, err := strconv.Atoi(exponent); err != nil || e > maxExponent || e < -maxExponent {
		return fmt.Errorf("the number %s is out of range", clip(string(n), 40))
	}
	return nil
}
