package egress

import (
	"strings"
	"testing"
)

func TestParseOrigin(t *testing.T) {
	for in, want := range map[string]string{
		"https://api.example.com":         "https://api.example.com",
		"https://api.example.com/":        "https://api.example.com",
		"HTTPS://API.Example.COM:443":     "https://api.example.com",
		"http://api.example.com:80":       "http://api.example.com",
		"http://api.example.com:0080":     "http://api.example.com",
		"http://api.example.com:443":      "http://api.example.com:443",
		"https://api.example.com.":        "https://api.example.com",
		"https://bücher.example":          "https://xn--bcher-kva.example",
		"https://XN--BCHER-KVA.example":   "https://xn--bcher-kva.example",
		"https://ⓐpi.example。com":         "https://api.example.com",
		"http://my_service.example":       "http://my_service.example",
		"http://127.0.0.1:7357":           "http://127.0.0.1:7357",
		"http://１２７.0.0.1:7357":           "http://127.0.0.1:7357",
		"http://[::ffff:127.0.0.1]:7357":  "http://127.0.0.1:7357",
		"http://[::FFFF:7F00:1]:7357":     "http://127.0.0.1:7357",
		"http://[0:0::1]:80":              "http://[::1]",
		"http://[2606:4700::1111]:8080":   "http://[2606:4700::1111]:8080",
		"http://r4---sn-a5.example.com":   "http://r4---sn-a5.example.com",
		"http://localhost:7357":           "http://localhost:7357",
		"http://a.example:65535":          "http://a.example:65535",
		"http://xn--nxasmq6b.example:80/": "http://xn--nxasmq6b.example",
	} {
		got, err := ParseOrigin(in)
		if err != nil || got != want {
			t.Errorf("ParseOrigin(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
}

func TestParseOriginRefuses(t *testing.T) {
	for _, in := range []string{
		"", "api.example.com", "//api.example.com", "ftp://api.example.com", "file:///etc/passwd", "javascript:x", "http:api.example.com",
		"https://api.example.com/v1", "https://api.example.com?x=1", "https://api.example.com?", "https://api.example.com#f",
		"https://user@api.example.com", "https://user:pass@api.example.com", "https://@api.example.com",
		"https://good.example\\@evil.example", "https://good.example\\.evil.example", "https://good.example@evil.example",
		"http://2130706433", "http://0x7f000001", "http://0x7f.1", "http://127.1", "http://0177.0.0.1", "http://127.0.0.01", "http://1.2.3.4.5",
		"http://127.0.0.0x1", "http://a.0x", "http://a.1", "http://127.0.0.1.:x", "http://①②⑦.1",
		"http://[fe80::1%25eth0]", "http://[fe80::1%eth0]", "http://[::1", "http://::1", "http://[127.0.0.1.5]", "http://[name]",
		"http://a.example:0", "http://a.example:65536", "http://a.example:-1", "http://a.example:8a",
		"http://a..example", "http://.example", "http://.", "http:// a.example", "http://a b.example", "http://a\nb.example", "http://a\x00.example",
		"http://a%00.example", "http://a%2e%2fb.example", "http://" + strings.Repeat("a.", 130) + "example", "http://" + strings.Repeat("a", maxURLBytes),
		"http://%6Cocalhost:7357", "http://a.example,b.example", "http://*.example", "http://<a>.example",
	} {
		if got, err := ParseOrigin(in); err == nil {
			t.Errorf("ParseOrigin(%.60q) = %q, want an error", in, got)
		}
	}
}

// What ParseOrigin returns is a fixed point, and never holds what a second parser could read anew.
func FuzzParseOrigin(f *testing.F) {
	for _, s := range []string{"https://a.example:8443", "http://[::ffff:1.2.3.4]", "http://ⓐ。example", "http://127.1", "http://a%2fb", "https://u@h"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := ParseOrigin(s)
		if err != nil {
			return
		}
		if again, err := ParseOrigin(got); err != nil || again != got {
			t.Fatalf("ParseOrigin(%q) = %q, of which it makes %q, %v", s, got, again, err)
		}
		if _, rest, _ := strings.Cut(got, "://"); strings.ContainsAny(rest, "@/\\?#% ") || strings.ToLower(rest) != rest {
			t.Fatalf("ParseOrigin(%q) = %q", s, got)
		}
	})
}
