package gen

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestIndentedIsWhatJSONIndents(t *testing.T) {
	for _, text := range []string{`{}`, `[]`, `true`, `""`, `{"a":{},"b":[],"c":[{},[]]}`, `{"a":[1,-2.5e3,null],"b":{"c":"{[,:]}\"\\"}}`, `{"\"":"é\\\"","x":[[["y"]]]}`} {
		var want bytes.Buffer
		if err := json.Indent(&want, []byte(text), " ", " "); err != nil {
			t.Fatal(err)
		}
		if got := indented([]byte(text)); string(got) != want.String() {
			t.Errorf("%s: got\n%s\nwant\n%s", text, got, want.String())
		}
	}
}
