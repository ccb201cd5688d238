package egress

// This file holds what a row may put into the head of a request.

import (
	"net/http"
	"net/textproto"
	"strings"

	"codemode/runtime"
)

// reserved are the header names that steer the connection, or that this package sets itself
// (RFC 9110 section 7.6.1, RFC 9112 section 6).
var reserved = map[string]bool{
	"Host": true, "Content-Length": true, "Transfer-Encoding": true, "Connection": true, "Keep-Alive": true,
	"Proxy-Connection": true, "Proxy-Authorization": true, "Proxy-Authenticate": true, "Te": true, "Trailer": true,
	"Upgrade": true, "Http2-Settings": true, "Expect": true, "Accept-Encoding": true,
}

// carried are the headers that go along to another origin; any other may be a credential.
var carried = []string{"Accept", "Accept-Language", "Content-Type", "User-Agent"}

func requestHeader(in map[string]string, c Config) (http.Header, *runtime.Error) {
	out := http.Header{}
	size := int64(0)
	for name, value := range in {
		if !token(name) || strings.ContainsFunc(value, isControl) {
			return nil, runtime.Errorf(runtime.InvalidArgument, "header %.60q has characters that no header has", name).WithHint("leave out control characters and newlines")
		}
		canonical := textproto.CanonicalMIMEHeaderKey(name)
		if reserved[canonical] {
			return nil, runtime.Errorf(runtime.InvalidArgument, "header %s is set by the service", canonical).WithHint("take it out of the row")
		}
		if _, twice := out[canonical]; twice {
			return nil, runtime.Errorf(runtime.InvalidArgument, "header %s is given twice", canonical).WithHint("take one out of the row")
		}
		out[canonical] = []string{value}
		size += int64(len(name) + len(value))
	}
	if size > c.MaxHeaderBytes {
		return nil, runtime.Errorf(runtime.InvalidArgument, "the header has %d bytes, more than %d", size, c.MaxHeaderBytes)
	}
	if _, named := out["User-Agent"]; !named {
		out["User-Agent"] = []string{c.UserAgent}
	}
	return out, nil
}

// carriedHeader is what is left of a header towards another origin.
func carriedHeader(in http.Header) http.Header {
	out := http.Header{}
	for _, name := range carried {
		if v, ok := in[name]; ok {
			out[name] = v
		}
	}
	return out
}

// token reports whether s is a token of RFC 9110 section 5.6.2.
func token(s string) bool {
	return s != "" && strings.Trim(s, "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

func isControl(r rune) bool { return (r < ' ' && r != '\t') || r == 0x7f }

// sendable keeps out what makes a tunnel or reflects the request's head.
func sendable(method string) bool {
	return token(method) && method == strings.ToUpper(method) && method != http.MethodConnect && method != http.MethodTrace
}

func reads(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}
