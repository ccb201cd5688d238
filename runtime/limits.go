package runtime

// This file holds what bounds one run, and the errors of what goes past it.

import "cmp"

// LeastMemory is the least MemoryBytes of a run. The process of a trivial script holds under 50 MiB, and its
// data segment, which is what is limited, grows past that by what the collector has not given back: of 50
// such runs on a busy machine 31 did not end well with 64 MiB, 11 with 80, none of 250 with 96.
const LeastMemory = 96 << 20

// Limits bound one run. A zero limit means the default, never unlimited; of console and artifacts a
// negative one allows none.
type Limits struct {
	WallMillis      int64 // from start of bundling to the result; default 30,000
	CPUMillis       int64 // of the process meanwhile, its collector included; waiting costs none; default 10,000
	MemoryBytes     int64 // of the worker's data segment, the VM and bundler included; default 256 MiB, least LeastMemory
	StackFrames     int   // default 800
	SourceBytes     int64 // of all the script's files together; default 256 KiB
	Nesting         int   // of its text: brackets and the like in one another; default 64
	ConcurrentCalls int   // default 8; further calls wait
	ArgumentBytes   int64 // of one call; default 1 MiB
	ResultBytes     int64 // of one call's result; default 4 MiB
	OutputBytes     int64 // the script's own result; default 1 MiB
	ConsoleBytes    int64 // default 256 KiB; what is past it is dropped and flagged
	ConsoleLines    int   // default 1,000
	ArtifactBytes   int64 // all together; default 64 MiB
	ArtifactCount   int   // default 100
}

// WithDefaults returns the limits with the defaults in place of those that are not set.
func (l Limits) WithDefaults() Limits {
	l.WallMillis, l.CPUMillis = positive(l.WallMillis, 30_000), positive(l.CPUMillis, 10_000)
	l.MemoryBytes = positive(l.MemoryBytes, 256<<20)
	l.StackFrames, l.ConcurrentCalls = positive(l.StackFrames, 800), positive(l.ConcurrentCalls, 8)
	l.ArgumentBytes, l.ResultBytes = positive(l.ArgumentBytes, 1<<20), positive(l.ResultBytes, 4<<20)
	l.OutputBytes = positive(l.OutputBytes, 1<<20)
	l.SourceBytes, l.Nesting = positive(l.SourceBytes, 256<<10), positive(l.Nesting, 64)
	l.ConsoleBytes, l.ConsoleLines = cmp.Or(l.ConsoleBytes, 256<<10), cmp.Or(l.ConsoleLines, 1000)
	l.ArtifactBytes, l.ArtifactCount = cmp.Or(l.ArtifactBytes, 64<<20), cmp.Or(l.ArtifactCount, 100)
	return l
}

func positive[N int | int64](n, otherwise N) N {
	if n <= 0 {
		return otherwise
	}
	return n
}

// Exceeded is the error of what went past the limit that the reason names: of the script, or of the one call
// whose arguments or result are too large.
func (l Limits) Exceeded(limit Reason) *Error {
	switch limit {
	case ReasonWall:
		return Errorf(Timeout, "the script ran longer than %d ms", l.WallMillis).
			WithHint("do less in one run, or ask for a larger wall_ms")
	case ReasonCPU:
		return Errorf(Timeout, "the script computed longer than %d ms", l.CPUMillis).
			WithHint("compute less in one run, or ask for a larger cpu_ms")
	case ReasonMemory:
		return Errorf(ScriptFailed, "the script needs more memory than its %d MiB", l.MemoryBytes>>20).
			WithHint("work in smaller parts, or ask for a larger memory_bytes")
	case ReasonStack:
		return Errorf(ScriptFailed, "the script called itself too deep: more than %d calls stood on each other", l.StackFrames).
			WithHint("end the recursion, use a loop, or ask for a larger stack_frames")
	case ReasonArguments:
		return Errorf(InvalidArgument, "the arguments are larger than %d bytes", l.ArgumentBytes).
			WithHint("send less, or in parts")
	case ReasonResult:
		return Errorf(ResultTooLarge, "the result is larger than %d bytes", l.ResultBytes).
			WithHint("ask for less, by a filter or a page")
	case ReasonOutput:
		return Errorf(ResultTooLarge, "the script's result is larger than %d bytes", l.OutputBytes).
			WithHint("return a summary, and write the rest with artifacts.write")
	case ReasonArtifacts:
		return Errorf(ResultTooLarge, "the artifacts are more than %d bytes together", max(0, l.ArtifactBytes)).
			WithHint("write smaller files, or ask for a larger artifact_bytes")
	case ReasonFiles:
		return Errorf(ResultTooLarge, "the artifacts are more than %d files", max(0, l.ArtifactCount)).
			WithHint("write fewer files, or ask for a larger artifact_count")
	}
	return Errorf(Internal, "%s is no limit of one run", limit)
}

// Open is how many calls of a helper, or with "" of capabilities, may be open at once: made, and their
// settlement not delivered. It is 0 for a helper that does not exist.
func (l Limits) Open(h Helper) int {
	switch h {
	case "":
		return l.ConcurrentCalls
	case HelperTimer:
		return 10_000
	case HelperAsk, HelperSearch, HelperSave, HelperLoad, HelperRead:
		return 100
	}
	return 0
}
