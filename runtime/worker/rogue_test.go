package worker_test

// This file puts a process in the worker's place that does what no worker of ours would: the service
// believes it nothing, kills it and says so.

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"codemode/runtime"
	"codemode/runtime/worker"
)

// rogueEnv would not reach a worker, which has no environment: the mode stands in argv.
const rogueArg = "-rogue="

func rogueMode() (string, bool) {
	for _, a := range os.Args[1:] {
		if mode, ok := strings.CutPrefix(a, rogueArg); ok {
			return mode, true
		}
	}
	return "", false
}

func put(header string, payload []byte) {
	var n [8]byte
	binary.BigEndian.PutUint32(n[:4], uint32(len(header)))
	binary.BigEndian.PutUint32(n[4:], uint32(len(payload)))
	os.Stdout.Write(append(append(n[:], header...), payload...))
}

type sent struct{ header, payload string }

var (
	question = sent{`{"kind":"call","seq":1,"helper":"ask"}`, `{"question":"q"}`}
	slowCall = sent{`{"kind":"call","seq":2,"method":"crm.list"}`, `{"slow":1}`}
	waits    = sent{`{"kind":"waiting","waiting":[1]}`, ""}
)

// helperFrames are what a rogue sends of helpers and questions, by mode.
var helperFrames = map[string][]sent{
	"unknown helper":                     {{`{"kind":"call","seq":1,"helper":"shell"}`, "{}"}},
	"helper with a method":               {{`{"kind":"call","seq":1,"helper":"ask","method":"crm.list"}`, "{}"}},
	"call of nothing":                    {{`{"kind":"call","seq":1}`, "{}"}},
	"helper's arguments too large":       {{`{"kind":"call","seq":1,"helper":"checkpoint.save"}`, `"` + strings.Repeat("x", 1<<20) + `"`}},
	"waits for what is not pending":      {{`{"kind":"call","seq":1,"method":"crm.list"}`, `{"slow":1}`}, waits},
	"waits for a call":                   {question, slowCall, {`{"kind":"waiting","waiting":[1,2]}`, ""}},
	"waits beside a call":                {question, slowCall, waits},
	"waits for nothing":                  {question, {`{"kind":"waiting"}`, ""}},
	"waits for what it never asked":      {question, {`{"kind":"waiting","waiting":[1,9]}`, ""}},
	"waits twice for one":                {question, {`{"kind":"waiting","waiting":[1,1]}`, ""}},
	"goes on though suspended":           {question, waits, slowCall},
	"waits again though suspended":       {question, waits, waits},
	"ends properly though suspended":     {question, waits, {`{"kind":"done","ended":{}}`, "1"}},
	"ends for another question":          {question, waits, {`{"kind":"done","ended":{"waiting":[2]}}`, ""}},
	"ends for a question and an error":   {question, waits, {`{"kind":"done","ended":{"waiting":[1],"reason":"script_failed","err":{"code":"script_failed","message":"m"}}}`, ""}},
	"ends for a question without a word": {question, {`{"kind":"done","ended":{"waiting":[1]}}`, ""}},
	"suspends itself by the service's":   {question, {`{"kind":"suspend"}`, ""}},
}

// rogue is the process: ready, and after the run frame its mischief.
func rogue(mode string) {
	if mode == "mute" {
		time.Sleep(time.Hour)
	}
	if mode == "other build" {
		put(`{"kind":"ready","protocol":99}`, nil)
		time.Sleep(time.Hour)
	}
	put(`{"kind":"ready","protocol":3}`, nil)
	in := bufio.NewReader(os.Stdin)
	var n [8]byte
	if _, err := io.ReadFull(in, n[:]); err != nil {
		return
	}
	if strings.HasPrefix(mode, "early ") {
		put(`{"kind":"done","ended":{}}`, []byte("1"))
	}
	bundled := `{"kind":"bundled","name":"sha256:00"}`
	if frames, ok := helperFrames[mode]; ok {
		put(bundled, nil)
		for _, f := range frames {
			if strings.Contains(f.header, "waiting") {
				time.Sleep(50 * time.Millisecond) // the service says that the question is pending
			}
			put(f.header, []byte(f.payload))
		}
	}
	switch mode {
	case "garbage":
		os.Stdout.Write([]byte("this is no frame at all, but it has bytes enough"))
	case "huge claim":
		put(bundled, nil)
		os.Stdout.Write([]byte{0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff})
	case "wrong seq":
		put(bundled, nil)
		put(`{"kind":"call","seq":7,"method":"crm.list"}`, []byte("{}"))
	case "call before the bundle":
		put(`{"kind":"call","seq":1,"method":"crm.list"}`, []byte("{}"))
	case "args no JSON":
		put(bundled, nil)
		put(`{"kind":"call","seq":1,"method":"crm.list"}`, []byte("{"))
	case "too many calls":
		put(bundled, nil)
		for i := 1; i < 100; i++ {
			put(fmt.Sprintf(`{"kind":"call","seq":%d,"method":"crm.list"}`, i), []byte(`{"slow":1}`))
		}
	case "too many questions":
		put(bundled, nil)
		for i := 1; i < 200; i++ {
			put(fmt.Sprintf(`{"kind":"call","seq":%d,"helper":"ask"}`, i), []byte(`{"question":"q"}`))
		}
	case "too many timers":
		put(bundled, nil)
		for i := 1; i < 11_000; i++ {
			put(fmt.Sprintf(`{"kind":"call","seq":%d,"helper":"timer"}`, i), []byte(`{"ms":1000000000,"due":1}`))
		}
	case "deaf":
		put(bundled, nil)
		for i := 1; i <= 100; i++ {
			put(fmt.Sprintf(`{"kind":"call","seq":%d,"method":"crm.list"}`, i), []byte("{}"))
			time.Sleep(time.Millisecond) // lets the call come out, so that few are under way at once
		}
	case "console flood":
		put(bundled, nil)
		for {
			put(`{"kind":"console","level":"log"}`, []byte("x"))
		}
	case "console level":
		put(bundled, nil)
		put(`{"kind":"console","level":"fatal"}`, []byte("x"))
	case "artifact flood":
		put(bundled, nil)
		for {
			put(`{"kind":"artifact","path":"a"}`, []byte("x"))
		}
	case "result no JSON":
		put(bundled, nil)
		put(`{"kind":"done","ended":{}}`, []byte("{"))
	case "result too large":
		put(bundled, nil)
		put(`{"kind":"done","ended":{}}`, []byte(`"`+strings.Repeat("x", 2<<20)+`"`))
	case "reason of the service's":
		put(bundled, nil)
		put(`{"kind":"done","ended":{"reason":"needs_decision","err":{"code":"needs_decision","message":"m"}}}`, nil)
	case "service's frame":
		put(bundled, nil)
		put(`{"kind":"settled","seq":1}`, nil)
	case "exit":
		fmt.Fprintln(os.Stderr, "dying\x1b[2J")
		os.Exit(3)
	case "stderr flood":
		for range 10_000 {
			fmt.Fprintln(os.Stderr, strings.Repeat("y", 1000))
		}
		os.Exit(3)
	}
	time.Sleep(time.Hour)
}

func TestRogueWorker(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	modes := []string{"garbage", "huge claim", "wrong seq", "call before the bundle", "args no JSON", "too many calls", "console flood", "console level",
		"artifact flood", "result no JSON", "result too large", "reason of the service's", "service's frame", "early done", "exit", "stderr flood", "too many questions", "too many timers"}
	for _, mode := range append(modes, slices.Sorted(maps.Keys(helperFrames))...) {
		t.Run(mode, func(t *testing.T) {
			pool := worker.New(worker.Config{Command: []string{self, rogueArg + mode}, Idle: -1})
			p := script("export default 1")
			out, err := pool.Run(context.Background(), p, &host{call: answer})
			if err != nil {
				t.Fatal(err)
			}
			if out.Reason != runtime.ReasonWorker || out.Err == nil || out.Err.Cause == nil || out.Result != nil {
				t.Fatalf("%s", describe(out))
			}
			if cause := out.Err.Cause.Error(); len(cause) > 16<<10 || strings.Contains(cause, "\x1b") || mode == "exit" && !strings.Contains(cause, "dying") {
				t.Errorf("cause of %d bytes: %.200q", len(cause), cause)
			}
			if strings.Contains(out.Err.Error(), "dying") {
				t.Errorf("the worker's words reach the caller: %v", out.Err)
			}
			noChildren(t, pool)
		})
	}
}

// A worker that takes no settlements gets no further calls served: their results would stay with the
// service.
func TestDeafWorker(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	pool := worker.New(worker.Config{Command: []string{self, rogueArg + "deaf"}, Idle: -1})
	p := script("export default 1")
	p.Limits.WallMillis, p.Limits.ConcurrentCalls = 500, 4
	large := []byte(`"` + strings.Repeat("x", 1<<20) + `"`)
	h := &host{call: func(context.Context, runtime.StubCall) runtime.Settlement { return runtime.Settlement{Result: large} }}
	out, err := pool.Run(context.Background(), p, h)
	if err != nil {
		t.Fatal(err)
	}
	if out.Err == nil || len(h.calls) > 4 {
		t.Errorf("%d calls were served, want at most 4; %s", len(h.calls), describe(out))
	}
	noChildren(t, pool)
}

func TestNoWorkerToBeHad(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, argv := range [][]string{nil, {"/nonexistent/codemode-worker"}, {"/bin/true"}, {self, rogueArg + "other build"}} {
		pool := worker.New(worker.Config{Command: argv})
		_, err := pool.Run(context.Background(), script(""), &host{})
		if e := runtime.AsError(err); err == nil || e.Code != runtime.Unavailable || e.Hint == "" {
			t.Errorf("%q: %v", argv, err)
		}
		noChildren(t, pool)
	}
}

// A worker whose service is killed dies with it, whatever it does.
func TestWorkerDiesWithService(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	service := exec.Command(self, "-service="+command[0])
	out, err := service.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := service.Start(); err != nil {
		t.Fatal(err)
	}
	var pids []int
	if err := json.NewDecoder(out).Decode(&pids); err != nil || len(pids) == 0 {
		t.Fatalf("its workers: %v %v", pids, err)
	}
	if err := service.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := service.Wait(); err == nil {
		t.Error("the service was not killed")
	}
	for _, pid := range pids {
		for deadline := time.Now().Add(stuck); alive(pid); {
			if time.Now().After(deadline) {
				t.Fatalf("worker %d outlived its service", pid)
			}
			time.Sleep(time.Millisecond)
		}
	}
}

func alive(pid int) bool {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !strings.Contains(string(raw), ") Z ")
}

// service runs an endless script and prints the process ids of its workers.
func service(command string) {
	pool := worker.New(worker.Config{Command: []string{command}})
	p := script("console.log('on'); for (;;) {}")
	p.Limits.WallMillis = 60_000
	h := &host{onConsole: func() {
		raw, err := exec.Command("pgrep", "-P", strconv.Itoa(os.Getpid()), "-f", "codemode-worker").Output()
		if err != nil {
			os.Exit(1)
		}
		fmt.Println("[" + strings.Join(strings.Fields(string(raw)), ",") + "]")
	}}
	if _, err := pool.Run(context.Background(), p, h); err != nil {
		os.Exit(1)
	}
}

// TestWorkerIsLockedIn looks at a worker from outside while its script waits for a call.
func TestWorkerIsLockedIn(t *testing.T) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("this system has no /proc to look at processes through")
	}
	t.Setenv("CODEMODE_TEST_SECRET", "canary")
	secret, err := os.Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer secret.Close()
	inherited, err := syscall.Dup(int(secret.Fd())) // without close-on-exec, as a careless program leaves them
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(inherited)
	pool := newPool(t)
	var found string
	h := &host{call: func(context.Context, runtime.StubCall) runtime.Settlement {
		found = inspect(t)
		return runtime.Settlement{Result: []byte("1")}
	}}
	p := script("export default await tools.crm.list()")
	p.Limits.MemoryBytes = 200 << 20
	if out := run(t, pool, p, h); out.Err != nil {
		t.Fatal(describe(out))
	}
	for _, want := range []string{"environ GOMAXPROCS=1 GOGC=off GOTRACEBACK=single TZ= .", "files 0.", "NoNewPrivs:\t1", "group own", "Max data size 209715200 209715200",
		"Max open files 3 3", "Max core file size 0 0", "Max file size 0 0"} {
		if !strings.Contains(found, want) {
			t.Errorf("lacks %q:\n%s", want, found)
		}
	}
	if strings.Contains(found, "canary") {
		t.Errorf("the environment reached it:\n%s", found)
	}
}

// inspect describes the child that has a limit on its data: the one that runs.
func inspect(t *testing.T) string {
	for _, line := range children(t) {
		dir, _, _ := strings.Cut(line, " ")
		limits := strings.Join(strings.Fields(read(t, dir+"/limits")), " ")
		if !strings.Contains(limits, "Max data size 209715200") {
			continue
		}
		out := "environ " + strings.ReplaceAll(read(t, dir+"/environ"), "\x00", " ") + ".\n" + limits + "\n"
		entries, err := os.ReadDir(dir + "/fd")
		if err != nil {
			t.Error(err)
		}
		files := 0
		for _, e := range entries {
			target, err := os.Readlink(dir + "/fd/" + e.Name())
			if err == nil && !strings.HasPrefix(target, "pipe:") && !strings.HasPrefix(target, "anon_inode:[event") && target != "/dev/null" {
				files++
				out += target + "\n"
			}
		}
		group := "shared"
		if pid, err := strconv.Atoi(filepath.Base(dir)); err == nil {
			if g, err := syscall.Getpgid(pid); err == nil && g == pid {
				group = "own"
			}
		}
		return out + fmt.Sprintf("files %d.\ngroup %s\n", files, group) + read(t, dir+"/status")
	}
	return "no such child"
}

func read(t *testing.T, path string) string {
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
	}
	return string(raw)
}
