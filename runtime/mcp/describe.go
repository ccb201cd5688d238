package mcp

// This file holds what an agent reads before its first call. It is product text: a model decides by
// it what to write.

import (
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/directory/search"
)

func (s *Server) searchTool() *sdk.Tool {
	closed := false
	return &sdk.Tool{
		Name: "search", Title: "Search for methods",
		Description: `Finds granted methods and returns their complete TypeScript declarations, ready to write a script against. Each says its effect (read, reversible, irreversible) and whether a call needs a person's decision. Search by what you want to do, in as many sentences as it takes, or by a method's name. One search is mostly enough. What is less close stands as a line below the declarations; one that says [declaration: N tokens] had no room, and comes with a greater max_tokens.`,
		InputSchema: json.RawMessage(fmt.Sprintf(`{"type":"object","additionalProperties":false,"required":["query"],"properties":{
			"query":{"type":"string","description":"what to do, in words, or a name such as crm.listContacts"},
			"limit":{"type":"integer","minimum":1,"maximum":20,"default":8,"description":"how many declarations at the most"},
			"max_tokens":{"type":"integer","minimum":%d,"maximum":%d,"default":%d,"description":"what the answer may take"}}}`, search.MinTokens, s.c.Limits.MaxSearchTokens, s.c.Limits.SearchTokens)),
		Annotations: &sdk.ToolAnnotations{Title: "Search for methods", ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed},
	}
}

const runDescription = `Type-checks one TypeScript script against the granted methods, runs it, and returns its result with a receipt. When the check fails nothing has happened: the answer names each mistake with the declaration it misread; mend the script and send it again.

The script is a module whose "export default" is the result, or statements that end in "return". Top-level await works.

  const page = await tools.<namespace>.<method>({ limit: 20 });
  return page.items.length;

- tools.<namespace>.<method>(args) takes one object and returns a promise. Await every call; use Promise.all for several at once. Only granted methods exist; get their declarations from search.
- A failed call throws a ToolError: try { ... } catch (e) { if (e instanceof ToolError && e.code === "not_found") ... }. It has code, message, hint, status, detail and handle.
- inputs.<name>.text(), .json(), .csv() and .bytes() read the files you pass as inputs.
- artifacts.write(path, data) puts out a file; small text files come back with the answer.
- await ask(question, schema?) asks a person. The run is then suspended and its answer says what it asks; resume goes on.
- await directory.search(query, limit?) finds granted methods from within the script.
- await results.read(error.handle, offset?, bytes?) reads a result that was too large (code result_too_large) in parts, as text.
- await checkpoint.save(name, value) and checkpoint.load(name) keep values for a later run with the same task argument, script, inputs and methods. Without a task no later run finds them.
- progress(message) tells how far the script is; console.log(...) adds lines to the answer.
- %s
- Do the filtering, joining and counting in the script and return only what you need: the result is JSON.
- A call that needs a decision is refused with needs_decision and nothing is done.
`

func (s *Server) resumeTool() *sdk.Tool {
	open, destructive := true, true
	return &sdk.Tool{
		Name: "resume", Title: "Go on with a suspended run",
		Description: `Goes on with a run that was suspended by ask, once a person has answered its questions. What the script has done is not done again. The answer is that of run; while a question is open it says so again. Only runs of this server's own grants can be resumed.`,
		InputSchema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["run_id"],"properties":{
			"run_id":{"type":"string","description":"from the answer of the suspended run"}}}`),
		Annotations: &sdk.ToolAnnotations{Title: "Go on with a suspended run", DestructiveHint: &destructive, OpenWorldHint: &open},
	}
}

func (s *Server) runTool() *sdk.Tool {
	open, destructive := true, true
	return &sdk.Tool{
		Name: "run", Title: "Run a script",
		Description: fmt.Sprintf(runDescription, s.absent()) + "\nLimits: " + strings.Join(s.limits(), ", ") + ".",
		InputSchema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["script"],"properties":{
			"script":{"type":"string","description":"the TypeScript"},
			"inputs":{"type":"object","additionalProperties":{"type":"string"},"description":"input files: name to text content; the script reads inputs.<name>"},
			"task":{"type":"string","description":"names what this is an attempt at: checkpoints of earlier runs with the same task can be loaded"}}}`),
		Annotations: &sdk.ToolAnnotations{Title: "Run a script", DestructiveHint: &destructive, OpenWorldHint: &open},
	}
}

// absent says what a script has not, and which packages it may import.
func (s *Server) absent() string {
	if len(s.c.Packages) == 0 {
		return "There is no network, file system, process, fetch or package to import."
	}
	return "There is no network, file system, process or fetch. These packages can be imported, and no others: " + strings.Join(s.c.Packages, ", ") + "."
}

// limits are the server's own caps and those of every run.
func (s *Server) limits() []string {
	l := s.c.Limits
	return append([]string{fmt.Sprintf("script %s", size(l.ScriptBytes)), fmt.Sprintf("inputs %d files and %s together", l.Inputs, size(l.InputBytes))}, s.c.Limited...)
}

func size(bytes int) string {
	switch {
	case bytes >= 1<<20 && bytes%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", bytes>>20)
	case bytes >= 1<<10 && bytes%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// instructions are the index of what is granted, in as much detail as its tokens allow.
func (s *Server) instructions() string {
	granted := s.granted()
	how := "codemode runs one TypeScript script on typed methods. Look methods up with search, then do the whole job in one script with run.\n\n"
	if len(granted) == 0 {
		return how + "No method is granted, so scripts can only compute."
	}
	entries := make([]search.Entry, len(granted))
	for i, c := range granted {
		entries[i] = s.c.Entry(c)
		if s.needsDecision(c) {
			entries[i].Mark = "*"
		}
	}
	head := how + fmt.Sprintf("%d methods are granted", len(granted))
	if index := search.Catalogue(entries, s.c.Limits.IndexTokens, s.c.Count); index != "" {
		return head + ". By namespace with the number of its methods, as far as there is room (? follows an argument that may be left out, * a method that needs a decision):\n" + index
	}
	return head + ", too many to list; search finds them."
}
