package mcpclient

// This file is what stands between the SDK's streamable HTTP client and the network: it caps and
// carries answers, and remembers why a request failed, which the SDK's errors only tell in words.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
)

// failureKey holds, in the context of a request, where its failure is noted.
type failureKey struct{}

// failure is why a request failed, as the round tripper knows it.
type failure struct {
	mu  sync.Mutex
	err error
}

func (f *failure) set(err error) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = err
}

func (f *failure) get() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

type keepingHTTP struct {
	base  http.RoundTripper
	limit int
}

// RoundTrip reads an answer whole before the SDK sees it: a call's answer ends with the call.
func (k *keepingHTTP) RoundTrip(req *http.Request) (*http.Response, error) {
	noted, _ := req.Context().Value(failureKey{}).(*failure)
	method, err := requestMethod(req)
	if err != nil {
		return nil, err
	}
	resp, err := k.base.RoundTrip(req)
	if err != nil {
		noted.set(err)
		return nil, err
	}
	if resp.StatusCode/100 == 3 {
		return resp, nil // the http.Client follows, and asks here again
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, int64(k.limit)+1))
	resp.Body.Close()
	switch {
	case err != nil:
		noted.set(err)
		return nil, err
	case len(body) > k.limit:
		noted.set(ErrTooLarge)
		return nil, ErrTooLarge
	}
	if body, err = carryBody(resp, method, body); err != nil {
		return nil, err
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	resp.Header.Set("Content-Length", strconv.Itoa(len(body)))
	noted.set(refused(resp, method, body))
	return resp, nil
}

// maxRedirects is how many redirects a request follows, as net/http's own client does.
const maxRedirects = 10

// sameOrigin lets a request go on within the origin it was for: another one is not the server that was
// named, and was not given what the request holds.
func sameOrigin(req *http.Request, via []*http.Request) error {
	err := error(nil)
	switch from := via[0].URL; {
	case origin(from) != origin(req.URL):
		err = fmt.Errorf("%w, %s; connect to its url if that is meant", ErrRedirect, origin(req.URL))
	case len(via) >= maxRedirects:
		err = fmt.Errorf("the server redirects more than %d times", maxRedirects)
	}
	if noted, ok := req.Context().Value(failureKey{}).(*failure); ok && err != nil {
		noted.set(err)
	}
	return err
}

// origin is scheme, host and port (RFC 6454), with the scheme's own port left out.
func origin(u *url.URL) string {
	scheme, host := strings.ToLower(u.Scheme), strings.ToLower(u.Hostname())
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port := u.Port(); port != "" && port != map[string]string{"http": "80", "https": "443"}[scheme] {
		host += ":" + port
	}
	return scheme + "://" + host
}

// refused is an answer that is no success, nil for one that is. What an older server says to a newer
// server's handshake is left to the SDK, which then tries the older one.
func refused(resp *http.Response, method string, body []byte) error {
	if resp.StatusCode/100 == 2 || !carried(method) && method != "initialize" {
		return nil
	}
	if resp.StatusCode == http.StatusNotFound && resp.Request != nil && resp.Request.Header.Get("Mcp-Session-Id") != "" {
		return ErrSession
	}
	return &StatusError{Status: resp.StatusCode, Body: string(body[:min(len(body), maxTail)])}
}

// StatusError is an answer of an HTTP server that is no success.
type StatusError struct {
	Status int
	Body   string // the first 2 KiB of the server's own words: not trusted
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("the server answered %d %s", e.Status, http.StatusText(e.Status))
}

// requestMethod is the JSON-RPC method of a request, whose body stays readable.
func requestMethod(req *http.Request) (string, error) {
	if req.Body == nil {
		return "", nil
	}
	body, err := io.ReadAll(req.Body)
	req.Body.Close()
	if err != nil {
		return "", err
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	var m struct {
		Method string `json:"method"`
	}
	json.Unmarshal(body, &m) // what is no request has no method
	return m.Method, nil
}

func carryBody(resp *http.Response, method string, body []byte) ([]byte, error) {
	if resp.StatusCode/100 != 2 || !carried(method) {
		return body, nil
	}
	if media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); media == "text/event-stream" {
		return carryEvents(body)
	}
	return carryMessage(body)
}
