package contract

// This file holds the closed vocabularies of a contract.

// Effect says what a call may change.
type Effect string

const (
	// Read changes nothing that another caller can observe.
	Read Effect = "read"
	// Reversible changes something and names the Undo that restores it. Only ever declared.
	Reversible Effect = "reversible"
	// Irreversible is what every operation is that is not known to be milder.
	Irreversible Effect = "irreversible"
)

// Placement says where the effect happens.
type Placement string

const (
	Pure   Placement = "pure"   // a Go function in the service, no input or output
	Remote Placement = "remote" // over the network, by the service
	Local  Placement = "local"  // a program in a sandbox
)

// Idempotency says how a repeated call is recognised by the destination.
type Idempotency string

const (
	IdempotencyNone     Idempotency = "none"
	IdempotencyHeader   Idempotency = "header"   // an Idempotency-Key header
	IdempotencyArgument Idempotency = "argument" // a parameter carries the key
)

// Provenance says where a field of a contract came from, strongest first.
type Provenance string

const (
	FromSchema   Provenance = "schema"   // an input_schema or output_schema of the row
	FromTemplate Provenance = "template" // a slot of the executable template
	FromArgs     Provenance = "args"     // an argument list or ARGS line
	FromExample  Provenance = "example"  // a worked example
	FromProse    Provenance = "prose"    // words of the description
	FromObserved Provenance = "observed" // recorded results
	FromNone     Provenance = "none"     // nothing said it; the field is a default
)
