package main

// This file holds codemode run and check.

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"codemode/directory"
	"codemode/runtime"
	"codemode/runtime/assemble"
)

// job are the flags that say what runs on what.
type job struct {
	directory, store, out, check string
	record                       string
	task                         string
	grants, inputs               []string
	servers                      mcpServers
	modules                      string
	require                      []string
	limits                       limits
}

func (j *job) flags(cmd *cobra.Command) {
	directoryFlag(cmd, &j.directory)
	cmd.Flags().StringArrayVarP(&j.grants, "grant", "g", nil, "a grant file; several add up in order")
	must(cmd.MarkFlagFilename("grant", "json"))
	cmd.Flags().StringArrayVarP(&j.inputs, "input", "i", nil, "NAME=PATH: a file the script reads as inputs.NAME")
	modulesFlag(cmd, &j.modules)
	limitFlag(cmd, &j.limits, "NAME=VALUE: a limit of this run, such as wall_ms=5000; grants and the service may hold it lower")
	cmd.Flags().StringVar(&j.check, "check", string(runtime.CheckTools), "tools blocks misuse of the granted methods, strict every type error, off nothing")
}

func runCommand(t *terminal) *cobra.Command {
	j := job{}
	cmd := &cobra.Command{
		Use:   "run SCRIPT",
		Short: "Check a script and run it",
		Long: `run checks a script against what its grants allow, runs it in a process of its own, and prints its
result. SCRIPT is a file, - for standard input, or a folder whose main.ts is run and whose other .ts
files it may import. A script is a module with export default, statements that end in return, or one
async function.

Standard output carries the result only, with --json the whole answer: state, reason, diagnostics,
calls, usage, artifacts, console, receipt.`,
		Example: `  codemode run job.ts --directory rows/ --grant grant.json
  codemode run job.ts -d rows/ -g grant.json -i orders=orders.csv --out results/ --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return t.runScript(cmd.Context(), j, args[0])
		},
	}
	j.flags(cmd)
	storeFlag(cmd, &j.store)
	serversFlag(cmd, &j.servers)
	requireFlag(cmd, &j.require)
	cmd.Flags().StringVarP(&j.out, "out", "o", "", "the folder that artifacts are written to")
	must(cmd.MarkFlagDirname("out"))
	cmd.Flags().StringVar(&j.task, "task", "", "the task that this is an attempt at: checkpoints of its earlier attempts can be loaded")
	cmd.Flags().StringVar(&j.record, "record", "", "a maintainer's tool: append the results of calls to this file, for codemode learn; results hold data")
	must(cmd.MarkFlagFilename("record", "jsonl"))
	return cmd
}

func checkCommand(t *terminal) *cobra.Command {
	j := job{}
	cmd := &cobra.Command{
		Use:     "check SCRIPT",
		Short:   "Check a script without running it",
		Example: `  codemode check job.ts --directory rows/ --grant grant.json`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			req, err := j.request(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			system, err := assemble.Open(cmd.Context(), assemble.Config{Directory: j.directory, Check: req.Check, CheckOnly: true, SelfWorker: true, Modules: j.modules, Progress: t.progress, Log: t.log()})
			if err != nil {
				return err
			}
			defer system.Close()
			t.leftOut(system.Directory)
			result := system.Service.Check(cmd.Context(), req)
			t.clear()
			return t.ended(result)
		},
	}
	j.flags(cmd)
	return cmd
}

func (t *terminal) runScript(ctx context.Context, j job, script string) error {
	req, err := j.request(ctx, script)
	if err != nil {
		return err
	}
	artifacts, err := openOut(j.out)
	if err != nil {
		return err
	}
	defer artifacts.Close()
	system, err := assemble.Open(ctx, j.config(t, req.Check))
	if err != nil {
		return err
	}
	defer system.Close()
	assemble.LimitMemory()
	t.leftOut(system.Directory)
	endRecord, err := t.record(system.Service, j.record)
	if err != nil {
		return err
	}
	req.Events = t.events(req.Check)
	result := system.Service.Run(ctx, req)
	t.clear()
	if err := endRecord(); err != nil {
		t.say("codemode: %v", err)
		return t.ended(result, exitUsage)
	}
	if err := artifacts.write(ctx, system.Service, result.Artifacts); err != nil {
		t.say("codemode: %v", err)
		return t.ended(result, exitUsage)
	}
	if j.task == "" && saves(ctx, system.Service, req.Sources, result) {
		t.say("checkpoints were saved without a task, and no later run will find them; --task NAME names one")
	}
	if n := len(result.Artifacts); n > 0 && j.out == "" {
		t.say("%s made and left in the store; --out DIR writes such files", counted(int64(n), "artifact"))
	}
	return t.ended(result)
}

// saves reports a run that has saved a checkpoint. The journal is read only of scripts that speak of one.
func saves(ctx context.Context, service *runtime.Service, sources []runtime.Source, r runtime.Result) bool {
	speaks := func(s runtime.Source) bool { return strings.Contains(s.Text, "checkpoint") }
	if r.Receipt == "" || !slices.ContainsFunc(sources, speaks) {
		return false
	}
	entries, err := service.Store.Journal(ctx, r.RunID)
	return err == nil && slices.ContainsFunc(entries, func(e runtime.Entry) bool { return e.Kind == runtime.EntryCheckpoint })
}

func (j job) config(t *terminal, check runtime.CheckMode) assemble.Config {
	return assemble.Config{Directory: j.directory, Store: j.store, Check: check, SelfWorker: true, Once: true, Modules: j.modules, Require: j.require, Progress: t.progress, Functions: functions(), MCPServers: j.servers.named, Secrets: t.secret, Log: t.log()}
}

// maxLeftOut is how many malformed rows are named before the rest is left to codemode lint.
const maxLeftOut = 3

// leftOut names the malformed rows of a directory: a script that needs one of them will not find it.
func (t *terminal) leftOut(d *directory.Directory) {
	named, more := 0, 0
	for _, f := range d.Findings {
		switch {
		case f.Severity != directory.SeverityError:
		case named < maxLeftOut:
			t.say("%s", findingLine(f))
			named++
		default:
			more++
		}
	}
	if more > 0 {
		t.say("%d more rows were left out; codemode lint lists them", more)
	}
}

// events shows what happens while a script runs: its console and its progress always, calls on a terminal. With
// --json the script's words stand in the answer and in the journal.
func (t *terminal) events(check runtime.CheckMode) runtime.Events {
	if check == runtime.CheckOff {
		t.say("not checked: --check=off")
	}
	e := runtime.Events{Progress: t.progress, Call: func(c runtime.CallRecord) { t.progress(fmt.Sprintf("call %d %s", c.Seq, c.Method)) }}
	if !t.json {
		e.Console = func(l runtime.ConsoleLine) { t.say("%s", printable(l.Level+": "+l.Text, 0)) }
		e.Progress = func(message string) { t.say("%s", printable("progress: "+message, 0)) }
	}
	return e
}

// ended prints a run's answer and turns its reason into the exit code, unless one is given.
func (t *terminal) ended(r runtime.Result, code ...int) error {
	if t.json {
		if err := t.printJSON(r); err != nil {
			return err
		}
	} else {
		t.explain(r)
	}
	code = append(code, codeOfRun(r))
	if code[0] == exitFinished {
		return nil
	}
	return &exitError{code[0], ""}
}

func (t *terminal) explain(r runtime.Result) {
	for _, d := range r.Diagnostics {
		t.say("%s", diagnosticText(d, r.Sources))
	}
	for _, c := range r.Calls {
		if c.ResultMismatch != "" {
			t.say("%s", mismatchText(c))
		}
	}
	if r.Error != nil && r.Reason != runtime.ReasonCheck {
		t.say("%s", errorText(r))
	}
	if r.State == runtime.Suspended {
		t.printQuestions(r.Questions)
		t.say("suspended: %s to answer; codemode answer %s, then codemode resume %s", counted(int64(len(r.Questions)), "question"), r.RunID, r.RunID)
	}
	if r.State == runtime.Finished && r.Receipt != "" {
		fmt.Fprintln(t.out, string(indented(r.Result)))
	}
	if r.Receipt != "" {
		t.say("%s: %s in %s, receipt %s", r.State, callsText(r), time.Duration(r.Usage.WallMillis)*time.Millisecond, r.Receipt)
	}
}
