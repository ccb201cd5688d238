package directory

// This file reads what a row of type mcp calls.

import (
	"net/url"
	"strings"
)

// MCPTool is the server that a row of type mcp belongs to and the tool's name there. The server is the
// row's target: an http or https URL of an endpoint, else the name of a server that the service
// itself knows. The tool is the target's fragment ("notes#find", percent-encoded), else what follows
// the first "/" of the key, %XX read back, else the key.
//
//	{"key":"notes/find","type":"mcp","target":"notes"}                       find of notes
//	{"key":"FIND_NOTE","type":"mcp","target":"https://notes.example/mcp#find"}  find of that endpoint
func (r Row) MCPTool() (server, tool string) {
	server, fragment, named := strings.Cut(strings.TrimSpace(r.Target), "#")
	if named {
		return server, unescaped(fragment)
	}
	if _, rest, ok := strings.Cut(r.Key, "/"); ok {
		return server, unescaped(rest)
	}
	return server, r.Key
}

func unescaped(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}
