package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/runtime"
)

// scriptName is the name of the script's one file, as places in the answer give it.
const scriptName = "main.ts"

// run takes a script to its answer. It is an error unless the run finished.
func (s *Server) run(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	job, err := readJob(req.Params.Arguments, s.c.Limits)
	if err != nil {
		return failure(err), nil
	}
	return s.perform(ctx, req, func(events runtime.Events) runtime.Result {
		return s.c.Runner.Run(ctx, runtime.Request{
			Sources: []runtime.Source{{Name: scriptName, Text: job.script}}, Inputs: job.inputs, Task: job.task,
			Grants: s.c.Grants, Check: s.c.Check, Events: events,
		})
	})
}

// resume goes on with a run that was suspended.
func (s *Server) resume(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	runID, err := readRunID(req.Params.Arguments)
	if err != nil {
		return failure(err), nil
	}
	return s.perform(ctx, req, func(events runtime.Events) runtime.Result {
		return s.c.Runner.ResumeUnder(ctx, s.c.Grants, runID, events)
	})
}

// perform gives a run its place, and tells the client how it gets on.
func (s *Server) perform(ctx context.Context, req *sdk.CallToolRequest, do func(runtime.Events) runtime.Result) (*sdk.CallToolResult, error) {
	release, err := s.admit(ctx)
	if err != nil {
		return failure(err), nil
	}
	defer release()
	watch := s.watch(ctx, req)
	defer watch.stop()
	return s.answered(ctx, do(watch.events()))
}

// admit waits for one of the places that runs have. Only so many may wait.
func (s *Server) admit(ctx context.Context) (release func(), err *runtime.Error) {
	if s.waiting.Add(1) > int64(s.c.Limits.Waiting+s.c.Limits.Runs) {
		s.waiting.Add(-1)
		return nil, runtime.Errorf(runtime.Unavailable, "too many runs are going on").WithHint("wait for one to end and send the script again; nothing was done")
	}
	select {
	case s.slots <- struct{}{}:
		return func() { <-s.slots; s.waiting.Add(-1) }, nil
	case <-ctx.Done():
		s.waiting.Add(-1)
		return nil, runtime.Errorf(runtime.Cancelled, "the run was cancelled before it began")
	}
}
