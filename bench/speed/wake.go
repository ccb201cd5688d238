package speed

// This file measures how long two processes take to wake each other.

import (
	"io"
	"os/exec"
	"time"

	"codemode/bench"
)

// wake is the median time in microseconds of a byte to another process and back over pipes, 0 where
// there is no cat.
func wake() float64 {
	cat := exec.Command("cat")
	in, err := cat.StdinPipe()
	if err != nil {
		return 0
	}
	out, err := cat.StdoutPipe()
	if err != nil {
		return 0
	}
	if err := cat.Start(); err != nil {
		return 0
	}
	var timer bench.Timer
	for b := []byte{1}; timer.Rounds() < 2000; {
		begun := time.Now()
		if _, err := in.Write(b); err != nil {
			break
		}
		if _, err := io.ReadFull(out, b); err != nil {
			break
		}
		timer.Add(time.Since(begun))
	}
	_ = in.Close() // it ends
	_ = cat.Wait() // with what it wrote read
	return timer.Percentile(50) * 1000
}
