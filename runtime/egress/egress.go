// Package egress is the only way out of the service: it sends one HTTP request to an origin that a
// grant names, and nowhere else.
//
//	c := egress.New(egress.Config{})
//	resp, err := c.Do(ctx, egress.Request{
//		Method:  "GET",
//		URL:     "https://api.example.com/users/7",
//		Allowed: []string{"https://api.example.com"},
//	})
//	// err is a *runtime.Error: refused, not_found, timeout, outcome_unknown ...
//
// What may be reached is decided three times: the origin must be one that Allowed names, exactly;
// every address its host resolves to must be public; and the address connected to is judged again
// by the dialler, which gets addresses only, so that a second answer of the name server changes
// nothing. A loopback or private address is reached only where Allowed names it literally
// ("http://127.0.0.1:7357"), and "localhost" may stand for the loopback. Redirects pass the same
// gate, each of them.
//
// It does not read proxies from the environment, keep cookies, follow a write to another origin, or
// cut an answer short: one that is too large is an error. It does not retry either, except that on a
// kept connection which turns out dead a read, and a write with an Idempotency-Key, is sent once more.
package egress

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"time"

	"codemode/runtime"
)

// Config sets the limits of a Client. The zero value is ready for use.
type Config struct {
	// Resolver looks up hosts; nil means the system's.
	Resolver Resolver
	// RootCAs verify TLS servers; nil means the system's.
	RootCAs *x509.CertPool
	// Timeout bounds one Do, redirects and body included, where the request says none; 0 means 30 s.
	Timeout time.Duration
	// ConnectTimeout bounds connecting to one address, and the TLS handshake; 0 means 10 s.
	ConnectTimeout time.Duration
	// MaxResponseBytes caps a body after decompression where the request says nothing; 0 means 8 MiB.
	MaxResponseBytes int64
	// MaxRequestBytes caps a request body; 0 means 8 MiB.
	MaxRequestBytes int64
	// MaxHeaderBytes caps the header of a request and of a response; 0 means 64 KiB.
	MaxHeaderBytes int64
	// UserAgent is sent where the request names none; "" means "codemode".
	UserAgent string
}

// Client sends requests. It is safe for concurrent use.
type Client struct {
	config    Config
	dialler   *dialler
	transport *http.Transport
}

// Request is one request and what it may do.
type Request struct {
	// Method is upper case. GET, HEAD and OPTIONS are reads; everything else is a write.
	Method string
	// URL is absolute, http or https.
	URL string
	// Header holds one value a name. Names that belong to the connection or to this package (Host,
	// Content-Length, Transfer-Encoding, Accept-Encoding ...) are refused.
	Header map[string]string
	Body   []byte
	// Allowed are the origins that may be reached; none means none.
	Allowed []string
	// MaxResponseBytes caps the body after decompression; 0 means the client's.
	MaxResponseBytes int64
	// Room is told the size of the body once it has come, and waits until there is room for it in memory; nil
	// means that there is.
	Room func(ctx context.Context, bytes int64) error
	// Timeout bounds the whole of Do; 0 means the client's.
	Timeout time.Duration
	// Scrub takes secrets out of a destination's own words before they are cut to size and put into
	// an error; nil means there are none.
	Scrub func(string) string
}

// Response is a reply with a 2xx status.
type Response struct {
	Status int
	Header http.Header
	Body   []byte // decompressed
}

// New returns a Client.
func New(c Config) *Client {
	c = c.withDefaults()
	d := newDialler(c.Resolver, net.Dialer{Timeout: c.ConnectTimeout})
	return &Client{config: c, dialler: d, transport: &http.Transport{
		DialContext:            d.dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: c.RootCAs},
		TLSHandshakeTimeout:    c.ConnectTimeout,
		TLSNextProto:           map[string]func(string, *tls.Conn) http.RoundTripper{}, // HTTP/1.1 only
		MaxResponseHeaderBytes: c.MaxHeaderBytes,
		MaxIdleConns:           64,
		MaxIdleConnsPerHost:    8,
		IdleConnTimeout:        30 * time.Second,
	}}
}

func (c Config) withDefaults() Config {
	if c.Resolver == nil {
		c.Resolver = net.DefaultResolver
	}
	if c.UserAgent == "" {
		c.UserAgent = "codemode"
	}
	c.Timeout = orDuration(c.Timeout, 30*time.Second)
	c.ConnectTimeout = orDuration(c.ConnectTimeout, 10*time.Second)
	c.MaxResponseBytes = orBytes(c.MaxResponseBytes, 8<<20)
	c.MaxRequestBytes = orBytes(c.MaxRequestBytes, 8<<20)
	c.MaxHeaderBytes = orBytes(c.MaxHeaderBytes, 64<<10)
	return c
}

func orDuration(d, zero time.Duration) time.Duration {
	if d <= 0 {
		return zero
	}
	return d
}

func orBytes(n, zero int64) int64 {
	if n <= 0 {
		return zero
	}
	return n
}

// Close drops idle connections. Requests under way go on.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Do sends the request and returns its reply when the status is 2xx. Every error is a
// *runtime.Error:
//
//   - InvalidArgument: the URL, method, header or body is not one that can be sent.
//   - Refused: the origin or its address may not be reached. Nothing was sent.
//   - Unavailable: no connection could be made. Nothing was sent.
//   - Timeout, Cancelled: the time was over, and no write is under way.
//   - OutcomeUnknown: a write was sent and what it did is not known.
//   - RemoteFailed, NotFound (404, 410), Conflict (409, 412), RateLimited (429): the destination said
//     so; Status and Detail hold its words. RemoteFailed also when a read got no whole reply.
//   - ResultTooLarge: the body is over MaxResponseBytes.
func (c *Client) Do(ctx context.Context, r Request) (*Response, error) {
	ctx, cancel := context.WithTimeout(ctx, orDuration(r.Timeout, c.config.Timeout))
	defer cancel()
	x, err := c.exchange(r)
	if err != nil {
		return nil, err
	}
	resp, err := x.follow(ctx)
	if err != nil {
		return nil, err
	}
	return resp, nil
}

// exchange checks what can be checked before anything is sent.
func (c *Client) exchange(r Request) (*exchange, *runtime.Error) {
	x := &exchange{client: c, method: r.Method, body: r.Body, scrub: r.Scrub, room: r.Room, limit: orBytes(r.MaxResponseBytes, c.config.MaxResponseBytes)}
	if x.scrub == nil {
		x.scrub = func(s string) string { return s }
	}
	if !sendable(r.Method) {
		return nil, runtime.Errorf(runtime.InvalidArgument, "method %.20q cannot be sent", r.Method).WithHint("use GET, POST, PUT, PATCH or DELETE")
	}
	if int64(len(r.Body)) > c.config.MaxRequestBytes {
		return nil, runtime.Errorf(runtime.InvalidArgument, "the request body has %d bytes, more than %d", len(r.Body), c.config.MaxRequestBytes)
	}
	var err *runtime.Error
	if x.header, err = requestHeader(r.Header, c.config); err != nil {
		return nil, err
	}
	if x.allowed, err = allowedOrigins(r.Allowed); err != nil {
		return nil, err
	}
	return x, x.aim(r.URL)
}

// allowedOrigins brings the grant's origins to the spelling that is compared.
func allowedOrigins(origins []string) (map[string]bool, *runtime.Error) {
	out := make(map[string]bool, len(origins))
	for _, s := range origins {
		o, err := ParseOrigin(s)
		if err != nil {
			return nil, runtime.Errorf(runtime.Refused, "the grant's egress names %.200q, which is no origin: %v", s, err).WithHint("correct the grant's egress")
		}
		out[o] = true
	}
	return out, nil
}
