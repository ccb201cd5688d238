package child_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"codemode/cmd/codemode-worker/child"
)

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"serve"}, `unknown mode "serve"`},
		{[]string{"confine"}, "name the program"},
		{[]string{"confine", "--read", "/tmp", "--"}, "name the program"},
		{[]string{"confine", "--memory", "much", "--", "/bin/true"}, "invalid value"},
		{[]string{"confine", "--read", "/nonexistent/dir", "--", "/bin/true"}, "/nonexistent/dir"},
	} {
		if err := child.Run(c.args); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.args, err)
		}
	}
}

// The second mode becomes another program that reads what was named and nothing else.
func TestConfine(t *testing.T) {
	if _, err := os.Stat("/bin/cat"); err != nil {
		t.Skip("no /bin/cat to start")
	}
	dir := t.TempDir()
	binary := filepath.Join(dir, "codemode-worker")
	if out, err := exec.Command("go", "build", "-o", binary, "codemode/cmd/codemode-worker").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	allowed, canary := filepath.Join(dir, "allowed"), filepath.Join(dir, "canary")
	for path, text := range map[string]string{allowed: "hello", canary: "secret"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"confine", "--report", "--read", allowed, "--memory", "268435456"}
	for _, system := range []string{"/bin", "/lib", "/lib64", "/usr/bin", "/usr/lib", "/etc/ld.so.cache"} {
		if _, err := os.Stat(system); err == nil {
			args = append(args, "--read", system)
		}
	}
	cat := func(path string) (string, error) {
		out, err := exec.Command(binary, append(args, "--", "/bin/cat", path)...).CombinedOutput()
		return string(out), err
	}
	out, err := cat(allowed)
	if err != nil || !strings.Contains(out, "hello") || !strings.Contains(out, "confined: landlock") {
		t.Fatalf("%v: %s", err, out)
	}
	if strings.Contains(out, "missing: files") {
		t.Skip("this kernel has no Landlock: " + out)
	}
	if out, err := cat(canary); err == nil || strings.Contains(out, "secret") {
		t.Errorf("the canary was read: %v %s", err, out)
	}
}
