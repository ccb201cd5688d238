package learn_test

import (
	"encoding/json"
	"strings"
	"testing"

	"codemode/gen/learn"
	"codemode/runtime/validate"
)

// TestDataKeys: a key that is data stands in nothing that is learnt, alone or beside fields.
func TestDataKeys(t *testing.T) {
	for _, key := range []string{
		"ana@example.com", "ana%40example.com", "mailto:ana@mail.example.com", "1001", "-7", "2024-01-01", "2024-01-02T10:00:00Z", "+49 30 1234567", "10.0.0.1",
		"0b8e4d5a-7c1f-4e2d-9a3b-5c6d7e8f9a0b", "user:0b8e4d5a-7c1f-4e2d-9a3b-5c6d7e8f9a0b", "deadbeefdeadbeef", "9f86d081884c7d659a2feaa0c55ad015",
		"AKIAQWERTZUIOPASDFGH", "ghp_" + strings.Repeat("aB3", 12), "xoxb-123456789012-abcdef", "sk_live_4eC39HqLyjWDarjt", "Bearer abc123def456",
		"bearer-token=abcdef123456", "dGhpcyBpcyBhIHNlY3JldCAx", "kP9xQ2mZ7vB4nL1wR8tY", "cus_NffrFeUfNV2Hib9K", "ck9v2x1s80000qzrm8f2k", "INV-10023", "con_4711471",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmN",
	} {
		for _, result := range []map[string]any{{key: "x"}, {key: "x", "name": "y"}, {"a": []any{map[string]any{key: map[string]any{"id": 1}}}}} {
			raw, err := json.Marshal(result)
			if err != nil {
				t.Fatal(err)
			}
			s := shape(t, times(6, string(raw))...)
			if out := text(t, s) + string(s.Schema()); strings.Contains(out, key) || !strings.Contains(out, `"rest"`) || !strings.Contains(out, `"additionalProperties"`) {
				t.Errorf("%s gives %s", raw, out)
			}
		}
	}
}

func TestFieldKeys(t *testing.T) {
	for _, key := range []string{
		"", "id", "name", "created_at", "x1", "utf8", "sha256", "line2", "address_line_1", "shippingAddressLine2Formatted", "X-RateLimit-Remaining", "is_2fa_enabled", "oauth2ClientId",
		"base64EncodedContent", "internationalStandardBookNumber", "@type", "@id", "$ref", "__proto__", "größe", "a/b~c", "kebab-case-key", "with spaces in it", "p95", "ISO3166Alpha2", "iso_8601_date",
		"TotalAmountInEUR", "password", "token", "secret_key", "HTTPStatusCodeOfLastAttempt", "ec2InstanceType", "deadbeef", "s3BucketName", "error_404",
	} {
		raw, err := json.Marshal(map[string]any{key: "x"})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(shape(t, string(raw)).Schema()); !strings.Contains(got, `"properties"`) {
			t.Errorf("%s is taken as data: %s", key, got)
		}
	}
}

// TestOldSummariesLoseDataKeys: what was learnt before such keys were told apart.
func TestOldSummariesLoseDataKeys(t *testing.T) {
	s := &learn.Shape{}
	if err := json.Unmarshal([]byte(`{"n":1,"array":1,"items":{"n":1,"object":1,"keys":{"ana@example.com":{"n":1,"whole":1},"id":{"n":1,"string":1}},"words":true}}`), s); err != nil {
		t.Fatal(err)
	}
	if got := text(t, s); got != `{"n":1,"array":1,"items":{"n":1,"object":1,"rest":{"n":2,"whole":1,"string":1}}}` {
		t.Error(got)
	}
}

// TestDisagreementsNameNoData: neither the place nor the type of what stands there has a key that is data.
func TestDisagreementsNameNoData(t *testing.T) {
	v := validate.New()
	judge := func(schema, value json.RawMessage) ([]learn.Misfit, error) {
		found, err := v.Misfits(schema, value)
		var out []learn.Misfit
		for _, m := range found {
			out = append(out, learn.Misfit(m))
		}
		return out, err
	}
	var c learn.Comparison
	for _, r := range []string{`{"ana@example.com":{"bob@example.com":1,"id":2}}`, `{"eve@example.com":{"bob@example.com":1,"id":2}}`} {
		if err := c.Add(json.RawMessage(`{"type":"object","additionalProperties":{"type":"string"}}`), json.RawMessage(r), judge); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Add(json.RawMessage(`{"type":"object","additionalProperties":false}`), json.RawMessage(`{"ana@example.com":1}`), judge); err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(c.Sorted())
	if err != nil {
		t.Fatal(err)
	}
	if want := `[{"place":"/*","want":"string","got":"{[key]: integer, id: integer}","count":2},{"place":"/*","want":"no such field","got":"integer","count":1}]`; string(got) != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
