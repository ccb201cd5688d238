package golang_test

// This file runs schemas of every form, and the catalogues beside the project, through the generator.

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/gen"
	"codemode/runtime/validate"
)

func shared(t *testing.T, path string) string {
	path = filepath.Join("../../../shared/data", path)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the data beside the project is absent: %v", err)
	}
	return path
}

// Values of every case keep what they are, as an argument and as a result.
func TestSchemaCases(t *testing.T) {
	raw, err := os.ReadFile(shared(t, "schema_cases/cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		ID     string
		Schema json.RawMessage
		Valid  []json.RawMessage
	}
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	var cs []contract.Contract
	var samples []sample
	for i, c := range cases {
		cs = append(cs, contract.Contract{Key: c.ID, Name: "cases." + c.ID, Params: c.Schema, Result: c.Schema})
		for _, v := range c.Valid {
			samples = append(samples, sample{c.ID, i, "Args", v}, sample{c.ID, i, "Result", v})
		}
	}
	if len(samples) < 50 {
		t.Fatalf("%d samples", len(samples))
	}
	wantKept(t, cs, samples)
	wantVetted(t, cs)
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
		cs = append(cs, contract.Contract{Key: fmt.Sprint(tool.Name, len(cs)), Name: fmt.Sprintf("docker.%s_%d", tool.Name, len(cs)), Description: tool.Description, Params: tool.InputSchema})
	}
	wantVetted(t, cs)
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
	for i, s := range servers {
		for _, list := range s.Tools {
			for _, tool := range list.Tools {
				cs = append(cs, contract.Contract{Key: fmt.Sprint(tool.Name, len(cs)), Name: fmt.Sprintf("server%d.%s_%d", i, tool.Name, len(cs)), Description: tool.Description, Params: tool.InputSchema})
			}
		}
	}
	if len(cs) < 500 {
		t.Fatalf("%d tools", len(cs))
	}
	wantVetted(t, cs)
}

// fixtureContracts are those of the example directory.
func fixtureContracts(t testing.TB) []contract.Contract {
	t.Helper()
	dir, err := directory.Load("../../fixtures/directory", directory.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := gen.Generate(dir, gen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return out.Contracts
}

// The examples that rows give keep what they are.
func TestFixtureExamples(t *testing.T) {
	cs := fixtureContracts(t)
	var samples []sample
	validator := validate.New()
	for i, c := range cs {
		for _, e := range c.Examples {
			if len(e.Args) > 0 && validator.Validate(c.Params, e.Args) == nil {
				samples = append(samples, sample{c.Name, i, "Args", e.Args})
			}
		}
	}
	if len(samples) < 10 {
		t.Fatalf("%d samples of %d contracts", len(samples), len(cs))
	}
	wantKept(t, cs, samples)
	wantVetted(t, cs)
}
