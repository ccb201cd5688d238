package typecheck

// This file installs the compiler where none is found: once, into the user's cache, pinned by
// version and by the digests in npm/package-lock.json. The lock names no registry, so that the
// user's own npm configuration decides where the bytes come from; the digests decide what they are.

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"time"

	"codemode/runtime"
)

//go:embed npm/package.json
var npmManifest []byte

//go:embed npm/package-lock.json
var npmLock []byte

// Provision returns the compiler that Find finds, else installs one with npm and returns that.
// progress, which may be nil, gets a line when there is something to wait for. Processes that
// provision at once do not disturb each other. It fails with Unavailable, or Cancelled with ctx.
func Provision(ctx context.Context, cfg FindConfig, progress func(string)) (Compiler, error) {
	if c, err := Find(cfg); err == nil || cfg.env(EnvCompiler) != "" {
		return c, err
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return Compiler{}, missing("there is no TypeScript %s compiler on this machine, and no npm to install it", Version).WithCause(err)
	}
	target, err := cfg.cache()
	if err != nil {
		return Compiler{}, missing("there is no cache folder to install the type checker into").WithCause(err)
	}
	if progress != nil {
		progress(fmt.Sprintf("installing the type checker (TypeScript %s) with npm, once, into %s", Version, target))
	}
	if err := install(ctx, npm, target); err != nil {
		if ctx.Err() != nil {
			return Compiler{}, runtime.Errorf(runtime.Cancelled, "installing the type checker was cancelled").WithCause(err)
		}
		return Compiler{}, missing("the type checker could not be installed with npm: %s", clip(err.Error(), 600)).WithCause(err)
	}
	return Compiler{Path: installed(target)}, nil
}

// install fills a folder beside the target, proves that it works, and moves it there in one step.
func install(ctx context.Context, npm, target string) error {
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(target), "installing-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	if err := npmInstall(ctx, npm, dir); err != nil {
		return err
	}
	if err := proven(ctx, dir); err != nil {
		return err
	}
	return settle(dir, target)
}

func npmInstall(ctx context.Context, npm, dir string) error {
	err := errors.Join(
		os.WriteFile(filepath.Join(dir, "package.json"), npmManifest, 0o644),
		os.WriteFile(filepath.Join(dir, "package-lock.json"), npmLock, 0o644),
	)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-progress", "--loglevel=error")
	said := &head{}
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, said, said
	cmd.SysProcAttr = ownGroup()
	cmd.Cancel = func() error { killGroup(cmd.Process.Pid); return nil }
	cmd.WaitDelay = 2 * time.Second
	goruntime.LockOSThread() // for the parent death signal, see launch
	defer goruntime.UnlockOSThread()
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("npm ci: %w: %s", err, said)
	}
	return nil
}

// proven checks what was installed: npm skips an optional package it cannot fetch or that does not
// fit the platform, and calls that success.
func proven(ctx context.Context, dir string) error {
	c := Compiler{Path: installed(dir)}
	if err := native7(c.Path); err != nil {
		return fmt.Errorf("npm left no compiler for this platform (%s): %w", platformPackage(), err)
	}
	return c.verify(ctx)
}

// settle moves dir to target. What another process put there first is as good if it is whole; what
// is broken there makes way.
func settle(dir, target string) error {
	if err := os.Rename(dir, target); err == nil || native7(installed(target)) == nil {
		return nil
	}
	aside, err := os.MkdirTemp(filepath.Dir(target), "broken-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(aside)
	if err := os.Rename(target, filepath.Join(aside, "old")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(dir, target); err != nil && native7(installed(target)) != nil {
		return err
	}
	return nil
}
