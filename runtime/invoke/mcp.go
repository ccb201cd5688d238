package invoke

// This file performs mcp rows: tools of MCP servers (modelcontextprotocol.io/specification, tools).
//
// What a tool gives back: its structuredContent where there is one, byte for byte; else its text blocks
// joined by line breaks, as JSON where the contract declares a result that is no string; else, where
// a block is no text (an image, a resource), the list of blocks as they came. A result that says
// isError is an error, remote_failed, with the tool's own words as detail.

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/directory/template"
	"codemode/runtime"
)

// MCP calls tools of MCP servers and keeps the connections. Call returns the result object of
// tools/call as the server wrote it. Every error is a *runtime.Error: Refused (egress), Unavailable (no
// such server, or none that answers), Timeout, Cancelled, OutcomeUnknown (sent, no reply, and not
// Read), InvalidArgument, NotFound, RateLimited, RemoteFailed, ResultTooLarge.
type MCP interface {
	Call(ctx context.Context, r MCPRequest) (json.RawMessage, error)
}

// MCPRequest is one call of a tool.
type MCPRequest struct {
	// Server is the http or https URL of an endpoint, or the name of a server that the service's
	// configuration knows.
	Server string
	Tool   string
	Args   json.RawMessage // an object
	// Header goes along with each request to an endpoint: its credentials.
	Header  map[string]string
	Allowed []string // origins that may be reached
	// Read says that a call whose answer was lost has changed nothing.
	Read    bool
	Timeout time.Duration
	// Scrub takes secrets out of the server's words before they are cut to size.
	Scrub func(string) string
}

// addTool makes the operation of an mcp row.
func (inv *Invoker) addTool(op *operation, row directory.Row) {
	op.target, op.tool = row.MCPTool()
	// The template has no slots: the arguments travel as one object.
	t, err := template.Parse(template.Source{Kind: template.Text})
	op.template = t
	switch {
	case err != nil:
		op.broken = brokenRow(op.key, err)
	case op.target == "" || op.tool == "":
		op.broken = runtime.Errorf(runtime.Unavailable, "%s names no server or no tool", op.key).WithHint("the row's target must name the server")
	case isEndpoint(op.target):
		op.parseEndpoint(row.Headers)
	case op.auth != "" && !strings.EqualFold(op.auth, "none"):
		op.broken = runtime.Errorf(runtime.Unavailable, "%s has an auth, and its server is a program that takes no header", op.key).
			WithHint("take auth out of the row; the operator gives the program what it needs")
	}
}

func isEndpoint(target string) bool {
	scheme, _, ok := strings.Cut(strings.ToLower(target), "://")
	return ok && (scheme == "http" || scheme == "https")
}

func (c *call) mcp(ctx context.Context) (runtime.Reply, *runtime.Error) {
	if c.inv.config.MCP == nil {
		return runtime.Reply{}, runtime.Errorf(runtime.Unavailable, "%s belongs to an MCP server, and this service has no connection to one", c.op.key).
			WithHint("use another method, or ask the operator for a service that has one")
	}
	req, failed := c.toolRequest()
	if failed != nil {
		return runtime.Reply{}, failed
	}
	raw, err := c.inv.config.MCP.Call(ctx, req)
	if err != nil {
		return runtime.Reply{}, runtime.AsError(err)
	}
	result, failed := c.toolResult(raw)
	return runtime.Reply{Result: result, Bytes: int64(len(raw))}, failed
}

func (c *call) toolRequest() (MCPRequest, *runtime.Error) {
	args, err := c.toolArguments()
	if err != nil {
		return MCPRequest{}, err
	}
	req := MCPRequest{
		Server: c.op.target, Tool: c.op.tool, Args: args, Allowed: c.in.Egress,
		Read: c.in.Contract.Effect == contract.Read, Timeout: c.inv.config.Timeout, Scrub: c.secrets.clean,
	}
	if c.op.endpoint == nil {
		return req, nil
	}
	rendered, failed := c.op.endpoint.Request(c.fill())
	if failed != nil {
		return req, c.unrendered(failed)
	}
	var userinfo string
	req.Server, userinfo = withoutUserinfo(rendered.URL)
	req.Header = rendered.Header
	if userinfo != "" {
		c.secrets.keepUserinfo(userinfo)
		setDefault(req.Header, "Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(userinfo)))
	}
	return req, c.authenticate(req.Header)
}

// toolArguments is the object of arguments as it came. A positional caller has to give one object too.
func (c *call) toolArguments() (json.RawMessage, *runtime.Error) {
	if !c.verbatim {
		return c.in.Args, nil
	}
	if len(c.values.args) > 0 {
		return nil, runtime.Errorf(runtime.InvalidArgument, "%s takes its arguments by name", c.op.key).WithHint("give one JSON object")
	}
	args, err := encode(c.values.rest)
	if err != nil {
		return nil, runtime.Errorf(runtime.InvalidArgument, "the arguments are not valid JSON").WithCause(err)
	}
	if c.values.rest == nil {
		args = json.RawMessage("{}")
	}
	return args, nil
}

// toolAnswer is the result of tools/call.
type toolAnswer struct {
	Content    []json.RawMessage `json:"content"`
	Structured json.RawMessage   `json:"structuredContent"`
	IsError    bool              `json:"isError"`
	// Kind is "input_required" where the server wants to ask first, which nobody here can answer.
	Kind string `json:"resultType"`
}

func (c *call) toolResult(raw json.RawMessage) (json.RawMessage, *runtime.Error) {
	var answer toolAnswer
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, runtime.Errorf(runtime.RemoteFailed, "the server of %s answered with what is no result of a tool", c.op.key).WithCause(err)
	}
	text, onlyText := joined(answer.Content)
	switch {
	case answer.IsError:
		err := runtime.Errorf(runtime.RemoteFailed, "the tool %s reported an error", c.op.key)
		err.Detail = c.detail(text)
		return nil, err
	case answer.Kind != "" && answer.Kind != "complete":
		return nil, runtime.Errorf(runtime.RemoteFailed, "the server of %s asks for something before it answers", c.op.key).WithHint("give what it needs as arguments")
	case len(answer.Structured) > 0 && string(answer.Structured) != "null":
		return answer.Structured, nil
	case len(answer.Content) == 0:
		return json.RawMessage("null"), nil
	case !onlyText:
		blocks, err := encode(answer.Content)
		if err != nil {
			return nil, runtime.AsError(err)
		}
		return blocks, nil
	case json.Valid([]byte(text)) && declaresNoString(c.in.Contract.Result):
		return json.RawMessage(strings.TrimSpace(text)), nil
	}
	return encodeText(text), nil
}

// joined is the text of the text blocks; only reports whether there are no others.
func joined(content []json.RawMessage) (text string, only bool) {
	var texts []string
	for _, raw := range content {
		var block struct {
			Type string `json:"type"`
			Text string `json:"text"`
		}
		if json.Unmarshal(raw, &block) == nil && block.Type == "text" {
			texts = append(texts, block.Text)
		}
	}
	return strings.Join(texts, "\n"), len(texts) == len(content)
}
