package runtime

// This file holds the digests of sets of contracts.

import (
	"strings"
	"sync"
)

// Digests keeps those of the sets that runs were granted: of the hundreds of methods that an agent may have, a
// digest takes longer than a short script. It is of one service, whose contracts do not change.
type Digests struct {
	mu    sync.Mutex
	known map[string]string // by the names, a line each
}

// NewDigests returns a Digests that knows none.
func NewDigests() *Digests { return &Digests{known: map[string]string{}} }

// maxDigests bounds how many sets are kept.
const maxDigests = 64

// of is the digest of the canonical JSON object that has each granted contract's digest by its name.
func (d *Digests) of(a authority) string {
	if d == nil {
		return a.contracts()
	}
	key := strings.Join(a.names, "\n")
	d.mu.Lock()
	defer d.mu.Unlock()
	if digest, ok := d.known[key]; ok {
		return digest
	}
	if len(d.known) >= maxDigests {
		clear(d.known)
	}
	d.known[key] = a.contracts()
	return d.known[key]
}

func (a authority) contracts() string {
	byName := map[string]string{}
	for name, c := range a.methods {
		byName[name] = c.Digest
	}
	return digestOf(byName)
}
