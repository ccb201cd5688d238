package assemble

// This file makes of a directory what agents and the runtime read: contracts and declarations.

import (
	"context"
	"maps"
	"slices"
	"strings"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/directory/search"
	"codemode/gen"
	"codemode/gen/ts"
	"codemode/runtime"
)

// Catalogue is a directory with everything derived from it.
type Catalogue struct {
	Directory *directory.Directory
	Surface   runtime.Surface
	Search    *search.Index
	Entries   map[string]search.Entry // by a method's name
}

// Generate loads a directory and generates everything from it and from the extra rows. With strict a
// malformed row fails.
func Generate(path string, strict bool, extra ...directory.Row) (*directory.Directory, *gen.Output, error) {
	dir, err := directory.Load(path, directory.LoadOptions{Strict: strict})
	if err != nil {
		return nil, nil, runtime.Errorf(runtime.InvalidArgument, "directory: %v", err)
	}
	if len(dir.Rows) == 0 && len(dir.Findings) > 0 {
		f := dir.Findings[0]
		return nil, nil, runtime.Errorf(runtime.InvalidArgument, "directory %s has no row that can be read; %s:%d: %s", path, f.File, f.Line, f.Message)
	}
	dir.Rows = append(dir.Rows, extra...)
	out, err := gen.Generate(dir, gen.Options{})
	if err != nil {
		return nil, nil, runtime.Errorf(runtime.InvalidArgument, "directory %s: %v", path, err)
	}
	return dir, out, nil
}

// OpenCatalogue loads a directory, and the extra rows, for reading. Malformed rows are left out;
// Directory.Findings has them.
func OpenCatalogue(path string, extra ...directory.Row) (*Catalogue, error) {
	dir, out, err := Generate(path, false, extra...)
	if err != nil {
		return nil, err
	}
	return &Catalogue{Directory: dir, Surface: surface(out), Search: search.New(out.Contracts, dir), Entries: entries(out)}, nil
}

// surface hands the generated texts to the runtime. tools.d.ts stays out: it declares every method,
// and a run gets only those it was granted.
func surface(out *gen.Output) runtime.Surface {
	s := runtime.Surface{Contracts: out.Contracts, Declarations: map[string]string{}, Granted: ts.Granted, Declare: declare}
	var all strings.Builder
	for _, name := range slices.Sorted(maps.Keys(out.Files)) {
		if !strings.HasSuffix(name, ".d.ts") || name == "tools.d.ts" {
			continue
		}
		s.Declarations[name] = string(out.Files[name])
		all.WriteString(name + "\x00" + s.Declarations[name] + "\x00")
	}
	s.Set = contract.Digest([]byte(all.String()))
	return s
}

// declare is the declaration of a contract that gen has already emitted once.
func declare(c contract.Contract) string {
	text, err := ts.Declaration(c)
	if err != nil {
		return "// " + c.Name + " can't be declared: " + err.Error() + "\n"
	}
	return text
}

// entries are what an index says of each contract, by name.
func entries(out *gen.Output) map[string]search.Entry {
	all := make(map[string]search.Entry, len(out.Contracts))
	for i, c := range out.Contracts {
		all[c.Name] = search.Entry{Name: c.Name, Call: out.Index[i].Call, Purpose: out.Index[i].Purpose}
	}
	return all
}

// Named returns the contract of a method's name, or all those of a namespace or a row's key.
func (c *Catalogue) Named(name string) []contract.Contract {
	var out []contract.Contract
	for _, k := range c.Surface.Contracts {
		if k.Name == name || k.Key == name || strings.HasPrefix(k.Name, name+".") {
			out = append(out, k)
		}
	}
	return out
}

// askedHits is how many hits are looked at: what is not granted is left out of them.
const askedHits = 400

// find is what directory.search answers a script.
func (c *Catalogue) find(_ context.Context, query string, limit int, granted []string) []runtime.Found {
	var out []runtime.Found
	for _, h := range c.Search.Query(query, askedHits) {
		if _, ok := slices.BinarySearch(granted, h.Contract.Name); h.Page != nil || !ok {
			continue
		}
		out = append(out, runtime.Found{Name: h.Contract.Name, Description: h.Contract.Description, Declaration: declare(h.Contract)})
		if len(out) == limit {
			break
		}
	}
	return out
}
