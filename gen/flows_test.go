package gen_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/gen"
	"codemode/gen/infer"
)

func flowRow(key, steps string) directory.Row {
	return directory.Row{Key: key, Type: directory.Flow, Description: "d", Template: steps}
}

func flowRows() []directory.Row {
	declared := flowRow("F_DECLARED", "R_PUT:$1")
	declared.Effect, declared.Placement = "read", "remote"
	told := flowRow("F_TOLD", "R_GET:$1")
	told.Docs.Returns = []string{"{own: string}"}
	return []directory.Row{
		{Key: "R_GET", Type: directory.HTTP, Target: "GET https://a.example/$1", Docs: directory.Docs{Returns: []string{"{id: integer}"}}},
		{Key: "R_PUT", Type: directory.HTTP, Target: "PUT https://b.example/$1"},
		{Key: "R_SLUG", Type: directory.Fn, Target: "slug", Effect: "read", Docs: directory.Docs{Returns: []string{"string"}}},
		{Key: "R_RUN", Type: directory.CLI, Target: "run", Template: "$1", Effect: "read"},
		{Key: "MANY", Type: directory.HTTP, Target: "https://c.example", TargetMap: map[string]directory.Operation{
			"list": {Target: "GET https://c.example/l?q=$1"}, "drop": {Target: "DELETE https://d.example/$1"}}},
		flowRow("F_READ", "R_SLUG:$1 > R_GET:$PREV"),
		flowRow("F_MIXED", "R_GET:$1 > R_PUT:$PREV"),
		flowRow("F_NESTED", "F_MIXED:$1 > F_READ:$PREV"),
		flowRow("F_PURE", "R_SLUG:$1 > R_SLUG:$PREV"),
		flowRow("F_LOCAL", "R_SLUG:$1 > R_RUN:$PREV"),
		flowRow("F_LOCAL_AND_REMOTE", "R_GET:$1 > R_RUN:$PREV"),
		flowRow("F_LIST", "MANY:list|$1"),
		flowRow("F_ANY", "MANY:$1|$2"),
		flowRow("F_NO_OPERATION", "MANY:other|$1"),
		flowRow("F_LOST", "R_GET:$1 > GONE:$PREV"),
		flowRow("F_LOOP_A", "R_GET:$1 > F_LOOP_B:$PREV"),
		flowRow("F_LOOP_B", "R_SLUG:$1 > F_LOOP_A:$PREV"),
		flowRow("F_SELF", "F_SELF:$1"),
		flowRow("F_BROKEN", "R_GET:$1 > > "),
		declared, told,
	}
}

func TestFlows(t *testing.T) {
	const a, b, c, d = "https://a.example", "https://b.example", "https://c.example", "https://d.example"
	type end struct {
		effect       contract.Effect
		placement    contract.Placement
		destinations []string
		result       string
	}
	want := map[string]end{
		"F_READ":             {contract.Read, contract.Remote, []string{a}, `{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}`},
		"F_MIXED":            {contract.Irreversible, contract.Remote, []string{a, b}, "true"},
		"F_NESTED":           {contract.Irreversible, contract.Remote, []string{a, b}, `{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}`},
		"F_PURE":             {contract.Read, contract.Pure, nil, `{"type":"string"}`},
		"F_LOCAL":            {contract.Read, contract.Local, nil, "true"},
		"F_LOCAL_AND_REMOTE": {contract.Read, contract.Remote, []string{a}, "true"},
		"F_LIST":             {contract.Read, contract.Remote, []string{c}, "true"},
		"F_ANY":              {contract.Irreversible, contract.Remote, []string{c, d}, "true"},
		"F_NO_OPERATION":     {contract.Irreversible, contract.Remote, nil, "true"},
		"F_LOST":             {contract.Irreversible, contract.Remote, []string{a}, "true"},
		"F_LOOP_A":           {contract.Irreversible, contract.Remote, []string{a}, "true"},
		"F_LOOP_B":           {contract.Irreversible, contract.Remote, []string{a}, "true"},
		"F_SELF":             {contract.Irreversible, contract.Remote, nil, "true"},
		"F_BROKEN":           {contract.Irreversible, contract.Remote, nil, "true"},
		"F_DECLARED":         {contract.Read, contract.Remote, []string{b}, "true"},
		"F_TOLD":             {contract.Read, contract.Remote, []string{a}, `{"type":"object","properties":{"own":{"type":"string"}},"required":["own"]}`},
	}
	out := generate(t, flowRows())
	for _, k := range out.Contracts {
		w, isFlow := want[k.Key]
		if !isFlow {
			continue
		}
		got := end{k.Effect, k.Placement, k.Destinations, string(k.Result)}
		if diff := cmp.Diff(w, got, cmp.AllowUnexported(end{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", k.Key, diff)
		}
		delete(want, k.Key)
		if from := k.Provenance["effect"]; k.Effect == contract.Read && k.Key != "F_DECLARED" && from != contract.FromTemplate {
			t.Errorf("%s is read from %s, want template", k.Key, from)
		}
	}
	if len(want) > 0 {
		t.Errorf("no contracts of %v", want)
	}
	for key, text := range map[string]string{"F_LOST": "GONE", "F_NO_OPERATION": `"other"`, "F_DECLARED": "R_PUT is irreversible"} {
		if !said(out, key, text) {
			t.Errorf("nothing is said of %s in %s: %+v", text, key, out.Diagnostics)
		}
	}
}

func said(out *gen.Output, key, text string) bool {
	return slices.ContainsFunc(out.Diagnostics, func(d infer.Diagnostic) bool { return d.Key == key && strings.Contains(d.Message, text) })
}

// A flow that reaches more origins than are kept lists none, and neither does one that calls it.
func TestFlowsOfManyOrigins(t *testing.T) {
	var all []directory.Row
	var groups []string
	for g := range 10 {
		var keys []string
		for i := range 100 {
			keys = append(keys, fmt.Sprintf("R_%d", g*100+i))
			all = append(all, directory.Row{Key: keys[i], Type: directory.HTTP, Target: fmt.Sprintf("GET https://h%d.example/x", g*100+i)})
		}
		groups = append(groups, fmt.Sprintf("G_%d", g))
		all = append(all, flowRow(groups[g], strings.Join(keys, " > ")))
	}
	all = append(all, directory.Row{Key: "R_MORE", Type: directory.HTTP, Target: "GET https://more.example/x"},
		flowRow("F_MOST", strings.Join(groups, " > ")), flowRow("F_ALL", "F_MOST > R_MORE"), flowRow("A_CALLER", "R_1 > F_ALL"))
	out := generate(t, all)
	want := map[string]int{"F_MOST": 1000, "F_ALL": 0, "A_CALLER": 0}
	for _, k := range out.Contracts {
		if n, isFlow := want[k.Key]; isFlow && (len(k.Destinations) != n || k.Effect != contract.Read) {
			t.Errorf("%s is %s with %d destinations, want read with %d", k.Key, k.Effect, len(k.Destinations), n)
		}
	}
	if !said(out, "F_ALL", "origins") || !said(out, "A_CALLER", "origins") || said(out, "F_MOST", "origins") {
		t.Errorf("diagnostics %+v", out.Diagnostics)
	}
}

// A long chain of flows ends soon, whatever the order of its keys.
func TestLongChainOfFlows(t *testing.T) {
	all := []directory.Row{{Key: "R_GET", Type: directory.HTTP, Target: "GET https://a.example/x"}, flowRow("F_0", "R_GET")}
	for i := range 1000 {
		all = append(all, flowRow(fmt.Sprintf("F_%d", i+1), fmt.Sprintf("F_%d", i)))
	}
	for _, k := range generate(t, all).Contracts {
		if k.Effect != contract.Read || len(k.Destinations) != 1 {
			t.Fatalf("%s is %s with %v", k.Key, k.Effect, k.Destinations)
		}
	}
}
