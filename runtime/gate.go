package runtime

// This file holds the Gate: the one path that every call takes, in numbered steps. Steps 4 and 6
// (reserve, journal the intent) are one operation of the store, so the policy of step 5 is decided
// before it: a call that waits for a person reserves nothing.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"codemode/directory/contract"
)

// gate lets the calls of one run through.
type gate struct {
	run     *run
	service *Service
	grants  []boundGrant
	methods map[string]contract.Contract // everything granted, by name
	invoker Invoker                      // performs the calls of the run itself; nil means the service's
	untyped bool                         // arguments by position have no types to validate
}

// boundGrant is a grant with what was compiled of it.
type boundGrant struct {
	Grant
	account    string
	conditions map[string]Condition // by method; missing for a later match that does not compile
}

// admission is a call on its way through the gate.
type admission struct {
	contract contract.Contract
	grant    boundGrant
	args     json.RawMessage
	record   CallRecord
	accounts []string
	parent   *admission // the flow call that this is a step of
	depth    int
	steps    int
	bigInts  []string // the places of the result that the script gets as bigint
}

// maxFlowDepth bounds flows that call flows.
const maxFlowDepth = 8

// call takes one call of the script from its stub to its settlement.
func (g *gate) call(ctx context.Context, c StubCall) Settlement {
	a := &admission{record: CallRecord{Seq: c.Seq, Method: c.Method, At: c.At}, args: c.Args}
	result, err := g.pass(ctx, a)
	g.run.quiesce(ctx)
	s := Settlement{Result: result, BigInts: a.bigInts, NowUnixMillis: g.service.Now().UnixMilli()}
	if err != nil {
		s.Result, s.Err = nil, g.shown(a, err)
	}
	return s
}

// shown is the error as the script gets it: with its call and place, without its cause.
func (g *gate) shown(a *admission, err *Error) *Error {
	e := *err
	e.Call, e.Pos, e.Cause = a.record.Method, &a.record.At, nil
	return &e
}

// pass is the gate's eight steps. Whatever happens, the call stands in the run's record.
func (g *gate) pass(ctx context.Context, a *admission) (json.RawMessage, *Error) {
	a.record.CallID, a.record.Started = NewID("call", g.service.Now()), g.service.Now()
	a.record.ArgsSHA256 = argsDigest(a.args)
	if err := g.admit(ctx, a); err != nil {
		g.close(a, "refused", err)
		return nil, err
	}
	defer g.run.leave()
	reply, err := g.invoke(ctx, a)
	if err != nil {
		g.settle(ctx, a, "failed", err)
		return nil, err
	}
	if err := g.judge(a, reply); err != nil {
		g.settle(ctx, a, "failed", err)
		return nil, err
	}
	if err := g.settle(ctx, a, "finished", nil); err != nil {
		return nil, err
	}
	return reply.Result, nil
}

// admit is steps 1 to 6: nothing is invoked unless it returns nil.
func (g *gate) admit(ctx context.Context, a *admission) *Error {
	for _, step := range []func(context.Context, *admission) *Error{
		g.resolve, g.validate, g.authorise, g.policy, g.reserve,
	} {
		if err := step(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

// 1: resolve the stub to its contract. A step of a flow is resolved in the whole directory, since
// the flow's author chose it, but is charged and judged under the flow's own grant.
func (g *gate) resolve(_ context.Context, a *admission) *Error {
	c, ok := g.methods[a.record.Method]
	if a.parent != nil {
		c, ok = a.contract, true
	}
	if !ok {
		return g.notGranted(a.record.Method)
	}
	a.contract = c
	a.record.Effect, a.record.Contract = string(c.Effect), c.Digest
	return nil
}

// notGranted tells a grant that has ended from one that never was.
func (g *gate) notGranted(method string) *Error {
	c, exists := g.service.Surface.ContractNamed(method)
	for _, grant := range g.grants {
		if exists && grant.Covers(c) && grant.Expired(g.service.Now()) {
			return expired(grant)
		}
	}
	return Errorf(NotGranted, "%s is not granted to this run", method)
}

// 2: validate the arguments against the contract's schema.
func (g *gate) validate(_ context.Context, a *admission) *Error {
	if g.untyped && a.parent == nil {
		return nil
	}
	if err := unsafeIntegers(a.contract.Params, a.args); err != nil {
		return err
	}
	if err := g.service.Validator.Validate(contract.ClosedParams(a.contract.Params), a.args); err != nil {
		return AsError(err)
	}
	return nil
}

// 3: find the first grant that permits the call: expiry, operation, resource, condition.
func (g *gate) authorise(_ context.Context, a *admission) *Error {
	if a.parent != nil {
		return g.inherit(a)
	}
	var denied *Error
	for _, grant := range g.grants {
		if !grant.Covers(a.contract) {
			continue
		}
		err := grant.permits(a, g.service.Now())
		if err == nil {
			a.grant, a.record.Grant = grant, grant.account
			return nil
		}
		denied = err
	}
	if denied == nil {
		denied = Errorf(NotGranted, "no grant permits %s", a.record.Method)
	}
	return denied
}

// inherit takes the grant of the call that this is a step of, as long as it lasts.
func (g *gate) inherit(a *admission) *Error {
	a.grant, a.record.Grant = a.parent.grant, a.parent.grant.account
	if a.grant.Expired(g.service.Now()) {
		return expired(a.grant)
	}
	return nil
}

func (b boundGrant) permits(a *admission, now time.Time) *Error {
	if b.Expired(now) {
		return expired(b)
	}
	if b.When == "" {
		return nil
	}
	condition, ok := b.conditions[a.contract.Name]
	if !ok {
		return Errorf(NotGranted, "the condition of the grant does not apply to %s", a.contract.Name)
	}
	holds, err := condition.Holds(a.args)
	if err != nil || !holds {
		return Errorf(NotGranted, "these arguments do not meet the condition of the grant").WithHint("it is: %s", b.When).WithCause(err)
	}
	return nil
}

func expired(b boundGrant) *Error {
	return Errorf(GrantExpired, "the grant expired at %s", b.Expires).WithHint("ask the operator for a new one")
}

// 5: by policy class, reads and permitted writes go on. A decision that any covering grant demands
// is demanded. Nobody can decide within a run yet, so such a call ends it with nothing invoked.
func (g *gate) policy(_ context.Context, a *admission) *Error {
	demanded := a.grant.NeedsDecision(a.contract)
	for _, grant := range g.grants {
		demanded = demanded || grant.Covers(a.contract) && grant.NeedsDecision(a.contract)
	}
	if !demanded {
		return nil
	}
	err := Errorf(NeedsDecision, "%s is %s and a person must decide on it; it was not invoked", a.record.Method, a.contract.Effect).
		WithHint("nobody can be asked during a run yet; leave the call out, or ask the operator for a grant of %s that needs no decision", a.record.Method)
	g.run.halt(ReasonDecision, g.shown(a, err))
	return err
}

// 4 and 6: reserve the budgets and journal the intent, durably before the effect.
func (g *gate) reserve(ctx context.Context, a *admission) *Error {
	if err := g.run.enter(); err != nil {
		return err
	}
	if err := g.intend(ctx, a); err != nil {
		g.run.leave()
		return err
	}
	return nil
}

func (g *gate) intend(ctx context.Context, a *admission) *Error {
	a.accounts = []string{runAccount, a.grant.account}
	entry, err := g.entry(EntryCalled, a.record)
	if err != nil {
		return AsError(err)
	}
	left, err := g.service.Store.BeginCall(ctx, a.record.CallID+"/begin", CallIntent{
		RunID: g.run.id, CallID: a.record.CallID, Epoch: g.run.epoch, Seq: a.record.Seq, Method: a.record.Method,
		Accounts: a.accounts, Charge: map[Dimension]int64{Calls: 1}, Entry: entry, Relaxed: a.relaxed(),
	})
	if err != nil {
		return g.storeFailed(a, err)
	}
	a.record.Before = returned(left, Calls, 1)
	return nil
}

// relaxed lets the record of a read reach the disk later: a read can be repeated. A write waits for
// the disk, and for all that was recorded before it.
func (a *admission) relaxed() bool { return a.contract.Effect == contract.Read }

// storeFailed ends the run when the store is gone: what can't be recorded must not go on.
func (g *gate) storeFailed(a *admission, err error) *Error {
	e := AsError(err)
	if e.Code != BudgetExhausted && e.Code != Cancelled {
		g.run.stop(ReasonUnavail, g.shown(a, e))
	}
	return e
}

// invoke performs the effect, outside the script.
func (g *gate) invoke(ctx context.Context, a *admission) (Reply, *Error) {
	reply, err := g.performer(a).Invoke(ctx, Invocation{
		RunID: g.run.id, CallID: a.record.CallID, Contract: a.contract, Args: a.args,
		IdempotencyKey: a.record.CallID, Egress: a.grant.Egress,
		MaxResultBytes: g.run.limits.ResultBytes, Step: g.step(a),
	})
	if err != nil {
		return Reply{}, g.invokeFailed(ctx, err)
	}
	if int64(len(reply.Result)) > g.run.limits.ResultBytes {
		return Reply{}, Errorf(ResultTooLarge, "the result is over %d bytes", g.run.limits.ResultBytes).WithHint("ask for less: a filter, a page, fewer fields")
	}
	if !json.Valid(reply.Result) {
		return Reply{}, Errorf(RemoteFailed, "the result is not JSON")
	}
	a.record.Status = reply.Status
	return reply, nil
}

func (g *gate) performer(a *admission) Invoker {
	if g.invoker != nil && a.parent == nil {
		return g.invoker
	}
	return g.service.Invoker
}

func (g *gate) invokeFailed(ctx context.Context, err error) *Error {
	var known *Error
	switch {
	case errors.As(err, &known):
		return known
	case ctx.Err() != nil:
		return Errorf(Cancelled, "the run ended before the call did").WithCause(err)
	}
	return AsError(err)
}

// 7: a declared result type is a claim. A mismatch leaves the value as it came, and is recorded. An
// error is a result that no script could be given.
func (g *gate) judge(a *admission, reply Reply) *Error {
	a.record.ResultSHA256 = valueDigest(reply.Result)
	places, misfit, err := bigInts(a.contract.Result, reply.Result)
	if err != nil {
		return err
	}
	a.bigInts = places
	if isTrueSchema(a.contract.Result) {
		a.record.ResultState = "unknown"
		return nil
	}
	a.record.ResultState = "valid"
	if misfit != "" {
		a.record.ResultState, a.record.ResultMismatch = "mismatch", misfit
	}
	if err := g.service.Validator.ValidateResult(a.contract.Result, reply.Result); err != nil {
		a.record.ResultState, a.record.ResultMismatch = "mismatch", AsError(err).Message
	}
	return nil
}

// 8: settle the budgets and journal the outcome, also when the run is being cancelled.
func (g *gate) settle(ctx context.Context, a *admission, state string, failed *Error) *Error {
	g.finishRecord(a, state, failed)
	entry, err := g.entry(EntrySettled, a.record)
	if err == nil {
		var left Balance
		left, err = g.service.Store.EndCall(context.WithoutCancel(ctx), a.record.CallID+"/end", CallOutcome{
			RunID: g.run.id, CallID: a.record.CallID, Epoch: g.run.epoch, Accounts: a.accounts, Entry: entry, Relaxed: a.relaxed(),
		})
		a.record.After = BudgetSnaps(left)
	}
	g.run.record(a.record)
	if err != nil {
		return g.storeFailed(a, fmt.Errorf("the call was made but its outcome could not be recorded: %w", err))
	}
	return nil
}

// close records a call that nothing was reserved or invoked for.
func (g *gate) close(a *admission, state string, failed *Error) {
	g.finishRecord(a, state, failed)
	g.run.record(a.record)
}

func (g *gate) finishRecord(a *admission, state string, failed *Error) {
	a.record.State = state
	a.record.Duration = g.service.Now().Sub(a.record.Started).Milliseconds()
	if failed != nil {
		a.record.Code, a.record.Status = failed.Code, failed.Status
	}
}

// step lets a flow call its rows through the gate, under the flow's own grant.
func (g *gate) step(parent *admission) func(context.Context, string, string, json.RawMessage) (json.RawMessage, error) {
	return func(ctx context.Context, key, operation string, args json.RawMessage) (json.RawMessage, error) {
		c, ok := g.service.contractByKey(key, operation)
		if !ok {
			return nil, Errorf(NotFound, "the flow's step %s names no row of the directory", strings.TrimSuffix(key+" "+operation, " "))
		}
		if parent.depth+1 > maxFlowDepth {
			return nil, Errorf(Refused, "flows call each other more than %d deep", maxFlowDepth)
		}
		parent.steps++
		a := &admission{parent: parent, contract: c, args: args, depth: parent.depth + 1, record: CallRecord{
			Seq: parent.record.Seq, Step: parent.steps, Parent: parent.record.CallID, Method: c.Name, At: parent.record.At,
		}}
		result, err := g.pass(ctx, a)
		if err != nil {
			return nil, err
		}
		return result, nil
	}
}

func (g *gate) entry(kind EntryKind, data any) (Entry, error) {
	raw, err := json.Marshal(data)
	return Entry{Kind: kind, At: g.service.Now(), Data: raw}, err
}

// argsDigest is over the canonical bytes, so that the same arguments have the same digest.
func argsDigest(args json.RawMessage) string { return valueDigest(args) }

func valueDigest(v json.RawMessage) string {
	canonical, err := contract.Canonical(v)
	if err != nil {
		canonical = v // not canonical JSON: the digest is of the bytes as they came
	}
	return contract.Digest(canonical)
}

func isTrueSchema(s json.RawMessage) bool {
	t := strings.TrimSpace(string(s))
	return t == "" || t == "true" || t == "{}"
}

// returned is a balance as it was before n of the dimension were taken.
func returned(left Balance, d Dimension, n int64) BudgetSnaps {
	before := BudgetSnaps{}
	for account, budget := range left {
		was := Budget{}
		for dim, amount := range budget {
			if dim == d {
				amount += n
			}
			was[dim] = amount
		}
		before[account] = was
	}
	return before
}
