package accept

// This file finds the file of a prepared package that an import names, by Node's rules for ES modules:
// exports with their conditions and patterns, imports, main, sub-paths. Packages stand beside each other;
// a package inside another is none.

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"codemode/runtime"
)

// Packages are the files of the packages that scripts may import, by path: "lodash-es/add.js". A package
// is there when its package.json is.
type Packages map[string]string

// PackagesOf returns the packages that stand among the script's files.
func PackagesOf(s runtime.Script) Packages {
	p := Packages{}
	for _, f := range s.Files {
		if name, ok := strings.CutPrefix(f.Name, runtime.PackagesFolder); ok {
			p[name] = f.Module
		}
	}
	return p
}

// Names returns the names of the packages, sorted.
func (p Packages) Names() []string {
	var names []string
	for file := range p {
		if name, sub := SplitPackage(file); sub == "package.json" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Conditions under which a target of exports counts, besides "default".
var (
	importConditions  = []string{"import"}
	requireConditions = []string{"require"}
)

// Resolve returns the file that spec names, where importer, a file of a package or "" for the script,
// imports or requires it.
func (p Packages) Resolve(importer, spec string, required bool) (string, *Refusal) {
	conditions := importConditions
	if required {
		conditions = requireConditions
	}
	owner, _ := SplitPackage(importer)
	switch {
	case isRelative(spec):
		return p.beside(owner, importer, spec)
	case strings.HasPrefix(spec, "#"):
		t, star, ok := match(p.manifest(owner).Imports.options, spec)
		if !ok {
			return "", refusef("package %s has no import %s", owner, quoted(spec))
		}
		return p.target(owner, t, star, conditions, spec)
	}
	name, sub := SplitPackage(spec)
	if _, ok := p[name+"/package.json"]; !ok {
		if r := refuseBuiltin(spec); r != nil {
			return "", r
		}
		return "", p.unknown(name)
	}
	return p.entry(name, sub, conditions, spec)
}

// beside resolves a relative path between the files of one package.
func (p Packages) beside(owner, importer, spec string) (string, *Refusal) {
	name := path.Join(path.Dir(importer), spec)
	if name != owner && !strings.HasPrefix(name, owner+"/") {
		return "", refusef("%s leads out of package %s", quoted(spec), owner)
	}
	if file, ok := p.file(name); ok {
		return file, nil
	}
	return "", refusef("package %s has no file %s", owner, quoted(strings.TrimPrefix(name, owner+"/")))
}

// entry resolves an import by the package's name, with or without a sub-path.
func (p Packages) entry(name, sub string, conditions []string, spec string) (string, *Refusal) {
	m := p.manifest(name)
	if m.Exports.kind == absent {
		main := cmp.Or(m.Module, m.Main, "index.js")
		if slices.Equal(conditions, requireConditions) {
			main = cmp.Or(m.Main, "index.js")
		}
		if file, ok := p.file(path.Join(name, cmp.Or(sub, main))); ok && strings.HasPrefix(file, name+"/") {
			return file, nil
		}
		return "", refusef("package %s has no %s", name, quoted(cmp.Or(sub, main)))
	}
	point := strings.TrimSuffix("./"+sub, "/")
	if point == "." && !m.Exports.hasPoints() {
		return p.target(name, m.Exports, "", conditions, spec)
	}
	t, star, ok := match(m.Exports.options, point)
	if !ok || !m.Exports.hasPoints() {
		return "", refusef("package %s exports no %s", name, quoted(spec)).hint(m.Exports.points(name))
	}
	return p.target(name, t, star, conditions, spec)
}

// target follows a target of exports or imports to a file.
func (p Packages) target(owner string, t exported, star string, conditions []string, spec string) (string, *Refusal) {
	to, ok := t.pick(conditions)
	to = strings.ReplaceAll(to, "*", star)
	if own, inside := strings.CutPrefix(to, "./"); ok && inside && path.Clean(own) == own && !strings.HasPrefix(own, "..") {
		if _, there := p[owner+"/"+own]; there {
			return owner + "/" + own, nil
		}
	} else if ok && strings.HasPrefix(spec, "#") && !strings.HasPrefix(to, "#") && !isRelative(to) {
		return p.Resolve(owner+"/package.json", to, slices.Equal(conditions, requireConditions))
	}
	return "", refusef("package %s has no code for %s", owner, quoted(spec))
}

// file finds the file that a path without its ending, or a folder, stands for.
func (p Packages) file(name string) (string, bool) {
	candidates := []string{name}
	for _, ending := range []string{".js", ".mjs", ".cjs", ".json", "/index.js", "/index.mjs", "/index.cjs"} {
		candidates = append(candidates, name+ending)
	}
	for _, c := range candidates {
		if _, ok := p[c]; ok {
			return c, true
		}
	}
	return "", false
}

// Effectless returns the packages that say of themselves that their files do nothing when nothing of them
// is used.
func (p Packages) Effectless() map[string]bool {
	out := map[string]bool{}
	for _, name := range p.Names() {
		out[name] = string(p.manifest(name).SideEffects) == "false"
	}
	return out
}

// Typed reports that what spec names has types, of its package or of the package's types package. What has
// no code is left for the checker to judge.
func (p Packages) Typed(spec string) bool {
	name, sub := SplitPackage(spec)
	types := "@types/" + strings.Replace(strings.TrimPrefix(name, "@"), "/", "__", 1)
	if sub == "" {
		return p.declares(name) || p.declares(types)
	}
	code, refused := p.Resolve("", spec, false)
	if refused != nil {
		return true
	}
	if file, refused := p.entry(name, sub, append([]string{"types"}, importConditions...), spec); refused == nil && isDeclaration(file) {
		return true
	}
	stem := strings.TrimSuffix(sub, path.Ext(sub))
	for _, at := range []string{strings.TrimSuffix(code, path.Ext(code)), name + "/" + sub, name + "/" + sub + "/index", types + "/" + stem, types + "/" + sub + "/index"} {
		if p[at+".d.ts"] != "" || p[at+".d.mts"] != "" {
			return true
		}
	}
	return false
}

// declares reports a package that has declarations.
func (p Packages) declares(name string) bool {
	for file := range p {
		if strings.HasPrefix(file, name+"/") && isDeclaration(file) {
			return true
		}
	}
	return false
}

func isDeclaration(file string) bool {
	return strings.HasSuffix(file, ".d.ts") || strings.HasSuffix(file, ".d.mts")
}

// unknown refuses a package that is not there, with names that are near.
func (p Packages) unknown(name string) *Refusal {
	names := slices.DeleteFunc(p.Names(), func(n string) bool { return strings.HasPrefix(n, "@types/") })
	r := refusef("there is no package %s", quoted(name))
	if len(names) == 0 {
		return r.hint("no packages were given: codemode modules prepare makes a folder of them, --modules FOLDER gives it; " +
			"the script's own files are imported by relative path")
	}
	near := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return len(name) < 3 || !strings.Contains(n, name) && !strings.Contains(name, n) })
	if n := runtime.Nearest(name, names); n != "" && !slices.Contains(near, n) {
		near = append(near, n)
	}
	if len(near) > 0 {
		return r.hint("did you mean " + runtime.Listed(near, 3) + "?")
	}
	return r.hint("these can be imported: " + runtime.Listed(names, 10))
}

// SplitPackage splits "@scope/name/sub/path" into the package's name and the rest.
func SplitPackage(spec string) (name, sub string) {
	name, sub, _ = strings.Cut(spec, "/")
	if strings.HasPrefix(name, "@") {
		var inner string
		inner, sub, _ = strings.Cut(sub, "/")
		name += "/" + inner
	}
	return name, sub
}

func isRelative(spec string) bool {
	return spec == "." || spec == ".." || strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../")
}

// manifest is what a package.json says about finding files.
type manifest struct {
	Main        string          `json:"main"`
	Module      string          `json:"module"`
	Exports     exported        `json:"exports"`
	Imports     exported        `json:"imports"`
	SideEffects json.RawMessage `json:"sideEffects"`
}

// manifest is empty where the package.json is missing or none.
func (p Packages) manifest(name string) (m manifest) {
	if json.Unmarshal([]byte(p[name+"/package.json"]), &m) != nil {
		return manifest{}
	}
	return m
}
