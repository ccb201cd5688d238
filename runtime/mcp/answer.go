package mcp

// This file writes a run's answer, once as JSON and once as text for a model to read.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/runtime"
)

// maxCalls are the calls that an answer lists; the receipt has all of them.
const maxCalls = 200

// maxBeginning is how many bytes of a result too large for text show what it is.
const maxBeginning = 500

// answer is the structured content of run. Its fields are those of a run's JSON elsewhere, calls cut
// to what an agent can use, and artifacts with the content of small text files.
type answer struct {
	RunID        string                `json:"run_id"`
	State        runtime.State         `json:"state"`
	Reason       runtime.Reason        `json:"reason"`
	Error        *runtime.Error        `json:"error,omitempty"`
	Result       json.RawMessage       `json:"result"`
	Diagnostics  []runtime.Diagnostic  `json:"diagnostics"`
	Calls        []call                `json:"calls"`
	CallsLeftOut int                   `json:"calls_left_out,omitempty"`
	Usage        runtime.Usage         `json:"usage"`
	Artifacts    []artifact            `json:"artifacts"`
	Console      []runtime.ConsoleLine `json:"console"`
	Truncated    runtime.Truncated     `json:"truncated"`
	Receipt      string                `json:"receipt"`
	// Questions are what a suspended run waits for.
	Questions []runtime.Question `json:"questions,omitempty"`
}

type call struct {
	Seq            int          `json:"seq"`
	Method         string       `json:"method"`
	State          string       `json:"state"`
	Code           runtime.Code `json:"code,omitempty"`
	ResultState    string       `json:"result_state,omitempty"`
	ResultMismatch string       `json:"result_mismatch,omitempty"`
	Duration       int64        `json:"duration_ms"`
	At             runtime.Pos  `json:"at"`
}

type artifact struct {
	runtime.Artifact
	// Content is there for text files within the limits; else ContentOmitted says why not.
	Content        *string `json:"content,omitempty"`
	ContentOmitted string  `json:"content_omitted,omitempty"`
}

func (s *Server) answered(ctx context.Context, r runtime.Result) (*sdk.CallToolResult, error) {
	a := answer{
		RunID: r.RunID, State: r.State, Reason: r.Reason, Error: r.Error, Result: r.Result, Diagnostics: orEmpty(r.Diagnostics),
		Calls: []call{}, Usage: r.Usage, Artifacts: s.artifacts(ctx, r), Console: orEmpty(r.Console), Truncated: r.Truncated, Receipt: r.Receipt, Questions: r.Questions,
	}
	if len(a.Result) == 0 {
		a.Result = json.RawMessage("null")
	}
	for _, c := range r.Calls[:min(len(r.Calls), maxCalls)] {
		a.Calls = append(a.Calls, call{c.Seq, c.Method, c.State, c.Code, c.ResultState, c.ResultMismatch, c.Duration, c.At})
	}
	a.CallsLeftOut = len(r.Calls) - len(a.Calls)
	var structured bytes.Buffer
	enc := json.NewEncoder(&structured)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(a); err != nil {
		return nil, fmt.Errorf("run %s: the answer cannot be written: %w", r.RunID, err)
	}
	return &sdk.CallToolResult{
		IsError:           r.State != runtime.Finished && len(r.Questions) == 0,
		Content:           []sdk.Content{&sdk.TextContent{Text: s.text(a)}},
		StructuredContent: json.RawMessage(bytes.TrimSpace(structured.Bytes())),
	}, nil
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// artifacts adds the content of small text files, in order while the room lasts.
func (s *Server) artifacts(ctx context.Context, r runtime.Result) []artifact {
	out, room := []artifact{}, int64(s.c.Limits.FilesBytes)
	for _, a := range r.Artifacts {
		entry := artifact{Artifact: a}
		switch {
		case a.Bytes > int64(s.c.Limits.FileBytes):
			entry.ContentOmitted = fmt.Sprintf("it is over %d bytes", s.c.Limits.FileBytes)
		case a.Bytes > room:
			entry.ContentOmitted = fmt.Sprintf("the files are over %d bytes together", s.c.Limits.FilesBytes)
		default:
			if entry.Content, entry.ContentOmitted = s.content(ctx, a); entry.Content != nil {
				room -= a.Bytes
			}
		}
		out = append(out, entry)
	}
	return out
}

// content is a file's text, or why it is left out.
func (s *Server) content(ctx context.Context, a runtime.Artifact) (text *string, omitted string) {
	b, err := s.c.Runner.Artifact(ctx, a.SHA256)
	if err != nil {
		return nil, "it can't be read: " + err.Message
	}
	if !isText(b) {
		return nil, "it is not text"
	}
	content := string(b)
	return &content, ""
}

// isText goes by the bytes; what a script calls its file proves nothing.
func isText(b []byte) bool { return utf8.Valid(b) && bytes.IndexByte(b, 0) < 0 }

func (s *Server) text(a answer) string {
	var b strings.Builder
	s.outcome(&b, a)
	for _, d := range a.Diagnostics {
		writeDiagnostic(&b, d)
	}
	writeFailedCalls(&b, a.Calls)
	s.console(&b, a)
	room := s.c.Limits.TextBytes
	for _, f := range a.Artifacts {
		writeArtifact(&b, f, &room)
	}
	return strings.TrimRight(b.String(), "\n")
}

// outcome says how the run ended, and what it returned or why it did not.
func (s *Server) outcome(b *strings.Builder, a answer) {
	fmt.Fprintf(b, "%s", a.State)
	if a.Reason != runtime.NoReason {
		fmt.Fprintf(b, " (%s)", a.Reason)
	}
	if a.Receipt != "" {
		fmt.Fprintf(b, ": %d calls in %d ms, receipt %s", a.Usage.Calls, a.Usage.WallMillis, a.Receipt)
	}
	b.WriteString("\n")
	writeQuestions(b, a)
	if a.Error != nil && a.Reason != runtime.ReasonCheck {
		writeError(b, a.Error)
	}
	if a.Reason == runtime.ReasonCheck {
		b.WriteString("Nothing ran. Mend the script and send it again.\n")
	}
	switch {
	case a.State != runtime.Finished:
	case len(a.Result) <= s.c.Limits.TextBytes:
		fmt.Fprintf(b, "result: %s\n", a.Result)
	default:
		fmt.Fprintf(b, "result: %d bytes of JSON, which stand whole in structuredContent only; return less to have it here. It begins: %s\n", len(a.Result), clip(string(a.Result), min(maxBeginning, s.c.Limits.TextBytes)))
	}
}

// writeQuestions says what a suspended run waits for, and what will happen.
func writeQuestions(b *strings.Builder, a answer) {
	if len(a.Questions) == 0 {
		return
	}
	fmt.Fprintf(b, "The script waits for a person and keeps all that it has done. Run %s asks:\n", a.RunID)
	for _, q := range a.Questions {
		fmt.Fprintf(b, "  question %d: %s\n", q.Seq, q.Question)
		if len(q.Schema) > 0 {
			fmt.Fprintf(b, "    the answer must fit %s\n", q.Schema)
		}
	}
	fmt.Fprintf(b, "You cannot answer. Tell the person: codemode answer %s lists the questions and takes the answers. Then call resume with this run_id; do not send the script again.\n", a.RunID)
}

func writeError(b *strings.Builder, e *runtime.Error) {
	if e.Pos != nil {
		fmt.Fprintf(b, "%s:%d:%d: ", e.Pos.File, e.Pos.Line, e.Pos.Column)
	}
	fmt.Fprintf(b, "%s: %s", e.Code, e.Message)
	if e.Call != "" {
		fmt.Fprintf(b, " (in %s)", e.Call)
	}
	b.WriteString("\n")
	writeTrace(b, e.Trace)
	if e.Hint != "" {
		fmt.Fprintf(b, "  %s\n", e.Hint)
	}
	if e.Detail != "" {
		fmt.Fprintf(b, "  it said: %s\n", e.Detail)
	}
}

// writeTrace is the way from a package to the agent's own line.
func writeTrace(b *strings.Builder, trace []runtime.Pos) {
	for _, p := range trace {
		fmt.Fprintf(b, "  from %s:%d:%d\n", p.File, p.Line, p.Column)
	}
}

func writeDiagnostic(b *strings.Builder, d runtime.Diagnostic) {
	fmt.Fprintf(b, "%s:%d:%d: %s %s: %s\n", d.File, d.Line, d.Column, d.Severity, d.Code, d.Message)
	writeTrace(b, d.Trace)
	if d.Hint != "" {
		fmt.Fprintf(b, "  %s\n", d.Hint)
	}
	if d.Declaration != "" {
		fmt.Fprintf(b, "  | %s\n", strings.ReplaceAll(strings.TrimRight(d.Declaration, "\n"), "\n", "\n  | "))
	}
}

// writeFailedCalls lists the calls that a script may have caught the error of, and results that are
// not what their contract claims.
func writeFailedCalls(b *strings.Builder, calls []call) {
	for _, c := range calls {
		switch {
		case c.Code != "":
			fmt.Fprintf(b, "call %d %s at %d:%d: %s, %s\n", c.Seq, c.Method, c.At.Line, c.At.Column, c.State, c.Code)
		case c.ResultState == "mismatch":
			fmt.Fprintf(b, "call %d %s at %d:%d: the result is not what the declaration says: %s\n", c.Seq, c.Method, c.At.Line, c.At.Column, c.ResultMismatch)
		}
	}
}

func (s *Server) console(b *strings.Builder, a answer) {
	room := s.c.Limits.TextBytes
	for i, line := range a.Console {
		if room -= len(line.Text); room < 0 {
			fmt.Fprintf(b, "console: %d more lines stand in structuredContent only\n", len(a.Console)-i)
			break
		}
		fmt.Fprintf(b, "console %s: %s\n", line.Level, line.Text)
	}
	if a.Truncated.Console {
		b.WriteString("console: what came after that was dropped, it was over the limit\n")
	}
}

// writeArtifact repeats a file's content while there is room.
func writeArtifact(b *strings.Builder, f artifact, room *int) {
	fmt.Fprintf(b, "artifact %s: %s, %d bytes", f.Path, f.MediaType, f.Bytes)
	switch {
	case f.Content == nil:
		fmt.Fprintf(b, " (content left out: %s)\n", f.ContentOmitted)
	case len(*f.Content) > *room:
		b.WriteString(" (the content stands in structuredContent only)\n")
	default:
		*room -= len(*f.Content)
		fmt.Fprintf(b, "\n%s\n", strings.TrimRight(*f.Content, "\n"))
	}
}
