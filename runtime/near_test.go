package runtime

import "testing"

func TestNearestName(t *testing.T) {
	known := []string{"color", "limit", "id", "x"}
	for asked, want := range map[string]string{
		"colour": "color", "COLOR": "color", "lmiit": "limit", "ids": "id", "iD": "id", "X": "x", "y": "", "": "", "zzzzzz": "", "id/../": "",
	} {
		if got := Nearest(asked, known); got != want {
			t.Errorf("%q is near %q, want %q", asked, got, want)
		}
	}
	if got := Nearest("x", nil); got != "" {
		t.Errorf("of none %q is near", got)
	}
}
