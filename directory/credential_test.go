package directory

import (
	"encoding/base64"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLiteralCredentials(t *testing.T) {
	login := base64.StdEncoding.EncodeToString([]byte("ana:open sesame"))
	for _, c := range []struct {
		name, value string
		want        []string
	}{
		{"Authorization", "Bearer s3cr3t", []string{"Bearer s3cr3t", "s3cr3t"}},
		{"authorization", " Basic " + login + " ", []string{"Basic " + login, login, "ana:open sesame", "open sesame"}},
		{"Authorization", "Basic no base64", []string{"Basic no base64", "no base64"}},
		{"X-Api-Key", "k", []string{"k"}},
		{"x_api_key", "k", []string{"k"}},
		{"X-Auth-Token", "t", []string{"t"}},
		{"Cookie", "id=abcdefgh; lang=en;flag", []string{"id=abcdefgh; lang=en;flag", "abcdefgh"}},
		{"Authorization", "Bearer $TOKEN", nil},
		{"Authorization", "Digest username=$1", nil},
		{"Authorization", "Bearer abcd1234.$1", []string{"abcd1234."}},
		{"Cookie", "id=abcd1234; user=$USER", []string{"abcd1234"}},
		{"X-Api-Key", " ", nil},
		{"Accept", "application/json", nil},
	} {
		if diff := cmp.Diff(c.want, LiteralCredentials(c.name, c.value)); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", c.name, c.value, diff)
		}
	}
}
