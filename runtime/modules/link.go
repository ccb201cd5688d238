package modules

// This file adds to a script the files of packages that it needs, and no more: they travel with it.

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"

	"codemode/runtime"
	"codemode/runtime/accept"
)

// Link returns the script with the files that its imports of packages lead to, under
// runtime.PackagesFolder. A script that imports no package comes back as it is. An import that leads
// nowhere is left for the bundler to refuse, which is told the names of all packages.
func (m *Modules) Link(s runtime.Script) runtime.Script {
	imports := accept.NewReach(s, m.files).Packages()
	if len(imports) == 0 {
		return s
	}
	need := closure{m: m, files: map[string]runtime.Pos{}}
	for _, imported := range imports {
		need.from = imported.At
		need.follow("", imported.Spec)
		name, _ := accept.SplitPackage(imported.Spec)
		need.describe(name)
	}
	s.Files = slices.Clone(s.Files)
	for _, file := range slices.Sorted(maps.Keys(need.files)) {
		s.Files = append(s.Files, runtime.SourceFile{Name: runtime.PackagesFolder + file, Module: m.files[file], From: need.files[file]})
	}
	for _, name := range slices.Sorted(maps.Keys(m.versions)) {
		file := name + "/package.json"
		if _, needed := need.files[file]; !needed {
			s.Files = append(s.Files, runtime.SourceFile{Name: runtime.PackagesFolder + file, Module: m.card(name)})
		}
	}
	return s
}

// card is the package.json of a package that is not needed.
func (m *Modules) card(name string) string {
	raw, err := json.Marshal(map[string]string{"name": name, "version": m.versions[name]})
	if err != nil {
		panic(err) // strings only
	}
	return string(raw)
}

// closure collects files until no import of them leads to another.
type closure struct {
	m     *Modules
	from  runtime.Pos            // the author's import that is followed
	files map[string]runtime.Pos // with the first import that leads there
	queue []string
}

func (c *closure) follow(importer, spec string) {
	c.add(importer, spec)
	for len(c.queue) > 0 {
		file := c.queue[0]
		c.queue = c.queue[1:]
		for _, spec := range c.m.importsOf(file) {
			c.add(file, spec)
		}
	}
}

// add takes both files where import and require lead to different ones: which it is only a parser knows.
func (c *closure) add(importer, spec string) {
	for _, required := range []bool{false, true} {
		file, refused := c.m.files.Resolve(importer, spec, required)
		if _, known := c.files[file]; refused != nil || known || required && importer == "" {
			continue
		}
		c.files[file] = c.from
		c.queue = append(c.queue, file)
		owner, _ := accept.SplitPackage(file)
		c.describe(owner)
	}
}

func (c *closure) describe(name string) {
	file := name + "/package.json"
	if _, known := c.files[file]; !known && c.m.files[file] != "" {
		c.files[file] = c.from
	}
}

// anyImport finds all that could be an import or a require, also in comments and strings: what it finds
// too much leads to no file, or to one that is not used.
var anyImport = regexp.MustCompile(`(?:from|import|require)\s*\(?\s*(?:"([^"\n\\]{1,300})"|'([^'\n\\]{1,300})')`)

func (m *Modules) importsOf(file string) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if specs, ok := m.imports[file]; ok {
		return specs
	}
	var specs []string
	for _, found := range anyImport.FindAllStringSubmatch(m.files[file], -1) {
		specs = append(specs, found[1]+found[2])
	}
	m.imports[file] = specs
	return specs
}
