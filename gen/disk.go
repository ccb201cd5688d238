package gen

// This file compares a generated API with a folder, and writes it there.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
)

// maxFileBytes caps a file that is read for comparison.
const maxFileBytes = 256 << 20

// Check compares the files with those in a folder. The answer is "" when they are the same, else a
// unified diff from the folder to what would be generated: missing, stale and left-over files. A
// left-over is a file that carries the header and is not generated any more. Long diffs are cut, and
// say so. Errors: a folder that cannot be read, and generated files that are no regular files.
func Check(dir string, files map[string][]byte) (string, error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		root = nil
	} else if err != nil {
		return "", fmt.Errorf("check: %w", err)
	} else {
		defer root.Close()
	}
	d := &differ{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		have, exists, err := readFile(root, name)
		if err != nil {
			return "", fmt.Errorf("check: %w", err)
		}
		d.compare(name, have, files[name], exists)
	}
	extra, err := leftovers(root, files)
	if err != nil {
		return "", fmt.Errorf("check: %w", err)
	}
	for _, name := range extra {
		d.line("only on disk: %s (generated earlier; remove it)", name)
	}
	return d.String(), nil
}

// Write brings a folder to the files: it writes those that differ and removes generated ones that
// are left over. Files without the header are never touched. Each file is replaced whole. It returns
// the names written and removed, sorted.
func Write(dir string, files map[string][]byte) (changed []string, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("write: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("write: %w", err)
	}
	defer root.Close()
	extra, err := leftovers(root, files)
	if err != nil {
		return nil, fmt.Errorf("write: %w", err)
	}
	for _, name := range extra { // before writing: on some systems crm.d.ts and CRM.d.ts are one file
		if err := root.Remove(name); err != nil {
			return changed, fmt.Errorf("write: %w", err)
		}
		changed = append(changed, name)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		have, exists, err := readFile(root, name)
		if err == nil && exists && !bytes.Equal(have, files[name]) && !ours(name, have) {
			err = fmt.Errorf("%s stands there and was not generated; move it away", name)
		}
		if err == nil && (!exists || !bytes.Equal(have, files[name])) {
			changed = append(changed, name)
			err = replace(root, name, files[name])
		}
		if err != nil {
			return changed, fmt.Errorf("write: %w", err)
		}
	}
	slices.Sort(changed)
	return changed, nil
}

// ours reports whether a file was generated. contracts.json can hold no comment.
func ours(name string, data []byte) bool {
	first, _, _ := bytes.Cut(data, []byte("\n"))
	return bytes.Contains(first, []byte(Header)) || name == "contracts.json" && (len(data) == 0 || data[0] == '[')
}

func replace(root *os.Root, name string, data []byte) error {
	temp := "." + name + ".tmp"
	if err := root.WriteFile(temp, data, 0o666); err != nil {
		return err
	}
	if err := root.Rename(temp, name); err != nil {
		return errors.Join(err, root.Remove(temp))
	}
	return nil
}

// readFile reads a regular file below root; a nil root holds none.
func readFile(root *os.Root, name string) (data []byte, exists bool, err error) {
	if root == nil {
		return nil, false, nil
	}
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, nil
	case err != nil:
		return nil, false, err
	case !info.Mode().IsRegular():
		return nil, false, fmt.Errorf("%s is no regular file; move it away", name)
	case info.Size() > maxFileBytes:
		return nil, false, fmt.Errorf("%s is larger than %d bytes", name, maxFileBytes)
	}
	data, err = root.ReadFile(name)
	return data, err == nil, err
}

// leftovers are the files at the top of root that carry the header and are not among files.
func leftovers(root *os.Root, files map[string][]byte) ([]string, error) {
	if root == nil {
		return nil, nil
	}
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, err
	}
	suffixes := []string{".d.ts", ".txt"}
	if _, ok := files[goVersionFile]; ok {
		suffixes = append(suffixes, goSuffix) // else whoever asks for no Go leaves it alone
	}
	var out []string
	for _, e := range entries {
		left := slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(e.Name(), s) })
		if _, generated := files[e.Name()]; generated || !e.Type().IsRegular() || !left {
			continue
		}
		head, err := readHead(root, e.Name())
		if err != nil {
			return nil, err
		}
		if ours(e.Name(), head) {
			out = append(out, e.Name())
		}
	}
	return out, nil
}

func readHead(root *os.Root, name string) ([]byte, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 256))
}
