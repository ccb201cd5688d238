package gen

// This file writes unified diffs of generated files, bounded in length and effort.

import (
	"bytes"
	"fmt"
	"strings"
)

const (
	diffContext   = 3
	maxDiffLines  = 400     // of a whole comparison
	maxDiffWidth  = 240     // bytes of one line
	maxDiffMatrix = 4 << 20 // cells of one file's comparison
)

// differ gathers the diff of several files.
type differ struct {
	out     strings.Builder
	lines   int
	dropped int
}

func (d *differ) line(format string, args ...any) {
	if d.lines++; d.lines > maxDiffLines {
		d.dropped++
		return
	}
	text := fmt.Sprintf(format, args...)
	if len(text) > maxDiffWidth {
		text = strings.ToValidUTF8(text[:maxDiffWidth], "") + "..."
	}
	d.out.WriteString(text + "\n")
}

func (d *differ) String() string {
	if d.dropped > 0 {
		return d.out.String() + fmt.Sprintf("... %d more lines\n", d.dropped)
	}
	return d.out.String()
}

func (d *differ) compare(name string, have, want []byte, exists bool) {
	switch {
	case !exists:
		d.line("missing: %s (%d lines)", name, bytes.Count(want, []byte("\n")))
	case !bytes.Equal(have, want):
		d.line("--- %s (on disk)", name)
		d.line("+++ %s (generated)", name)
		d.hunks(script(split(have), split(want)))
	}
}

// split cuts text into lines that keep their ends, so that a missing last newline is a difference.
func split(text []byte) []string {
	lines := strings.SplitAfter(string(text), "\n")
	if last := len(lines) - 1; lines[last] == "" {
		return lines[:last]
	}
	return lines
}

// edit is one line of a diff: ' ' kept, '-' on disk only, '+' generated only.
type edit struct {
	op   byte
	text string
}

// script is the shortest edit from a to b between their common ends; where those leave too much to
// compare, it is a replacement.
func script(a, b []string) []edit {
	var head, tail []edit
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		head, a, b = append(head, edit{' ', a[0]}), a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		tail = append(tail, edit{' ', a[len(a)-1]})
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	out := head
	if len(a)*len(b) <= maxDiffMatrix {
		out = append(out, shortest(a, b)...)
	} else {
		out = append(out, replacement(a, b)...)
	}
	for i := len(tail) - 1; i >= 0; i-- {
		out = append(out, tail[i])
	}
	return out
}

func replacement(a, b []string) []edit {
	var out []edit
	for _, l := range a {
		out = append(out, edit{'-', l})
	}
	for _, l := range b {
		out = append(out, edit{'+', l})
	}
	return out
}

// shortest walks a table of longest common subsequences.
func shortest(a, b []string) []edit {
	width := len(b) + 1
	table := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i*width+j] = table[(i+1)*width+j+1] + 1
			} else {
				table[i*width+j] = max(table[(i+1)*width+j], table[i*width+j+1])
			}
		}
	}
	var out []edit
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			out = append(out, edit{' ', a[i]})
			i, j = i+1, j+1
		case table[(i+1)*width+j] >= table[i*width+j+1]:
			out = append(out, edit{'-', a[i]})
			i++
		default:
			out = append(out, edit{'+', b[j]})
			j++
		}
	}
	return append(out, replacement(a[i:], b[j:])...)
}

// hunks writes the changed places with the lines around them.
func (d *differ) hunks(edits []edit) {
	near := make([]bool, len(edits))
	for i, e := range edits {
		if e.op != ' ' {
			for j := max(0, i-diffContext); j < min(len(edits), i+diffContext+1); j++ {
				near[j] = true
			}
		}
	}
	oldLine, newLine := 1, 1
	for i, e := range edits {
		if near[i] && (i == 0 || !near[i-1]) {
			d.line("%s", hunkHeader(edits[i:], near[i:], oldLine, newLine))
		}
		if near[i] {
			d.line("%c%s", e.op, strings.TrimSuffix(e.text, "\n"))
		}
		if e.op != '+' {
			oldLine++
		}
		if e.op != '-' {
			newLine++
		}
	}
}

func hunkHeader(edits []edit, near []bool, oldLine, newLine int) string {
	oldCount, newCount := 0, 0
	for i, e := range edits {
		if !near[i] {
			break
		}
		if e.op != '+' {
			oldCount++
		}
		if e.op != '-' {
			newCount++
		}
	}
	return fmt.Sprintf("@@ -%d,%d +%d,%d @@", oldLine, oldCount, newLine, newCount)
}
