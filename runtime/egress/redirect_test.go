package egress

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"codemode/runtime"
)

// seen answers with what it got.
func seen(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	io.WriteString(w, strings.Join([]string{r.Method, r.URL.Path, r.Header.Get("Authorization") + r.Header.Get("X-Api-Key"), r.Header.Get("Accept"), string(body)}, " "))
}

func TestRedirects(t *testing.T) {
	other := serve(t, seen)
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		status := map[byte]int{'1': 301, '2': 302, '3': 303, '7': 307, '8': 308}[r.URL.Path[1]]
		switch {
		case status == 0:
			seen(w, r)
		case strings.HasSuffix(r.URL.Path, "/away"):
			w.Header().Set("Location", other+"/there")
			w.WriteHeader(status)
		default:
			w.Header().Set("Location", "/here#part")
			w.WriteHeader(status)
		}
	})
	c := client(t, Config{})
	for _, tc := range []struct{ method, path, want string }{
		{"GET", "/1/", "GET /here keykey text/x "},
		{"GET", "/7/", "GET /here keykey text/x "},
		{"POST", "/2/", "GET /here keykey text/x "},
		{"POST", "/3/", "GET /here keykey text/x "},
		{"PUT", "/3/", "GET /here keykey text/x "},
		{"POST", "/7/", "POST /here keykey text/x body"},
		{"PUT", "/2/", "PUT /here keykey text/x body"},
		{"DELETE", "/8/", "DELETE /here keykey text/x body"},
		{"GET", "/2/away", "GET /there  text/x "},
		{"POST", "/3/away", "GET /there  text/x "},
		{"GET", "/8/away", "GET /there  text/x "},
		{"POST", "/7/away", ""},
		{"POST", "/8/away", ""},
		{"PUT", "/1/away", ""},
	} {
		t.Run(tc.method+tc.path, func(t *testing.T) {
			r := Request{Method: tc.method, URL: url + tc.path, Allowed: []string{url, other},
				Header: map[string]string{"Authorization": "key", "X-Api-Key": "key", "Accept": "text/x"}}
			if tc.method != "GET" {
				r.Body = []byte("body")
			}
			if tc.want == "" {
				if e := want(t, c, r, runtime.Refused); e.Status == 0 {
					t.Errorf("no status: %v", e)
				}
				return
			}
			resp, err := c.Do(t.Context(), r)
			if err != nil || string(resp.Body) != tc.want {
				t.Errorf("got %v, %v; want %q", resp, err, tc.want)
			}
		})
	}
}

// Credentials do not come back when a chain returns to where it began.
func TestRedirectThereAndBack(t *testing.T) {
	var home string
	other := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, home+"/end", http.StatusFound) })
	home = serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/end" {
			seen(w, r)
			return
		}
		http.Redirect(w, r, other, http.StatusFound)
	})
	resp, err := client(t, Config{}).Do(t.Context(), Request{Method: "GET", URL: home, Allowed: []string{home, other}, Header: map[string]string{"Authorization": "key"}})
	if err != nil || string(resp.Body) != "GET /end   " {
		t.Errorf("got %q, %v", resp.Body, err)
	}
}

func TestRedirectsRefused(t *testing.T) {
	inner := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("reached") })
	for _, location := range []string{
		inner, "//" + strings.TrimPrefix(inner, "http://"), "http://169.254.169.254/latest/meta-data", "http://2852039166/", "http://localhost:1/",
		"http://[::ffff:169.254.169.254]/", "https://127.0.0.1/", "file:///etc/passwd", "javascript:1", "http://user@" + strings.TrimPrefix(inner, "http://"), "http://%zz/", "\\\\evil.example/",
	} {
		t.Run(location, func(t *testing.T) {
			url := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/" {
					w.WriteHeader(404) // "\\evil" is a path to Go
					return
				}
				w.Header().Set("Location", location)
				w.WriteHeader(302)
			})
			c := client(t, Config{})
			_, err := c.Do(t.Context(), Request{Method: "GET", URL: url, Allowed: []string{url}})
			if e := runtime.AsError(err); e.Code != runtime.Refused && e.Code != runtime.RemoteFailed && e.Code != runtime.NotFound || e.Status == 0 {
				t.Errorf("GET: %v", err)
			}
			// The write has arrived: its refusal to go on must not read as "nothing happened".
			want(t, c, Request{Method: "POST", URL: url, Allowed: []string{url}}, runtime.OutcomeUnknown)
		})
	}
}

func TestRedirectLoopEnds(t *testing.T) {
	var hits atomic.Int32
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		http.Redirect(w, r, "/", http.StatusTemporaryRedirect)
	})
	want(t, client(t, Config{}), Request{Method: "GET", URL: url, Allowed: []string{url}}, runtime.RemoteFailed)
	if n := hits.Load(); n != maxRedirects+1 {
		t.Errorf("%d requests", n)
	}
}
