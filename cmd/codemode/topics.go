package main

// This file holds the help topics: what rows, grants and scripts look like.

import (
	"embed"

	"github.com/spf13/cobra"
)

//go:embed topics/*.txt
var topics embed.FS

func topicCommands() []*cobra.Command {
	var out []*cobra.Command
	for _, topic := range []struct{ name, short string }{
		{"rows", "How a directory's rows are written: fields, documentation lines, templates, slots"},
		{"grants", "How a grant is written, and what each field permits"},
		{"scripts", "How a script is written, and what it finds in reach"},
	} {
		text, err := topics.ReadFile("topics/" + topic.name + ".txt")
		must(err)
		long := string(text)
		if topic.name == "grants" {
			long += "\n" + budgetTopic()
		}
		out = append(out, &cobra.Command{Use: topic.name, Short: topic.short, Long: long})
	}
	return out
}
