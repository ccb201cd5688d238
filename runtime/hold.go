package runtime

// This file keeps a run held by the process that carries it.

import (
	"context"
	"time"
)

const (
	// lease is how long a run stays held by a process that is not heard of.
	lease = 10 * time.Second
	// renewEvery is also how soon a run notices that its end was asked for elsewhere.
	renewEvery = time.Second
	// taskLife is how long a run may wait for answers before it expires.
	taskLife = 7 * 24 * time.Hour
)

// hold renews the lease until ctx ends, and ends the run when somebody asked for that or took it over.
func (r *run) hold(ctx context.Context) {
	tick := time.NewTicker(renewEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		cancelled, err := r.service.Store.Renew(ctx, r.id, r.journal.epoch, lease)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && AsError(err).Code == Conflict:
			r.stop(ReasonUnavail, Errorf(Unavailable, "another process has taken the run over").WithCause(err))
		case cancelled:
			r.stop(ReasonCancelled, Errorf(Cancelled, "the run was cancelled"))
		}
	}
}
