package modules

// This file reads one package: regular files of the kinds that a script or a checker can use, and no
// links, within bounds.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"codemode/directory/contract"
)

// Bounds of all packages together.
const (
	maxBytes = 32 << 20
	maxFiles = 5000
)

const folderName = "node_modules"

var (
	packageName  = regexp.MustCompile(`^(@[a-z0-9~][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*$`)
	exactVersion = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)
)

// reader reads packages until its bounds are used up.
type reader struct {
	root  *os.Root
	left  int64
	files int
}

// pkg is one package as it was read.
type pkg struct {
	name, version string
	files         map[string]string // by "name/path"
	dependencies  map[string]string
}

// read reads the package by name.
func (r *reader) read(name string) (*pkg, error) {
	for _, dir := range folders(name) {
		if info, err := r.root.Lstat(dir); err != nil {
			return nil, fmt.Errorf("package %s is not installed: %w", name, err)
		} else if !info.IsDir() {
			return nil, fmt.Errorf("%s is no folder; links are not followed", dir)
		}
	}
	p := &pkg{name: name, files: map[string]string{}}
	base := path.Join(folderName, name)
	err := fs.WalkDir(r.root.FS(), base, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == folderName:
			return fs.SkipDir // a package within is not on the list under this path
		case d.IsDir() || d.Type().IsRegular() && !isWanted(file):
			return nil
		case !d.Type().IsRegular():
			return fmt.Errorf("%s is no regular file; links are not followed", file)
		}
		return r.add(p, file, strings.TrimPrefix(file, folderName+"/"))
	})
	if err != nil {
		return nil, err
	}
	return p, p.identify()
}

// folders are those on the way to a package.
func folders(name string) []string {
	out := []string{folderName}
	for part := range strings.SplitSeq(name, "/") {
		out = append(out, path.Join(out[len(out)-1], part))
	}
	return out
}

func isWanted(file string) bool {
	switch path.Ext(file) {
	case ".js", ".mjs", ".cjs", ".json":
		return true
	}
	return strings.HasSuffix(file, ".d.ts") || strings.HasSuffix(file, ".d.mts")
}

func (r *reader) add(p *pkg, file, as string) error {
	if r.files--; r.files < 0 {
		return fmt.Errorf("the packages have more than %d files", maxFiles)
	}
	text, err := readFile(r.root, file, r.left)
	if err != nil {
		return err
	}
	r.left -= int64(len(text))
	if !utf8.Valid(text) {
		return fmt.Errorf("%s is not valid UTF-8", file)
	}
	p.files[as] = string(text)
	return nil
}

// readFile reads a regular file of at most limit bytes.
func readFile(root *os.Root, name string, limit int64) ([]byte, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file; links are not followed", name)
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("%s: what is read is more than %d bytes in all", name, int64(maxBytes))
	}
	return text, err
}

// identify reads the package's own name and version.
func (p *pkg) identify() error {
	var m struct {
		Name         string            `json:"name"`
		Version      string            `json:"version"`
		Dependencies map[string]string `json:"dependencies"`
	}
	if err := json.Unmarshal([]byte(p.files[p.name+"/package.json"]), &m); err != nil {
		return fmt.Errorf("package %s: package.json: %w", p.name, err)
	}
	if m.Name != p.name {
		return fmt.Errorf("the package in the folder of %s calls itself %q", p.name, m.Name)
	}
	p.version, p.dependencies = m.Version, m.Dependencies
	return nil
}

// matches compares the package with what the list says of it.
func (p *pkg) matches(l list) error {
	switch {
	case p.version != l.Packages[p.name]:
		return fmt.Errorf("package %s has version %q, and %s is listed", p.name, p.version, l.Packages[p.name])
	case l.SHA256[p.name] == "":
		return errors.New("package " + p.name + " is listed without the digest of its content")
	case p.digest() != l.SHA256[p.name]:
		return fmt.Errorf("the content of package %s is not the one that is listed: %s, not %s", p.name, p.digest(), l.SHA256[p.name])
	}
	return nil
}

// digest is that of the lines that sha256sum prints for the package's files, sorted by path.
func (p *pkg) digest() string {
	var b strings.Builder
	for _, file := range slices.Sorted(maps.Keys(p.files)) {
		fmt.Fprintf(&b, "%s  %s\n", strings.TrimPrefix(contract.Digest([]byte(p.files[file])), "sha256:"), strings.TrimPrefix(file, p.name+"/"))
	}
	return contract.Digest([]byte(b.String()))
}
