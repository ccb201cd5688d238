package main

// This file holds the commands that take runs up again: answer, resume, replay, cancel.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/user"
	"strings"

	"github.com/spf13/cobra"

	"codemode/runtime"
	"codemode/runtime/assemble"
)

func answerCommand(t *terminal) *cobra.Command {
	var store, by string
	var question int
	cmd := &cobra.Command{
		Use:   "answer RUN [VALUE]",
		Short: "Answer a question that a run waits for",
		Long: `A script may ask a person: const size = await ask("Which size?", {"enum": ["S", "M"]}). When nothing
else is under way its run is suspended. answer without VALUE prints the open questions; with VALUE it
records the answer, and codemode resume goes on. VALUE is JSON that fits the question's schema; what is
not JSON is taken as text.`,
		Example: `  codemode answer run_06f3...
  codemode answer run_06f3... '"M"'
  codemode answer run_06f3... --question 4 true`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			opened, err := assemble.OpenExistingStore(cmd.Context(), store)
			if err != nil {
				return err
			}
			defer opened.Close()
			service := assemble.Clerk(opened)
			if len(args) == 1 {
				return t.questions(cmd.Context(), service, args[0])
			}
			q, failed := service.Answer(cmd.Context(), args[0], question, answerValue(args[1]), by)
			if failed != nil {
				return failed
			}
			if t.json {
				return t.printJSON(q)
			}
			t.say("answered question %d; codemode resume %s goes on when all are answered", q.Seq, args[0])
			return nil
		},
	}
	storeFlag(cmd, &store)
	cmd.Flags().IntVar(&question, "question", 0, "the question's number, where a run asks several")
	cmd.Flags().StringVar(&by, "by", userName(), "who answers")
	return cmd
}

// answerValue is the text as JSON, or as a JSON string.
func answerValue(text string) json.RawMessage {
	if json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	raw, err := json.Marshal(text)
	must(err) // text is a string
	return raw
}

// userName is who runs this, for the record.
func userName() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return "user:" + u.Username
}

func (t *terminal) questions(ctx context.Context, service *runtime.Service, runID string) error {
	open, err := service.Questions(ctx, runID)
	if err != nil {
		return err
	}
	if t.json {
		return t.printJSON(orEmpty(open))
	}
	t.printQuestions(open)
	return nil
}

func (t *terminal) printQuestions(open []runtime.Question) {
	for _, q := range open {
		fmt.Fprintf(t.out, "%d\t%s\t%s\n", q.Seq, cell(q.Question, 2000), cell(string(q.Schema), 2000))
	}
}

func resumeCommand(t *terminal) *cobra.Command {
	j := job{}
	cmd := &cobra.Command{
		Use:   "resume RUN",
		Short: "Go on with a run that waits for answers, or whose process died",
		Long: `resume gives a fresh worker what the run's journal holds, in the same order, and goes on after that.
Nothing that the journal has an outcome of is done again. A read that was under way is made again; a
write that was under way is outcome_unknown, unless its destination recognises the call's key.

The script, its inputs and its grants are those that the run began with, and the directory must offer
the same methods.`,
		Example: `  codemode resume run_06f3... --directory rows/`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return t.takeUp(cmd.Context(), j, args[0], func(ctx context.Context, s *runtime.Service) (runtime.Result, error) {
				return s.Resume(ctx, args[0], t.events("")), nil
			})
		},
	}
	takeUpFlags(cmd, &j)
	return cmd
}

func replayCommand(t *terminal) *cobra.Command {
	j := job{}
	cmd := &cobra.Command{
		Use:   "replay RUN",
		Short: "Repeat a run from its journal, calling nothing",
		Long: `replay runs the script of a run again on the settlements that the run's journal holds, and compares
what it does with what was recorded: every call by its method and arguments, the result, the artifacts.
Nothing is called and nothing is recorded. It ends with code 1 when they differ.`,
		Example: `  codemode replay run_06f3... --directory rows/`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return t.takeUp(cmd.Context(), j, args[0], func(ctx context.Context, s *runtime.Service) (runtime.Result, error) {
				result, replayed := s.Replay(ctx, args[0], t.events(""))
				return result, t.replayed(result, replayed)
			})
		},
	}
	takeUpFlags(cmd, &j)
	return cmd
}

// replayed tells of a repetition; its error ends the command in the place of the result.
func (t *terminal) replayed(result runtime.Result, r runtime.Replayed) error {
	if result.Error != nil && r.Recorded == 0 && !r.Identical {
		return nil // it did not begin; the result says why
	}
	if t.json {
		if err := t.printJSON(map[string]any{"replayed": r, "result": result}); err != nil {
			return err
		}
	} else {
		if result.Error != nil {
			t.explain(result) // how the run failed is repeated too
		}
		for _, d := range r.Differences {
			t.say("%s", printable(d, 0))
		}
		t.say("%s of %d repeated", counted(int64(r.Settlements), "settlement"), r.Recorded)
	}
	if !r.Identical {
		return &exitError{exitScript, "the repetition differs from the run"}
	}
	if !t.json {
		fmt.Fprintln(t.out, "identical")
	}
	return &exitError{exitFinished, ""}
}

func takeUpFlags(cmd *cobra.Command, j *job) {
	directoryFlag(cmd, &j.directory)
	storeFlag(cmd, &j.store)
	serversFlag(cmd, &j.servers)
	modulesFlag(cmd, &j.modules)
	cmd.Flags().StringVarP(&j.out, "out", "o", "", "the folder that artifacts are written to")
	must(cmd.MarkFlagDirname("out"))
}

// takeUp opens a system on an existing store and prints what became of the run.
func (t *terminal) takeUp(ctx context.Context, j job, runID string, do func(context.Context, *runtime.Service) (runtime.Result, error)) error {
	if err := runExists(ctx, j.store, runID); err != nil {
		return err
	}
	artifacts, err := openOut(j.out)
	if err != nil {
		return err
	}
	defer artifacts.Close()
	system, err := assemble.Open(ctx, j.config(t, runtime.CheckOff))
	if err != nil {
		return err
	}
	defer system.Close()
	result, err := do(ctx, system.Service)
	t.clear()
	if err != nil {
		return err
	}
	if err := artifacts.write(ctx, system.Service, result.Artifacts); err != nil {
		t.say("codemode: %v", err)
		return t.ended(result, exitUsage)
	}
	return t.ended(result)
}

// runExists refuses a run that is not in the store before anything is opened to go on with it.
func runExists(ctx context.Context, path, runID string) error {
	store, err := assemble.OpenExistingStore(ctx, path)
	if err != nil {
		return err
	}
	_, err = store.Run(ctx, runID)
	return errors.Join(err, store.Close())
}

func cancelCommand(t *terminal) *cobra.Command {
	var store string
	cmd := &cobra.Command{
		Use:   "cancel RUN",
		Short: "End a run",
		Long: `cancel ends a run that waits for answers or whose process died at once, and leaves a receipt of what
had happened. One that is under way is stopped by its process within about a second: its calls are
cancelled, and its receipt says which had already been made.`,
		Example: `  codemode cancel run_06f3...`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opened, err := assemble.OpenExistingStore(cmd.Context(), store)
			if err != nil {
				return err
			}
			defer opened.Close()
			state, failed := assemble.Clerk(opened).Cancel(cmd.Context(), args[0])
			if failed != nil {
				return failed
			}
			if t.json {
				return t.printJSON(map[string]any{"run_id": args[0], "state": state})
			}
			t.say("%s", strings.TrimSpace(cancelText(state)))
			return nil
		},
	}
	storeFlag(cmd, &store)
	return cmd
}

func cancelText(state runtime.State) string {
	switch state {
	case runtime.Running:
		return "its process has been asked to end it"
	case runtime.WasCancelled:
		return "cancelled"
	}
	return "it had ended already: " + string(state)
}
