package typecheck

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"codemode/runtime"
)

// env is a FindConfig.Env of fixed values.
func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

// layOut copies the platform package's shape below dir, with the given version, and returns its tsc.
func layOut(t *testing.T, dir, version string) string {
	t.Helper()
	tsc := installed(dir)
	files := map[string]string{
		tsc: "#!/bin/sh\necho Version " + version + "\n",
		filepath.Join(filepath.Dir(tsc), "lib.es5.d.ts"):               "",
		filepath.Join(filepath.Dir(filepath.Dir(tsc)), "package.json"): fmt.Sprintf(`{"name":%q,"version":%q}`, platformPackage(), version),
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return tsc
}

// resolved is what Find returns for a file: without links, as a temporary folder may be one.
func resolved(t *testing.T, path string) string {
	t.Helper()
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		t.Fatal(err)
	}
	return real
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	right := layOut(t, filepath.Join(dir, "right"), Version)
	other := layOut(t, filepath.Join(dir, "other"), "7.1.0")
	cached := layOut(t, filepath.Join(dir, "cache", "codemode", "typescript-"+Version), Version)
	own := filepath.Join(dir, "own", "tsc")
	link := func(to, name string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	link(right, "bin/tsc")
	link(other, "newer/tsc")
	// npm's launcher of package typescript, beside which the native one stands.
	launcher := filepath.Join(dir, "right/node_modules/typescript/bin/tsc")
	for name, text := range map[string]string{launcher: "#!/usr/bin/env node", own: "#!/bin/sh\necho Version " + Version, filepath.Join(dir, "own/lib.es5.d.ts"): ""} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	link(launcher, "npmbin/tsc")

	for _, tc := range []struct {
		name string
		cfg  FindConfig
		want string
	}{
		{"named", FindConfig{Env: env(EnvCompiler, right)}, right},
		{"named, a build of one's own", FindConfig{Env: env(EnvCompiler, own)}, own},
		{"named, but another version", FindConfig{Env: env(EnvCompiler, other, "PATH", dir+"/bin")}, ""},
		{"named, but missing", FindConfig{Env: env(EnvCompiler, dir+"/nope", "PATH", dir+"/bin")}, ""},
		{"on the path", FindConfig{Env: env("PATH", dir+"/bin")}, right},
		{"on the path, npm's launcher", FindConfig{Env: env("PATH", dir+"/npmbin")}, right},
		{"on the path, past another version", FindConfig{Env: env("PATH", dir+"/newer:"+dir+"/bin")}, right},
		{"relative path", FindConfig{Env: env("PATH", ".:bin")}, ""},
		{"node_modules", FindConfig{Env: env(), Dir: dir + "/right"}, right},
		{"node_modules of another version", FindConfig{Env: env(), Dir: dir + "/other"}, ""},
		{"cache", FindConfig{Env: env(), CacheDir: dir + "/cache"}, cached},
		{"nowhere", FindConfig{Env: env()}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.cfg.CacheDir == "" {
				tc.cfg.CacheDir = t.TempDir()
			}
			if tc.cfg.Dir == "" {
				tc.cfg.Dir = t.TempDir()
			}
			got, err := Find(tc.cfg)
			if tc.want == "" {
				if e := runtime.AsError(err); err == nil || e.Code != runtime.Unavailable || e.Hint == "" {
					t.Errorf("%+v, %v", got, err)
				}
				return
			}
			if err != nil || resolved(t, got.Path) != resolved(t, tc.want) {
				t.Errorf("%s, %v, want %s", got.Path, err, tc.want)
			}
		})
	}
}

// TestLock holds that the lock pins what Find looks for, by version and digest, for this platform
// too, and leaves the registry to the user.
func TestLock(t *testing.T) {
	text := string(npmLock)
	if strings.Contains(text, "resolved") || strings.Contains(text, "://") {
		t.Error("the lock names a registry")
	}
	if n := strings.Count(text, `"integrity": "sha512-`); n < 10 || n != strings.Count(text, `"version": "`+Version+`"`) {
		t.Errorf("%d digests", n)
	}
	if !strings.Contains(text, `"node_modules/`+platformPackage()+`"`) || !strings.Contains(string(npmManifest), platformPackage()) {
		t.Errorf("nothing for %s", platformPackage())
	}
}

// TestProvision installs for real, twice at once, and checks with what came.
func TestProvision(t *testing.T) {
	if testing.Short() {
		t.Skip("downloads the compiler")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("no npm: ", err)
	}
	cache := t.TempDir()
	cfg := FindConfig{Env: env(), Dir: t.TempDir(), CacheDir: cache}
	var wg sync.WaitGroup
	var mu sync.Mutex
	var said []string
	for range 2 {
		wg.Go(func() {
			_, err := Provision(t.Context(), cfg, func(s string) { mu.Lock(); defer mu.Unlock(); said = append(said, s) })
			if err != nil {
				t.Error(err, runtime.AsError(err).Cause)
			}
		})
	}
	wg.Wait()
	if t.Failed() {
		return
	}
	if len(said) == 0 || !strings.Contains(said[0], cache) {
		t.Errorf("progress %q", said)
	}
	entries, err := os.ReadDir(filepath.Join(cache, "codemode"))
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	got, err := Provision(t.Context(), cfg, func(s string) { t.Error("again:", s) })
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(Config{Compiler: got})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if d := check(t, c, requestFor(t, runtime.CheckTools, "export default tools.crm.nope;")); len(d) != 1 {
		t.Errorf("%+v", d)
	}
}

// TestProvisionFails holds what is said when npm is not there, fails, or leaves nothing usable, and
// that nothing is left behind.
func TestProvisionFails(t *testing.T) {
	for name, script := range map[string]string{
		"no npm":        "",
		"npm fails":     "#!/bin/sh\necho EINTEGRITY >&2; exit 1\n",
		"npm does less": "#!/bin/sh\nexit 0\n",
	} {
		t.Run(name, func(t *testing.T) {
			bin, cache := t.TempDir(), t.TempDir()
			if script != "" {
				if err := os.WriteFile(filepath.Join(bin, "npm"), []byte(script), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			t.Setenv("PATH", bin)
			_, err := Provision(t.Context(), FindConfig{Env: env(), Dir: t.TempDir(), CacheDir: cache}, nil)
			e := runtime.AsError(err)
			if err == nil || e.Code != runtime.Unavailable || !strings.Contains(e.Hint, "npm install -g typescript@"+Version) || !strings.Contains(e.Hint, "--check=off") {
				t.Errorf("error %v", err)
			}
			if name == "npm fails" && !strings.Contains(e.Message, "EINTEGRITY") {
				t.Errorf("npm's words are missing: %v", err)
			}
			if left, _ := os.ReadDir(filepath.Join(cache, "codemode")); len(left) != 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// TestProvisionCancelled holds that npm ends with the context.
func TestProvisionCancelled(t *testing.T) {
	bin := t.TempDir()
	started := filepath.Join(bin, "started")
	if err := os.WriteFile(filepath.Join(bin, "npm"), []byte("#!/bin/sh\n: > "+started+"\nexec /bin/sleep 1000\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := Provision(ctx, FindConfig{Env: env(), Dir: t.TempDir(), CacheDir: t.TempDir()}, nil)
		done <- err
	}()
	waitUntil(t, func() bool { _, err := os.Stat(started); return err == nil })
	cancel()
	if err := <-done; runtime.AsError(err).Code != runtime.Cancelled {
		t.Errorf("error %v", err)
	}
}

// TestSettle holds that a whole install in place stays, and a broken one is replaced.
func TestSettle(t *testing.T) {
	for name, there := range map[string]bool{"whole": true, "broken": false} {
		t.Run(name, func(t *testing.T) {
			parent := t.TempDir()
			target, fresh := filepath.Join(parent, "target"), filepath.Join(parent, "fresh")
			layOut(t, target, Version)
			if !there {
				if err := os.Remove(installed(target)); err != nil {
					t.Fatal(err)
				}
			}
			layOut(t, fresh, Version)
			if err := os.WriteFile(filepath.Join(fresh, "new"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := settle(fresh, target); err != nil {
				t.Fatal(err)
			}
			if err := native7(installed(target)); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(filepath.Join(target, "new")); errors.Is(err, os.ErrNotExist) != there {
				t.Errorf("the new one: %v", err)
			}
		})
	}
}
