package ts

// This file runs real catalogues through the package: every declaration compiles, in one program,
// and every name of an argument is still there.

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"codemode/directory/contract"
)

// toolOf makes a contract the way an importer would, with names numbered to be unique.
func toolOf(ns string, n int, name, description string, params, result json.RawMessage) contract.Contract {
	return contract.Contract{Key: name, Name: fmt.Sprintf("%s.%s_%d", ns, name, n), Description: description,
		Params: params, Result: result, Effect: contract.Irreversible}
}

func TestLiveMCPBench(t *testing.T) {
	raw, err := os.ReadFile(shared(t, "livemcpbench/tools.json"))
	if err != nil {
		t.Fatal(err)
	}
	var servers []struct {
		Tools map[string]struct {
			Tools []struct {
				Name, Description string
				InputSchema       json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(raw, &servers); err != nil {
		t.Fatal(err)
	}
	var cs []contract.Contract
	for _, s := range servers {
		for _, list := range s.Tools {
			for _, tool := range list.Tools {
				cs = append(cs, toolOf("live", len(cs), tool.Name, tool.Description, tool.InputSchema, nil))
			}
		}
	}
	if len(cs) < 500 {
		t.Fatalf("%d tools", len(cs))
	}
	wantCatalog(t, cs)
}

func TestDockerTools(t *testing.T) {
	f, err := os.Open(shared(t, "mcp/docker_tools.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cs []contract.Contract
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var tool struct {
			Name, Description string
			InputSchema       json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &tool); err != nil {
			t.Fatal(err)
		}
		cs = append(cs, toolOf("docker", len(cs), tool.Name, tool.Description, tool.InputSchema, nil))
	}
	wantCatalog(t, cs)
}

func TestGitHubSchemas(t *testing.T) {
	raw, err := os.ReadFile(shared(t, "openapi/github_rest_v3_1.1.4.json"))
	if err != nil {
		t.Fatal(err)
	}
	var api struct {
		Components struct {
			Schemas map[string]json.RawMessage
		}
	}
	if err := json.Unmarshal(raw, &api); err != nil {
		t.Fatal(err)
	}
	components, err := json.Marshal(api.Components.Schemas)
	if err != nil {
		t.Fatal(err)
	}
	var cs []contract.Contract
	for i, name := range slices.Sorted(maps.Keys(api.Components.Schemas)) {
		if i%4 != 0 {
			continue // a quarter of them is enough to see every form, and each refers to the others
		}
		doc := fmt.Sprintf(`{"$ref":"#/components/schemas/%s","components":{"schemas":%s}}`, name, components)
		cs = append(cs, toolOf("github", len(cs), name, "", nil, json.RawMessage(doc)))
	}
	wantCatalog(t, cs)
}

func wantCatalog(t *testing.T, cs []contract.Contract) {
	t.Helper()
	ns := namespaceName(cs[0].Name)
	text, err := namespace(ns, cs)
	if err != nil {
		t.Fatal(err)
	}
	wantClean(t, map[string]string{"tools.d.ts": text + Tools([]string{ns}), "ambient.d.ts": Ambient()})
	longest, args := 0, 0
	for _, c := range cs {
		decl, err := Declaration(c)
		if err != nil {
			t.Fatal(err)
		}
		longest = max(longest, len(decl))
		for _, name := range declared(c.Params) {
			args++
			if !strings.Contains(decl, propertyName(name)+": ") && !strings.Contains(decl, propertyName(name)+"?: ") {
				t.Errorf("%s: argument %q is lost in\n%s", c.Name, name, decl)
			}
		}
	}
	slices.Reverse(cs)
	if again, err := namespace(ns, cs); err != nil || again != text {
		t.Errorf("another order gives other bytes (%v)", err)
	}
	t.Logf("%d methods, %d arguments, %d bytes; the longest declaration has %d", len(cs), args, len(text), longest)
}

func declared(params json.RawMessage) []string {
	var doc struct{ Properties map[string]json.RawMessage }
	if json.Unmarshal(params, &doc) != nil {
		return nil
	}
	var names []string
	for name := range doc.Properties {
		names = append(names, name)
	}
	return names
}
