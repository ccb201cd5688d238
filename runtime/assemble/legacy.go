package assemble

// This file lets the calls of the legacy surface through the same Gate as those of scripts.

import (
	"context"

	"codemode/runtime"
	"codemode/runtime/legacy"
)

// Legacy is the stringly surface of the system's directory under the given grants.
func (s *System) Legacy(grants []runtime.Grant) *legacy.Dispatcher {
	return legacy.New(legacy.Config{Rows: s.Directory.Rows, Contracts: s.Surface.Contracts, Gate: legacyGate{s, grants}})
}

type legacyGate struct {
	system *System
	grants []runtime.Grant
}

// Pass makes a run of one call. What a caller gives by position is bound by name for the grants'
// conditions and the receipt, and performed by position, as the old surface always did.
func (g legacyGate) Pass(ctx context.Context, c legacy.Call) (runtime.Reply, error) {
	inv := g.system.Invoker
	named, err := inv.BindPositional(runtime.Invocation{Contract: c.Contract}, c.Args)
	if err != nil {
		return runtime.Reply{}, err
	}
	result := g.system.Service.Call(ctx, runtime.CallRequest{
		Method: c.Contract.Name, Args: named, Grants: g.grants, Untyped: true,
		Invoker: inv.Positional(c.Contract.Key, c.Contract.Operation, c.Args),
	})
	if result.Error != nil {
		return runtime.Reply{}, result.Error
	}
	reply := runtime.Reply{Result: result.Result}
	if len(result.Calls) > 0 {
		reply.Status = result.Calls[0].Status
	}
	return reply, nil
}
