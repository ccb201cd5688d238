package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"codemode/runtime"
)

// TestCallsText says what a script may have caught and kept silent about.
func TestCallsText(t *testing.T) {
	ended := runtime.CallRecord{State: "finished"}
	failed := runtime.CallRecord{State: "failed", Code: runtime.RemoteFailed}
	unknown := runtime.CallRecord{State: "failed", Code: runtime.OutcomeUnknown}
	refused := runtime.CallRecord{State: "refused", Code: runtime.NotGranted}
	for _, tt := range []struct {
		charged int64
		calls   []runtime.CallRecord
		want    string
	}{
		{0, nil, "0 calls"},
		{1, []runtime.CallRecord{ended}, "1 call"},
		{2, []runtime.CallRecord{ended, unknown}, "2 calls, 1 of them with an unknown outcome,"},
		{0, []runtime.CallRecord{refused}, "0 calls, 1 more refused,"},
		{4, []runtime.CallRecord{failed, ended, refused, failed, unknown}, "4 calls, 2 of them failed, 1 of them with an unknown outcome, 1 more refused,"},
	} {
		if got := callsText(runtime.Result{Calls: tt.calls, Usage: runtime.Usage{Calls: tt.charged}}); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// TestWriteJournal shows what ended, what did not, and data that is not what its kind says.
func TestWriteJournal(t *testing.T) {
	var entries []runtime.Entry
	for _, e := range [][2]string{
		{"started", `{"principal":"user:a","agent":"","script_sha256":"sha256:0123456789abcdef"}`},
		{"called", `{"seq":1,"call":{"seq":1,"call_id":"c1","method":"a.read","effect":"read"}}`},
		{"called", `{"seq":1,"call":{"seq":1,"step":2,"parent":"c1","call_id":"c2","method":"a.write","effect":"reversible"}}`},
		{"called", `{"seq":3,"call":{"seq":3,"call_id":"c3","method":"a.odd"}}`},
		{"called", `{"seq":4,"call":{"seq":4,"call_id":"c4","method":"a.write","effect":"irreversible"}}`},
		{"settled", `{"seq":4,"call":{"seq":4,"call_id":"c4","method":"a.write","state":"failed","code":"remote_failed"}}`},
		{"called", `{"seq":5,"call":{"seq":5,"call_id":"c5","method":"a\n9\tb\u001b[2J","effect":"read"}}`},
		{"called", `{"seq":6,"call":{"seq":6,"call_id":"c6","method":"` + strings.Repeat("m", 1000) + `","effect":"irreversible"}}`},
		{"called", `{"seq":7,"helper":"ask","args":{"question":"?"}}`},
		{"settled", `{"seq":8,"helper":"timer"}`},
		{"settled", `{"seq":9,"helper":"checkpoint.load","error":{"code":"conflict","message":"m"}}`},
		{"called", `[1]`},
		{"settled", ``},
		{"checkpoint", `"x"`},
		{"progress", `{"message":"half\n done\u001b[2J"}`},
		{"progress", `1`},
		{"finished", `{"receipt_id":"rcpt_1","state":"failed","reason":"calls"}`},
	} {
		entries = append(entries, runtime.Entry{N: len(entries) + 1, Kind: runtime.EntryKind(e[0]), At: time.Unix(0, 0), Data: json.RawMessage(e[1])})
	}
	var out bytes.Buffer
	if err := writeJournal(&out, entries); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"1 started for user:a through nobody, script sha256:0123456789ab",
		"2 called call 1 a.read read: called, outcome not recorded",
		"3 called call 1.2 a.write reversible: called, outcome not recorded: outcome unknown, it may have happened or not",
		"4 called call 3 a.odd write: called, outcome not recorded: outcome unknown, it may have happened or not",
		"5 called call 4 a.write irreversible",
		"6 settled call 4 a.write failed remote_failed",
		`7 called call 5 a 9 b\u001b[2J read: called, outcome not recorded`,
		"8 called call 6 " + strings.Repeat("m", 80) + "... irreversible: called, outcome not recorded: outcome unknown, it may have happened or not",
		"9 called call 7 ask",
		"10 settled call 8 timer",
		"11 settled call 9 checkpoint.load conflict",
		"12 called 3 bytes",
		"13 settled 0 bytes",
		"14 checkpoint 3 bytes",
		`15 progress half  done\u001b[2J`,
		"16 progress 1 byte",
		"17 finished failed calls rcpt_1",
	}
	columns := regexp.MustCompile(`(?m)^(\d+) +\S+ \S+ +(\w+) +`)
	got := strings.Split(strings.TrimSpace(columns.ReplaceAllString(out.String(), "$1 $2 ")), "\n")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("journal (-want +got):\n%s", diff)
	}
}
