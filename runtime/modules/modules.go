// Package modules reads the packages that scripts may import, from a folder that was prepared for it.
//
//	m, err := modules.Open("/srv/codemode/modules")   // node_modules/ and codemode-modules.json
//	...
//	script = m.Link(script)                            // with the files of packages that it needs
//
// The folder is read once, into memory: the packages on its list, each of exactly the version and the
// content that the list states, and nothing else of the host ever. The bundler takes packages' files from
// among those of the linked script, the checker from Files. Package prepare, below, writes the list.
//
// It runs nothing of a package, and looks for no other version than the one that is listed.
package modules

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"codemode/directory/contract"
	"codemode/runtime"
	"codemode/runtime/accept"
)

// ListName is the file that names the packages which scripts may import.
const ListName = "codemode-modules.json"

// list is that file.
type list struct {
	Packages map[string]string `json:"packages"` // exact version by name
	SHA256   map[string]string `json:"sha256"`   // digest of the content by name
}

// Modules are packages in memory. Its methods may be called concurrently.
type Modules struct {
	files    accept.Packages
	versions map[string]string
	digest   string

	mu      sync.Mutex
	imports map[string][]string // of files that were asked for
}

// Open reads the listed packages of a prepared folder. Its errors have code InvalidArgument and name what
// differs from the list.
func Open(folder string) (*Modules, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, bad(folder, "it can't be opened").WithCause(err)
	}
	defer root.Close()
	l, err := readList(root)
	if err != nil {
		return nil, bad(folder, "%v", err).WithHint("codemode modules prepare %s NAME@VERSION writes the list", folder)
	}
	m := &Modules{files: accept.Packages{}, versions: map[string]string{}, imports: map[string][]string{}}
	r := reader{root: root, left: maxBytes, files: maxFiles}
	for _, name := range slices.Sorted(maps.Keys(l.Packages)) {
		p, err := r.read(name)
		if err == nil {
			err = p.matches(l)
		}
		if err != nil {
			return nil, bad(folder, "%v", err).WithHint("install what is listed, or codemode modules prepare %s %s@VERSION again", folder, name)
		}
		maps.Copy(m.files, p.files)
		m.versions[name] = p.version
	}
	m.digest = digestOf(l)
	return m, nil
}

func bad(folder, format string, args ...any) *runtime.Error {
	return runtime.Errorf(runtime.InvalidArgument, "modules folder %s: %s", folder, fmt.Sprintf(format, args...))
}

func readList(root *os.Root) (list, error) {
	var l list
	raw, err := readFile(root, ListName, 1<<20)
	if err != nil {
		return l, err
	}
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		return l, fmt.Errorf("%s: %w", ListName, err)
	}
	for name, version := range l.Packages {
		if !fs.ValidPath(name) || !packageName.MatchString(name) || !exactVersion.MatchString(version) {
			return l, fmt.Errorf("%s: %q: %q is no package with an exact version", ListName, name, version)
		}
	}
	return l, nil
}

// digestOf is that of the whole list: it changes when any package does.
func digestOf(l list) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(l.Packages)) {
		fmt.Fprintf(&b, "%s  %s@%s\n", l.SHA256[name], name, l.Packages[name])
	}
	return contract.Digest([]byte(b.String()))
}

// Files are the packages' files, for the checker.
func (m *Modules) Files() accept.Packages { return m.files }

// Digest is the sha256 of all the packages with their versions.
func (m *Modules) Digest() string { return m.digest }

// Versions are what a receipt states: each package's version, and the digest of all under "modules".
func (m *Modules) Versions() map[string]string {
	out := map[string]string{"modules": m.digest}
	for name, version := range m.versions {
		out["npm:"+name] = version
	}
	return out
}
