package modules

// This file prepares a folder: it installs packages with npm, none of whose scripts run, and writes the
// list with the digests of what is there now.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"codemode/runtime"
	"codemode/runtime/accept"
)

// Prepare makes the folder so that Open takes it, and puts the packages, each as "name@1.2.3", on its list
// beside those that are there. What is installed already at that version is left as it is; the rest is
// installed by npm, whose output goes to out. It returns remarks on what scripts will miss.
func Prepare(ctx context.Context, folder string, packages []string, out io.Writer) ([]string, error) {
	wanted, err := parse(packages)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, bad(folder, "it can't be made").WithCause(err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, bad(folder, "it can't be opened").WithCause(err)
	}
	defer root.Close()
	if err := install(ctx, folder, missing(root, wanted), out); err != nil {
		return nil, err
	}
	if old, err := readList(root); err == nil {
		for name, version := range old.Packages {
			if _, again := wanted[name]; !again {
				wanted[name] = version
			}
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, bad(folder, "%v", err)
	}
	return write(root, folder, wanted)
}

func parse(packages []string) (map[string]string, error) {
	wanted := map[string]string{}
	for _, p := range packages {
		at := strings.LastIndexByte(p, '@')
		if at < 1 || !packageName.MatchString(p[:at]) || !exactVersion.MatchString(p[at+1:]) {
			return nil, runtime.Errorf(runtime.InvalidArgument, "%q is no package with an exact version", p).WithHint("write it as lodash-es@4.17.21")
		}
		wanted[p[:at]] = p[at+1:]
	}
	if len(wanted) == 0 {
		return nil, runtime.Errorf(runtime.InvalidArgument, "no package is named").WithHint("write NAME@VERSION, such as lodash-es@4.17.21")
	}
	return wanted, nil
}

// missing returns the packages that are not installed at their version.
func missing(root *os.Root, wanted map[string]string) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		p := pkg{name: name, files: map[string]string{}}
		raw, err := readFile(root, filepath.Join(folderName, name, "package.json"), maxBytes)
		p.files[name+"/package.json"] = string(raw)
		if err != nil || p.identify() != nil || p.version != wanted[name] {
			out = append(out, name+"@"+wanted[name])
		}
	}
	return out
}

func install(ctx context.Context, folder string, packages []string, out io.Writer) error {
	if len(packages) == 0 {
		return nil
	}
	args := []string{"install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-bin-links", "--save-exact", "--prefix", folder, "--"}
	cmd := exec.CommandContext(ctx, "npm", append(args, packages...)...)
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Run(); err != nil {
		return runtime.Errorf(runtime.Unavailable, "npm can't install %s", strings.Join(packages, " ")).
			WithHint("see what npm printed, or put the packages into %s by hand", filepath.Join(folder, folderName)).WithCause(err)
	}
	return nil
}

// write reads the packages as Open will, and writes the list.
func write(root *os.Root, folder string, wanted map[string]string) ([]string, error) {
	l := list{Packages: wanted, SHA256: map[string]string{}}
	r := reader{root: root, left: maxBytes, files: maxFiles}
	files := accept.Packages{}
	var remarks []string
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		p, err := r.read(name)
		if err != nil {
			return nil, bad(folder, "%v", err)
		}
		if p.version != wanted[name] {
			return nil, bad(folder, "package %s has version %q, and %s is asked for", name, p.version, wanted[name])
		}
		l.SHA256[name] = p.digest()
		maps.Copy(files, p.files)
		remarks = append(remarks, unlisted(p, wanted)...)
	}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if !files.Typed(name) {
			remarks = append(remarks, fmt.Sprintf("%s declares no types: what scripts do with it is not checked; add a package of types, if there is one", name))
		}
	}
	raw, err := json.MarshalIndent(l, "", "  ")
	if err != nil {
		return nil, err
	}
	return remarks, replace(root, ListName, append(raw, '\n'))
}

// unlisted remarks on dependencies that scripts can't reach.
func unlisted(p *pkg, wanted map[string]string) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(p.dependencies)) {
		if wanted[name] == "" {
			out = append(out, fmt.Sprintf("%s depends on %s %s, which is not on the list: what needs it will be refused", p.name, name, p.dependencies[name]))
		}
	}
	return out
}

// replace writes a file so that a reader sees the old text or the new one whole.
func replace(root *os.Root, name string, text []byte) error {
	if err := root.WriteFile(name+".new", text, 0o644); err != nil {
		return err
	}
	return root.Rename(name+".new", name)
}
