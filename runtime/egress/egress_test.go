package egress

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"codemode/runtime"
)

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func client(t *testing.T, c Config) *Client {
	t.Helper()
	out := New(c)
	t.Cleanup(out.Close)
	return out
}

// want runs one request that must fail with the code.
func want(t *testing.T, c *Client, r Request, code runtime.Code) *runtime.Error {
	t.Helper()
	resp, err := c.Do(t.Context(), r)
	if err == nil {
		t.Fatalf("got status %d, body %.80q; want %s", resp.Status, resp.Body, code)
	}
	var e *runtime.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("got %v, want %s", err, code)
	}
	return e
}

func TestDoSendsAsGiven(t *testing.T) {
	var got *http.Request
	var body []byte
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got = r
		body, _ = io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"id":9007199254740993}`)
	})
	resp, err := client(t, Config{}).Do(t.Context(), Request{
		Method: "POST", URL: url + "/a%2Fb/%24?q=a%7Cb c&x=\"", Body: []byte("a|b\"c\n$1"),
		Header: map[string]string{"content-type": "text/plain", "X-Key": "v"}, Allowed: []string{"https://other.example", url},
	})
	if err != nil {
		t.Fatal(err)
	}
	if string(resp.Body) != `{"id":9007199254740993}` || resp.Status != 200 {
		t.Errorf("response %d %q", resp.Status, resp.Body)
	}
	if got.RequestURI != "/a%2Fb/%24?q=a%7Cb%20c&x=%22" || string(body) != "a|b\"c\n$1" || got.Header.Get("X-Key") != "v" || got.UserAgent() != "codemode" {
		t.Errorf("sent %s %q %v", got.RequestURI, body, got.Header)
	}
}

func TestDoRefusesOrigins(t *testing.T) {
	hit := false
	url := serve(t, func(http.ResponseWriter, *http.Request) { hit = true })
	port := url[strings.LastIndexByte(url, ':'):]
	c := client(t, Config{})
	for _, tc := range []struct {
		name, url string
		allowed   []string
	}{
		{"nothing allowed", url, nil},
		{"another port", url, []string{"http://127.0.0.1"}},
		{"another scheme", url, []string{"https://127.0.0.1" + port}},
		{"another spelling of the host", "http://localhost" + port, []string{url}},
		{"a prefix", url, []string{"http://127.0.0.1" + port + "1"}},
		{"an allowed name as user", "http://good.example", []string{"http://good.example.evil.example"}},
		{"a bad grant", url, []string{url + "/path"}},
		{"unspecified, though named", "http://0.0.0.0" + port, []string{"http://0.0.0.0" + port}},
		{"unspecified v6, though named", "http://[::]" + port, []string{"http://[::]" + port}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := want(t, c, Request{Method: "GET", URL: tc.url, Allowed: tc.allowed}, runtime.Refused)
			if e.Hint == "" {
				t.Error("no hint")
			}
		})
	}
	for _, bad := range []string{"http://user@127.0.0.1" + port, "http://2130706433" + port, "http://127.1" + port, "gopher://127.0.0.1" + port, "http://[::1%25lo]" + port} {
		want(t, c, Request{Method: "GET", URL: bad, Allowed: []string{url}}, runtime.InvalidArgument)
	}
	if hit {
		t.Error("the server was reached")
	}
}

func TestDoReachesOtherSpellingsOfAnAllowedOrigin(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Host) })
	host := strings.TrimPrefix(url, "http://")
	for _, spelling := range []string{"HTTP://" + host, "http://[::ffff:127.0.0.1]" + strings.TrimPrefix(host, "127.0.0.1")} {
		resp, err := client(t, Config{}).Do(t.Context(), Request{Method: "GET", URL: spelling, Allowed: []string{url}})
		if err != nil || string(resp.Body) != host {
			t.Errorf("%s: %v, %v", spelling, resp, err)
		}
	}
}

func TestDoRefusesRequests(t *testing.T) {
	url := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("reached") })
	c := client(t, Config{MaxRequestBytes: 10, MaxHeaderBytes: 4096})
	for name, r := range map[string]Request{
		"CONNECT":          {Method: "CONNECT"},
		"TRACE":            {Method: "TRACE"},
		"no method":        {},
		"lower case":       {Method: "get"},
		"method with LF":   {Method: "GET\r\nX: y"},
		"body too large":   {Method: "POST", Body: make([]byte, 11)},
		"header too large": {Method: "GET", Header: map[string]string{"X": strings.Repeat("a", 5000)}},
		"host":             {Method: "GET", Header: map[string]string{"hOsT": "evil.example"}},
		"te":               {Method: "GET", Header: map[string]string{"Transfer-Encoding": "chunked"}},
		"length":           {Method: "GET", Header: map[string]string{"Content-Length": "3"}},
		"connection":       {Method: "GET", Header: map[string]string{"Connection": "X-Key"}},
		"proxy":            {Method: "GET", Header: map[string]string{"Proxy-Authorization": "x"}},
		"encoding":         {Method: "GET", Header: map[string]string{"Accept-Encoding": "br"}},
		"value with LF":    {Method: "GET", Header: map[string]string{"X": "a\r\nHost: evil"}},
		"value with NUL":   {Method: "GET", Header: map[string]string{"X": "a\x00"}},
		"name with colon":  {Method: "GET", Header: map[string]string{"X: y": "a"}},
		"name with LF":     {Method: "GET", Header: map[string]string{"X\n": "a"}},
		"twice":            {Method: "GET", Header: map[string]string{"X-A": "a", "x-a": "b"}},
	} {
		t.Run(name, func(t *testing.T) {
			r.URL, r.Allowed = url, []string{url}
			want(t, c, r, runtime.InvalidArgument)
		})
	}
}

func TestStatuses(t *testing.T) {
	for status, code := range map[int]runtime.Code{
		304: runtime.RemoteFailed, 300: runtime.RemoteFailed, 302: runtime.RemoteFailed, // without a location
		400: runtime.RemoteFailed, 401: runtime.RemoteFailed, 404: runtime.NotFound, 410: runtime.NotFound, 409: runtime.Conflict,
		412: runtime.Conflict, 422: runtime.RemoteFailed, 429: runtime.RateLimited, 500: runtime.RemoteFailed, 503: runtime.RemoteFailed, 599: runtime.RemoteFailed,
	} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", "17")
				w.WriteHeader(status)
				if status != 304 {
					io.WriteString(w, "the key tok-1234 is\x1b[31m bad\n"+strings.Repeat("é", 5000))
				}
			})
			scrub := func(s string) string { return strings.ReplaceAll(s, "tok-1234", "[secret]") }
			e := want(t, client(t, Config{}), Request{Method: "GET", URL: url, Allowed: []string{url}, Scrub: scrub}, code)
			if e.Status != status {
				t.Errorf("status %d", e.Status)
			}
			if status != 304 && (!strings.HasPrefix(e.Detail, "the key [secret] is [31m bad é") || len(e.Detail) > maxDetailBytes || !strings.HasSuffix(e.Detail, "é...")) {
				t.Errorf("detail %q", e.Detail)
			}
			if (status == 429 || status == 503) && e.Hint != "try again after 17 seconds" {
				t.Errorf("hint %q", e.Hint)
			}
		})
	}
}

// A secret that stands across the place of the cut must not survive in part.
func TestDetailIsScrubbedBeforeItIsCut(t *testing.T) {
	secret := strings.Repeat("S", 100)
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(500)
		io.WriteString(w, strings.Repeat("x", maxDetailBytes-50)+secret)
	})
	e := want(t, client(t, Config{}), Request{Method: "GET", URL: url, Allowed: []string{url},
		Scrub: func(s string) string { return strings.ReplaceAll(s, secret, "*") }}, runtime.RemoteFailed)
	if strings.Contains(e.Detail, "S") {
		t.Errorf("detail ends %q", e.Detail[len(e.Detail)-60:])
	}
}

func TestSizes(t *testing.T) {
	bomb := gzipped(t, bytes.Repeat([]byte{'0'}, 16<<20))
	for name, h := range map[string]http.HandlerFunc{
		"declared": func(w http.ResponseWriter, _ *http.Request) { w.Write(make([]byte, 1001)) },
		"chunked": func(w http.ResponseWriter, _ *http.Request) {
			for range 100 {
				w.Write(make([]byte, 100))
				w.(http.Flusher).Flush()
			}
		},
		"endless": func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				w.Write(make([]byte, 4096))
			}
		},
		"bomb": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(bomb)
		},
	} {
		for _, method := range []string{"GET", "POST"} {
			t.Run(name+" "+method, func(t *testing.T) {
				url := serve(t, h)
				e := want(t, client(t, Config{}), Request{Method: method, URL: url, Allowed: []string{url}, MaxResponseBytes: 1000}, runtime.ResultTooLarge)
				if told := strings.Contains(e.Message, "accepted"); told != (method == "POST") || e.Status != 200 {
					t.Errorf("message %q, status %d", e.Message, e.Status)
				}
			})
		}
	}
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.Write(make([]byte, 1000)) })
	if resp, err := client(t, Config{}).Do(t.Context(), Request{Method: "GET", URL: url, Allowed: []string{url}, MaxResponseBytes: 1000}); err != nil || len(resp.Body) != 1000 {
		t.Errorf("exactly the cap: %v", err)
	}
}

func gzipped(t *testing.T, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// raw serves one connection after another with what write does to it after the request's head.
func raw(t *testing.T, write func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				conn.Read(make([]byte, 4096))
				write(conn)
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

func TestBrokenReplies(t *testing.T) {
	for name, reply := range map[string]string{
		"nothing":        "",
		"garbage":        "\x00\x01\x02 hello",
		"half a head":    "HTTP/1.1 200 OK\r\nContent-",
		"truncated":      "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
		"bad chunk":      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc",
		"missing chunk":  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
		"two lengths":    "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
		"no gzip":        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
		"brotli":         "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 3\r\n\r\nabc",
		"twice gzip":     "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip\r\nContent-Length: 3\r\n\r\nabc",
		"endless header": "HTTP/1.1 200 OK\r\n" + strings.Repeat("X-A: "+strings.Repeat("a", 1000)+"\r\n", 200) + "\r\n",
		"endless 100s":   strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: "+strings.Repeat("a", 1000)+"\r\n\r\n", 200),
	} {
		t.Run(name, func(t *testing.T) {
			url := raw(t, func(c net.Conn) { io.WriteString(c, reply) })
			c := client(t, Config{})
			want(t, c, Request{Method: "GET", URL: url, Allowed: []string{url}}, runtime.RemoteFailed)
			e := want(t, c, Request{Method: "POST", URL: url, Allowed: []string{url}, Body: []byte("x")}, runtime.OutcomeUnknown)
			if !strings.Contains(e.Hint, "read it back") {
				t.Errorf("hint %q", e.Hint)
			}
		})
	}
}

func TestSwitchingProtocolsIsNoReply(t *testing.T) {
	url := raw(t, func(c net.Conn) {
		io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")
		io.Copy(io.Discard, c)
	})
	if e := want(t, client(t, Config{}), Request{Method: "GET", URL: url, Allowed: []string{url}}, runtime.RemoteFailed); e.Status != 101 {
		t.Errorf("status %d", e.Status)
	}
}

func TestTimeAndCancel(t *testing.T) {
	silent := raw(t, func(c net.Conn) { io.Copy(io.Discard, c) })
	drip := raw(t, func(c net.Conn) {
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\na")
		io.Copy(io.Discard, c)
	})
	c := client(t, Config{})
	for _, url := range []string{silent, drip} {
		want(t, c, Request{Method: "GET", URL: url, Allowed: []string{url}, Timeout: 30 * time.Millisecond}, runtime.Timeout)
		want(t, c, Request{Method: "PUT", URL: url, Allowed: []string{url}, Timeout: 30 * time.Millisecond}, runtime.OutcomeUnknown)
	}
	got := make(chan struct{}, 2)
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		got <- struct{}{}
		<-r.Context().Done()
	})
	for method, code := range map[string]runtime.Code{"GET": runtime.Cancelled, "DELETE": runtime.OutcomeUnknown} {
		ctx, cancel := context.WithCancel(t.Context())
		go func() { <-got; cancel() }()
		_, err := c.Do(ctx, Request{Method: method, URL: url, Allowed: []string{url}})
		if e := runtime.AsError(err); e.Code != code {
			t.Errorf("%s: %v, want %s", method, err, code)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Do(ctx, Request{Method: "POST", URL: url, Allowed: []string{url}}); runtime.AsError(err).Code != runtime.Cancelled {
		t.Errorf("cancelled before: %v", err)
	}
}

func TestNoConnectionMeansNothingWasSent(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + l.Addr().String()
	l.Close()
	e := want(t, client(t, Config{}), Request{Method: "POST", URL: url, Allowed: []string{url}}, runtime.Unavailable)
	if !strings.Contains(e.Message, "refuses connections; nothing was sent") {
		t.Errorf("message %q", e.Message)
	}
}

func TestTLS(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Proto) }))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	r := Request{Method: "POST", URL: s.URL, Allowed: []string{s.URL}}
	e := want(t, client(t, Config{}), r, runtime.Unavailable)
	if !strings.Contains(e.Message, "certificate is not trusted") {
		t.Errorf("message %q", e.Message)
	}
	roots := s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	resp, err := client(t, Config{RootCAs: roots}).Do(t.Context(), r)
	if err != nil || string(resp.Body) != "HTTP/1.1" {
		t.Errorf("trusted: %v, %v", resp, err)
	}
}

func TestNoProxyAndNoCookies(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	t.Setenv("http_proxy", "http://127.0.0.1:1")
	var cookies []string
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		cookies = append(cookies, r.Header.Get("Cookie"))
		http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
	})
	c := client(t, Config{})
	for range 2 {
		if _, err := c.Do(t.Context(), Request{Method: "GET", URL: url, Allowed: []string{url}}); err != nil {
			t.Fatal(err)
		}
	}
	if len(cookies) != 2 || cookies[1] != "" {
		t.Errorf("cookies %q", cookies)
	}
}

// A kept connection that dies under a write must not make the write happen twice.
func TestDeadConnectionDoesNotRepeatAWrite(t *testing.T) {
	var writes atomic.Int32
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				in := bufio.NewReader(conn)
				for {
					r, err := http.ReadRequest(in)
					if err != nil || r.Method == "DELETE" {
						if err == nil {
							writes.Add(1)
						}
						return // without a reply
					}
					io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
				}
			}()
		}
	}()
	c, url := client(t, Config{}), "http://"+l.Addr().String()
	if _, err := c.Do(t.Context(), Request{Method: "GET", URL: url, Allowed: []string{url}}); err != nil {
		t.Fatal(err)
	}
	want(t, c, Request{Method: "DELETE", URL: url, Allowed: []string{url}}, runtime.OutcomeUnknown)
	if n := writes.Load(); n != 1 {
		t.Errorf("the write arrived %d times", n)
	}
}

// A body is taken only if there is room for it, and the size that is asked for is what has come.
func TestRoomForABody(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 100_000)) })
	var asked int64
	r := Request{Method: "GET", URL: url, Allowed: []string{url}, Room: func(_ context.Context, bytes int64) error {
		asked = bytes
		return nil
	}}
	if resp, err := client(t, Config{}).Do(t.Context(), r); err != nil || len(resp.Body) != 100_000 || asked != 100_000 {
		t.Errorf("%v, asked for %d bytes", err, asked)
	}
	full := errors.New("full")
	r.Room = func(_ context.Context, bytes int64) error {
		if bytes > 10_000 {
			return full
		}
		return nil
	}
	if e := want(t, client(t, Config{}), r, runtime.RemoteFailed); !errors.Is(e, full) {
		t.Errorf("the cause is %v", e.Cause)
	}
}
