package main

// This file makes rows of an OpenAPI document.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"codemode/directory/importer"
	"codemode/directory/importer/openapi"
)

func importOpenAPICommand(t *terminal) *cobra.Command {
	var opts openapi.Options
	var to importTarget
	timeout := time.Minute
	cmd := &cobra.Command{
		Use:   "openapi DOCUMENT",
		Short: "Make rows of an OpenAPI document",
		Long: `import openapi reads an OpenAPI 3.0 or 3.1 document, as JSON or YAML, and prints an http row for each
operation. DOCUMENT is a file, - for standard input, or an http or https URL, which is the only case
in which the network is used: references to other files are not followed.

Rows are ready to be called: their templates put each argument where the document does. The properties
of a plain JSON or form body stand beside the other arguments; any other body is the argument body. An
operation whose body no template can write (multipart, binary) is left out where the body is required, and
where the method is POST, PUT or PATCH. Keys are SERVER_TAG/operationId, with the first tag, so that
namespaces follow tags; SERVER/operationId without one. A security scheme becomes the name of a secret,
SERVER_SCHEME, taken from CODEMODE_SECRET_SERVER_SCHEME when a row is called. Pages are left to the script.

A row holds 256 KiB and all of them 64 MiB: over that a result's schema is left out, and an operation whose
arguments alone are more. Paths with . or .. in them are refused. Of a member that stands twice the first is read.

Standard error names the operations that were left out, and at its end, counted by kind, what no row says.` + fieldsHelp,
		Example: `  codemode import openapi petstore.yaml --out rows/petstore.jsonl
  codemode import openapi https://api.example.com/openapi.json --server example --base-url https://api.example.com/v1`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), timeout)
			defer cancel()
			result, err := t.importOpenAPI(ctx, args[0], opts)
			if err != nil {
				return importFailed(cmd.Context(), err)
			}
			return t.imported(result, to, "operations")
		},
	}
	cmd.Flags().StringVar(&opts.Server, "server", "", "the first part of keys and names of secrets (default: the document's title)")
	cmd.Flags().StringVar(&opts.BaseURL, "base-url", "", "what paths are added to, in place of the document's servers")
	cmd.Flags().DurationVar(&timeout, "timeout", timeout, "how long fetching a URL may take")
	to.flags(cmd)
	return cmd
}

// maxDocumentBytes caps what is fetched; the importer has the same cap for what it reads.
const maxDocumentBytes = 64 << 20

func (t *terminal) importOpenAPI(ctx context.Context, name string, opts openapi.Options) (*importer.Result, error) {
	opts.File = name
	switch {
	case name == "-":
		return openapi.Import(os.Stdin, opts)
	case strings.HasPrefix(name, "http://"), strings.HasPrefix(name, "https://"):
		t.progress("fetching the document")
		defer t.clear()
		text, err := fetch(ctx, name)
		if err != nil {
			return nil, err
		}
		opts.File, _ = withoutQuery(name)
		return openapi.Import(bytes.NewReader(text), opts)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	result, err := openapi.Import(f, opts)
	return result, errors.Join(err, f.Close())
}

// errFetch marks a document that could not be had.
var errFetch = errors.New("the document cannot be fetched")

func fetch(ctx context.Context, address string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: the url is none", errFetch)
	}
	req.Header.Set("Accept", "application/json, application/yaml, text/yaml, */*;q=0.5")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errFetch, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%w: %s answered %s", errFetch, req.URL.Host, resp.Status)
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxDocumentBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errFetch, err)
	}
	return text, nil // one over the cap is refused where it is read
}
