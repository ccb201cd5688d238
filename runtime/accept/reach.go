package accept

// This file says what a script's imports can reach, its own files and the prepared packages, and refuses
// all others in words of its own. The checker and the bundler both ask it, before they look themselves.

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"codemode/runtime"
)

// Codes of what is refused, whoever reports it.
const (
	CodeImport  = "CM101" // an import that reaches nothing a script may use
	CodeComment = "CM102" // a comment that would configure a compiler
	CodeUntyped = "CM103" // a package without types
)

// Refusal says why an import is none, and what to do.
type Refusal struct{ Message, Hint string }

func refusef(format string, args ...any) *Refusal {
	return &Refusal{Message: fmt.Sprintf(format, args...)}
}

func (r *Refusal) hint(hint string) *Refusal {
	r.Hint = hint
	return r
}

// Reach is all that the imports of one script can name.
type Reach struct {
	script   runtime.Script
	packages Packages
	own      map[string]bool
}

// NewReach returns the reach of the script's own files, and of the packages.
func NewReach(s runtime.Script, p Packages) Reach {
	r := Reach{script: s, packages: p, own: map[string]bool{}}
	for _, f := range s.Files {
		if !strings.HasPrefix(f.Name, runtime.PackagesFolder) {
			r.own[f.Name] = true
		}
	}
	return r
}

// Resolve returns the name of the file that spec names where importer imports or requires it. Names of
// packages' files begin with runtime.PackagesFolder.
func (r Reach) Resolve(importer, spec string, required bool) (string, *Refusal) {
	inner, inPackage := strings.CutPrefix(importer, runtime.PackagesFolder)
	if !inPackage {
		return r.fromScript(importer, spec)
	}
	if refused := refuseForm(spec); refused != nil {
		return "", refused
	}
	file, refused := r.packages.Resolve(inner, spec, required)
	if refused != nil {
		owner, _ := SplitPackage(inner)
		refused.Message = "package " + owner + " can't be used: " + refused.Message
	}
	return runtime.PackagesFolder + file, refused
}

// PackageImport is an import of a package in the script itself, as it is written.
type PackageImport struct {
	Spec string
	At   runtime.Pos
}

// Packages returns the script's imports of packages, in order.
func (r Reach) Packages() (imports []PackageImport) {
	r.each(func(f runtime.SourceFile, site importSite) {
		if site.form == importStatic && !isRelative(site.spec) {
			at := runtime.PosIn(f.Text, site.at)
			at.File = f.Name
			imports = append(imports, PackageImport{site.spec, at})
		}
	})
	return imports
}

// ImportedNames returns the names that the script imports of each package, by specifier.
func (r Reach) ImportedNames() map[string][]string {
	out := map[string][]string{}
	r.each(func(_ runtime.SourceFile, site importSite) {
		if site.form == importStatic && !isRelative(site.spec) {
			out[site.spec] = append(out[site.spec], site.names...)
		}
	})
	return out
}

// maxImports bounds the imports of one file that are looked at; more are refused.
const maxImports = 500

func (r Reach) each(do func(runtime.SourceFile, importSite)) {
	for _, f := range r.script.Files {
		if r.own[f.Name] {
			sites := importSites(lex(f.Text).tokens)
			for _, site := range sites[:min(len(sites), maxImports)] {
				do(f, site)
			}
		}
	}
}

// maxRefused bounds the diagnostics of one script.
const maxRefused = 20

// Refused returns a diagnostic for each import and comment of the script that is refused.
func (r Reach) Refused() []runtime.Diagnostic {
	var out []runtime.Diagnostic
	for _, f := range r.script.Files {
		if r.own[f.Name] {
			out = append(out, r.refusedIn(f, maxRefused-len(out))...)
		}
	}
	return out
}

func (r Reach) refusedIn(f runtime.SourceFile, most int) (out []runtime.Diagnostic) {
	text := lex(f.Text)
	for _, c := range text.comments {
		if refused := refuseComment(f.Text[c.start:c.end]); refused != nil && len(out) < most {
			out = append(out, diagnose(f, c.start, CodeComment, refused))
		}
	}
	for i, site := range importSites(text.tokens) {
		if len(out) >= most {
			break
		}
		at, refused := r.judge(f.Name, site)
		if i == maxImports {
			refused = refusef("the file has more than %d imports", maxImports).hint("import several names at once")
		}
		if refused != nil {
			out = append(out, diagnose(f, at, CodeImport, refused))
		}
	}
	return out
}

// Untyped warns at each import of a package that declares no types.
func (r Reach) Untyped() []runtime.Diagnostic {
	var out []runtime.Diagnostic
	typed := map[string]bool{}
	r.each(func(f runtime.SourceFile, site importSite) {
		name, _ := SplitPackage(site.spec)
		if site.form != importStatic || isRelative(site.spec) || r.packages[name+"/package.json"] == "" {
			return
		}
		if _, known := typed[site.spec]; !known {
			typed[site.spec] = r.packages.Typed(site.spec)
		}
		if typed[site.spec] {
			return
		}
		d := diagnose(f, site.at, CodeUntyped, refusef("%s declares no types: what it gives is unknown, and what it is given is not checked", site.spec))
		d.Severity, d.Hint = runtime.SeverityWarning, "look at a result before you use it: typeof, Array.isArray"
		out = append(out, d)
	})
	return out
}

// diagnose places a refusal in the author's text.
func diagnose(f runtime.SourceFile, at int, code string, r *Refusal) runtime.Diagnostic {
	p := runtime.PosIn(f.Text, at)
	return runtime.Diagnostic{File: f.Name, Line: p.Line, Column: p.Column, Code: code, Severity: runtime.SeverityError, Message: r.Message, Hint: r.Hint}
}

// judge refuses an import of the script, and says where.
func (r Reach) judge(importer string, site importSite) (int, *Refusal) {
	switch site.form {
	case importCall:
		return site.at, refusef("import() is not supported").hint(`import at the top of the file: import { name } from "./file"`)
	case importMeta:
		return site.at, refusef("import.meta does not exist here").hint("a script has no place of its own; read inputs and write artifacts")
	case importRequire:
		return site.at, refusef("require does not exist here").hint(`write import { name } from "./file"; ` + noHost)
	}
	if site.with >= 0 {
		return site.with, refusef("import attributes are not supported").hint("leave the attributes out; data is read with inputs")
	}
	if name, _ := SplitPackage(site.spec); site.types && r.packages[name+"/package.json"] != "" {
		return 0, nil // which of its types exist is the checker's to say
	}
	_, refused := r.fromScript(importer, site.spec)
	return site.at, refused
}

// fromScript resolves an import of the script itself.
func (r Reach) fromScript(importer, spec string) (string, *Refusal) {
	if refused := refuseForm(spec); refused != nil {
		return "", refused
	}
	if !isRelative(spec) {
		if strings.HasPrefix(spec, "#") {
			return "", refusef("%s is a name within a package, not of a script", quoted(spec)).hint(`write "./name"`)
		}
		file, refused := r.packages.Resolve("", spec, false)
		return runtime.PackagesFolder + file, refused
	}
	name := path.Join(path.Dir(importer), spec)
	if name == ".." || strings.HasPrefix(name, "../") {
		return "", refusef("%s leads out of the script", quoted(spec)).hint("a script imports its own files and prepared packages only")
	}
	for _, candidate := range ownCandidates(name) {
		if r.own[candidate] {
			return candidate, nil
		}
	}
	return "", r.noFile(name, spec)
}

func ownCandidates(name string) []string {
	list := []string{name}
	switch ext := path.Ext(name); ext {
	case ".js":
		list = append(list, strings.TrimSuffix(name, ext)+".ts")
	case ".mjs":
		list = append(list, strings.TrimSuffix(name, ext)+".mts")
	}
	for _, ext := range []string{".ts", ".mts", ".js", ".mjs", "/index.ts", "/index.js", ".d.ts"} {
		list = append(list, name+ext)
	}
	return list
}

// noFile refuses a path within the script at which there is no file.
func (r Reach) noFile(name, spec string) *Refusal {
	var names []string
	for _, f := range r.script.Files {
		if !r.own[f.Name] {
			continue
		}
		for _, candidate := range ownCandidates(name) {
			if strings.EqualFold(candidate, f.Name) {
				return refusef("the script has no file %s; letter case counts", quoted(spec)).hint("its file is " + f.Name)
			}
		}
		names = append(names, f.Name)
	}
	switch ext := path.Ext(name); {
	case strings.HasPrefix(name, runtime.PackagesFolder) || strings.Contains(name, "/"+runtime.PackagesFolder):
		return refusef("a package is imported by its name, not by a path: %s", quoted(spec)).hint(`write import { name } from "package"`)
	case strings.ContainsAny(spec, "?*"):
		return refusef("%s is no path of one file", quoted(spec)).hint("an import names one file, without a query or a pattern")
	case ext == ".json" || ext == ".txt" || ext == ".css" || ext == ".csv" || ext == ".wasm" || ext == ".node":
		return refusef("the script has no file %s, and a file of this kind is no module", quoted(spec)).hint("data is given as an input and read with inputs")
	case len(names) == 1:
		return refusef("the script has no file %s", quoted(spec)).hint("a script of several files is given as a folder with a main.ts")
	}
	return refusef("the script has no file %s", quoted(spec)).hint("its files are " + runtime.Listed(names, 10))
}

var scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// refuseForm refuses what is neither a relative path nor a package's name.
func refuseForm(spec string) *Refusal {
	switch {
	case spec == "":
		return refusef("an import names nothing").hint(`write "./name" or a package's name`)
	case !isPlain(spec):
		return refusef("%s holds a character that no import may", quoted(spec)).hint("write a plain path with / between its parts")
	case hasPart(spec, "__proto__"):
		return refusef("%s can't be imported: __proto__ is no file name here", quoted(spec))
	case strings.HasPrefix(spec, "/") || driveLetter(spec):
		return refusef("%s is a path of the host, which a script can't see", quoted(spec)).hint(`own files are imported by a relative path, "./name"`)
	}
	if r := refuseNode(spec); r != nil {
		return r
	}
	if s := scheme.FindString(spec); s != "" {
		return refuseScheme(strings.ToLower(s), spec)
	}
	return nil
}

func driveLetter(spec string) bool { return len(spec) > 1 && spec[1] == ':' }

func refuseScheme(scheme, spec string) *Refusal {
	switch scheme {
	case "data:", "blob:":
		return refusef("code in a %s URL can't be imported: %s", scheme, quoted(spec)).hint("put the code into a file of the script")
	case "file:":
		return refusef("%s is a file of the host, which a script can't see", quoted(spec)).hint(`own files are imported by a relative path, "./name"`)
	case "http:", "https:", "ws:", "wss:", "ftp:":
		return refusef("nothing is imported from a network: %s", quoted(spec)).hint(noNetwork)
	}
	return refusef("%s has the scheme %s, which does not exist here", quoted(spec), scheme).hint(`write "./name" or a package's name`)
}

// isPlain reports a specifier without control characters, odd spaces, backslashes and escapes.
func isPlain(spec string) bool {
	if len(spec) > 1000 || !utf8.ValidString(spec) {
		return false
	}
	for _, r := range spec {
		if r == '\\' || r == '%' || r == utf8.RuneError || !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

func hasPart(spec, part string) bool {
	for p := range strings.SplitSeq(spec, "/") {
		if name, _, _ := strings.Cut(p, "."); name == part {
			return true
		}
	}
	return false
}

// quoted shows a specifier in ASCII, cut where it is long.
func quoted(spec string) string {
	const most = 100
	if len(spec) > most {
		spec = strings.ToValidUTF8(spec[:most], "") + "..."
	}
	return strconv.QuoteToASCII(spec)
}
