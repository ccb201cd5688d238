package sqlite

// This file turns values into what stands in the tables, and refuses what would not come back the same.

import (
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
	maxDataBytes = 64 << 20 // of one entry or receipt
	maxEntries   = 10_000   // of one Append
)

// ids are identifiers by what they name.
type ids map[string]string

// check refuses ids that are empty, too long, or not text.
func (names ids) check() error {
	for _, what := range slices.Sorted(maps.Keys(names)) {
		switch id := names[what]; {
		case id == "":
			return runtime.Errorf(runtime.InvalidArgument, "the %s id is empty", what)
		case len(id) > maxIDBytes:
			return runtime.Errorf(runtime.InvalidArgument, "the %s id has %d bytes, at most %d are allowed", what, len(id), maxIDBytes)
		case !utf8.ValidString(id):
			return runtime.Errorf(runtime.InvalidArgument, "the %s id %s is not valid UTF-8", what, quote(id))
		}
	}
	return nil
}

func wellFormed(names ids, entries ...runtime.Entry) error {
	if err := names.check(); err != nil {
		return err
	}
	if len(entries) > maxEntries {
		return runtime.Errorf(runtime.InvalidArgument, "%d entries at once, at most %d are allowed", len(entries), maxEntries)
	}
	for _, e := range entries {
		switch {
		case e.Kind == "" || !utf8.ValidString(string(e.Kind)):
			return runtime.Errorf(runtime.InvalidArgument, "entry kind %s is not a word", quote(string(e.Kind)))
		case len(e.Data) > maxDataBytes:
			return runtime.Errorf(runtime.InvalidArgument, "entry of kind %s has %d bytes, at most %d are allowed", e.Kind, len(e.Data), maxDataBytes)
		case len(e.Data) > 0 && !json.Valid(e.Data):
			return runtime.Errorf(runtime.InvalidArgument, "the data of entry kind %s is not JSON", e.Kind)
		}
	}
	return nil
}

// encodeTime writes UTC with nanoseconds; years outside 0 to 9999 have no such form.
func encodeTime(t time.Time) (string, error) {
	text, err := t.UTC().MarshalText()
	if err != nil {
		return "", runtime.Errorf(runtime.InvalidArgument, "time: %v", err)
	}
	return string(text), nil
}

// blob is never nil, because a NULL is not an empty value.
func blob(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}

func encodeReceipt(r runtime.Receipt) ([]byte, error) {
	raw, err := json.Marshal(r)
	switch {
	case err != nil:
		return nil, runtime.Errorf(runtime.InvalidArgument, "receipt %s: %v", quote(r.ReceiptID), err)
	case replacedText(raw):
		return nil, runtime.Errorf(runtime.InvalidArgument, "receipt %s holds text that is not valid UTF-8", quote(r.ReceiptID))
	case len(raw) > maxDataBytes:
		return nil, runtime.Errorf(runtime.InvalidArgument, "receipt %s has %d bytes, at most %d are allowed", quote(r.ReceiptID), len(raw), maxDataBytes)
	}
	return raw, nil
}

// replacedText reports whether encoding/json had to replace bytes that are not UTF-8. It writes the
// escape \ufffd for those only; a replacement character that stood there it writes as it is.
func replacedText(raw []byte) bool {
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		if strings.HasPrefix(string(raw[i:min(len(raw), i+6)]), `\ufffd`) {
			return true
		}
		i++
	}
	return false
}

// finishedEntry is the journal's last line of a run.
func finishedEntry(r runtime.Receipt) (runtime.Entry, error) {
	data, err := json.Marshal(struct {
		ReceiptID string         `json:"receipt_id"`
		State     runtime.State  `json:"state"`
		Reason    runtime.Reason `json:"reason,omitempty"`
	}{r.ReceiptID, r.State, r.Reason})
	return runtime.Entry{Kind: runtime.EntryFinished, At: r.Finished, Data: data}, err
}

// quote shows a name of any content in a message, short.
func quote(s string) string {
	const most = 80
	if len(s) > most {
		s = s[:most] + "..."
	}
	return strconv.Quote(s)
}

func nameList(accounts map[string]runtime.Budget) string {
	names := slices.Sorted(maps.Keys(accounts))
	if len(names) == 0 {
		return "none"
	}
	for i := range names {
		names[i] = quote(names[i])
	}
	return strings.Join(names[:min(len(names), 8)], ", ")
}
