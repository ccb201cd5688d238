package runtime

// This file makes ids: a visible prefix, then 26 characters that sort by time (as ULID does).

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"strings"
	"time"
)

var idAlphabet = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// NewID makes an id such as "run_06f3...": 48 bits of milliseconds, 80 bits of chance.
func NewID(prefix string, now time.Time) string {
	var b [16]byte
	rand.Read(b[6:]) // never fails since Go 1.24
	binary.BigEndian.PutUint32(b[:4], uint32(now.UnixMilli()>>16))
	binary.BigEndian.PutUint16(b[4:6], uint16(now.UnixMilli()))
	return strings.Join([]string{prefix, idAlphabet.EncodeToString(b[:])}, "_")
}
