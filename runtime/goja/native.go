package goja

// This file holds what the prelude's functions do outside the VM: console, progress, artifacts.

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"codemode/runtime"

	js "github.com/dop251/goja"
)

// console counts what went out; what is past the limits is dropped and flagged.
type console struct {
	bytes     int64
	lines     int
	truncated bool
}

func (r *run) nativeConsole(c js.FunctionCall) js.Value {
	if r.ended {
		return js.Undefined()
	}
	text := strings.ToValidUTF8(c.Argument(1).String(), "\uFFFD")
	if r.console.lines+1 > r.p.Limits.ConsoleLines || r.console.bytes+int64(len(text)) > r.p.Limits.ConsoleBytes {
		r.console.truncated = true
		return js.Undefined()
	}
	r.console.lines++
	r.console.bytes += int64(len(text))
	at, _ := r.here()
	r.port.Console(runtime.ConsoleLine{Level: c.Argument(0).String(), Text: text, At: at})
	return js.Undefined()
}

// maxProgress bounds a progress message, in bytes.
const maxProgress = 1000

// nativeProgress counts as console output does, so that a flood of it ends too.
func (r *run) nativeProgress(c js.FunctionCall) js.Value {
	text := strings.ToValidUTF8(c.Argument(0).String(), "\uFFFD")
	if len(text) > maxProgress {
		text = strings.ToValidUTF8(text[:maxProgress], "") + "..."
	}
	if r.ended || r.console.lines+1 > r.p.Limits.ConsoleLines {
		r.console.truncated = r.console.truncated || !r.ended
		return js.Undefined()
	}
	r.console.lines++
	r.port.Progress(text)
	return js.Undefined()
}

// written counts the artifacts of a run.
type written struct {
	bytes int64
	count int
}

// nativeArtifact writes one file at once: the script goes on when the service has it.
func (r *run) nativeArtifact(c js.FunctionCall) js.Value {
	path, ok := c.Argument(0).Export().(string)
	if !ok {
		r.throw(runtime.Errorf(runtime.InvalidArgument, "artifacts.write takes a path, the data and options"))
	}
	if fault := pathFault(path); fault != "" {
		r.throw(runtime.Errorf(runtime.InvalidArgument, "the artifact path %.100q %s", path, fault).
			WithHint("use a relative path such as \"report/summary.json\""))
	}
	data, mediaType := r.artifactData(c.Argument(1))
	if t := c.Argument(2); !js.IsUndefined(t) {
		mediaType = t.String()
		if !isMediaType(mediaType) {
			r.throw(runtime.Errorf(runtime.InvalidArgument, "%.100q is no media type", mediaType).WithHint("write one as \"text/csv\""))
		}
	}
	r.chargeArtifact(int64(len(data)))
	if e := r.port.Artifact(runtime.ArtifactData{Path: path, MediaType: mediaType, Bytes: data}); e != nil {
		r.throw(e)
	}
	o := r.vm.NewObject()
	r.set(o, "path", r.vm.ToValue(path))
	r.set(o, "mediaType", r.vm.ToValue(mediaType))
	r.set(o, "bytes", r.vm.ToValue(len(data)))
	return o
}

func (r *run) chargeArtifact(size int64) {
	l := r.p.Limits
	if r.ended {
		r.throw(runtime.Errorf(runtime.Cancelled, "the script has ended"))
	}
	switch {
	case r.artifacts.count+1 > l.ArtifactCount:
		r.exceed(runtime.ReasonFiles)
	case r.artifacts.bytes+size > l.ArtifactBytes:
		r.exceed(runtime.ReasonArtifacts)
	}
	r.artifacts.count++
	r.artifacts.bytes += size
}

// exceed raises the limit's error as throw does; uncaught it ends the run with the limit's reason.
func (r *run) exceed(limit runtime.Reason) {
	thrown := r.toolError(r.p.Limits.Exceeded(limit), r.herePtr())
	r.limits[thrown] = limit
	panic(thrown)
}

// artifactData returns the bytes of what is written and the media type it has by default.
func (r *run) artifactData(v js.Value) ([]byte, string) {
	if s, ok := v.(js.String); ok {
		text := s.String()
		if strings.ContainsRune(text, utf8.RuneError) && loneSurrogate(s) {
			r.throw(runtime.Errorf(runtime.InvalidArgument, "the artifact's text holds half of a surrogate pair, which is no text"))
		}
		return []byte(text), "text/plain"
	}
	if o, ok := v.(*js.Object); ok {
		switch o.ExportType() {
		case typeBytes:
			b, _ := o.Export().([]byte)
			return append([]byte(nil), b...), "application/octet-stream"
		case typeBuffer:
			b, _ := o.Export().(js.ArrayBuffer)
			return append([]byte(nil), b.Bytes()...), "application/octet-stream"
		}
	}
	raw, refusal := r.encode(v, "data", r.p.Limits.ArtifactBytes)
	if refusal != nil && refusal.tooLarge {
		r.exceed(runtime.ReasonArtifacts)
	}
	if refusal != nil {
		r.throw(runtime.Errorf(runtime.InvalidArgument, "%s", refusal.text).WithHint("%s", refusal.hint))
	}
	return indent(raw), "application/json"
}

// throw raises e in the script as a ToolError from here.
func (r *run) throw(e *runtime.Error) { panic(r.toolError(e, r.herePtr())) }

func (r *run) herePtr() *runtime.Pos {
	if at, ok := r.here(); ok {
		return &at
	}
	return nil
}

// pathFault says what is wrong with an artifact's path, "" for nothing.
func pathFault(path string) string {
	const maxPath, maxName, maxSegments = 400, 200, 16
	segments := strings.Split(path, "/")
	switch {
	case path == "" || len(path) > maxPath:
		return fmt.Sprintf("must have 1 to %d bytes", maxPath)
	case len(segments) > maxSegments:
		return fmt.Sprintf("has more than %d parts", maxSegments)
	case strings.HasPrefix(path, "/"):
		return "must be relative"
	case strings.ContainsAny(path, "\\:"):
		return `must not hold "\" or ":"`
	case strings.ContainsFunc(path, func(c rune) bool { return unicode.IsControl(c) || c == utf8.RuneError || unicode.Is(unicode.Cf, c) }):
		return "must not hold control characters"
	}
	for _, s := range segments {
		if s == "" || s == "." || s == ".." || len(s) > maxName || strings.TrimSpace(s) != s || strings.HasSuffix(s, ".") {
			return fmt.Sprintf("has a part that is empty, a dot name, longer than %d bytes, or ends in a space or dot", maxName)
		}
	}
	return ""
}

func isMediaType(s string) bool {
	if len(s) > 200 || !strings.Contains(s, "/") {
		return false
	}
	for _, c := range []byte(s) {
		if c < 0x20 || c > 0x7e {
			return false
		}
	}
	return true
}
