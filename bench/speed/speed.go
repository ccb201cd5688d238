// Package speed measures how long runs take, and how many a machine makes.
//
//	report, err := speed.Run(bench.Options{Fixtures: "fixtures"})
//	for _, table := range report.Tables() { table.Write(os.Stdout) }
//
// Every script is run three ways in turn, round after round, so that what else the machine does falls on
// all of them: bare (the same bundle in a goja VM of this process, calls answered in place: no check, no
// process, no limits, no record), as a run without the check, and as a run with it. The service is a real
// one on the example directory, its store on disk; the calls are functions of this process, so that no
// network is measured. It does not judge: the figures are those of one machine on one day.
package speed

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"time"

	"codemode/bench"
	"codemode/directory"
	"codemode/fixtures/world"
	"codemode/runtime"
	"codemode/runtime/assemble"
	"codemode/runtime/invoke"
)

// Report is what the bench found.
type Report struct {
	Machine   Machine    `json:"machine"`
	Methods   int        `json:"methods"` // of the example directory; what the wide grant gives
	Rounds    int        `json:"rounds"`
	Scenarios []Scenario `json:"scenarios"`
	Rates     []Rate     `json:"rates"`
}

// Machine is what it was measured on.
type Machine struct {
	System string `json:"system"`
	CPU    string `json:"cpu"`
	Cores  int    `json:"cores"`
	Go     string `json:"go"`
	// WakeMicros is the median time that two processes take to wake each other over pipes, there and back:
	// what no call of a script can be faster than.
	WakeMicros float64 `json:"wake_us"`
}

// Times are of all rounds, in milliseconds.
type Times struct {
	P50 float64 `json:"p50_ms"`
	P95 float64 `json:"p95_ms"`
}

func times(t *bench.Timer) Times { return Times{t.Percentile(50), t.Percentile(95)} }

// Run measures on the example directory.
func Run(opts bench.Options) (bench.Report, error) {
	return effort{rounds: 100, warming: 5, busy: 5 * time.Second}.run(context.Background(), opts)
}

// effort is how much is measured.
type effort struct {
	rounds  int           // of each script in each way
	warming int           // rounds before those that count
	busy    time.Duration // how long the service is kept busy by so many clients
}

func (e effort) run(ctx context.Context, opts bench.Options) (*Report, error) {
	system, closing, err := open(ctx, opts)
	if err != nil {
		return nil, err
	}
	defer closing()
	m := &measurement{effort: e, system: system, ctx: ctx}
	r := &Report{Machine: machine(), Methods: len(system.Surface.Contracts), Rounds: e.rounds}
	for _, s := range scenarios() {
		figures, err := m.scenario(s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		r.Scenarios = append(r.Scenarios, figures)
	}
	for _, clients := range []int{1, 4, 16} {
		rate, err := m.rate(clients)
		if err != nil {
			return nil, err
		}
		r.Rates = append(r.Rates, rate)
	}
	return r, nil
}

// open is a service on the example directory with a store of its own, which goes with it.
func open(ctx context.Context, opts bench.Options) (*assemble.System, func(), error) {
	dir, err := os.MkdirTemp("", "codemode-bench")
	if err != nil {
		return nil, nil, err
	}
	functions := map[string]invoke.Func{"bench.book": book}
	for name, f := range world.Functions() {
		functions[name] = f
	}
	system, err := assemble.Open(ctx, assemble.Config{
		Directory: filepath.Join(opts.Fixtures, "directory"), Store: filepath.Join(dir, "store.db"), Functions: functions, SelfWorker: true,
		Rows: []directory.Row{{
			Key: "BENCH_BOOK", Type: directory.Fn, Category: "bench", Target: "bench.book", Effect: "write",
			Description: "Books nothing.", WhenToUse: "To measure a write.",
			InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`),
		}},
	})
	if err != nil {
		_ = os.RemoveAll(dir) // the error that counts is the other
		return nil, nil, err
	}
	return system, func() {
		_ = system.Close() // measured is measured
		_ = os.RemoveAll(dir)
	}, nil
}

// book is a write that costs nothing but what the service does for it.
func book(context.Context, []json.RawMessage) (json.RawMessage, error) {
	return json.RawMessage("true"), nil
}

// measurement is a service and what is sent to it.
type measurement struct {
	effort
	ctx    context.Context
	system *assemble.System
}

// run takes a script through the service, and is an error unless it finishes.
func (m *measurement) run(s script, check runtime.CheckMode) error {
	out := m.system.Service.Run(m.ctx, runtime.Request{Sources: s.sources(), Grants: s.grants(), Check: check})
	if out.State != runtime.Finished {
		return fmt.Errorf("the script did not finish: %s: %w", out.Reason, out.Error)
	}
	return nil
}

func machine() Machine {
	return Machine{System: goruntime.GOOS + "/" + goruntime.GOARCH, CPU: processor(), Cores: goruntime.NumCPU(), Go: goruntime.Version(), WakeMicros: wake()}
}

// processor is its name as Linux gives it, "" elsewhere.
func processor() string {
	raw, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(raw)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Tables shows the figures.
func (r *Report) Tables() []bench.Table {
	m := r.Machine
	runs := bench.Table{
		Title:   fmt.Sprintf("Speed: one run after the other, p50 and p95 in ms of %d rounds (%s, %d cores, %s, %s)", r.Rounds, m.System, m.Cores, m.CPU, m.Go),
		Columns: []string{"script", "methods", "bare p50", "p95", "run p50", "p95", "checked p50", "p95"},
		Notes: []string{
			"bare: the same bundle in a goja VM of this process, its calls answered in place. run: --check=off; checked: as by default.",
			"Each of the three in turn, with a worker in reserve. Durable: the write is on the disk before and after it is made.",
			fmt.Sprintf("Two processes wake each other over pipes in %.0f us, there and back: the least that a call in turn can take.", m.WakeMicros),
		},
	}
	for _, s := range r.Scenarios {
		runs.Rows = append(runs.Rows, []string{s.Name, fmt.Sprint(s.Methods), ms(s.Bare.P50), ms(s.Bare.P95), ms(s.Unchecked.P50), ms(s.Unchecked.P95), ms(s.Checked.P50), ms(s.Checked.P95)})
	}
	rates := bench.Table{
		Title:   "Speed: runs a second, one call each, checked",
		Columns: []string{"clients", "runs/s", "p50 ms", "p95 ms", "CPU ms a run"},
		Notes:   []string{"Every run has a process of its own, which is started for it: most of the CPU time. CPU is that of service, workers and compiler."},
	}
	for _, x := range r.Rates {
		cpu := "-"
		if x.CPUMillis > 0 {
			cpu = fmt.Sprintf("%.1f", x.CPUMillis)
		}
		rates.Rows = append(rates.Rows, []string{fmt.Sprint(x.Clients), fmt.Sprintf("%.1f", x.PerSecond), ms(x.P50), ms(x.P95), cpu})
	}
	return []bench.Table{runs, rates}
}

func ms(v float64) string { return fmt.Sprintf("%.2f", v) }
