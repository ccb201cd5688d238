package worker

// WaitIdle returns when no worker is being started.
func (p *Pool) WaitIdle() { p.starting.Wait() }
