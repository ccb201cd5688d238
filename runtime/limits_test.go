package runtime

import (
	"strings"
	"testing"
)

func TestExceeded(t *testing.T) {
	l := Limits{
		WallMillis: 11, CPUMillis: 12, MemoryBytes: 13 << 20, StackFrames: 14, ArgumentBytes: 15, ResultBytes: 16, OutputBytes: 17, ArtifactBytes: 18, ArtifactCount: -1,
	}
	for _, tt := range []struct {
		limit   Reason
		code    Code
		message string
	}{
		{ReasonWall, Timeout, "ran longer than 11 ms"}, {ReasonCPU, Timeout, "computed longer than 12 ms"},
		{ReasonMemory, ScriptFailed, "its 13 MiB"}, {ReasonStack, ScriptFailed, "more than 14 calls"},
		{ReasonArguments, InvalidArgument, "the arguments are larger than 15 bytes"}, {ReasonResult, ResultTooLarge, "the result is larger than 16 bytes"},
		{ReasonOutput, ResultTooLarge, "the script's result is larger than 17 bytes"}, {ReasonArtifacts, ResultTooLarge, "more than 18 bytes together"},
		{ReasonFiles, ResultTooLarge, "more than 0 files"},
	} {
		err := l.Exceeded(tt.limit)
		if err.Code != tt.code || !strings.Contains(err.Message, tt.message) || err.Hint == "" {
			t.Errorf("%s: %v, want %s and %q", tt.limit, err, tt.code, tt.message)
		}
	}
	if err := l.Exceeded(ReasonScript); err.Code != Internal {
		t.Errorf("a reason that is no limit: %v", err)
	}
}
