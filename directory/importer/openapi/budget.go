package openapi

// This file keeps what a document costs in proportion to what it is: references and aliases let a small
// one describe rows without end.

import "errors"

const (
	// maxWork caps what is written of schemas and values while a document is read, in bytes, whether or not
	// it ends up in a row.
	maxWork = 256 << 20
	// visitCost is what a look at a component counts for: about as long as writing so many bytes takes.
	visitCost = 64
)

var errWork = errors.New("the document's schemas, written out where they are used, are more than is read of one document")

func (d *document) spend(bytes int) { d.work += bytes }

// share divides Options.MaxTotalBytes: one half in equal shares, so that no operation goes without because
// others came first; the other half to those that need more, in the order of the document.
func (d *document) share(operations int) {
	d.each = d.opts.MaxTotalBytes / 2 / max(1, operations)
	d.pool = d.opts.MaxTotalBytes - d.each*operations
}

// room reports whether a row of a length still has a place, beside the shares of the others.
func (d *document) room(length int) bool { return length-d.each <= d.pool }

// take gives a row its place.
func (d *document) take(length int) { d.pool -= max(0, length-d.each) }
