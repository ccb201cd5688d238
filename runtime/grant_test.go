package runtime

import (
	"strings"
	"testing"

	"codemode/directory/contract"
)

func TestParseGrants(t *testing.T) {
	good := `{"principal":"user:ana","agent":"agent:misc","resource":"*","operations":["cli.*","crm.listContacts"],"when":"","expires":"task","decisions":{"required":["irreversible"],"mode":"suspend"},"egress":["https://api.example.com"],"budget":{"calls":100,"wall_ms":30000,"memory_bytes":268435456,"output_bytes":1048576}}`
	for name, text := range map[string]string{"one": good, "two": "[" + good + "," + good + "]", "empty": "{}", "bom": "\ufeff" + good} {
		if _, err := ParseGrants("g.json", []byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	bad := []struct{ name, text, want string }{
		{"not JSON", "{\n  \"principal\": ana}", "line 2, column"},
		{"cut off", `{"principal":`, "ends too early"},
		{"nothing", " \n", "empty"},
		{"unknown field", strings.Replace(good, `"when"`, `"whenn"`, 1), `unknown field "whenn"`},
		{"more after it", good + good, "more after"},
		{"wrong type", strings.Replace(good, `["cli.*","crm.listContacts"]`, `"cli.*"`, 1), "operations is a string, want an array of strings"},
		{"unknown dimension", strings.Replace(good, "calls", "cals", 1), `unknown dimension "cals"`},
		{"negative", strings.Replace(good, "100,", "-1,", 1), "calls is -1"},
		{"fraction", strings.Replace(good, "100,", "1.5,", 1), "whole number"},
		{"path in an origin", strings.Replace(good, "example.com", "example.com/x", 1), "want an origin"},
		{"star in an origin", strings.Replace(good, "api.", "*.", 1), "want an origin"},
		{"password in an origin", strings.Replace(good, "https://", "https://a:b@", 1), "want an origin"},
		{"expiry", strings.Replace(good, `"task"`, `"tomorrow"`, 1), "expires"},
		{"mode", strings.Replace(good, `"suspend"`, `"ask"`, 1), "decisions.mode"},
		{"effect", strings.Replace(good, `"irreversible"`, `"irreversable"`, 1), "irreversable"},
		{"pattern", strings.Replace(good, `"cli.*"`, `"cli.["`, 1), "no pattern"},
		{"nobody", strings.Replace(good, `user:ana`, ``, 1), "principal"},
	}
	for _, tt := range bad {
		_, err := ParseGrants("g.json", []byte(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "g.json") {
			t.Errorf("%s: error %v, want it to name the file and say %q", tt.name, err, tt.want)
		}
	}
}

func TestGrantCovers(t *testing.T) {
	c := contract.Contract{Key: "CRM_LIST", Name: "crm.list"}
	for _, tt := range []struct {
		resource, operation string
		want                bool
	}{
		{"*", "crm.list", true}, {"*", "crm.*", true}, {"*", "*", true}, {"*", "*.list", true},
		{"*", "crm", false}, {"*", "crm.lis", false}, {"", "*", false},
		{"CRM_*", "*", true}, {"CRM_LIST", "*", true}, {"ERP_*", "*", false},
	} {
		g := Grant{Resource: tt.resource, Operations: []string{tt.operation}}
		if got := g.Covers(c); got != tt.want {
			t.Errorf("resource %q, operation %q: covers = %v, want %v", tt.resource, tt.operation, got, tt.want)
		}
	}
}
