package egress

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"codemode/runtime"
)

// resolver answers each look-up with the next of its answers, the last again and again.
type resolver struct {
	asked   []string
	answers [][]string
}

func (r *resolver) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	r.asked = append(r.asked, host)
	answer := r.answers[min(len(r.asked), len(r.answers))-1]
	var out []netip.Addr
	for _, a := range answer {
		out = append(out, netip.MustParseAddr(a))
	}
	return out, nil
}

// routed sends every permitted connection to one server and keeps what was asked for: the test's
// stand-in for the route to a public address. The control still decides, as the kernel would ask it.
func routed(c *Client, server string) *[]string {
	var dialled []string
	c.dialler.connect = func(ctx context.Context, addr netip.AddrPort, judge control) (net.Conn, error) {
		if err := judge("tcp", addr.String(), nil); err != nil {
			return nil, err
		}
		dialled = append(dialled, addr.String())
		return new(net.Dialer).DialContext(ctx, "tcp", strings.TrimPrefix(server, "http://"))
	}
	return &dialled
}

func TestNamesThatStandForInnerAddresses(t *testing.T) {
	for _, tc := range []struct{ answer, kind string }{
		{"127.0.0.1", "loopback"}, {"127.9.9.9", "loopback"}, {"::1", "loopback"}, {"0.0.0.0", "unspecified"}, {"::", "unspecified"},
		{"10.1.2.3", "private"}, {"172.16.0.1", "private"}, {"192.168.1.1", "private"}, {"fd12::1", "private"},
		{"169.254.1.1", "link-local"}, {"fe80::1", "link-local"}, {"169.254.169.254", "metadata"}, {"fd00:ec2::254", "metadata"},
		{"168.63.129.16", "metadata"}, {"100.100.100.200", "metadata"}, {"100.64.0.1", "carrier-grade NAT"},
		{"224.0.0.1", "multicast"}, {"ff02::1", "multicast"}, {"255.255.255.255", "reserved"}, {"240.0.0.1", "reserved"}, {"192.0.2.1", "reserved"},
		{"198.18.0.1", "reserved"}, {"::ffff:127.0.0.1", "loopback"}, {"::ffff:10.0.0.1", "private"}, {"::ffff:169.254.169.254", "metadata"},
		{"64:ff9b::7f00:1", "reserved"}, {"2002:7f00:1::", "reserved"}, {"2001:db8::1", "reserved"}, {"::127.0.0.1", "reserved"}, {"fec0::1", "reserved"},
	} {
		t.Run(tc.answer, func(t *testing.T) {
			r := &resolver{answers: [][]string{{"93.184.216.34", tc.answer}}}
			c := client(t, Config{Resolver: r})
			dialled := routed(c, "")
			e := want(t, c, Request{Method: "POST", URL: "http://api.example.com/x", Allowed: []string{"http://api.example.com"}}, runtime.Refused)
			if !strings.Contains(e.Message, tc.kind) || strings.Contains(e.Message, tc.answer) {
				t.Errorf("message %q", e.Message)
			}
			if len(*dialled) != 0 {
				t.Errorf("connected to %v", *dialled)
			}
		})
	}
}

func TestPublicNameIsReachedAtTheAddressThatWasJudged(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Host) })
	r := &resolver{answers: [][]string{{"93.184.216.34"}, {"127.0.0.1"}}}
	c := client(t, Config{Resolver: r})
	dialled := routed(c, server)
	req := Request{Method: "GET", URL: "http://API.example.com.:8080/x", Allowed: []string{"http://api.example.com:8080"}}
	resp, err := c.Do(t.Context(), req)
	if err != nil || string(resp.Body) != "api.example.com:8080" {
		t.Fatalf("got %v, %v", resp, err)
	}
	if len(*dialled) != 1 || (*dialled)[0] != "93.184.216.34:8080" || r.asked[0] != "api.example.com." || len(r.asked) != 1 {
		t.Errorf("dialled %v, asked %v", *dialled, r.asked)
	}
	// The name server changes its mind: a new connection is refused.
	c.Close()
	want(t, c, req, runtime.Refused)
}

func TestLocalhostMustBeLoopback(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "ok") })
	for answer, ok := range map[string]bool{"127.0.0.1": true, "::1": true, "10.0.0.1": false, "93.184.216.34": false} {
		c := client(t, Config{Resolver: &resolver{answers: [][]string{{answer}}}})
		routed(c, server)
		for _, host := range []string{"localhost:99", "app.localhost:99"} {
			_, err := c.Do(t.Context(), Request{Method: "GET", URL: "http://" + host, Allowed: []string{"http://" + host}})
			if (err == nil) != ok {
				t.Errorf("%s as %s: %v", host, answer, err)
			}
		}
	}
}

func TestRealLocalhost(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "ok") })
	url := strings.Replace(server, "127.0.0.1", "localhost", 1)
	if _, err := client(t, Config{}).Do(t.Context(), Request{Method: "GET", URL: url, Allowed: []string{url}}); err != nil {
		t.Error(err)
	}
}

// The control judges the address of the connection itself, whatever was resolved.
func TestControlAtConnect(t *testing.T) {
	d := newDialler(&resolver{}, net.Dialer{})
	for _, tc := range []struct {
		host, address string
		ok            bool
	}{
		{"api.example.com", "93.184.216.34:443", true},
		{"api.example.com", "127.0.0.1:443", false},
		{"api.example.com", "[::ffff:127.0.0.1]:443", false},
		{"api.example.com", "[2606:4700::1]:443", true},
		{"127.0.0.1", "127.0.0.1:80", true},
		{"127.0.0.1", "127.0.0.2:80", false},
		{"10.0.0.1", "127.0.0.1:80", false},
		{"localhost", "[::1]:80", true},
		{"localhost", "10.0.0.1:80", false},
		{"api.example.com", "garbage", false},
	} {
		if err := atConnect(d.judge(tc.host))("tcp", tc.address, nil); (err == nil) != tc.ok {
			t.Errorf("%s at %s: %v", tc.host, tc.address, err)
		}
	}
	conn, err := d.connect(t.Context(), netip.MustParseAddrPort("127.0.0.1:1"), atConnect(d.judge("api.example.com")))
	var e *runtime.Error
	if !errors.As(err, &e) || e.Code != runtime.Refused {
		t.Errorf("the kernel's dial was not judged: %v, %v", conn, err)
	}
}

func TestResolverFailures(t *testing.T) {
	c := client(t, Config{Resolver: lookup(func() ([]netip.Addr, error) { return nil, nil })})
	e := want(t, c, Request{Method: "GET", URL: "http://gone.example", Allowed: []string{"http://gone.example"}}, runtime.Unavailable)
	if !strings.Contains(e.Message, "does not exist") {
		t.Errorf("message %q", e.Message)
	}
	c = client(t, Config{Resolver: lookup(func() ([]netip.Addr, error) { return nil, &net.DNSError{Err: "server misbehaving"} })})
	want(t, c, Request{Method: "GET", URL: "http://gone.example", Allowed: []string{"http://gone.example"}}, runtime.Unavailable)
}

type lookup func() ([]netip.Addr, error)

func (l lookup) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) { return l() }
