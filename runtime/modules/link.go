package modules

// This file adds to a script the files of packages that it needs, and no more: they travel with it.

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"

	"codemode/runtime"
)

// Link returns the script with the files that its imports of packages lead to, under
// runtime.PackagesFolder. A script that imports no package comes back as it is. An import that leads
// nowhere is left for the bundler to refuse, which is told the names of all packages.
func (m *Modules) Link(s runtime.Script) runtime.Script {
	specs := runtime.NewReach(s, m.files).Packages()
	if len(specs) == 0 {
		return s
	}
	need := closure{m: m, files: map[string]bool{}}
	for _, spec := range specs {
		need.follow("", spec)
		name, _ := runtime.SplitPackage(spec)
		need.describe(name)
	}
	s.Files = slices.Clone(s.Files)
	for _, file := range slices.Sorted(maps.Keys(need.files)) {
		s.Files = append(s.Files, linked(file, m.files[file]))
	}
	for _, name := range slices.Sorted(maps.Keys(m.versions)) {
		if file := name + "/package.json"; !need.files[file] {
			s.Files = append(s.Files, linked(file, m.card(name)))
		}
	}
	return s
}

func linked(file, text string) runtime.SourceFile {
	return runtime.SourceFile{Name: runtime.PackagesFolder + file, Module: text}
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
	files map[string]bool
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
		if refused != nil || c.files[file] || required && importer == "" {
			continue
		}
		c.files[file] = true
		c.queue = append(c.queue, file)
		owner, _ := runtime.SplitPackage(file)
		c.describe(owner)
	}
}

func (c *closure) describe(name string) {
	if file := name + "/package.json"; c.m.files[file] != "" {
		c.files[file] = true
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
