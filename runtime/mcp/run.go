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
	release, err := s.admit(ctx)
	if err != nil {
		return failure(err), nil
	}
	defer release()
	watch := s.watch(ctx, req)
	defer watch.stop()
	result := s.c.Runner.Run(ctx, runtime.Request{
		Sources: []runtime.Source{{Name: scriptName, Text: job.script}}, Inputs: job.inputs,
		Grants: s.c.Grants, Check: s.c.Check, Events: watch.events(),
	})
	return s.answered(result)
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
