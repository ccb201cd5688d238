package egress

// This file brings origins to one spelling, so that comparing two of them is comparing strings and
// what was compared is what is dialled.

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// maxURLBytes bounds an URL before anything parses it.
const maxURLBytes = 64 << 10

// ParseOrigin reads "scheme://host[:port]" and returns it in the one spelling that Do compares:
// scheme and host in lower case, the host in its ASCII form (IDNA, UTS 46), no trailing dot, an
// IPv4-mapped address as IPv4, the scheme's own port left out. A path, a query, user information,
// an IPv6 zone, a number that is no dotted address ("2130706433", "0x7f.1", "127.1") or another
// scheme than http and https is an error.
func ParseOrigin(s string) (string, error) {
	u, o, err := parseURL(s)
	if err != nil {
		return "", err
	}
	if (u.Path != "" && u.Path != "/") || u.RawQuery != "" || u.ForceQuery || strings.Contains(s, "#") {
		return "", errors.New("an origin has no path, query or fragment: write scheme://host:port only")
	}
	return o.String(), nil
}

// origin is a parsed, normalised origin. Exactly one of addr and name is set.
type origin struct {
	scheme string
	name   string     // ASCII host name in lower case
	addr   netip.Addr // the address when the host is a literal one
	port   uint16
}

// String is the spelling two equal origins share.
func (o origin) String() string {
	if o.port == defaultPort(o.scheme) {
		return o.scheme + "://" + bracketed(o.host())
	}
	return o.scheme + "://" + o.hostport()
}

func (o origin) host() string {
	if o.addr.IsValid() {
		return o.addr.String()
	}
	return o.name
}

func (o origin) hostport() string { return net.JoinHostPort(o.host(), strconv.Itoa(int(o.port))) }

// authority is the host as it stands in an URL and a Host header.
func (o origin) authority() string {
	_, rest, _ := strings.Cut(o.String(), "://")
	return rest
}

func bracketed(host string) string {
	if strings.Contains(host, ":") {
		return "[" + host + "]"
	}
	return host
}

func defaultPort(scheme string) uint16 {
	if scheme == "https" {
		return 443
	}
	return 80
}

// parseURL reads an absolute http or https URL and rewrites its authority to the normalised origin,
// so that no later stage can read the original one differently (RFC 3986 section 3.2, WHATWG URL).
func parseURL(raw string) (*url.URL, origin, error) {
	if len(raw) > maxURLBytes {
		return nil, origin{}, fmt.Errorf("the url has %d bytes, more than %d", len(raw), maxURLBytes)
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, origin{}, errors.New("the url cannot be parsed") // url's own error repeats the URL, secrets included
	}
	o, err := originOf(u)
	if err != nil {
		return nil, origin{}, err
	}
	u.Scheme, u.Host, u.Fragment, u.RawFragment = o.scheme, o.authority(), "", ""
	u.RawQuery = printable(u.RawQuery)
	return u, o, nil
}

func originOf(u *url.URL) (origin, error) {
	o := origin{scheme: strings.ToLower(u.Scheme)}
	if o.scheme != "http" && o.scheme != "https" {
		return o, errors.New("only http and https urls are reached")
	}
	if u.User != nil {
		return o, errors.New("user information stands in the url; put credentials in a header")
	}
	if u.Opaque != "" || u.Hostname() == "" {
		return o, errors.New("the url names no host")
	}
	port, err := portOf(u, o.scheme)
	if err != nil {
		return o, err
	}
	o.port = port
	o.name, o.addr, err = hostOf(u.Hostname(), strings.HasPrefix(u.Host, "["))
	return o, err
}

func portOf(u *url.URL, scheme string) (uint16, error) {
	if u.Port() == "" {
		return defaultPort(scheme), nil
	}
	n, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil || n == 0 {
		return 0, errors.New("the port is not a number from 1 to 65535")
	}
	return uint16(n), nil
}

// hostOf tells an address from a name. Names go through IDNA first, because it maps full-width
// digits and dots to ASCII ones: only the mapped text shows whether a host is an address.
func hostOf(host string, inBrackets bool) (string, netip.Addr, error) {
	if inBrackets {
		return addressOf(host)
	}
	name, err := asciiName(host)
	if err != nil {
		return "", netip.Addr{}, err
	}
	if numeric(name[strings.LastIndexByte(name, '.')+1:]) {
		return addressOf(name)
	}
	return name, netip.Addr{}, nil
}

func addressOf(host string) (string, netip.Addr, error) {
	a, err := netip.ParseAddr(host)
	if err != nil {
		return "", netip.Addr{}, errors.New("the host is a number that is no address; write 192.0.2.1 or [2001:db8::1]")
	}
	if a.Zone() != "" {
		return "", netip.Addr{}, errors.New("the address carries a zone")
	}
	return "", a.Unmap(), nil
}

// asciiName maps a host name to ASCII. A plain ASCII name is taken as it is apart from its case: IDNA
// refuses underscores and long dashes that real hosts have.
func asciiName(host string) (string, error) {
	name := strings.ToLower(host)
	if !plainName(name) {
		mapped, err := idna.Lookup.ToASCII(host)
		if err != nil {
			return "", errors.New("the host name has characters that no host name has")
		}
		name = mapped
	}
	name = strings.TrimSuffix(name, ".")
	if !plainName(name) || name == "" || len(name) > 253 || strings.HasPrefix(name, ".") || strings.Contains(name, "..") {
		return "", errors.New("the host is no host name")
	}
	return name, nil
}

func plainName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}

// numeric reports whether a host's last label makes the whole host an address for lenient parsers
// (WHATWG URL, "ends in a number"; inet_aton takes octal, hexadecimal and short forms).
func numeric(label string) bool {
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}

// printable escapes what url.Parse lets stand in a query and a request line must not hold.
func printable(query string) string {
	var b strings.Builder
	for i := range len(query) {
		if c := query[i]; c <= ' ' || c >= 0x7f || c == '"' || c == '<' || c == '>' {
			fmt.Fprintf(&b, "%%%02X", c)
			continue
		}
		b.WriteByte(query[i])
	}
	return b.String()
}
