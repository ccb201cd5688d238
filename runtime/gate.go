package runtime

// This file holds the Gate: the one path that every call takes, in numbered steps. The policy of step 5
// is decided before steps 4 and 6 (reserve, journal the intent): a call that waits for a person reserves
// nothing.

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
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
	closed  sync.Map                     // the closed schemas of arguments (json.RawMessage) by method
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
	began    bool       // the intent is in the journal
	parent   *admission // the flow call that this is a step of
	depth    int
	steps    int
	stay     *stay    // the room that its result takes
	bigInts  []string // the places of the result that the script gets as bigint
}

// maxHeldBytes is how much of a result is kept to be read in parts, when it is too large for the script.
const maxHeldBytes = 16 << 20

// maxFlowDepth bounds flows that call flows.
const maxFlowDepth = 8

// call takes one call of the script from its stub to its settlement, and says whether that must be on
// the disk before the script sees it.
func (g *gate) call(ctx context.Context, c StubCall, stay *stay) (CallEntry, bool) {
	a := &admission{stay: stay, record: CallRecord{Seq: c.Seq, Method: c.Method, At: c.At}, args: c.Args}
	result, err := g.pass(ctx, a)
	g.run.quiesce(ctx)
	e := entryOf(c)
	e.Record, e.Result, e.BigInts = &a.record, result, a.bigInts
	if err != nil {
		e.Result, e.BigInts, e.Err = nil, nil, g.shown(a, err)
	}
	return e, a.began && !a.relaxed()
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
		state := "refused"
		if a.began {
			state = "failed"
		}
		g.close(a, state, err)
		return nil, err
	}
	defer g.run.leave()
	reply, err := g.invoke(ctx, a)
	if err == nil {
		err = g.judge(a, reply)
	}
	if err != nil {
		g.settle(a, "failed", err)
		return nil, err
	}
	g.settle(a, "finished", nil)
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
	closed, ok := g.closed.Load(a.contract.Name)
	if !ok {
		closed, _ = g.closed.LoadOrStore(a.contract.Name, contract.ClosedParams(a.contract.Params))
	}
	if err := g.service.Validator.Validate(closed.(json.RawMessage), a.args); err != nil {
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

// 4 and 6: reserve the budgets and journal the intent, that of a write durably before the effect.
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
	if was, ok := g.run.past.begun(a.record.Seq); ok && a.parent == nil {
		return g.repeat(a, was)
	}
	before, after, err := g.run.accounts.reserve(a.accounts, map[Dimension]int64{Calls: 1})
	if err != nil {
		return err
	}
	a.record.Before, a.record.After = before, after
	e := CallEntry{Seq: a.record.Seq, Method: a.record.Method, ArgsSHA256: a.record.ArgsSHA256, At: a.record.At, Record: &a.record}
	if err := g.run.record(ctx, EntryCalled, e, !a.relaxed()); err != nil {
		failed := AsError(err)
		g.run.stop(ReasonUnavail, g.shown(a, failed))
		return failed
	}
	a.began = true
	return nil
}

// repeat lets a call go on that began in another process, which died before it recorded the outcome. A
// read is made again, and so is a write whose destination knows its key. Of any other write nobody
// knows whether it happened.
func (g *gate) repeat(a *admission, was CallRecord) *Error {
	a.record.CallID, a.record.Started, a.record.Before, a.began = was.CallID, was.Started, was.Before, true
	if a.relaxed() || a.contract.Idempotency != "" && a.contract.Idempotency != contract.IdempotencyNone {
		return nil
	}
	return Errorf(OutcomeUnknown, "the service ended while %s was under way; whether it happened is not known", a.record.Method).
		WithHint("look at the destination before you make the call again")
}

// relaxed lets the record of a read reach the disk later: a read can be repeated. A write waits for
// the disk, and for all that was recorded before it.
func (a *admission) relaxed() bool { return a.contract.Effect == contract.Read }

// invoke performs the effect, outside the script.
func (g *gate) invoke(ctx context.Context, a *admission) (Reply, *Error) {
	reply, err := g.performer(a).Invoke(ctx, Invocation{
		RunID: g.run.id, CallID: a.record.CallID, Contract: a.contract, Args: a.args,
		IdempotencyKey: a.record.CallID, Egress: a.grant.Egress,
		MaxResultBytes: max(g.run.limits.ResultBytes, maxHeldBytes), Room: a.stay.grow, Step: g.step(a),
	})
	if err == nil {
		err = a.stay.grow(ctx, int64(len(reply.Result)))
	}
	if err != nil {
		return Reply{}, g.invokeFailed(ctx, err)
	}
	if !json.Valid(reply.Result) {
		return Reply{}, Errorf(RemoteFailed, "the result is not JSON")
	}
	a.record.Status = reply.Status
	if int64(len(reply.Result)) > g.run.limits.ResultBytes {
		a.record.ResultSHA256 = contract.Digest(reply.Result)
		return Reply{}, g.run.setAside(ctx, reply.Result)
	}
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

// 8: settle the budgets and record the outcome. What the script made is journaled when it is delivered;
// a step of a flow, which no script sees, at once.
func (g *gate) settle(a *admission, state string, failed *Error) {
	a.record.After = g.run.accounts.balance(a.accounts)
	g.close(a, state, failed)
}

// close records how a call ended.
func (g *gate) close(a *admission, state string, failed *Error) {
	g.finishRecord(a, state, failed)
	g.service.logCause(g.run.id, a.record, failed)
	if a.parent != nil {
		e := CallEntry{Seq: a.record.Seq, Method: a.record.Method, ArgsSHA256: a.record.ArgsSHA256, At: a.record.At, Record: &a.record}
		if err := g.run.record(context.Background(), EntrySettled, e, a.began && !a.relaxed()); err != nil {
			g.run.stop(ReasonUnavail, g.shown(a, AsError(err)))
		}
	}
	g.run.keep(a.record)
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
		stay := g.service.Room.enter(g.run.limits.ResultBytes)
		defer stay.leave()
		a := &admission{parent: parent, stay: stay, contract: c, args: args, depth: parent.depth + 1, record: CallRecord{
			Seq: parent.record.Seq, Step: parent.steps, Parent: parent.record.CallID, Method: c.Name, At: parent.record.At,
		}}
		result, err := g.pass(ctx, a)
		if err != nil {
			return nil, err
		}
		return result, nil
	}
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
