package sqlite

// This file turns values into what stands in the tables, and refuses what would not come back the same.

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"codemode/runtime"
)

const (
	maxIDBytes   = 512
	maxDataBytes = 64 << 20 // of one entry, request, receipt or checkpoint
	maxEntries   = 10_000   // of one operation
)

// ids are identifiers by what they name.
type ids map[string]string

// check refuses ids that are empty, too long, or not text.
func (names ids) check() error {
	for _, what := range slices.Sorted(maps.Keys(names)) {
		if names[what] == "" {
			return runtime.Errorf(runtime.InvalidArgument, "the %s id is empty", what).WithHint("give every %s an id of its own", what)
		}
		if err := validText("the "+what+" id", names[what]); err != nil {
			return err
		}
	}
	return nil
}

// validText refuses what is long or does not come back as it is.
func validText(what, text string) error {
	switch {
	case len(text) > maxIDBytes:
		return runtime.Errorf(runtime.InvalidArgument, "%s has %d bytes, at most %d are allowed", what, len(text), maxIDBytes)
	case !utf8.ValidString(text):
		return runtime.Errorf(runtime.InvalidArgument, "%s %s is not valid UTF-8", what, quote(text))
	}
	return nil
}

func validJSON(what string, data []byte) error {
	switch {
	case len(data) > maxDataBytes:
		return runtime.Errorf(runtime.InvalidArgument, "%s has %d bytes, at most %d are allowed", what, len(data), maxDataBytes)
	case len(data) > 0 && !json.Valid(data):
		return runtime.Errorf(runtime.InvalidArgument, "%s is not JSON", what)
	}
	return nil
}

func validLease(lease time.Duration) error {
	if lease <= 0 {
		return runtime.Errorf(runtime.InvalidArgument, "the lease is %s, want more than 0", lease)
	}
	return nil
}

func wellFormed(do operation, names ids, entries ...runtime.Entry) error {
	names["operation"] = do.id
	if err := names.check(); err != nil {
		return err
	}
	if len(entries) > maxEntries {
		return runtime.Errorf(runtime.InvalidArgument, "%d entries at once, at most %d are allowed", len(entries), maxEntries).
			WithHint("append them in several operations")
	}
	for _, e := range entries {
		if e.Kind == "" {
			return runtime.Errorf(runtime.InvalidArgument, "an entry has no kind")
		}
		if err := validText("the entry kind", string(e.Kind)); err != nil {
			return err
		}
		if err := validJSON("the data of entry kind "+quote(string(e.Kind)), e.Data); err != nil {
			return err
		}
	}
	return nil
}

func validRecord(record runtime.RunRecord, lease time.Duration) error {
	if err := validLease(lease); err != nil {
		return err
	}
	if err := validText("the task", record.Task); err != nil {
		return err
	}
	return validJSON("the request", record.Request)
}

func allRelaxed(entries []runtime.Entry) bool {
	return !slices.ContainsFunc(entries, func(e runtime.Entry) bool { return !e.Relaxed })
}

// sortable writes a time so that texts compare as the times do: UTC, to the nanosecond.
func sortable(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000000Z") }

// encodeTime refuses years outside 0 to 9999, which have no such form.
func encodeTime(t time.Time) (string, error) {
	if year := t.UTC().Year(); year < 0 || year > 9999 {
		return "", runtime.Errorf(runtime.InvalidArgument, "the year %d of a time is not from 0 to 9999", year)
	}
	return sortable(t), nil
}

// encodeDeadline writes never as "".
func encodeDeadline(t time.Time) (string, error) {
	if t.IsZero() {
		return "", nil
	}
	return encodeTime(t)
}

// blob is never nil, because a NULL is not an empty value.
func blob(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}

// value is what blob was made of.
func value(data []byte) json.RawMessage {
	if len(data) == 0 {
		return nil
	}
	return data
}

// digest names bytes as blobs are named.
func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// quote shows a name of any content in a message, short.
func quote(s string) string { return strconv.Quote(short(s)) }

func short(s string) string {
	const most = 80
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}
