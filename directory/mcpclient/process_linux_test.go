package mcpclient_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"codemode/directory/mcpclient"
)

// What left the server's process group and was handed to another parent ends with the server all the same.
func TestCloseEndsWhatLeftTheGroup(t *testing.T) {
	for _, program := range []string{"sh", "setsid"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("there is no %s", program)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	mark := filepath.Join(t.TempDir(), "pid")
	const script = `setsid sh -c 'sleep 60 >/dev/null 2>&1 & echo $! >"$0.part"; mv "$0.part" "$0"' "$0"; exec "$1"`
	s := mcpclient.Server{Command: []string{"sh", "-c", script, mark, self}, Env: []string{asServer + "=plain", "PATH=" + os.Getenv("PATH")}}
	c, err := mcpclient.Connect(t.Context(), s, mcpclient.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	pid, err := os.ReadFile(mark)
	if err != nil {
		t.Fatal(err)
	}
	stat := "/proc/" + strings.TrimSpace(string(pid)) + "/stat"
	if _, err := os.Stat(stat); err != nil {
		t.Fatalf("what the server started is not there before the close: %v", err)
	}
	c.Close()
	for range 100 {
		if text, err := os.ReadFile(stat); err != nil || strings.Contains(string(text), ") Z ") {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("what left the group is still there")
}
