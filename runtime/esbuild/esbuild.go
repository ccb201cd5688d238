// Package esbuild makes one piece of code of a script's files, with esbuild, from memory alone.
//
//	b, diags := esbuild.Bundler{}.Bundle(script)
//	// b.Code == "(async function __top(){\"use strict\";\n ... return main_default;\n})"
//
// Imports resolve among the script's own files and the packages that stand with them under node_modules/,
// and nowhere else: no path, URL, loader, tsconfig or source map comment reads the host. Syntax the engine lacks is lowered; top-level await
// is kept, because the code becomes the body of an async function. Every place is in the author's
// coordinates. It does not check types and runs nothing.
package esbuild

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"codemode/runtime"
	"codemode/runtime/accept"

	"github.com/evanw/esbuild/pkg/api"
)

// maxDiagnostics bounds what one bundling reports.
const maxDiagnostics = 50

// namespace marks a file of the script; files of other namespaces (the host's) never exist.
const namespace = "script"

// Bundler bundles scripts. The zero value is ready.
type Bundler struct{}

// Bundle returns the code, or the diagnostics that prevent it: a bundle without an error among its
// diagnostics is complete.
func (Bundler) Bundle(s runtime.Script) (runtime.Bundle, []runtime.Diagnostic) {
	if _, ok := s.File(s.Entry); !ok {
		return runtime.Bundle{}, []runtime.Diagnostic{fatal(s.Entry, "the script has no file %q to start with", s.Entry)}
	}
	packages := accept.PackagesOf(s)
	reach := accept.NewReach(s, packages)
	if refused := reach.Refused(); len(refused) > 0 {
		return runtime.Bundle{}, refused
	}
	result := api.Build(options(s, onlyFilesOf(s, reach, packages.Effectless())))
	diags := diagnostics(s, result)
	if len(result.Errors) > 0 {
		return runtime.Bundle{}, diags
	}
	b, err := assemble(s, result)
	if err != nil {
		return runtime.Bundle{}, append(diags, fatal(s.Entry, "the bundler's output cannot be used: %v", err))
	}
	return b, diags
}

// options asks for one ES module. Target and the unsupported features are what the engine needs
// lowered; tree shaking is off, since a statement that would throw must throw.
func options(s runtime.Script, files func(api.PluginBuild)) api.BuildOptions {
	return api.BuildOptions{
		EntryPoints:    []string{s.Entry},
		AbsWorkingDir:  "/",
		Outfile:        "/bundle.js",
		Bundle:         true,
		Format:         api.FormatESModule,
		Platform:       api.PlatformNeutral,
		Target:         api.ES2022,
		Supported:      lowered(),
		Charset:        api.CharsetASCII,
		LegalComments:  api.LegalCommentsNone,
		TreeShaking:    api.TreeShakingFalse,
		Sourcemap:      api.SourceMapExternal,
		SourcesContent: api.SourcesContentExclude,
		TsconfigRaw:    "{}",
		LogLevel:       api.LogLevelSilent,
		LogLimit:       maxDiagnostics,
		Plugins:        []api.Plugin{{Name: "script files", Setup: files}},
	}
}

func lowered() map[string]bool {
	return map[string]bool{
		"async-generator": false, "for-await": false, "dynamic-import": false, "import-meta": false,
		"regexp-match-indices": false, "regexp-unicode-property-escapes": false, "regexp-set-notation": false,
		"decorators": false, "using": false, "top-level-await": true, "import-attributes": false,
	}
}

// onlyFilesOf answers every import and every load from the script's files and those of its packages.
func onlyFilesOf(s runtime.Script, reach accept.Reach, effectless map[string]bool) func(api.PluginBuild) {
	files := map[string]runtime.SourceFile{}
	for _, f := range s.Files {
		files[f.Name] = f
	}
	return func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			if args.Kind == api.ResolveEntryPoint {
				return api.OnResolveResult{Path: s.Entry, Namespace: namespace}, nil
			}
			name, refused := reach.Resolve(args.Importer, args.Path, required(args.Kind))
			if refused != nil {
				return api.OnResolveResult{Errors: []api.Message{{Text: refused.Message, Detail: importError{refused.Hint}}}}, nil
			}
			return api.OnResolveResult{Path: name, Namespace: namespace, SideEffects: sideEffects(effectless, name)}, nil
		})
		build.OnLoad(api.OnLoadOptions{Filter: ".*"}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			file, ok := files[args.Path]
			if args.Namespace != namespace || !ok {
				return api.OnLoadResult{Errors: []api.Message{{Text: computedPath, Detail: importError{}}}}, nil
			}
			text, loader := source(file, file.Name == s.Entry)
			return api.OnLoadResult{Contents: &text, Loader: loader, ResolveDir: nowhere}, nil
		})
	}
}

func required(kind api.ResolveKind) bool {
	return kind == api.ResolveJSRequireCall || kind == api.ResolveJSRequireResolve
}

// sideEffects lets what is not used of a package be left out, where the package says that it may.
func sideEffects(effectless map[string]bool, name string) api.SideEffects {
	file, _ := strings.CutPrefix(name, runtime.PackagesFolder)
	if owner, _ := accept.SplitPackage(file); file != name && effectless[owner] {
		return api.SideEffectsFalse
	}
	return api.SideEffectsTrue
}

// A path that is computed (import("./" + x)) esbuild takes for a pattern and looks for files of the
// host below the importing file's directory, without asking a plugin first. That directory is one
// that does not exist; what a pattern finds by climbing out of it is refused, unnamed and uncounted.
const (
	nowhere      = "/-/codemode"
	computedPath = "only files of this script can be imported: the path must be one string, not computed"
)

// importError marks a message as being about an import, and holds its hint.
type importError struct{ hint string }

// source returns what esbuild reads. The last source map comment of a file wins, so one that leads
// nowhere is put last: otherwise a comment of the author's could give places that are not its own.
// The entry exports something, so that it is a module whatever else it says.
func source(f runtime.SourceFile, entry bool) (string, api.Loader) {
	tail := "\n//# sourceMappingURL=none:"
	if entry {
		tail = "\nexport {};" + tail
	}
	switch path.Ext(f.Name) {
	case ".json":
		return f.Module, api.LoaderJSON
	case ".js", ".mjs", ".cjs":
		return f.Module + tail, api.LoaderJS
	}
	return f.Module + tail, api.LoaderTS
}

// assemble wraps esbuild's module and reads its source map.
func assemble(s runtime.Script, result api.BuildResult) (runtime.Bundle, error) {
	var code string
	var sm sourceMap
	for _, f := range result.OutputFiles {
		if !strings.HasSuffix(f.Path, ".map") {
			code = string(f.Contents)
			continue
		}
		if err := json.Unmarshal(f.Contents, &sm); err != nil {
			return runtime.Bundle{}, fmt.Errorf("its source map does not parse: %w", err)
		}
	}
	wrapped, shift := wrap(code)
	places, err := sm.places(s, shift)
	return runtime.Bundle{Code: wrapped, Places: inBytes(wrapped, places)}, err
}
