package typecheck

// This file holds all that the compiler can see of a file system. It is made of memory; a path that
// is not in it does not exist, whatever the host has there.

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"sync"
)

// The compiler's world. No part of it exists on the host.
const (
	rootDir      = "/codemode"
	scriptDir    = rootDir + "/script/"
	typesDir     = rootDir + "/types/"
	libraryDir   = rootDir + "/library/"
	grantedFile  = rootDir + "/granted.d.ts"
	projectFile  = rootDir + "/tsconfig.json"
	maxQuestion  = 64 << 10 // bytes of one path
	maxBundleLib = 8 << 20  // bytes of one lib file
)

// callbacks are the questions the compiler can be made to ask instead of looking itself; all of
// them are asked for. What is not among them (stat, walk, write) it does not do for a check.
var callbacks = []string{"readFile", "fileExists", "directoryExists", "getAccessibleEntries", "realpath"}

// fileSystem answers from files, and from the library for the compiler's own lib files.
type fileSystem struct {
	files    map[string]string
	dirs     map[string]bool
	lib      *library
	packages *packages
	// asked, when set, hears every question; tests listen there.
	asked func(method, path string)
}

func newFileSystem(lib *library, packages *packages) *fileSystem {
	return &fileSystem{files: map[string]string{}, dirs: map[string]bool{}, lib: lib, packages: packages}
}

// put adds or replaces a file.
func (f *fileSystem) put(name, text string) {
	f.files[name] = text
	for dir := path.Dir(name); dir != "/"; dir = path.Dir(dir) {
		f.dirs[dir] = true
	}
}

// answer returns the reply to one question, each "absent" in the question's own form. Its error
// means that the question itself is not one.
func (f *fileSystem) answer(method string, params json.RawMessage) (any, error) {
	var name string
	if len(params) > maxQuestion {
		return nil, fmt.Errorf("%s: path of %d bytes", method, len(params))
	}
	if err := json.Unmarshal(params, &name); err != nil {
		return nil, fmt.Errorf("%s: the path is no string: %w", clip(method, 40), err)
	}
	if f.asked != nil {
		f.asked(method, name)
	}
	switch method {
	case "readFile":
		return f.read(name), nil
	case "fileExists":
		_, ok := f.text(name)
		return ok || f.lib.has(name), nil
	case "directoryExists":
		return f.dirs[name] || f.packages.dirs[name], nil
	case "getAccessibleEntries":
		// The project lists its files, so that nothing is ever found by listing a folder.
		return map[string][]string{"files": {}, "directories": {}}, nil
	case "realpath":
		return name, nil
	}
	return nil, fmt.Errorf("unknown question %q", clip(method, 40))
}

// text returns a file that is in memory.
func (f *fileSystem) text(name string) (string, bool) {
	if text, ok := f.files[name]; ok {
		return text, true
	}
	return f.packages.text(name)
}

// content is the reply to readFile: null content is "absent", a bare null would be "ask the host".
type content struct {
	Content *string `json:"content"`
}

func (f *fileSystem) read(name string) content {
	if text, ok := f.text(name); ok {
		return content{&text}
	}
	if text, ok := f.lib.read(name); ok {
		return content{&text}
	}
	return content{}
}

// library is the compiler's own lib.*.d.ts files, the only files of the host that pass: those that
// were regular files of exactly that name in exactly that folder when the checker was made.
type library struct {
	dir   string
	names map[string]bool

	mu   sync.Mutex
	text map[string]string
}

var libName = regexp.MustCompile(`^lib(\.[a-z0-9]+)*\.d\.ts$`)

func openLibrary(dir string) (*library, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("the compiler's library: %w", err)
	}
	l := &library{dir: dir, names: map[string]bool{}, text: map[string]string{}}
	for _, e := range entries {
		if e.Type().IsRegular() && libName.MatchString(e.Name()) {
			l.names[e.Name()] = true
		}
	}
	if !l.names["lib.es5.d.ts"] {
		return nil, fmt.Errorf("the compiler's library: no lib.es5.d.ts in %s: %w", dir, fs.ErrNotExist)
	}
	return l, nil
}

// base returns the file name if name is one of the library's files.
func (l *library) base(name string) (string, bool) {
	rest, ok := strings.CutPrefix(name, l.dir+"/")
	return rest, ok && l.names[rest]
}

func (l *library) has(name string) bool {
	_, ok := l.base(name)
	return ok
}

// read returns a library file's text, read from disk once.
func (l *library) read(name string) (string, bool) {
	base, ok := l.base(name)
	if !ok {
		return "", false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if text, ok := l.text[base]; ok {
		return text, true
	}
	info, err := os.Lstat(l.dir + "/" + base)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxBundleLib {
		return "", false
	}
	raw, err := os.ReadFile(l.dir + "/" + base)
	if err != nil {
		return "", false
	}
	l.text[base] = string(raw)
	return l.text[base], true
}
