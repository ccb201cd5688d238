package confine

// Attempt is one thing that a locked-in process tried and must not be able to do.
type Attempt struct {
	// Name says what was tried: "read a file".
	Name string `json:"name"`
	// Held says that the system refused it.
	Held bool `json:"held"`
	// Said is the system's answer.
	Said string `json:"said,omitempty"`
}

// Probe is what a process that has locked itself in found out.
type Probe struct {
	Report   Report    `json:"report"`
	Attempts []Attempt `json:"attempts"`
	// Versions are those of the modules that the process is built of, to be compared with its service's.
	Versions map[string]string `json:"versions,omitempty"`
}

// Lost are the names of the attempts that were not held.
func (p Probe) Lost() []string {
	var out []string
	for _, a := range p.Attempts {
		if !a.Held {
			out = append(out, a.Name)
		}
	}
	return out
}
