package main

// This file makes rows of the tools of an MCP server that answers.

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"codemode/directory"
	"codemode/directory/importer"
	"codemode/directory/mcpclient"
)

// mcpSource are the flags of import mcp.
type mcpSource struct {
	url, server, auth string
	timeout           time.Duration
}

func importMCPCommand(t *terminal) *cobra.Command {
	src := mcpSource{}
	var to importTarget
	cmd := &cobra.Command{
		Use:   "mcp [LIST | --url URL | -- COMMAND ARGS...]",
		Short: "Make rows of the tools of an MCP server",
		Long: `import mcp asks an MCP server for its tools, all pages of them, and prints a row for each. After -- stands
the command of a server that speaks over standard input and output; it is run as given, by you, without
a shell. --url names an endpoint that speaks streamable HTTP. LIST is a file with a tools/list answer.

Rows say where the server is: its URL without query, or its name, which codemode run --mcp-servers
gives a command again: no row can start a program. --auth names a secret, as a row's auth does
(bearer:NAME, header:FIELD:NAME), taken from CODEMODE_SECRET_NAME here and whenever a row is called.

A server that lists without end, or what is no tool, costs its own tools only; standard error says so. A
secret of the connection that the server repeats becomes [secret]. A redirect to another origin is refused.
What a program started ends with it, but for what leaves its process group and drops its environment.` + fieldsHelp,
		Example: `  codemode import mcp --server notes --out rows/notes.jsonl -- npx some-server --readonly
  codemode import mcp --url https://mcp.example.com/mcp --auth bearer:EXAMPLE_TOKEN --out rows/example.jsonl`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			result, err := t.importMCP(cmd.Context(), src, args, cmd.ArgsLenAtDash())
			if err != nil {
				return importFailed(cmd.Context(), err)
			}
			return t.imported(result, to, "tools")
		},
	}
	cmd.Flags().StringVar(&src.url, "url", "", "the endpoint of a server that speaks streamable HTTP")
	cmd.Flags().StringVar(&src.server, "server", "", "the server's name in keys (default: what it calls itself)")
	cmd.Flags().StringVar(&src.auth, "auth", "", "bearer:NAME, basic:NAME or header:FIELD:NAME: the secret an endpoint wants")
	cmd.Flags().DurationVar(&src.timeout, "timeout", time.Minute, "how long all of it may take")
	to.flags(cmd)
	return cmd
}

// errNoServer marks a server that could not be connected to.
var errNoServer = errors.New("the MCP server cannot be reached")

// errSource says what import mcp can read.
var errSource = errors.New("name one source: a LIST, --url URL, or -- and a command")

func (t *terminal) importMCP(ctx context.Context, src mcpSource, args []string, dash int) (*importer.Result, error) {
	var command []string
	if dash >= 0 {
		args, command = args[:dash], args[dash:]
	}
	switch {
	case len(args) == 1 && len(command) == 0 && src.url == "":
		return importList(args[0], src.server)
	case len(args) > 0 || (len(command) > 0) == (src.url != ""):
		return nil, errSource
	case src.auth != "" && src.url == "":
		return nil, errors.New("--auth is for --url; a program takes what it needs from its own environment")
	}
	ctx, cancel := context.WithTimeout(ctx, src.timeout)
	defer cancel()
	server := mcpclient.Server{Command: command, URL: src.url, Env: mcpEnvironment(command)}
	secrets := newScrubber("", "", "")
	if src.url != "" {
		header, value, err := t.authHeader(src.auth)
		if err != nil {
			return nil, err
		}
		server.HTTP = &credentialed{http.DefaultTransport, src.url, header}
		secrets = newScrubber(src.auth, value, src.url)
	}
	result, err := t.listServer(ctx, server, src, secrets)
	return result, secrets.error(err)
}

func (t *terminal) listServer(ctx context.Context, server mcpclient.Server, src mcpSource, secrets *scrubber) (*importer.Result, error) {
	t.progress("asking the server for its tools")
	defer t.clear()
	client, err := mcpclient.Connect(ctx, server, mcpclient.Limits{ConnectTimeout: src.timeout})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoServer, err)
	}
	defer client.Close()
	opts := importer.Options{File: "tools/list", Server: src.server, Auth: src.auth}
	if opts.Server == "" {
		opts.Server = secrets.text(client.Name())
	}
	var findings []directory.Finding
	if src.url != "" {
		var dropped bool
		if opts.Target, dropped = withoutQuery(src.url); dropped {
			findings = append(findings, directory.Finding{File: "tools/list", Line: 1, Severity: directory.SeverityWarning, Rule: "query_dropped",
				Message: "the rows' target leaves the query of --url out, since it may hold a secret", Hint: "write it into the rows with a $NAME for the secret, if the server needs it"})
		}
	}
	result, err := importer.Live(ctx, scrubbing{client, secrets}, opts)
	if err != nil {
		return nil, err
	}
	result.Findings = slices.Concat(findings, secrets.finding(), result.Findings)
	return result, nil
}

// withoutQuery is the endpoint as a row may name it.
func withoutQuery(endpoint string) (string, bool) {
	u, err := url.Parse(endpoint)
	if err != nil || u.RawQuery == "" && u.Fragment == "" {
		return endpoint, false
	}
	u.RawQuery, u.Fragment = "", ""
	return u.String(), true
}

// authHeader is the header that an auth stands for, and the secret in it: invoke gives rows the same.
func (t *terminal) authHeader(auth string) (header http.Header, secret string, err error) {
	header = http.Header{}
	if auth == "" || auth == "none" {
		return header, "", nil
	}
	kind, name, ok := strings.Cut(auth, ":")
	if !ok {
		kind, name = "bearer", auth
	}
	field := "Authorization"
	if kind == "header" {
		field, name, _ = strings.Cut(name, ":")
	}
	if name == "" || field == "" || kind != "bearer" && kind != "basic" && kind != "header" {
		return nil, "", errors.New("--auth is bearer:NAME, basic:NAME or header:FIELD:NAME")
	}
	secret, err = t.secret(name)
	if err != nil {
		return nil, "", fmt.Errorf("--auth: %w", err)
	}
	value := secret
	switch kind {
	case "bearer":
		value = "Bearer " + value
	case "basic":
		value = "Basic " + base64.StdEncoding.EncodeToString([]byte(value))
	}
	header.Set(field, value)
	return header, secret, nil
}

// credentialed adds a header to the requests to one origin, and to no other that it redirects to.
type credentialed struct {
	http.RoundTripper
	endpoint string
	header   http.Header
}

func (c *credentialed) RoundTrip(req *http.Request) (*http.Response, error) {
	if u, err := url.Parse(c.endpoint); err == nil && u.Host == req.URL.Host && u.Scheme == req.URL.Scheme {
		req = req.Clone(req.Context())
		for name := range c.header {
			req.Header.Set(name, c.header.Get(name))
		}
	}
	return c.RoundTripper.RoundTrip(req)
}

// importFailed tells what was asked wrongly from what could not be had.
func importFailed(ctx context.Context, err error) error {
	var status *mcpclient.StatusError
	var refused *mcpclient.ServerError
	switch {
	case ctx.Err() != nil:
		return &exitError{exitUnavailable, "interrupted"}
	case errors.Is(err, context.DeadlineExceeded):
		return &exitError{exitUnavailable, "it did not answer in time; --timeout gives it more"}
	case errors.As(err, &status), errors.As(err, &refused), errors.Is(err, errFetch), errors.Is(err, errNoServer),
		errors.Is(err, mcpclient.ErrTooLarge), errors.Is(err, mcpclient.ErrRedirect), errors.Is(err, mcpclient.ErrClosed), errors.Is(err, mcpclient.ErrSession):
		return &exitError{exitUnavailable, err.Error()}
	}
	return &exitError{exitUsage, err.Error()}
}
