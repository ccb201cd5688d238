package runtime

// This file holds what a script asks of the service itself: to wait, to ask a person, to find methods, to
// keep a value for a later run, to read a large result in parts.

import (
	"context"
	"encoding/json"
	"unicode/utf8"

	"codemode/directory/contract"
)

// Found is one method that a search found.
type Found struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Declaration string `json:"declaration"`
}

const (
	// maxCheckpoint bounds one saved value, and maxPart one part of a result, in bytes.
	maxCheckpoint = 1 << 20
	maxPart       = 256 << 10
	// maxKept bounds what a run may have kept of checkpoints, and read of large results, in bytes: the store
	// has both, and no budget counts them.
	maxKept = 64 << 20
	// defaultPart is how much of a result is read at once where the script does not say.
	defaultPart  = 64 << 10
	defaultFound = 5
	maxFound     = 20
)

// ask journals a question; its answer comes from outside, perhaps to another process.
func (r *run) ask(ctx context.Context, c StubCall, settle func(Settlement)) {
	e := entryOf(c)
	asked, value := r.past.asked(c.Seq)
	if value != nil {
		e.Result = value
		r.inFlight.Go(func() { r.deliver(ctx, e, false, settle) })
		return
	}
	if !asked {
		if err := r.record(ctx, EntryCalled, e, false); err != nil {
			r.stop(ReasonUnavail, AsError(err))
		}
	}
	r.inFlight.Go(func() { r.postpone(settle) })
}

// postpone tells the script's side that a call waits for a person.
func (r *run) postpone(settle func(Settlement)) {
	r.order.Lock()
	defer r.order.Unlock()
	if !r.over {
		settle(Settlement{Pending: true})
	}
}

// help does the helpers that settle by themselves.
func (r *run) help(ctx context.Context, c StubCall, stay *stay) CallEntry {
	e := entryOf(c)
	var err *Error
	switch c.Helper {
	case HelperSearch:
		e.Result, err = r.search(ctx, c.Args)
	case HelperSave:
		e.Result, err = r.save(ctx, c)
	case HelperLoad:
		e.Result, err = r.load(ctx, c.Args)
	case HelperRead:
		e.Result, err = r.part(ctx, c.Args, stay)
	default:
		err = Errorf(Internal, "there is no helper %q", c.Helper)
	}
	if err != nil {
		shown := *err
		shown.Call, shown.Pos, shown.Cause = string(c.Helper), &c.At, nil
		e.Result, e.Err = nil, &shown
	}
	return e
}

func (r *run) search(ctx context.Context, args json.RawMessage) (json.RawMessage, *Error) {
	var q struct {
		Query string
		Limit int
	}
	if err := json.Unmarshal(args, &q); err != nil {
		return nil, Errorf(InvalidArgument, "directory.search takes a text and a number").WithHint(`write directory.search("list invoices", 5)`)
	}
	if r.service.Search == nil {
		return nil, Errorf(Unavailable, "this service has no search")
	}
	if q.Limit <= 0 {
		q.Limit = defaultFound
	}
	found := r.service.Search(ctx, q.Query, min(q.Limit, maxFound), r.methods)
	if found == nil {
		found = []Found{}
	}
	return asJSON(found)
}

func (r *run) save(ctx context.Context, c StubCall) (json.RawMessage, *Error) {
	var v struct {
		Name  string
		Value json.RawMessage
	}
	switch err := json.Unmarshal(c.Args, &v); {
	case err != nil || v.Name == "" || len(v.Name) > 200:
		return nil, Errorf(InvalidArgument, "a checkpoint has a name of 1 to 200 bytes").WithHint(`write checkpoint.save("page", n)`)
	case len(v.Value) > maxCheckpoint:
		return nil, Errorf(InvalidArgument, "the value is larger than %d bytes", maxCheckpoint).WithHint("save less, such as where to go on")
	}
	if err := r.spend(len(v.Value)); err != nil {
		return nil, err
	}
	point := Checkpoint{Task: r.shelf(), Name: v.Name, RunID: r.id, Basis: r.basis, Value: v.Value, At: r.service.Now()}
	if err := r.service.Store.SaveCheckpoint(ctx, r.journal.op("save", c.Seq), r.journal.epoch, point); err != nil {
		return nil, AsError(err)
	}
	point.Value = nil
	if err := r.record(ctx, EntryCheckpoint, point, false); err != nil {
		return nil, AsError(err)
	}
	return json.RawMessage("null"), nil
}

// shelf is where the checkpoints of the run's task are. A task's name is its principal's own: another's of the
// same name is another task.
func (r *run) shelf() string { return r.principal + "/" + r.task }

// spend counts what the store gets of checkpoints and parts of results.
func (r *run) spend(bytes int) *Error {
	if r.kept.Add(int64(bytes)) <= maxKept {
		return nil
	}
	return Errorf(BudgetExhausted, "checkpoints and parts of results came to more than %d bytes", int64(maxKept)).
		WithHint("save less often, and ask a method for less: a filter, a page, fewer fields")
}

// load refuses a value that was made under another script, other inputs or other contracts.
func (r *run) load(ctx context.Context, args json.RawMessage) (json.RawMessage, *Error) {
	var q struct{ Name string }
	if err := json.Unmarshal(args, &q); err != nil || q.Name == "" {
		return nil, Errorf(InvalidArgument, "checkpoint.load takes a name").WithHint(`write checkpoint.load("page")`)
	}
	point, err := r.service.Store.Checkpoint(ctx, r.shelf(), q.Name)
	if err != nil {
		if AsError(err).Code == NotFound {
			return json.RawMessage("{}"), nil
		}
		return nil, AsError(err)
	}
	if changed := point.Basis.changed(r.basis); changed != "" {
		return nil, Errorf(Conflict, "checkpoint %.100q was saved under another %s (by run %s)", q.Name, changed, point.RunID).
			WithHint("what it says may not hold any more: catch this and begin anew, then save again")
	}
	return asJSON(struct {
		Value json.RawMessage `json:"value"`
	}{point.Value})
}

// changed names what differs.
func (b Basis) changed(now Basis) string {
	switch {
	case b.Script != now.Script:
		return "script"
	case b.Inputs != now.Inputs:
		return "set of inputs"
	case b.Contracts != now.Contracts:
		return "set of contracts"
	}
	return ""
}

// part reads a piece of a result that was too large for the script, cut between characters.
func (r *run) part(ctx context.Context, args json.RawMessage, stay *stay) (json.RawMessage, *Error) {
	var q struct {
		Handle        string
		Offset, Bytes int64
	}
	if err := json.Unmarshal(args, &q); err != nil || !r.holds(q.Handle) {
		return nil, Errorf(NotFound, "this run has no result %.100q", q.Handle).WithHint("take the handle from the ToolError of the call")
	}
	if err := stay.grow(ctx, maxHeldBytes); err != nil {
		return nil, Errorf(Cancelled, "the run ended before the result was read").WithCause(err)
	}
	text, err := r.service.Store.Blob(ctx, q.Handle)
	if err != nil {
		return nil, AsError(err)
	}
	if q.Bytes <= 0 {
		q.Bytes = defaultPart
	}
	size := int64(len(text))
	from := boundary(text, min(max(q.Offset, 0), size))
	to := boundary(text, min(from+min(q.Bytes, maxPart), size))
	if to == from && to < size {
		to = boundary(text, min(from+utf8.UTFMax, size))
	}
	piece := struct {
		Text  string `json:"text"`
		Next  int64  `json:"next,omitempty"`
		Bytes int64  `json:"bytes"`
	}{Text: string(text[from:to]), Bytes: size}
	if to < size {
		piece.Next = to
	}
	if err := r.spend(len(piece.Text)); err != nil {
		return nil, err
	}
	return asJSON(piece)
}

// boundary is the start of the character that the byte at i belongs to.
func boundary(text []byte, i int64) int64 {
	for i > 0 && i < int64(len(text)) && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}

// setAside keeps a result that is too large for the script, and returns the error that names it.
func (r *run) setAside(ctx context.Context, result json.RawMessage) *Error {
	e := Errorf(ResultTooLarge, "the result is %d bytes, over %d", len(result), r.limits.ResultBytes).WithHint("ask for less: a filter, a page, fewer fields")
	digest := contract.Digest(result)
	if err := r.service.Store.PutBlob(ctx, digest, result); err != nil {
		return e.WithCause(err)
	}
	r.mu.Lock()
	r.held[digest] = true
	r.mu.Unlock()
	e.Handle = digest
	return e.WithHint("ask for less (a filter, a page, fewer fields), or read it in parts: results.read(error.handle, 0)")
}

// holds reports whether the handle is of a result of this run: a digest alone opens nothing.
func (r *run) holds(handle string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.held[handle]
}

func asJSON(v any) (json.RawMessage, *Error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, AsError(err)
	}
	return raw, nil
}
