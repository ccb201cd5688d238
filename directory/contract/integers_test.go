package contract

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestWide(t *testing.T) {
	for number, want := range map[string]bool{
		"9007199254740992": false, "9007199254740993": true, "-9007199254740993": true, "-9007199254740992": false,
		"9.1e15": false, "9007199254740993.0": false, "0": false, strings.Repeat("9", 500): true,
	} {
		if WideLiteral(number) != want {
			t.Errorf("WideLiteral(%.30s) = %v", number, !want)
		}
	}
	for _, test := range []struct {
		keywords map[string]any
		want     bool
	}{
		{map[string]any{"format": "int64"}, true},
		{map[string]any{"format": "uint64"}, true},
		{map[string]any{"format": "int32"}, false},
		{map[string]any{"maximum": json.Number("9007199254740992")}, false},
		{map[string]any{"maximum": json.Number("9007199254740992.5")}, true},
		{map[string]any{"exclusiveMinimum": json.Number("-1e16")}, true},
		{map[string]any{"minimum": json.Number("-1e999999999")}, true},
		{map[string]any{"exclusiveMinimum": true}, false},
	} {
		if got := WideInteger(test.keywords); got != test.want {
			t.Errorf("WideInteger(%v) = %v", test.keywords, got)
		}
	}
}
