package egress

// This file holds what may be dialled: which addresses a host may stand for, and the dialler that
// checks each of them after resolution and once more at the moment of connecting.

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strings"
	"syscall"

	"code.dny.dev/ssrf"

	"codemode/runtime"
)

// Resolver looks up the addresses of a host; *net.Resolver is one. Names arrive with a trailing dot,
// so that no search list is applied, except "localhost".
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// maxAddresses bounds how many addresses of one host are tried.
const maxAddresses = 16

// wireServer is the one metadata service with a public address.
var wireServer = netip.MustParsePrefix("168.63.129.16/32")

// dialler makes connections to origins. The same origin is always judged alike, whatever the grant,
// so connections may be pooled by origin.
type dialler struct {
	resolver Resolver
	public   *ssrf.Guardian
	// connect makes one connection after control has agreed.
	connect func(ctx context.Context, addr netip.AddrPort, control control) (net.Conn, error)
}

// control is net.Dialer.Control: it sees the address that is really connected to.
type control = func(network, address string, _ syscall.RawConn) error

func newDialler(r Resolver, dial net.Dialer) *dialler {
	return &dialler{
		resolver: r,
		public:   ssrf.New(ssrf.WithAnyPort(), ssrf.WithDeniedV4Prefixes(wireServer)),
		connect: func(ctx context.Context, addr netip.AddrPort, c control) (net.Conn, error) {
			d := dial
			d.Control = c
			return d.DialContext(ctx, "tcp", addr.String())
		},
	}
}

// dial is http.Transport.DialContext. Do has checked already that the origin is one the request
// may reach.
func (d *dialler) dial(ctx context.Context, _, hostport string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		return nil, runtime.Errorf(runtime.Internal, "the host cannot be read").WithCause(err)
	}
	target, err := netip.ParseAddrPort("0.0.0.0:" + port)
	if err != nil {
		return nil, runtime.Errorf(runtime.Internal, "the port cannot be read").WithCause(err)
	}
	judge := d.judge(host)
	addrs, err := d.resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	for _, a := range addrs {
		if err := judge(a); err != nil {
			return nil, err
		}
	}
	return d.first(ctx, addrs, target.Port(), judge)
}

// first connects to the first address that answers.
func (d *dialler) first(ctx context.Context, addrs []netip.Addr, port uint16, judge func(netip.Addr) error) (net.Conn, error) {
	var failed error
	for _, a := range addrs {
		conn, err := d.connect(ctx, netip.AddrPortFrom(a, port), atConnect(judge))
		if err == nil {
			return conn, nil
		}
		failed = errors.Join(failed, err)
		if ctx.Err() != nil {
			break
		}
	}
	return nil, failed
}

func atConnect(judge func(netip.Addr) error) control {
	return func(_, address string, _ syscall.RawConn) error {
		ap, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		return judge(ap.Addr().Unmap())
	}
}

func (d *dialler) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	name := host
	if !isLocalhost(host) {
		name += "."
	}
	addrs, err := d.resolver.LookupNetIP(ctx, "ip", name)
	if err != nil {
		return nil, err
	}
	if len(addrs) == 0 {
		return nil, &net.DNSError{Err: "no addresses", Name: host, IsNotFound: true}
	}
	addrs = slices.Clone(addrs[:min(len(addrs), maxAddresses)])
	for i := range addrs {
		addrs[i] = addrs[i].Unmap() // net.Resolver answers IPv4 in its IPv6 form; the kernel connects to IPv4
	}
	return addrs, nil
}

// judge returns what decides over the addresses of one host: a literal address stands for itself,
// since the grant names it; localhost for the loopback (RFC 6761 section 6.3); any other name for
// public addresses only.
func (d *dialler) judge(host string) func(netip.Addr) error {
	if literal, err := netip.ParseAddr(host); err == nil {
		return func(a netip.Addr) error {
			if a != literal || a.IsUnspecified() || a.IsMulticast() {
				return refusedAddress(host, a)
			}
			return nil
		}
	}
	if isLocalhost(host) {
		return func(a netip.Addr) error {
			if !a.Unmap().IsLoopback() {
				return refusedAddress(host, a)
			}
			return nil
		}
	}
	return func(a netip.Addr) error {
		if d.public.SafeAddr(a) != nil {
			return refusedAddress(host, a)
		}
		return nil
	}
}

func isLocalhost(host string) bool {
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// refusedAddress names the category and not the address: what an inner name resolves to is none of
// the script's business.
func refusedAddress(host string, a netip.Addr) error {
	err := runtime.Errorf(runtime.Refused, "host %s stands for a %s address, which is not reached", host, category(a))
	if a.IsUnspecified() || a.IsMulticast() {
		return err.WithHint("name a host that can answer")
	}
	return err.WithHint("if that is meant, add the address itself as an origin to the grant's egress")
}

var (
	shared   = netip.MustParsePrefix("100.64.0.0/10") // RFC 6598
	metadata = []netip.Addr{
		netip.MustParseAddr("169.254.169.254"), netip.MustParseAddr("fd00:ec2::254"),
		netip.MustParseAddr("100.100.100.200"), netip.MustParseAddr("192.0.0.192"), wireServer.Addr(),
	}
)

// category is the kind of an address, for messages only: whether it may be reached is ssrf's to say.
func category(a netip.Addr) string {
	a = a.Unmap()
	for _, m := range metadata {
		if a == m {
			return "metadata"
		}
	}
	switch {
	case a.IsUnspecified():
		return "unspecified"
	case a.IsLoopback():
		return "loopback"
	case a.IsPrivate():
		return "private"
	case a.IsLinkLocalUnicast():
		return "link-local"
	case a.IsMulticast():
		return "multicast"
	case shared.Contains(a):
		return "carrier-grade NAT"
	}
	return "reserved"
}
