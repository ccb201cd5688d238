package runtime

// This file holds the receipt: what the service attests of a run, from its journal.

import (
	"context"
	"time"
)

// Receipt is complete evidence of one run: every input by digest, every call with its outcome.
type Receipt struct {
	ReceiptID string    `json:"receipt_id"`
	RunID     string    `json:"run_id"`
	Principal string    `json:"principal"`
	Agent     string    `json:"agent"`
	State     State     `json:"state"`
	Reason    Reason    `json:"reason,omitempty"`
	Error     *Error    `json:"error,omitempty"`
	Started   time.Time `json:"started"`
	Finished  time.Time `json:"finished"`

	// Digests of what the run was a function of.
	ScriptSHA256    string            `json:"script_sha256"`
	BundleSHA256    string            `json:"bundle_sha256,omitempty"`
	ContractsSHA256 string            `json:"contracts_sha256"`
	GrantsSHA256    string            `json:"grants_sha256"`
	InputsSHA256    map[string]string `json:"inputs_sha256,omitempty"`
	ResultSHA256    string            `json:"result_sha256,omitempty"`
	// Check is the mode and the checker's version; "off" when there was none.
	Check string `json:"check"`

	Calls []CallRecord `json:"calls"`
	// Settlements is how many the script took, in the order of the journal: what is recorded behind them
	// settled as it was ending, and did not reach it.
	Settlements int               `json:"settlements"`
	Usage       Usage             `json:"usage"`
	Budgets     map[string]Budget `json:"budgets"` // what was left at the end, by account
	Artifacts   []Artifact        `json:"artifacts,omitempty"`
	Truncated   Truncated         `json:"truncated"`
	Versions    map[string]string `json:"versions"` // codemode, typescript, esbuild, goja
	// Signed is false: this receipt is a record of the store, not yet a signature.
	Signed bool `json:"signed"`
}

// CallRecord is one call in a receipt and in a run's answer.
type CallRecord struct {
	Seq int `json:"seq"`
	// Step and Parent are set for a step of a flow: its number, and the call id of the flow.
	Step   int    `json:"step,omitempty"`
	Parent string `json:"parent,omitempty"`
	CallID string `json:"call_id"`
	Method string `json:"method"`
	// State is "finished", "failed" or "refused" (nothing was invoked).
	State string `json:"state"`
	Code  Code   `json:"code,omitempty"`
	// ResultState is "valid", "mismatch", "unknown" (no type declared) or "".
	ResultState    string      `json:"result_state,omitempty"`
	ResultMismatch string      `json:"result_mismatch,omitempty"`
	Effect         string      `json:"effect,omitempty"`
	Contract       string      `json:"contract_sha256,omitempty"`
	ArgsSHA256     string      `json:"arguments_sha256,omitempty"`
	ResultSHA256   string      `json:"result_sha256,omitempty"`
	Status         int         `json:"status,omitempty"`
	Started        time.Time   `json:"started"`
	Duration       int64       `json:"duration_ms"`
	At             Pos         `json:"at"`
	Grant          string      `json:"grant,omitempty"`
	Before         BudgetSnaps `json:"budget_before,omitempty"`
	After          BudgetSnaps `json:"budget_after,omitempty"`
}

// BudgetSnaps is what is left by account.
type BudgetSnaps map[string]Budget

// Usage is what a run consumed.
type Usage struct {
	Calls       int64 `json:"calls"`
	CPUMillis   int64 `json:"cpu_ms"`
	WallMillis  int64 `json:"wall_ms"`
	MemoryBytes int64 `json:"memory_bytes"`
	OutputBytes int64 `json:"output_bytes"`
}

// Truncated flags what was cut, so that nobody takes a part for the whole.
type Truncated struct {
	Console bool `json:"console"`
}

// Artifact is an accepted output file. Its bytes are in the store, by their digest.
type Artifact struct {
	Path      string `json:"path"`
	MediaType string `json:"media_type"`
	Bytes     int64  `json:"bytes"`
	SHA256    string `json:"sha256"`
}

// Artifact returns the bytes of one, by its digest. They may be many: hold those of one at a time.
func (s *Service) Artifact(ctx context.Context, sha256 string) ([]byte, *Error) {
	bytes, err := s.Store.Blob(ctx, sha256)
	if err != nil {
		return nil, AsError(err)
	}
	return bytes, nil
}

// notKept is the error of a script's write whose bytes the store did not take.
func (s *Service) notKept(runID, path string, err error) *Error {
	if s.Log != nil {
		s.Log.Error("artifact not kept", "run", runID, "path", path, "cause", err)
	}
	failed := *AsError(err)
	if failed.Code == Internal {
		failed.Code = Unavailable
	}
	failed.Message = "the artifact could not be kept: " + failed.Message
	return &failed
}

// ReceiptSummary is one line of a listing.
type ReceiptSummary struct {
	ReceiptID string    `json:"receipt_id"` // "" for a run without one: it is still running, or its process died
	RunID     string    `json:"run_id"`
	State     State     `json:"state"`
	Reason    Reason    `json:"reason,omitempty"`
	Started   time.Time `json:"started"`
	Calls     int       `json:"calls"` // all that the receipt has; without one, those begun
}
