package accept

// This file refuses what Node has built in, and comments that speak to a compiler.

import (
	"regexp"
	"strings"

	"codemode/runtime"
)

// builtins are Node's modules, with what takes their place.
var builtins = map[string]string{
	"fs": noFiles, "fs/promises": noFiles, "path": "paths are plain text; join them with /", "os": noEnvironment, "process": noEnvironment,
	"http": noNetwork, "https": noNetwork, "http2": noNetwork, "net": noNetwork, "tls": noNetwork, "dgram": noNetwork, "dns": noNetwork, "dns/promises": noNetwork,
	"child_process": noPrograms, "worker_threads": noPrograms, "cluster": noPrograms, "vm": noPrograms, "module": noHost, "inspector": noHost, "v8": noHost, "repl": noHost,
	"buffer": "use Uint8Array, and its toBase64, fromBase64 and toHex", "crypto": "call a method of tools for digests and keys; Math.random is seeded for a run",
	"timers": noTimers, "timers/promises": noTimers, "util": noUtil, "events": noUtil, "stream": noUtil, "stream/promises": noUtil, "string_decoder": noUtil,
	"url": "a URL is plain text here; encodeURIComponent and a template make one", "querystring": "use encodeURIComponent and a template",
	"assert": "throw an Error where something is not as it must be", "readline": "read an input with inputs and split its text", "zlib": "call a method of tools to pack or unpack",
	"perf_hooks": noUtil, "async_hooks": noUtil, "console": "console is there without an import", "test": noUtil, "sqlite": noFiles, "tty": noHost,
}

const (
	noNetwork     = runtime.HintNoNetwork
	noHost        = runtime.HintNoHost
	noFiles       = "there are no files; read inputs and write artifacts"
	noEnvironment = "there is no process and no environment; what a script needs comes as inputs"
	noPrograms    = "a script starts no other program; call a method of tools"
	noTimers      = "setTimeout and setInterval are there without an import"
	noUtil        = "the language, tools, inputs and artifacts are all there is; write the few lines that are needed"
)

// refuseNode refuses a specifier that begins with "node:".
func refuseNode(spec string) *Refusal {
	name, prefixed := strings.CutPrefix(strings.ToLower(spec), "node:")
	if !prefixed {
		return nil
	}
	if r := refuseBuiltin(name); r != nil {
		return r
	}
	return refusef("%s is a module of Node, which a script does not have", quoted(spec)).hint(noUtil)
}

// refuseBuiltin refuses a module of Node by its bare name, "fs" or "Buffer".
func refuseBuiltin(spec string) *Refusal {
	hint, ok := builtins[strings.ToLower(spec)]
	if !ok {
		return nil
	}
	return refusef("%s is a module of Node, which a script does not have", quoted(spec)).hint(hint)
}

var (
	reference  = regexp.MustCompile(`^///\s*<\s*(reference|amd-module|amd-dependency)\b`)
	sourceMap  = regexp.MustCompile(`^/[/*]\s*[#@]\s*source(Mapping)?URL\s*=`)
	jsxPragma  = regexp.MustCompile(`(?m)^[\s/*]*@jsx(Frag|ImportSource|Runtime)?\b`)
	optionLine = regexp.MustCompile(`(?i)^//\s*@(filename|target|module|moduleResolution|moduleDetection|lib|libFiles|types|typeRoots|paths|baseUrl|rootDirs?|outDir|outFile|strict|noLib|allowJs|checkJs|jsx\w*|plugins|extends|composite|resolveJsonModule|customConditions|traceResolution)\s*:`)
)

// refuseComment refuses a comment that would bring in files or settings.
func refuseComment(comment string) *Refusal {
	switch {
	case reference.MatchString(comment):
		return refusef("a reference comment brings nothing in").hint("take it out: all the types that a script has are there without it")
	case sourceMap.MatchString(comment):
		return refusef("a comment can't say where the source stands").hint("take the sourceMappingURL or sourceURL comment out: places are those of the text as it was sent")
	case jsxPragma.MatchString(comment):
		return refusef("there is no JSX here, and no pragma for it").hint("take the comment out")
	case optionLine.MatchString(comment):
		return refusef("a comment can't set options of the compiler").hint("take it out")
	}
	return nil
}
