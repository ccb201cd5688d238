package confine

// This file holds what a service does to the processes that it starts, from outside: it starts them under
// a user id without rights, and in control groups of their own.
//
//	outside := confine.NewOutside(confine.OutsideConfig{})
//	defer outside.Close()
//	hold, err := outside.Enter(cmd) // then cmd.Start
//	...
//	err = hold.Started(cmd.Process.Pid)
//	...                             // and once it is reaped:
//	hold.Close()

// Nobody is the user and group id that processes of a service which runs as root get.
const Nobody = 65534

// OutsideConfig says what to hold processes by.
type OutsideConfig struct {
	// User and Group are the ids of the processes, where the service runs as root; 0 means Nobody.
	User, Group uint32
	// MemoryBytes is what the group of a process may hold until LimitMemory says less or more; 0 sets no limit.
	MemoryBytes int64
	// Processes is how many processes and threads a group may have; 0 means 64. A Go program needs one for
	// each processor, and one for each call that the kernel keeps waiting. There is no RLIMIT_NPROC beside
	// it: that counts all processes of a user id, those of other services and containers too, so that any
	// number is either too many for one worker or too few for all of them.
	Processes int
}

func (c OutsideConfig) withDefaults() OutsideConfig {
	if c.User == 0 {
		c.User = Nobody
	}
	if c.Group == 0 {
		c.Group = Nobody
	}
	if c.Processes == 0 {
		c.Processes = 64
	}
	return c
}

// groupSlack is what a group may hold beyond a process's own limit: the pages of its program, the kernel's
// own, and pipes. The process's own limit is reached first, and says what happened.
const groupSlack = 64 << 20

// Cause is a part of Outside that is not there: its name, why, and what to do about it.
type Cause struct {
	Name string `json:"name"`
	Why  string `json:"why"`
	Hint string `json:"hint,omitempty"`
}
