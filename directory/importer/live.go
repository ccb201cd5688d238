package importer

// This file reads the tools of a server that answers, page by page.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Lister is a server that lists its tools a page at a time. Each tool is valid JSON, as the server wrote it;
// next is the cursor of the following page, "" at the end.
type Lister interface {
	Page(ctx context.Context, cursor string) (tools []json.RawMessage, next string, err error)
}

// maxPages caps the pages that a server may go on for.
const maxPages = 1000

// Live reads the tools of a server. Options.Server must name it: what a tool says of its own server is
// not asked, so that no server can list tools as another's. The line of a finding is the number of the
// tool in the list.
//
// A server that never comes to an end, repeats a cursor, goes over a cap or fails on a later page
// costs the pages from there on, and a finding of severity error says so. Errors are a first page that
// cannot be had and a server that lists no tool.
func Live(ctx context.Context, l Lister, opts Options) (*Result, error) {
	opts = opts.withDefaults()
	if opts.Server == "" {
		return nil, errors.New("the server has no name; name it")
	}
	r := newReader(opts, nil)
	tools, err := r.pages(ctx, l)
	if err != nil {
		return nil, fmt.Errorf("server %s: %w", opts.Server, err)
	}
	for _, p := range tools {
		r.listed(p)
	}
	if r.tools == 0 {
		return nil, fmt.Errorf("server %s: it lists no tools", opts.Server)
	}
	return r.result(), nil
}

// pages gathers all tools, a tool a line of the reader's data.
func (r *reader) pages(ctx context.Context, l Lister) ([]piece, error) {
	var data bytes.Buffer
	var tools []piece
	cursors := map[string]bool{}
	for page, cursor := 1, ""; ; page++ {
		list, next, err := l.Page(ctx, cursor)
		if err != nil && (page == 1 || ctx.Err() != nil) {
			return nil, err
		}
		for _, tool := range list {
			line, err := compact(tool)
			if err != nil {
				r.leftOut++
			}
			if err != nil || len(tools) == r.opts.MaxTools || int64(data.Len()+len(line)) > r.opts.MaxBytes {
				continue
			}
			tools = append(tools, piece{line, data.Len()})
			data.Write(append(line, '\n'))
		}
		cursors[cursor] = true
		why := r.stop(page, err, len(tools), data.Len(), cursors[next] && next != "")
		if why != "" {
			r.data, r.incomplete = data.Bytes(), true
			r.remarks.fail(about{line: max(1, len(tools))}, "incomplete_list", "ask the server's author", "%s; what it listed until then is taken", why)
		}
		if why != "" || next == "" {
			r.data = data.Bytes()
			return tools, nil
		}
		cursor = next
	}
}

// stop says why no further page is asked for, "" to go on.
func (r *reader) stop(page int, err error, tools, size int, again bool) string {
	switch {
	case err != nil:
		return fmt.Sprintf("page %d of the list could not be had: %s", page, clip(err.Error()))
	case again:
		return fmt.Sprintf("page %d of the list leads back to an earlier page", page)
	case page == maxPages:
		return fmt.Sprintf("the list does not end within %d pages", maxPages)
	case tools >= r.opts.MaxTools:
		return fmt.Sprintf("the list has %d tools or more", r.opts.MaxTools)
	case int64(size) >= r.opts.MaxBytes-int64(r.opts.MaxToolBytes):
		return fmt.Sprintf("the list has %d bytes or more", size)
	}
	return ""
}

// listed takes in one element of a server's list.
func (r *reader) listed(p piece) {
	named := false
	if p.is('{') {
		for _, m := range members(p) {
			named = named || m.name == "name" && m.value.is('"')
		}
	}
	if !named {
		r.leftOut++
		r.notATool(p)
		return
	}
	r.tool(p, owner{server: r.opts.Server})
}
