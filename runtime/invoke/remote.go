package invoke

// This file performs agent and dispatch rows: other agents and dispatchers behind an HTTP endpoint.

import (
	"context"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"codemode/directory/template"
	"codemode/runtime"
)

// agentRequest is what an agent's endpoint gets. It holds the message and nothing else: endpoints that
// read strictly refuse fields they do not know.
type agentRequest struct {
	Message string `json:"message"`
}

func (c *call) agent(ctx context.Context) (runtime.Reply, *runtime.Error) {
	if err := c.placed(); err != nil {
		return runtime.Reply{}, err
	}
	message, err := c.op.template.Text(c.fill())
	if err != nil {
		return runtime.Reply{}, c.unrendered(err)
	}
	resp, failed := c.post(ctx, agentRequest{message})
	if failed != nil {
		return runtime.Reply{}, failed
	}
	return c.reply(resp), nil
}

// dispatchRequest is a call of the legacy surface.
type dispatchRequest struct {
	Key  string `json:"key"`
	Body string `json:"body"`
}

func (c *call) dispatch(ctx context.Context) (runtime.Reply, *runtime.Error) {
	if err := c.placed(); err != nil {
		return runtime.Reply{}, err
	}
	body, err := c.legacyBody()
	if err != nil {
		return runtime.Reply{}, err
	}
	resp, err := c.post(ctx, dispatchRequest{Key: c.op.key.row, Body: body})
	if err != nil {
		return runtime.Reply{}, err
	}
	return c.dispatched(resp)
}

// legacyBody writes the arguments as the remote dispatcher will split them again. What it would split
// differently is refused here, before anything is sent. A row without a body of its own sends its
// arguments in the contract's order.
func (c *call) legacyBody() (string, *runtime.Error) {
	render := func() (string, error) { return c.op.template.Dispatch(c.fill()) }
	if c.op.empty {
		render = func() (string, error) { return template.JoinBody(c.values.args, 0) }
	}
	body, err := render()
	if err != nil {
		return "", c.unrendered(err)
	}
	return body, nil
}

var legacyStatus = regexp.MustCompile(`(?s)^HTTP ([1-5][0-9][0-9]):(.*)$`)

// dispatched reads the text of the legacy surface: "HTTP <status>:<body>", "ERR:<words>", or a plain
// result, which has no status of its own.
func (c *call) dispatched(resp *Response) (runtime.Reply, *runtime.Error) {
	text := string(resp.Body)
	if isJSON(mediaType(resp)) && typeOf(resp.Body) == "string" {
		text = textOf(resp.Body)
	}
	if words, failed := strings.CutPrefix(text, "ERR:"); failed {
		err := runtime.Errorf(runtime.RemoteFailed, "the dispatcher behind %s reported an error", c.op.key)
		err.Detail = c.detail(words)
		return runtime.Reply{}, err
	}
	inner := &Response{Header: http.Header{}, Body: []byte(text)}
	if m := legacyStatus.FindStringSubmatch(text); m != nil {
		inner.Status, _ = strconv.Atoi(m[1]) // three digits, by the expression
		inner.Body = []byte(m[2])
	}
	if inner.Status != 0 && inner.Status/100 != 2 {
		err := runtime.Errorf(runtime.CodeOfStatus(inner.Status), "the destination behind %s answered %d", c.op.key, inner.Status)
		err.Status, err.Detail = inner.Status, c.detail(string(inner.Body))
		return runtime.Reply{}, err
	}
	out := c.reply(inner)
	out.Bytes = int64(len(resp.Body))
	return out, nil
}

// maxDetailBytes bounds a destination's own words.
const maxDetailBytes = 2 << 10

// detail scrubs first and cuts after, so that no cut leaves half a secret.
func (c *call) detail(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || (r >= 0x7f && r < 0xa0) {
			return ' '
		}
		return r
	}, c.secrets.clean(strings.ToValidUTF8(text, "\uFFFD")))
	if len(text) > maxDetailBytes {
		text = strings.ToValidUTF8(text[:maxDetailBytes-3], "") + "..."
	}
	return strings.TrimSpace(text)
}

// post sends a JSON document to the row's endpoint.
func (c *call) post(ctx context.Context, doc any) (*Response, *runtime.Error) {
	req, err := c.op.endpoint.Request(c.fill())
	if err != nil {
		return nil, c.unrendered(err)
	}
	if req.Body, err = encode(doc); err != nil {
		return nil, runtime.Errorf(runtime.InvalidArgument, "the arguments are not valid JSON").WithCause(err)
	}
	req.ContentType = "application/json"
	return c.send(ctx, req)
}
