package accuracy

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"codemode/directory/contract"
)

// TestGoldForm holds every gold contract to its form. A fault of the held half is told by its number
// alone, so that whoever tunes inference may run this.
func TestGoldForm(t *testing.T) {
	all, err := readGold(filepath.Join("..", "..", "fixtures", "gold"))
	if err != nil {
		t.Fatal(err)
	}
	held := 0
	for _, g := range all {
		fault := formFault(g)
		switch {
		case fault == "":
		case g.half == "tune":
			t.Errorf("%s: %s", g.Call, fault)
		default:
			held++
		}
	}
	if held > 0 {
		t.Errorf("%d contracts of the held half are not in form", held)
	}
}

// TestGoldFormFaults shows that the check can fail.
func TestGoldFormFaults(t *testing.T) {
	good := gold{Call: "A", Style: "prose", Params: []byte(`{"type":"object","properties":{"a":{}},"required":["a"]}`), Effect: contract.Read}
	for want, change := range map[string]func(*gold){
		"":                                    func(*gold) {},
		"no style":                            func(g *gold) { g.Style = "" },
		"effect mild":                         func(g *gold) { g.Effect = "mild" },
		"params are no object schema":         func(g *gold) { g.Params = []byte(`{"type":"array"}`) },
		"required b is no property":           func(g *gold) { g.Params = []byte(`{"type":"object","required":["b"]}`) },
		"result states nothing: leave it out": func(g *gold) { g.Result = []byte(`{}`) },
	} {
		g := good
		change(&g)
		if got := formFault(g); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// formFault is what is wrong with the form of a gold contract, "" if nothing is.
func formFault(g gold) string {
	var params struct {
		Type string `json:"type"`
		object
	}
	if json.Unmarshal(g.Params, &params) != nil || params.Type != "object" {
		return "params are no object schema"
	}
	for _, name := range params.Required {
		if _, ok := params.Properties[name]; !ok {
			return "required " + name + " is no property"
		}
	}
	switch {
	case g.Style == "":
		return "no style"
	case !slices.Contains([]contract.Effect{contract.Read, contract.Reversible, contract.Irreversible}, g.Effect):
		return "effect " + string(g.Effect)
	case len(g.Result) > 0 && saidText(g.Result) == "":
		return "result states nothing: leave it out"
	}
	return ""
}
