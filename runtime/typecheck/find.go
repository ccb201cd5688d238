package typecheck

// This file finds a compiler that is already on the machine.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"time"

	"codemode/runtime"
)

// Version is the compiler's one version: the protocol, the node kinds and the flags are its own.
const Version = "7.0.2"

// EnvCompiler names the environment variable that says where the compiler is.
const EnvCompiler = "CODEMODE_TSC"

// Compiler is a compiler at the pinned version.
type Compiler struct {
	// Path is the native executable; its lib.*.d.ts files stand beside it.
	Path string
}

// FindConfig says where to look; its zero value is this process's surroundings.
type FindConfig struct {
	// Env looks up environment variables; nil means os.Getenv.
	Env func(string) string
	// Dir is a folder whose node_modules counts; empty means none: the working directory is not
	// trusted to say which compiler runs.
	Dir string
	// CacheDir holds what Provision installs, in a folder "codemode"; empty means os.UserCacheDir.
	CacheDir string
}

// Find returns the compiler that CODEMODE_TSC names, else the first at exactly Version among tsc on
// PATH, Dir's node_modules, and what Provision installed before. It fails with Unavailable: CODEMODE_TSC
// names none, or there is none, in which case Provision can install one.
func Find(cfg FindConfig) (Compiler, error) {
	if name := cfg.env(EnvCompiler); name != "" {
		c, err := asked(name)
		if err != nil {
			return Compiler{}, runtime.Errorf(runtime.Unavailable, "%s is not the native TypeScript %s compiler: %s", EnvCompiler, Version, name).
				WithHint("point it at the tsc of npm package %s@%s, or unset it", platformPackage(), Version).WithCause(err)
		}
		return c, nil
	}
	for _, name := range cfg.candidates() {
		if c, err := inspect(name); err == nil {
			return c, nil
		}
	}
	return Compiler{}, missing("there is no TypeScript %s compiler on this machine", Version)
}

func missing(format string, args ...any) *runtime.Error {
	return runtime.Errorf(runtime.Unavailable, format, args...).
		WithHint("run npm install -g typescript@%s, or run with --check=off", Version)
}

func (cfg FindConfig) env(name string) string {
	if cfg.Env != nil {
		return cfg.Env(name)
	}
	return os.Getenv(name)
}

// candidates are the places to look at, in order.
func (cfg FindConfig) candidates() []string {
	var out []string
	for _, dir := range filepath.SplitList(cfg.env("PATH")) {
		if filepath.IsAbs(dir) { // a relative one would run whatever the working directory holds
			out = append(out, filepath.Join(dir, "tsc"), filepath.Join(dir, "tsc.exe"))
		}
	}
	if dir, err := filepath.Abs(cfg.Dir); err == nil && cfg.Dir != "" {
		out = append(out, installed(dir))
	}
	if dir, err := cfg.cache(); err == nil {
		out = append(out, installed(dir))
	}
	return out
}

// cache is the folder that Provision fills.
func (cfg FindConfig) cache() (string, error) {
	dir := cfg.CacheDir
	if dir == "" {
		var err error
		if dir, err = os.UserCacheDir(); err != nil {
			return "", err
		}
	}
	return filepath.Join(dir, "codemode", "typescript-"+Version), nil
}

// installed is where npm puts the native compiler below dir.
func installed(dir string) string {
	name := "tsc"
	if goruntime.GOOS == "windows" {
		name = "tsc.exe"
	}
	return filepath.Join(dir, "node_modules", filepath.FromSlash(platformPackage()), "lib", name)
}

// platformPackage is the npm package that holds the native compiler for this platform, in npm's
// words for systems and processors.
func platformPackage() string {
	word := func(s string, words ...string) string { return strings.NewReplacer(words...).Replace(s) }
	system := word(goruntime.GOOS, "windows", "win32", "solaris", "sunos", "illumos", "sunos")
	processor := word(goruntime.GOARCH, "amd64", "x64", "mips64le", "mips64el", "ppc64le", "ppc64")
	return "@typescript/typescript-" + system + "-" + processor
}

// asked looks at what the user named; it alone may be a build of one's own, which is asked itself.
func asked(name string) (Compiler, error) {
	c, err := inspect(name)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return c, err
	}
	path, err := filepath.EvalSymlinks(name)
	if err != nil {
		return Compiler{}, err
	}
	if _, err := openLibrary(filepath.Dir(path)); err != nil {
		return Compiler{}, err
	}
	c = Compiler{Path: path}
	return c, c.verify(context.Background())
}

// inspect returns the native compiler behind name without running it: name is one, or the launcher
// of npm package typescript, which has it next door.
func inspect(name string) (Compiler, error) {
	path, err := filepath.EvalSymlinks(name)
	if err != nil {
		return Compiler{}, err
	}
	if path, err = filepath.Abs(path); err != nil {
		return Compiler{}, err
	}
	top := filepath.Dir(filepath.Dir(path)) // <top>/lib/tsc or <top>/bin/tsc
	native := installed("")
	for _, try := range []string{path, filepath.Join(top, native), filepath.Join(filepath.Dir(filepath.Dir(top)), native)} {
		if err = native7(try); err == nil {
			return Compiler{Path: try}, nil
		}
	}
	return Compiler{}, err
}

// native7 checks that path is the executable of the platform package at the pinned version.
func native7(path string) error {
	raw, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(path)), "package.json"))
	if err != nil {
		return err
	}
	var manifest struct{ Name, Version string }
	if err := json.Unmarshal(raw, &manifest); err != nil {
		return err
	}
	if manifest.Name != platformPackage() || manifest.Version != Version {
		return fmt.Errorf("%s is %s %s, not %s %s", path, manifest.Name, manifest.Version, platformPackage(), Version)
	}
	if _, err := openLibrary(filepath.Dir(path)); err != nil {
		return err
	}
	return executable(path)
}

func executable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || goruntime.GOOS != "windows" && info.Mode()&0o111 == 0 {
		return fmt.Errorf("%s is no executable", path)
	}
	return nil
}

// verify runs the compiler and compares the version it tells.
func (c Compiler) verify(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.Path, "--version")
	cmd.Env = []string{}
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s --version: %w", c.Path, err)
	}
	if got := strings.TrimSpace(string(out)); got != "Version "+Version {
		return fmt.Errorf("%s says %q, not %q", c.Path, clip(got, 80), "Version "+Version)
	}
	return nil
}
