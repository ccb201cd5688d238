package storetest

// This file tests what a store is given that it did not expect: size, odd text, wrong requests.

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"codemode/runtime"
)

func testBig(f *fixture) {
	f.ok(f.store.Start(f.ctx, f.op(), runRecord("run_1", nil)))
	data := []byte(`"` + strings.Repeat("x", 8<<20) + `"`)
	f.ok(f.store.Append(f.ctx, f.op(), "run_1", 1, runtime.Entry{Kind: runtime.EntryCheckpoint, At: clock(1), Data: data}))
	f.reopen()
	entries := f.journal("run_1", runtime.EntryStarted, runtime.EntryCheckpoint)
	if !bytes.Equal(entries[1].Data, data) {
		f.Error("8 MiB did not come back the same")
	}
	r := receipt("rcpt_1", "run_1", runtime.Finished)
	for range 10_000 {
		r.Calls = append(r.Calls, r.Calls[0])
	}
	f.ok(f.store.Finish(f.ctx, f.op(), 1, r))
	got, err := f.store.Receipt(f.ctx, "rcpt_1")
	f.ok(err)
	if len(got.Calls) != len(r.Calls) {
		f.Errorf("receipt has %d calls, want %d", len(got.Calls), len(r.Calls))
	}
}

// testHostile wants every text refused as InvalidArgument or kept byte by byte, apart from all others.
func testHostile(f *fixture) {
	texts := []string{"a", "A", "a ", " a", "'", `"`, "';DROP TABLE run;--", "a\x00b", "a\x00c", "a\x00", "{task}", "*", "a:b", "a\nb", "\\", "%", "?1", "é", "e\u0301",
		"\u202e", "😀", "\xff", "\xc3\x28", "\xed\xa0\x80", strings.Repeat("k", 300), "__proto__"}
	kept := map[string]bool{}
	for _, text := range texts {
		err := f.store.Start(f.ctx, text, runRecord(text, map[string]runtime.Budget{text: {runtime.Calls: 3}}))
		if err != nil {
			f.fails(err, runtime.InvalidArgument)
			continue
		}
		kept[text] = true
		left, err := f.store.BeginCall(f.ctx, text+"b", intent(text, text, []string{text}, one))
		f.ok(err)
		f.balances(left, runtime.Balance{text: {runtime.Calls: 2}})
		data, err := json.Marshal(text)
		f.ok(err)
		f.ok(f.store.Append(f.ctx, text+"c", text, 1, runtime.Entry{Kind: runtime.EntryProgress, At: clock(1), Data: data}))
		f.ok(f.store.Finish(f.ctx, text+"d", 1, receipt(text, text, runtime.Finished)))
	}
	if !kept["a"] || !kept["';DROP TABLE run;--"] || !kept["😀"] {
		f.Error("plain text was refused")
	}
	f.reopen()
	for text := range kept {
		entries := f.journal(text, runtime.EntryStarted, runtime.EntryCalled, runtime.EntryProgress, runtime.EntryFinished)
		var got string
		if err := json.Unmarshal(entries[2].Data, &got); err != nil || got != text {
			f.Errorf("%q came back as %q (%v)", text, got, err)
		}
		if r, err := f.store.Receipt(f.ctx, text); err != nil || r.RunID != text {
			f.Errorf("receipt %q is of run %q (%v)", text, r.RunID, err)
		}
	}
	f.hostileReceipt()
}

func (f *fixture) hostileReceipt() {
	f.Helper()
	f.ok(f.store.Start(f.ctx, "start", runRecord("run_receipt", nil)))
	r := receipt("rcpt_odd", "run_receipt", runtime.Failed)
	r.Error = runtime.Errorf(runtime.ScriptFailed, "bytes \xff\xfe that are no text, and \\ufffd, which is")
	err := f.store.Finish(f.ctx, "finish", 1, r)
	if err == nil {
		got, err := f.store.Receipt(f.ctx, "rcpt_odd")
		f.ok(err)
		if got.Error.Message != r.Error.Message {
			f.Errorf("message came back as %q", got.Error.Message)
		}
		return
	}
	f.fails(err, runtime.InvalidArgument)
	r.Error.Message = strings.ToValidUTF8(r.Error.Message, "?")
	f.ok(f.store.Finish(f.ctx, "finish", 1, r))
}

func testBadRequests(f *fixture) {
	f.ok(f.store.Start(f.ctx, f.op(), runRecord("run_1", map[string]runtime.Budget{"run": {runtime.Calls: 5}})))
	begin := func(op string, change func(*runtime.CallIntent)) error {
		in := intent("run_1", "call_1", []string{"run"}, one)
		change(&in)
		_, err := f.store.BeginCall(f.ctx, op, in)
		return err
	}
	for name, err := range map[string]error{
		"no operation id":   begin("", func(*runtime.CallIntent) {}),
		"no call id":        begin(f.op(), func(in *runtime.CallIntent) { in.CallID = "" }),
		"a huge id":         begin(f.op(), func(in *runtime.CallIntent) { in.CallID = strings.Repeat("c", 1<<20) }),
		"unknown account":   begin(f.op(), func(in *runtime.CallIntent) { in.Accounts = []string{"run", "nobody"} }),
		"account twice":     begin(f.op(), func(in *runtime.CallIntent) { in.Accounts = []string{"run", "run"} }),
		"data not JSON":     begin(f.op(), func(in *runtime.CallIntent) { in.Entry.Data = json.RawMessage(`{"a":`) }),
		"no kind":           begin(f.op(), func(in *runtime.CallIntent) { in.Entry.Kind = "" }),
		"a year past 9999":  begin(f.op(), func(in *runtime.CallIntent) { in.Entry.At = time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC) }),
		"no run id":         f.store.Start(f.ctx, f.op(), runRecord("", nil)),
		"an unnamed budget": f.store.Start(f.ctx, f.op(), runRecord("run_2", map[string]runtime.Budget{"": nil})),
		"no entries":        f.store.Append(f.ctx, f.op(), "run_1", 1),
		"no receipt id":     f.store.Finish(f.ctx, f.op(), 1, receipt("", "run_1", runtime.Finished)),
	} {
		var e *runtime.Error
		if !errors.As(err, &e) || e.Code != runtime.InvalidArgument || !utf8.ValidString(e.Message) || len(e.Message) > 1000 {
			f.Errorf("%s: error is %.200v, want a short invalid_argument", name, err)
		}
	}
	f.fails(begin(f.op(), func(in *runtime.CallIntent) { in.RunID = "run_9" }), runtime.NotFound)
	f.fails(f.store.Append(f.ctx, f.op(), "run_9", 1, entry(runtime.EntryProgress, 1, `1`)), runtime.NotFound)
	f.journal("run_1", runtime.EntryStarted)
}
