package egress

// This file holds one exchange: a request, the redirects it meets, and how each way it can end is
// told. What decides is whether a write has left the service.

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"

	"codemode/runtime"
)

const maxRedirects = 5

type exchange struct {
	client  *Client
	method  string
	url     *url.URL
	origin  origin
	header  http.Header
	body    []byte
	allowed map[string]bool
	limit   int64
	room    func(context.Context, int64) error
	scrub   func(string) string
	// wrote says that a write was answered with a redirect to a read: whatever comes after, the write
	// has reached its destination.
	wrote bool
}

// aim points the exchange at an URL, if its origin is allowed.
func (x *exchange) aim(raw string) *runtime.Error {
	u, o, err := parseURL(raw)
	if err != nil {
		return runtime.Errorf(runtime.InvalidArgument, "the request cannot be sent: %v", err)
	}
	if !x.allowed[o.String()] {
		return notAllowed(o)
	}
	x.url, x.origin = u, o
	return nil
}

func notAllowed(o origin) *runtime.Error {
	kind := ""
	if o.addr.IsValid() && !o.addr.IsGlobalUnicast() || o.addr.IsPrivate() || isLocalhost(o.name) {
		kind = " (a local destination)"
	}
	return runtime.Errorf(runtime.Refused, "origin %s%s is not one that the grant may reach", o, kind).WithHint("add %q to the grant's egress if it is meant", o)
}

// follow sends the request and goes after its redirects.
func (x *exchange) follow(ctx context.Context) (*Response, *runtime.Error) {
	for hop := 0; ; hop++ {
		resp, err := x.send(ctx)
		if err != nil {
			return nil, x.settle(err)
		}
		location, ok := redirected(resp)
		if !ok {
			out, err := x.finish(ctx, resp)
			return out, x.settle(err)
		}
		resp.Body.Close()
		if hop == maxRedirects {
			err = runtime.Errorf(runtime.RemoteFailed, "%s redirected more than %d times", x.origin, maxRedirects)
		} else {
			err = x.redirect(resp.StatusCode, location)
		}
		if err != nil {
			err.Status = resp.StatusCode
			return nil, x.settle(err)
		}
	}
}

// settle keeps an error after a write that arrived from looking as if nothing had happened.
func (x *exchange) settle(err *runtime.Error) *runtime.Error {
	if err == nil || !x.wrote || err.Code == runtime.OutcomeUnknown {
		return err
	}
	out := runtime.Errorf(runtime.OutcomeUnknown, "the write was sent and answered with a redirect, and then: %s", err.Message).WithHint(readBack).WithCause(err)
	out.Status, out.Detail = err.Status, err.Detail
	return out
}

const readBack = "it may have taken effect: read it back before trying again"

// send makes one round trip.
func (x *exchange) send(ctx context.Context) (*http.Response, *runtime.Error) {
	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})
	var body io.Reader
	if len(x.body) > 0 {
		body = bytes.NewReader(x.body)
	}
	req, err := http.NewRequestWithContext(ctx, x.method, x.url.String(), body)
	if err != nil {
		return nil, runtime.Errorf(runtime.InvalidArgument, "the request cannot be sent").WithCause(err)
	}
	req.Header = x.header
	resp, err := x.client.transport.RoundTrip(req)
	if err != nil {
		return nil, x.noReply(ctx, err, connected.Load())
	}
	return resp, nil
}

// noReply tells the ways apart in which no reply came.
func (x *exchange) noReply(ctx context.Context, err error, connected bool) *runtime.Error {
	if connected && !reads(x.method) {
		return runtime.Errorf(runtime.OutcomeUnknown, "the %s to %s was sent and no reply came", x.method, x.origin).WithHint(readBack).WithCause(err)
	}
	if own := (*runtime.Error)(nil); errors.As(err, &own) {
		return own
	}
	if over := timeOver(ctx, x.origin); over != nil {
		return over.WithCause(err)
	}
	if !connected {
		return runtime.Errorf(runtime.Unavailable, "no connection to %s: %s; nothing was sent", x.origin, reason(err)).WithHint("try again later").WithCause(err)
	}
	return runtime.Errorf(runtime.RemoteFailed, "%s closed the connection or sent what is no HTTP reply", x.origin).WithHint("try again later").WithCause(err)
}

// redirect points the exchange at a redirect's location (RFC 9110 section 15.4). A POST that is
// answered 301 or 302, and anything answered 303, goes on as a GET; other methods stay as they are.
func (x *exchange) redirect(status int, location string) *runtime.Error {
	from := x.origin
	if becomesGet(status, x.method) {
		x.wrote = x.wrote || !reads(x.method)
		x.method, x.body = http.MethodGet, nil
		x.header = x.header.Clone()
		x.header.Del("Content-Type")
		x.header.Del("Idempotency-Key")
	}
	next, err := x.url.Parse(location)
	if err != nil {
		return runtime.Errorf(runtime.RemoteFailed, "%s redirected to what is no url", from)
	}
	if err := x.aim(next.String()); err != nil {
		if err.Code == runtime.InvalidArgument {
			err.Code = runtime.RemoteFailed
		}
		err.Message = from.String() + " redirected: " + err.Message
		return err
	}
	if x.origin == from {
		return nil
	}
	if !reads(x.method) {
		return runtime.Errorf(runtime.Refused, "%s redirected the %s to %s: a write is not sent on to another origin", from, x.method, x.origin).WithHint("call the row of that origin instead")
	}
	x.header = carriedHeader(x.header)
	return nil
}

func becomesGet(status int, method string) bool {
	switch status {
	case http.StatusSeeOther:
		return method != http.MethodHead && method != http.MethodGet
	case http.StatusMovedPermanently, http.StatusFound:
		return method == http.MethodPost
	}
	return false
}

func redirected(resp *http.Response) (string, bool) {
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		location := resp.Header.Get("Location")
		return location, location != ""
	}
	return "", false
}
