package runtime

// This file holds the closed states of a run and the reasons it ended.

// State is where a run stands.
type State string

const (
	Prepared     State = "prepared"
	Running      State = "running"
	Suspended    State = "suspended"
	Finished     State = "finished"
	Failed       State = "failed"
	WasCancelled State = "cancelled"
	Expired      State = "expired"
)

var transitions = map[State][]State{
	Prepared:  {Running, WasCancelled, Expired, Failed},
	Running:   {Suspended, Finished, Failed, WasCancelled, Expired},
	Suspended: {Running, WasCancelled, Expired},
}

// CanBecome reports whether a run may go from one state to another.
func (s State) CanBecome(next State) bool {
	for _, t := range transitions[s] {
		if t == next {
			return true
		}
	}
	return false
}

// Reason says why a run did not finish. The names of limits are those of their dimensions; "stack" is that
// of stack_frames.
type Reason string

const (
	NoReason        Reason = ""
	ReasonScript    Reason = "script_failed"  // the script threw
	ReasonCheck     Reason = "check_failed"   // nothing ran
	ReasonInput     Reason = "invalid_input"  // a bad script file, input, grant
	ReasonDecision  Reason = "needs_decision" // a call waits for a person
	ReasonDeadlock  Reason = "deadlocked"     // awaits a promise that nobody settles
	ReasonUnawaited Reason = "unawaited_call" // ended before a call it had started
	ReasonWall      Reason = "wall_ms"
	ReasonCPU       Reason = "cpu_ms"
	ReasonMemory    Reason = "memory_bytes"
	ReasonStack     Reason = "stack"
	ReasonSource    Reason = "source_bytes"
	ReasonNesting   Reason = "nesting"
	ReasonCheckTime Reason = "check_ms"
	ReasonCalls     Reason = "calls"
	ReasonOutput    Reason = "output_bytes"
	ReasonArtifacts Reason = "artifact_bytes"
	ReasonFiles     Reason = "artifact_count"
	ReasonArguments Reason = "argument_bytes"
	ReasonResult    Reason = "result_bytes"
	ReasonWorker    Reason = "worker_died"
	ReasonCancelled Reason = "cancelled"
	ReasonExpired   Reason = "expired"     // its deadline passed while nobody held it
	ReasonDiverged  Reason = "diverged"    // a replay went another way than the journal
	ReasonUnavail   Reason = "unavailable" // checker, store or worker could not be had
	ReasonInternal  Reason = "internal"
)

// Limit reports whether the reason is a limit or budget that stopped the run.
func (r Reason) Limit() bool {
	switch r {
	case ReasonDeadlock, ReasonWall, ReasonCPU, ReasonMemory, ReasonStack, ReasonSource, ReasonNesting, ReasonCheckTime,
		ReasonCalls, ReasonOutput, ReasonArtifacts, ReasonFiles, ReasonArguments, ReasonResult:
		return true
	}
	return false
}
