package invoke

// This file performs http rows.

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"codemode/directory/contract"
	"codemode/directory/template"
	"codemode/runtime"
)

// Doer is the way out. Every error of Do is a *runtime.Error, one of a status that is not 2xx too.
type Doer interface {
	Do(ctx context.Context, r Request) (*Response, error)
}

// Request is one request and what it may do.
type Request struct {
	Method           string
	URL              string
	Header           map[string]string
	Body             []byte
	Allowed          []string // origins that may be reached
	MaxResponseBytes int64
	Room             func(ctx context.Context, bytes int64) error // waited for once the body has come
	Timeout          time.Duration
	// Scrub takes secrets out of the destination's words before they are cut to size.
	Scrub func(string) string
}

// Response is a reply with a 2xx status, its body decompressed.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

func (c *call) http(ctx context.Context) (runtime.Reply, *runtime.Error) {
	req, err := c.op.template.Request(c.fill())
	if err != nil {
		return runtime.Reply{}, c.unrendered(err)
	}
	if err := c.placeRest(req); err != nil {
		return runtime.Reply{}, err
	}
	resp, failed := c.send(ctx, req)
	if failed != nil {
		return runtime.Reply{}, failed
	}
	return c.reply(resp), nil
}

// placeRest puts the arguments that no slot takes where the method has room for them.
func (c *call) placeRest(req *template.Request) *runtime.Error {
	if len(c.values.rest) == 0 {
		return nil
	}
	switch req.Method {
	case http.MethodGet, http.MethodHead, http.MethodDelete:
		req.URL = withQuery(req.URL, c.values.rest)
		return nil
	}
	if !c.op.empty {
		return c.placed()
	}
	body, err := encode(c.values.rest) // sorted by name; raw values keep their digits
	if err != nil {
		return runtime.Errorf(runtime.InvalidArgument, "the arguments are not valid JSON").WithCause(err)
	}
	req.Body = body
	if req.ContentType == "" {
		req.ContentType = "application/json"
	}
	return nil
}

// withQuery adds arguments to an URL's query, sorted by name: an array as one pair an item, null not
// at all, an object as its JSON text.
func withQuery(target string, args map[string]json.RawMessage) string {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(args)) {
		for _, value := range queryValues(args[name]) {
			pairs = append(pairs, url.QueryEscape(name)+"="+url.QueryEscape(value))
		}
	}
	if len(pairs) == 0 {
		return target
	}
	head, fragment, hashed := strings.Cut(target, "#")
	separator := "?"
	if strings.Contains(head, "?") {
		separator = "&"
	}
	head += separator + strings.Join(pairs, "&")
	if hashed {
		head += "#" + fragment
	}
	return head
}

func queryValues(raw json.RawMessage) []string {
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		items = []json.RawMessage{raw}
	}
	var out []string
	for _, item := range items {
		if string(item) != "null" {
			out = append(out, textOf(item))
		}
	}
	return out
}

// textOf is a string's own characters, or the JSON text of any other value.
func textOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil && string(raw) != "null" {
		return text
	}
	return string(raw)
}

// send adds what the service attaches to a request, and sends it.
func (c *call) send(ctx context.Context, req *template.Request) (*Response, *runtime.Error) {
	if c.inv.config.Egress == nil {
		return nil, runtime.Errorf(runtime.Unavailable, "this service has no way out to the network")
	}
	header := maps.Clone(req.Header)
	if header == nil {
		header = map[string]string{}
	}
	target, userinfo := withoutUserinfo(req.URL)
	if userinfo != "" {
		c.secrets.keepUserinfo(userinfo)
		setDefault(header, "Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(userinfo)))
	}
	setDefault(header, "Content-Type", req.ContentType)
	setDefault(header, "Accept", "application/json, text/plain;q=0.9, */*;q=0.8")
	if c.in.Contract.Idempotency == contract.IdempotencyHeader {
		setDefault(header, "Idempotency-Key", c.in.IdempotencyKey)
	}
	if err := c.authenticate(header); err != nil {
		return nil, err
	}
	resp, err := c.inv.config.Egress.Do(ctx, Request{
		Method: req.Method, URL: target, Header: header, Body: req.Body, Allowed: c.in.Egress,
		MaxResponseBytes: c.limit, Room: c.in.Room, Timeout: c.inv.config.Timeout, Scrub: c.secrets.clean,
	})
	if err != nil {
		return nil, runtime.AsError(err)
	}
	return resp, nil
}

// withoutUserinfo takes "user:password@" out of an URL, for a header: an URL is shown and logged
// (RFC 3986 section 3.2.1).
func withoutUserinfo(target string) (without, userinfo string) {
	scheme, rest, ok := strings.Cut(target, "://")
	if !ok {
		return target, ""
	}
	authority := rest
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		authority = rest[:end]
	}
	at := strings.LastIndexByte(authority, '@')
	if at < 0 {
		return target, ""
	}
	userinfo, err := url.PathUnescape(authority[:at])
	if err != nil {
		return target, "" // stays in place, and is refused on the way out
	}
	return scheme + "://" + rest[at+1:], userinfo
}

// setDefault sets a header that the row does not set itself.
func setDefault(header map[string]string, name, value string) {
	if value == "" || hasHeader(header, name) {
		return
	}
	header[name] = value
}

func hasHeader(header map[string]string, name string) bool {
	for have := range header {
		if strings.EqualFold(have, name) {
			return true
		}
	}
	return false
}

var errAuth = errors.New(`auth must be NAME, bearer:NAME, basic:NAME or header:FIELD:NAME`)

// authenticate attaches the row's credential. Auth is "NAME" or "bearer:NAME" for a bearer token
// (RFC 6750), "basic:NAME" for a "user:password" (RFC 7617), "header:X-Key:NAME" for a header of its
// own; "" and "none" attach nothing. A header that the row writes itself stands.
func (c *call) authenticate(header map[string]string) *runtime.Error {
	kind, name, ok := strings.Cut(c.op.auth, ":")
	if !ok {
		kind, name = "bearer", c.op.auth
	}
	if name == "" || strings.EqualFold(name, "none") {
		return nil
	}
	field := "Authorization"
	if kind == "header" {
		field, name, _ = strings.Cut(name, ":")
	}
	if hasHeader(header, field) {
		return nil
	}
	value, err := c.secrets.get(name)
	if err != nil {
		return c.unrendered(err)
	}
	switch kind {
	case "bearer":
		value = "Bearer " + value
	case "basic":
		value = "Basic " + base64.StdEncoding.EncodeToString([]byte(value))
	case "header":
	default:
		return brokenRow(c.op.key, errAuth)
	}
	header[field] = value
	return nil
}
