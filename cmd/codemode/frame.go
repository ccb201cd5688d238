package main

// This file shows the line of a script that something is said about.

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"codemode/runtime"
)

// maxFrame is the longest line that is shown, in UTF-16 units.
const maxFrame = 300

// frame is the author's line with a caret under the column; "" where there is none to show.
func frame(sources []runtime.Source, file string, line, column int) string {
	i := slices.IndexFunc(sources, func(s runtime.Source) bool { return s.Name == file })
	if i < 0 || line < 1 || column < 1 {
		return ""
	}
	lines := strings.Split(sources[i].Text, "\n")
	if line > len(lines) {
		return ""
	}
	text := strings.TrimSuffix(strings.TrimPrefix(lines[line-1], "\uFEFF"), "\r")
	units := utf16.Encode([]rune(lines[line-1]))
	if len(units) > maxFrame || column > len(units)+1 {
		return ""
	}
	number := fmt.Sprint(line)
	return fmt.Sprintf("\n  %s | %s\n  %s | %s^", number, text, strings.Repeat(" ", len(number)), margin(string(utf16.Decode(units[:column-1]))))
}

// margin is as wide as the text before the caret: tabs stay tabs.
func margin(before string) string {
	return strings.Map(func(c rune) rune {
		switch c {
		case '\t':
			return c
		case '\uFEFF':
			return -1
		}
		return ' '
	}, before)
}
