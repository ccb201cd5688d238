package typecheck

// This file holds what one compiler process has been told, and how the next script gets into it:
// the declarations stay, only what differs is named as changed.

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"codemode/runtime"
)

// project is the program that the compiler holds, as files of the virtual file system.
type project struct {
	id     string
	opened bool
	// foldCase is how the host names files; handles of nodes then hold lower-case paths.
	foldCase bool
	vetted   string   // the granted file that compiled last
	fixed    []string // declarations and library, sorted
	scripts  []string // the present script's files, sorted
}

// snapshot is one state of the program that questions are asked about.
type snapshot struct {
	conn     *conn
	id       int64
	project  string
	foldCase bool
}

// changes names files by what happened to them; the compiler reads only these again.
type changes struct {
	Created []string `json:"created,omitempty"`
	Changed []string `json:"changed,omitempty"`
	Deleted []string `json:"deleted,omitempty"`
}

// declare puts the lasting files in place; it is done once for a process.
func (p *process) declare(declarations, lib map[string]string) {
	for name, text := range declarations {
		p.fs.put(typesDir+name, text)
		p.project.fixed = append(p.project.fixed, typesDir+name)
	}
	for name, text := range lib {
		p.fs.put(libraryDir+name, text)
		p.project.fixed = append(p.project.fixed, libraryDir+name)
	}
	slices.Sort(p.project.fixed)
}

// load makes the snapshot that holds the script, what it was granted, and what is declared of the untyped
// packages that it imports.
func (p *process) load(script runtime.Script, granted, untyped string, noLib bool) (snapshot, error) {
	var diff changes
	p.replace(&diff, grantedFile, granted)
	p.replace(&diff, untypedFile, untyped)
	names := make([]string, 0, len(script.Files))
	for _, f := range script.Files {
		names = append(names, scriptDir+f.Name)
		p.replace(&diff, scriptDir+f.Name, f.Module)
	}
	slices.Sort(names)
	for _, old := range p.project.scripts {
		if !slices.Contains(names, old) {
			delete(p.fs.files, old)
			diff.Deleted = append(diff.Deleted, old)
		}
	}
	if !p.project.opened || !slices.Equal(names, p.project.scripts) {
		p.project.scripts = names
		p.replace(&diff, projectFile, p.configuration(noLib))
	}
	return p.update(diff)
}

// replace puts the file and notes in diff what that was.
func (p *process) replace(diff *changes, name, text string) {
	old, had := p.fs.files[name]
	p.fs.put(name, text)
	switch {
	case !had:
		diff.Created = append(diff.Created, name)
	case old != text:
		diff.Changed = append(diff.Changed, name)
	}
}

func (p *process) update(diff changes) (snapshot, error) {
	params := map[string]any{"openProjects": []string{projectFile}, "fileChanges": diff}
	var reply struct {
		Snapshot int64 `json:"snapshot"`
		Projects []struct {
			ID     string `json:"id"`
			Config string `json:"configFileName"`
		} `json:"projects"`
	}
	if err := p.conn.call("updateSnapshot", params, &reply); err != nil {
		return snapshot{}, err
	}
	for _, pr := range reply.Projects {
		if pr.Config == projectFile {
			p.project.opened = true
			return snapshot{p.conn, reply.Snapshot, pr.ID, p.project.foldCase}, nil
		}
	}
	return snapshot{}, fmt.Errorf("the compiler did not open %s", projectFile)
}

// release lets the compiler forget the snapshot.
func (s snapshot) release() error {
	return s.conn.call("release", map[string]any{"snapshot": s.id}, nil)
}

// configuration is the tsconfig.json. Its files are listed, not searched for; nothing is looked up
// outside of them but what the script imports by a relative name.
func (p *process) configuration(noLib bool) string {
	options := map[string]any{
		"strict": true, "noEmit": true, "target": "es2022", "module": "esnext", "moduleResolution": "bundler",
		"moduleDetection": "force", "allowImportingTsExtensions": true, "noUncheckedSideEffectImports": true,
		"resolveJsonModule": true, "types": []string{}, "typeRoots": []string{}, "lib": []string{"es2023"},
	}
	if noLib {
		delete(options, "lib")
		options["noLib"] = true
	}
	files := slices.Concat(p.project.fixed, []string{grantedFile, untypedFile}, p.project.scripts)
	raw, err := json.Marshal(map[string]any{"compilerOptions": options, "files": files})
	if err != nil {
		panic(err) // strings and booleans only
	}
	return string(raw)
}

// Caps on what is handed to the compiler. The script's own caps are tighter and come earlier.
const (
	maxScriptBytes      = 1 << 20
	maxScriptFiles      = 200
	maxDeclarationBytes = 32 << 20
)

// admit refuses a request that could not be a script of ours: names that leave their folder, sizes
// no script has.
func admit(req runtime.CheckRequest) error {
	if len(req.Script.Files) == 0 || len(req.Script.Files) > maxScriptFiles {
		return runtime.Errorf(runtime.InvalidArgument, "the script has %d files, not 1 to %d", len(req.Script.Files), maxScriptFiles)
	}
	total, seen := 0, map[string]bool{}
	for _, f := range req.Script.Files {
		if !plainName(f.Name) || seen[f.Name] {
			return runtime.Errorf(runtime.InvalidArgument, "the script's file name %q is no plain relative path, or stands twice", clip(f.Name, 80))
		}
		seen[f.Name] = true
		total += len(f.Module)
	}
	if total > maxScriptBytes {
		return runtime.Errorf(runtime.InvalidArgument, "the script is %d bytes, over %d", total, maxScriptBytes).WithHint("split the work into several runs")
	}
	size := len(req.Granted)
	for _, name := range slices.Sorted(maps.Keys(req.Declarations)) {
		if !plainName(name) || !strings.HasSuffix(name, ".d.ts") {
			return runtime.Errorf(runtime.InvalidArgument, "the declaration file name %q is no plain relative path that ends in .d.ts", clip(name, 80))
		}
		size += len(req.Declarations[name])
	}
	if size > maxDeclarationBytes {
		return runtime.Errorf(runtime.InvalidArgument, "the declarations are %d bytes, over %d", size, maxDeclarationBytes)
	}
	return nil
}

// plainName says whether name is a relative slash-separated path in its shortest form that stays
// inside its folder and configures nothing.
func plainName(name string) bool {
	if name == "" || len(name) > 200 || strings.ContainsAny(name, "\\\x00:") {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		switch part {
		case "", ".", "..", "node_modules", "package.json", "tsconfig.json", "jsconfig.json":
			return false
		}
	}
	return true
}
