package main

// This file holds runs that wait, or whose service died, as an agent meets them over codemode mcp; and the runs that
// a service ends since nobody went on with them.

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/fixtures"
	"codemode/runtime"
	"codemode/runtime/assemble"
)

// asking writes a note, asks, and says what it was answered.
const asking = `await tools.notes.write({ name: "order", text: "begun" });
const size = await ask("Which size?", { enum: ["S", "M"] });
return { size };`

// The tool says that the run waits and for what; a person answers with codemode answer; resume completes it, and what
// was done is not done again.
func TestMCPWaitsForAnAnswer(t *testing.T) {
	site := fixtures.Start(t)
	store, grant := filepath.Join(t.TempDir(), "s.db"), site.GrantFile(t, "everything.json")
	a := connect(t, site, mcpProcess(t, site, "--grant", grant, "--store", store))
	text, waiting, failed := a.call(t, "run", map[string]any{"script": asking})
	if failed || waiting.State != runtime.Suspended || waiting.Receipt != "" || len(waiting.Questions) != 1 || waiting.Questions[0].Question != "Which size?" {
		t.Fatalf("run says\n%s", text)
	}
	for _, part := range []string{"suspended\n", "Run " + waiting.RunID + " asks:", "question 2: Which size?", `the answer must fit {"enum":["S","M"]}`, "codemode answer " + waiting.RunID} {
		if !strings.Contains(text, part) {
			t.Errorf("missing %q in\n%s", part, text)
		}
	}
	resume := map[string]any{"run_id": waiting.RunID}
	if text, still, failed := a.call(t, "resume", resume); failed || still.State != runtime.Suspended || len(still.Questions) != 1 {
		t.Errorf("without an answer resume says\n%s", text)
	}
	answer(t, store, waiting.RunID, "M")
	text, done, failed := a.call(t, "resume", resume)
	if failed || done.State != runtime.Finished || string(done.Result) != `{"size":"M"}` || done.Receipt == "" || done.RunID != waiting.RunID {
		t.Errorf("resume says\n%s", text)
	}
	if text, _, failed := a.call(t, "resume", resume); !failed || !strings.Contains(text, "is finished already") {
		t.Errorf("once more resume says\n%s", text)
	}
	if n := site.World.State().Writes; n != 1 {
		t.Errorf("%d writes, want 1", n)
	}
	other := connect(t, site, mcpProcess(t, site, "--grant", site.GrantFile(t, "reader.json"), "--store", store))
	if text, _, failed := other.call(t, "resume", resume); !failed || !strings.Contains(text, "of these grants") {
		t.Errorf("under other grants resume says\n%s", text)
	}
}

// answer is what a person does, in another process.
func answer(t *testing.T, store, runID, value string) {
	t.Helper()
	bin, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(filepath.Join(bin, "codemode"), "answer", runID, value, "--store", store).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// waitsForANote goes on once somebody has written the note "go".
const waitsForANote = `await tools.notes.write({ name: "order", text: "begun" });
const there = async () => { try { await tools.notes.read({ name: "go" }); return true; } catch { return false; } };
while (!(await there())) await tools.ops.sleep({ delay_ms: 500 });
return "done";`

// A run whose service was killed is taken up by another one over the same store, once its lease has ended.
func TestMCPTakesUpWhatDied(t *testing.T) {
	site := fixtures.Start(t)
	store, grant := filepath.Join(t.TempDir(), "s.db"), site.GrantFile(t, "everything.json")
	killInTheMiddle(t, mcpProcess(t, site, "--grant", grant, "--store", store))
	runID := onlyRun(t, store)
	second := connect(t, site, mcpProcess(t, site, "--grant", grant, "--store", store))
	resume := map[string]any{"run_id": runID}

	change(t, store, "UPDATE run SET lease = '9999-01-01T00:00:00.000000000Z'") // however slow this test is
	if text, _, failed := second.call(t, "resume", resume); !failed || !strings.Contains(text, "is under way") || !strings.Contains(text, "if its process died") {
		t.Errorf("within the lease resume says\n%s", text)
	}
	change(t, store, "UPDATE run SET lease = '2001-01-01T00:00:00.000000000Z'")
	writeNote(t, site, "go")
	text, done, failed := second.call(t, "resume", resume)
	if failed || done.State != runtime.Finished || string(done.Result) != `"done"` || done.Receipt == "" || done.RunID != runID {
		t.Errorf("resume says\n%s", text)
	}
	if n := site.World.State().Writes; n != 2 { // the run's, and the note that it waited for
		t.Errorf("%d writes, want 2", n)
	}
}

// killInTheMiddle has a server run waitsForANote, and kills it once the script has read in vain: then its write
// is settled and known.
func killInTheMiddle(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	notes := make(chan string, 64)
	cmd.Stderr = os.Stderr
	client, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *sdk.ProgressNotificationClientRequest) { notes <- req.Params.Message },
	}).Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	params := &sdk.CallToolParams{Name: "run", Arguments: map[string]any{"script": waitsForANote}}
	params.SetProgressToken("token")
	ended := make(chan error, 1)
	go func() {
		_, err := client.CallTool(t.Context(), params)
		ended <- err
	}()
	for reading := ""; reading != "call notes.read failed"; {
		select {
		case reading = <-notes:
		case err := <-ended:
			t.Fatalf("the run ended by itself: %v", err)
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err == nil {
		t.Error("a killed server has answered")
	}
	if err := client.Close(); err == nil {
		t.Error("a killed server has ended well")
	}
}

func onlyRun(t *testing.T, path string) string {
	t.Helper()
	store, err := assemble.OpenExistingStore(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	runs, err := store.Receipts(t.Context(), 10)
	if err != nil || len(runs) != 1 || runs[0].State != runtime.Running || runs[0].ReceiptID != "" {
		t.Fatalf("the store has %+v, %v", runs, err)
	}
	return runs[0].RunID
}

// change does in a store what else only time does.
func change(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path) // the driver that the store registers
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), statement)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

func writeNote(t *testing.T, site *fixtures.Site, name string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, site.URL+"/notes/"+name, strings.NewReader(`{"text":"now"}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		t.Fatal(resp.Status)
	}
}

// handClock is a time that tests move.
type handClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *handClock) read() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *handClock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// suspended is a system by a clock of its own, and a run in it that waits.
func suspended(t *testing.T, now *handClock, store string) (*assemble.System, runtime.Result) {
	t.Helper()
	bin, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	site := fixtures.Start(t)
	grants, err := readGrants([]string{site.GrantFile(t, "everything.json")})
	if err != nil {
		t.Fatal(err)
	}
	system, err := assemble.Open(t.Context(), assemble.Config{Directory: site.Directory(t), Store: store, Check: runtime.CheckOff, Now: now.read})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := system.Close(); err != nil {
			t.Error(err)
		}
	})
	result := system.Service.Run(t.Context(), runtime.Request{Sources: []runtime.Source{{Name: "main.ts", Text: asking}}, Grants: grants, Check: runtime.CheckOff})
	if result.State != runtime.Suspended {
		t.Fatalf("%s %v", result.State, result.Error)
	}
	return system, result
}

// A run that nobody went on with by its deadline becomes expired, with a receipt of what had happened.
func TestSweepingEndsWhatIsOverdue(t *testing.T) {
	now := &handClock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	system, waiting := suspended(t, now, filepath.Join(t.TempDir(), "s.db"))
	said, err := os.Create(filepath.Join(t.TempDir(), "said"))
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	ctx, end := context.WithCancel(t.Context())
	tick, swept := make(chan time.Time), make(chan int)
	var loop sync.WaitGroup
	loop.Go(func() {
		(&terminal{err: said}).keepSweeping(ctx, func(ctx context.Context) (int, error) {
			n, err := system.Service.Sweep(ctx)
			swept <- n
			return n, err
		}, tick)
	})
	next := func(want int, state runtime.State) {
		t.Helper()
		if n := <-swept; n != want {
			t.Errorf("ended %d runs, want %d", n, want)
		}
		if status, err := system.Service.Store.Run(t.Context(), waiting.RunID); err != nil || status.State != state {
			t.Errorf("the run is %s, want %s (%v)", status.State, state, err)
		}
	}
	next(0, runtime.Suspended) // at once
	now.pass(6 * 24 * time.Hour)
	tick <- now.read()
	next(0, runtime.Suspended)
	now.pass(25 * time.Hour)
	tick <- now.read()
	next(1, runtime.Expired)
	tick <- now.read()
	next(0, runtime.Expired)
	end()
	loop.Wait()

	receipt, err := system.Service.Store.Receipt(t.Context(), waiting.RunID)
	if err != nil || receipt.State != runtime.Expired || receipt.Reason != runtime.ReasonExpired || len(receipt.Calls) != 1 || receipt.Calls[0].State != "finished" || !receipt.Finished.Equal(now.read()) {
		t.Errorf("the receipt is %+v, %v", receipt, err)
	}
	if again := system.Service.Resume(t.Context(), waiting.RunID, runtime.Events{}); again.Error == nil || again.Error.Code != runtime.Conflict {
		t.Errorf("resumed after its end: %s %v", again.State, again.Error)
	}
	if text, err := os.ReadFile(said.Name()); err != nil || string(text) != "codemode mcp: ended 1 run that nobody resumed in time\n" {
		t.Errorf("it said %q, %v", text, err)
	}
}

// The command itself sweeps as soon as it serves.
func TestMCPSweeps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	_, waiting := suspended(t, &handClock{now: time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)}, path)
	site := fixtures.Start(t)
	cmd := mcpProcess(t, site, "--grant", site.GrantFile(t, "everything.json"), "--store", path)
	in, keep := io.Pipe()
	cmd.Stdin = in
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stderr).ReadString('\n')
	if err != nil || line != "codemode mcp: ended 1 run that nobody resumed in time\n" {
		t.Errorf("it says %q, %v", line, err)
	}
	if err := errors.Join(keep.Close(), cmd.Wait()); err != nil {
		t.Error(err)
	}
	store, err := assemble.OpenExistingStore(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if receipt, err := store.Receipt(t.Context(), waiting.RunID); err != nil || receipt.State != runtime.Expired {
		t.Errorf("the receipt is %+v, %v", receipt, err)
	}
}
