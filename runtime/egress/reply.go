package egress

// This file turns a reply into a Response or an error: sizes, encodings, statuses.

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"unicode/utf8"

	"codemode/runtime"
)

const (
	// maxDetailBytes bounds the destination's own words in an error.
	maxDetailBytes = 2 << 10
	// maxErrorBody is how much of an error's body is read to find them.
	maxErrorBody = 64 << 10
)

func (x *exchange) finish(ctx context.Context, resp *http.Response) (*Response, *runtime.Error) {
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return nil, x.statusError(resp)
	}
	if x.method != http.MethodHead && resp.ContentLength > x.limit {
		return nil, x.tooLarge(resp.StatusCode)
	}
	if !decoded(resp) {
		return nil, x.cutOff(ctx, resp.StatusCode, "came in an encoding that was not asked for", nil)
	}
	body, err := x.read(ctx, resp.Body)
	if errors.Is(err, errTooLarge) {
		return nil, x.tooLarge(resp.StatusCode)
	}
	if err != nil {
		return nil, x.cutOff(ctx, resp.StatusCode, broke(err), err)
	}
	return &Response{Status: resp.StatusCode, Header: resp.Header, Body: body}, nil
}

// decoded reports whether the body is plain: the transport has undone the gzip it asked for and
// taken the header away; anything left was not asked for.
func decoded(resp *http.Response) bool {
	encoding := strings.ToLower(strings.TrimSpace(resp.Header.Get("Content-Encoding")))
	return encoding == "" || encoding == "identity"
}

func (x *exchange) tooLarge(status int) *runtime.Error {
	err := runtime.Errorf(runtime.ResultTooLarge, "the reply of %s is larger than %d bytes", x.origin, x.limit).WithHint("ask for less: a page, a filter, fewer fields")
	if !reads(x.method) {
		err.Message += "; the write itself was accepted"
	}
	err.Status = status
	return err
}

// cutOff is a reply whose status came and whose body did not.
func (x *exchange) cutOff(ctx context.Context, status int, how string, cause error) *runtime.Error {
	err := runtime.Errorf(runtime.RemoteFailed, "the reply of %s %s", x.origin, how).WithHint("try again later")
	if over := timeOver(ctx, x.origin); over != nil {
		err = over
	}
	if !reads(x.method) {
		err = runtime.Errorf(runtime.OutcomeUnknown, "%s answered the %s with %d, but the reply %s", x.origin, x.method, status, how).WithHint(readBack)
	}
	err.Status = status
	return err.WithCause(cause)
}

// timeOver is the error of a context that has ended, or nil.
func timeOver(ctx context.Context, o origin) *runtime.Error {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return runtime.Errorf(runtime.Timeout, "%s did not answer in time", o).WithHint("try again later, or ask for less")
	case ctx.Err() != nil:
		return runtime.Errorf(runtime.Cancelled, "the call to %s was cancelled", o)
	}
	return nil
}

// statusError tells what a status means for the caller (RFC 9110 section 15, RFC 6585 for 429).
func (x *exchange) statusError(resp *http.Response) *runtime.Error {
	err := runtime.Errorf(runtime.CodeOfStatus(resp.StatusCode), "%s answered %d %s", x.origin, resp.StatusCode, http.StatusText(resp.StatusCode))
	err.Message = strings.TrimSpace(err.Message)
	err.Hint = statusHint(resp, reads(x.method))
	err.Status, err.Detail = resp.StatusCode, x.detail(resp)
	return err
}

func statusHint(resp *http.Response, read bool) string {
	switch s := resp.StatusCode; {
	case s == http.StatusUnauthorized || s == http.StatusForbidden:
		return "the destination does not accept the service's credentials; the operator must correct them"
	case s == http.StatusTooManyRequests || s == http.StatusServiceUnavailable:
		return retryHint(resp.Header.Get("Retry-After"))
	case s >= 500 && !read:
		return readBack
	case s >= 500:
		return "try again later"
	}
	return ""
}

// retryHint passes Retry-After on: seconds or a date (RFC 9110 section 10.2.3).
func retryHint(after string) string {
	if after == "" || len(after) > 40 || strings.ContainsFunc(after, func(r rune) bool { return isControl(r) || r > '~' }) {
		return "try again later"
	}
	if strings.Trim(after, "0123456789") == "" {
		return "try again after " + after + " seconds"
	}
	return "try again after " + after
}

// detail is the destination's own words: scrubbed first and cut after, so that no cut can leave half
// a secret that the scrubber no longer knows.
func (x *exchange) detail(resp *http.Response) string {
	if resp.StatusCode < 200 || !decoded(resp) {
		return ""
	}
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody)) // what came before a break is still worth telling
	text := x.scrub(strings.ToValidUTF8(string(body), "\uFFFD"))
	return cut(strings.TrimSpace(strings.Map(noControl, text)), maxDetailBytes)
}

func noControl(r rune) rune {
	if r < ' ' || (r >= 0x7f && r < 0xa0) {
		return ' '
	}
	return r
}

// cut shortens s to at most n bytes at a character's boundary and marks that it did.
func cut(s string, n int) string {
	const mark = "..."
	if len(s) <= n {
		return s
	}
	end := max(n-len(mark), 0)
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + mark
}

// reason names why no connection came about, without repeating addresses.
func reason(err error) string {
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	var timeout net.Error
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return "the host does not exist"
	case errors.As(err, &dns):
		return "the host could not be looked up"
	case errors.As(err, &cert):
		return "its certificate is not trusted"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "it refuses connections"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "it does not answer"
	}
	return "it could not be reached"
}
