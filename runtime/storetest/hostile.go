package storetest

// This file tests what a store is given that it did not expect: size, odd text, wrong requests.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"codemode/runtime"
)

func testBig(f *fixture) {
	f.start("run_1")
	sized := func(n int) runtime.Entry {
		return runtime.Entry{Kind: runtime.EntrySettled, At: at(1), Data: bytes.Join([][]byte{[]byte(`"`), []byte(`"`)}, bytes.Repeat([]byte("x"), n-2))}
	}
	big := sized(16 << 20)
	f.ok(f.store.Append(f.ctx, f.op(), "run_1", 1, note, big, note))
	f.reopen()
	entries := f.journal("run_1", runtime.EntryStarted, runtime.EntryProgress, runtime.EntrySettled, runtime.EntryProgress)
	if !bytes.Equal(entries[2].Data, big.Data) {
		f.Error("16 MiB did not come back the same")
	}
	e := f.fails(f.store.Append(f.ctx, f.op(), "run_1", 1, note, sized(64<<20+1)), runtime.InvalidArgument)
	if !strings.Contains(e.Message, fmt.Sprint(64<<20+1)) {
		f.Errorf("the error does not tell the size: %v", e)
	}
	if n := len(f.numbered("run_1")); n != 4 {
		f.Errorf("the journal has %d entries", n)
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
		record := runtime.RunRecord{RunID: text, Task: text, Request: jsonText(text)}
		if err := f.store.Start(f.ctx, text, record, time.Hour, started); err != nil {
			f.fails(err, runtime.InvalidArgument)
			continue
		}
		kept[text] = true
		f.ok(f.store.Append(f.ctx, text+"a", text, 1, runtime.Entry{Kind: runtime.EntryProgress, At: at(1), Data: jsonText(text)}))
		f.ok(f.store.Suspend(f.ctx, text+"b", text, 1))
		f.ok(f.store.Answer(f.ctx, text+"c", text, runtime.Entry{Kind: runtime.EntryAnswered, At: at(1), Data: jsonText(text)}))
		f.ok(f.claimed(text+"d", text, 2))
		f.ok(f.store.SaveCheckpoint(f.ctx, text, 2, checkpointOf(text, text, text, string(jsonText(text)))))
		f.ok(f.store.Finish(f.ctx, text+"e", 2, receipt(text, text, runtime.Finished)))
	}
	if !kept["a"] || !kept["';DROP TABLE run;--"] || !kept["😀"] {
		f.Error("plain text was refused")
	}
	f.reopen()
	for text := range kept {
		entries := f.journal(text, runtime.EntryStarted, runtime.EntryProgress, runtime.EntryAnswered, runtime.EntryFinished)
		if got := entries[1].Data; !bytes.Equal(got, jsonText(text)) {
			f.Errorf("%q came back as %s", text, got)
		}
		if r, err := f.store.Receipt(f.ctx, text); err != nil || r.RunID != text {
			f.Errorf("receipt %q is of run %q (%v)", text, r.RunID, err)
		}
		f.saved(checkpointOf(text, text, text, string(jsonText(text))))
		f.standsAt(runtime.RunStatus{RunRecord: runtime.RunRecord{RunID: text, Task: text, Request: jsonText(text)}, State: runtime.Finished, Epoch: 2})
	}
	f.hostileReceipt()
}

func jsonText(text string) json.RawMessage {
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string is always JSON
	}
	return raw
}

func (f *fixture) hostileReceipt() {
	f.Helper()
	f.start("run_receipt")
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
	f.start("run_1")
	start := func(change func(*runtime.RunRecord)) error {
		record := runRecord("run_2")
		change(&record)
		return f.store.Start(f.ctx, f.op(), record, time.Hour, started)
	}
	add := func(op string, change func(*runtime.Entry)) error {
		e := note
		change(&e)
		return f.store.Append(f.ctx, op, "run_1", 1, e)
	}
	save := func(change func(*runtime.Checkpoint)) error {
		c := checkpoint("task_1", "page", `1`)
		change(&c)
		return f.store.SaveCheckpoint(f.ctx, f.op(), 1, c)
	}
	year12000 := time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC)
	_, claim := f.store.Claim(f.ctx, f.op(), "run_1", 0)
	_, claimAnon := f.store.Claim(f.ctx, "", "run_1", lease)
	_, renew := f.store.Renew(f.ctx, "run_1", 1, -time.Second)
	for name, err := range map[string]error{
		"a run without an id":        start(func(r *runtime.RunRecord) { r.RunID = "" }),
		"a run with a huge id":       start(func(r *runtime.RunRecord) { r.RunID = strings.Repeat("r", 1<<20) }),
		"a run with a huge task":     start(func(r *runtime.RunRecord) { r.Task = strings.Repeat("t", 1<<20) }),
		"a request that is not JSON": start(func(r *runtime.RunRecord) { r.Request = json.RawMessage(`{"a":`) }),
		"a deadline past 9999":       start(func(r *runtime.RunRecord) { r.Deadline = year12000 }),
		"a start without a lease":    f.store.Start(f.ctx, f.op(), runRecord("run_2"), 0, started),
		"a start without operation":  f.store.Start(f.ctx, "", runRecord("run_2"), time.Hour, started),
		"no operation id":            add("", func(*runtime.Entry) {}),
		"a huge operation id":        add(strings.Repeat("o", 1<<20), func(*runtime.Entry) {}),
		"data that is not JSON":      add(f.op(), func(e *runtime.Entry) { e.Data = json.RawMessage(`{"a":`) }),
		"no kind":                    add(f.op(), func(e *runtime.Entry) { e.Kind = "" }),
		"a huge kind":                add(f.op(), func(e *runtime.Entry) { e.Kind = runtime.EntryKind(strings.Repeat("\xff", 2000)) }),
		"a year past 9999":           add(f.op(), func(e *runtime.Entry) { e.At = year12000 }),
		"no entries":                 f.store.Append(f.ctx, f.op(), "run_1", 1),
		"no receipt id":              f.store.Finish(f.ctx, f.op(), 1, receipt("", "run_1", runtime.Finished)),
		"an answer without a kind":   f.store.Answer(f.ctx, f.op(), "run_1", runtime.Entry{Data: json.RawMessage(`1`)}),
		"a cancel without operation": f.store.Cancel(f.ctx, "", "run_1"),
		"a claim without a lease":    claim,
		"a claim without operation":  claimAnon,
		"a renewal without a lease":  renew,
		"a checkpoint of no task":    save(func(c *runtime.Checkpoint) { c.Task = "" }),
		"a checkpoint of no name":    save(func(c *runtime.Checkpoint) { c.Name = "" }),
		"a checkpoint of no run":     save(func(c *runtime.Checkpoint) { c.RunID = "" }),
		"a huge name":                save(func(c *runtime.Checkpoint) { c.Name = strings.Repeat("n", 1<<20) }),
		"a value that is not JSON":   save(func(c *runtime.Checkpoint) { c.Value = json.RawMessage("\xff") }),
		"a basis that is not text":   save(func(c *runtime.Checkpoint) { c.Basis.Inputs = "\xff" }),
		"a checkpoint past 9999":     save(func(c *runtime.Checkpoint) { c.At = year12000 }),
	} {
		var e *runtime.Error
		if !errors.As(err, &e) || e.Code != runtime.InvalidArgument || !utf8.ValidString(e.Error()) || len(e.Error()) > 1000 {
			f.Errorf("%s: error is %.200v, want a short invalid_argument", name, err)
		}
	}
	f.journal("run_1", runtime.EntryStarted)
	f.standsAt(runtime.RunStatus{RunRecord: runRecord("run_1"), State: runtime.Running, Epoch: 1, Held: true})
	for _, none := range []string{"run_2", strings.Repeat("\xff", 1<<20)} {
		_, err := f.store.Run(f.ctx, none)
		if e := f.fails(err, runtime.NotFound); !utf8.ValidString(e.Error()) || len(e.Error()) > 1000 {
			f.Errorf("the error is %d bytes long, or no text", len(e.Error()))
		}
	}
}

// everyMethod calls each method in a way that would pass on an open store that holds run_1.
func everyMethod(ctx context.Context, s runtime.Store) map[string]error {
	out := map[string]error{
		"Start":          s.Start(ctx, "a", runRecord("run_2"), time.Hour, started),
		"Append":         s.Append(ctx, "b", "run_1", 1, note),
		"Cancel":         s.Cancel(ctx, "c", "run_1"),
		"Answer":         s.Answer(ctx, "d", "run_1", answer),
		"Suspend":        s.Suspend(ctx, "e", "run_1", 1),
		"Finish":         s.Finish(ctx, "f", 2, receipt("rcpt_1", "run_1", runtime.Finished)),
		"SaveCheckpoint": s.SaveCheckpoint(ctx, "g", 1, checkpoint("task_1", "page", `1`)),
		"PutBlob":        s.PutBlob(ctx, digest([]byte("a")), []byte("a")),
	}
	_, out["Claim"] = s.Claim(ctx, "h", "run_1", time.Hour)
	_, out["Renew"] = s.Renew(ctx, "run_1", 1, time.Hour)
	_, out["Run"] = s.Run(ctx, "run_1")
	_, out["Overdue"] = s.Overdue(ctx, 1)
	_, out["Journal"] = s.Journal(ctx, "run_1")
	_, out["Receipt"] = s.Receipt(ctx, "run_1")
	_, out["Receipts"] = s.Receipts(ctx, 1)
	_, out["Checkpoint"] = s.Checkpoint(ctx, "task_1", "page")
	_, out["Blob"] = s.Blob(ctx, digest([]byte("a")))
	return out
}

func testCancelledContext(f *fixture) {
	f.start("run_1")
	ctx, cancel := context.WithCancel(f.ctx)
	cancel()
	for name, err := range everyMethod(ctx, f.store) {
		if e := runtime.AsError(err); err == nil || e.Code != runtime.Cancelled {
			f.Errorf("%s: %v", name, err)
		}
	}
	f.journal("run_1", runtime.EntryStarted)
	f.ok(f.store.Append(f.ctx, "b", "run_1", 1, note))
	f.standsAt(runtime.RunStatus{RunRecord: runRecord("run_1"), State: runtime.Running, Epoch: 1, Held: true})
}

func testClosed(f *fixture) {
	other := f.handle()
	f.start("run_1")
	f.ok(f.store.Close())
	f.ok(f.store.Close())
	for name, err := range everyMethod(f.ctx, f.store) {
		if e := runtime.AsError(err); err == nil || e.Code != runtime.Unavailable || e.Hint == "" {
			f.Errorf("%s: %v", name, err)
		}
	}
	f.ok(other.Append(f.ctx, f.op(), "run_1", 1, note))
}
