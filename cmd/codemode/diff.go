package main

// This file holds codemode diff.

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"codemode/gen/diff"
)

const (
	maxContractsBytes    = 256 << 20
	maxAcknowledgedBytes = 16 << 20
)

// diffAnswer is the JSON of codemode diff.
type diffAnswer struct {
	diff.Report
	// ToAcknowledge are entries for the acknowledged file, without reason and by.
	ToAcknowledge []diff.Acknowledgement `json:"to_acknowledge"`
}

func diffCommand(t *terminal) *cobra.Command {
	var q diffQuery
	var strict bool
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Say what changed between two versions of a directory, and what widens what scripts may do",
		Long: `diff compares contracts by row and operation. OLD and NEW are each a contracts.json, a folder that
codemode gen wrote, or a directory of rows; a folder with rows and a contracts.json is refused. It exits
1 when a change widens what a call may do or reach and nobody has acknowledged it:

  added      an operation that was not there: a grant may match it
  widened    a new argument or enum value, a looser type, bound or pattern, a larger effect, a new
             destination, another credential, a field that is not sensitive any more, placement pure to
             remote, idempotency lost, or anything else that is sent for the same arguments (source):
             another target, template, header, secret, or step of a flow
  changed    what cannot be decided, or is another thing altogether; it counts as widened
  renamed    another name: another grant may match it
  removed, narrowed, result      scripts may break, nothing widens
  words      documentation only

--acknowledged names a reviewed JSON file, a list of {"name", "from", "to", "reason", "by"}: the method's
name and the digests of its contract before ("" for a new one) and after. An entry matches exactly that
change. --acknowledge FILE --reason TEXT --by NAME adds entries for every widening that is found and not
in the file yet, which it makes where there is none: read the output first, and review the file. A contract that changed in more
than words while its row's version did not rise is reported too; --strict makes that, and an entry that
matches nothing, fail.

An acknowledgement says that exactly this change of this method, what it sends included, was reviewed.
It holds also when the change is taken back and made again; to have that reviewed anew, take the entry
out. --strict sees to it: once the change is in OLD, its entry matches nothing.

Of what a row sends a contract holds a digest alone: the row, whose place is told, says what is
different. Contracts that an older version of codemode made hold none, and count as changed once.`,
		Example: `  codemode diff main/bindings bindings
  codemode diff bindings/contracts.json rows/ --acknowledged reviewed.json
  codemode diff main/bindings rows/ --acknowledge reviewed.json --reason "new endpoint, ticket 41" --by ana
  codemode diff old/ new/ --json`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			if (q.acknowledge == "") != (q.reason == "") || (q.acknowledge == "") != (q.by == "") {
				return &exitError{exitUsage, "--acknowledge FILE, --reason TEXT and --by NAME go together"}
			}
			report, err := compareContracts(args[0], args[1], q.acknowledged)
			if err == nil && q.acknowledge != "" {
				err = t.acknowledge(&report, q)
			}
			if err != nil {
				return err
			}
			return t.compared(report, strict)
		},
	}
	cmd.Flags().StringVar(&q.acknowledged, "acknowledged", "", "the reviewed file of acknowledged widenings")
	must(cmd.MarkFlagFilename("acknowledged", "json"))
	cmd.Flags().StringVar(&q.acknowledge, "acknowledge", "", "the file to add entries to for what nobody has acknowledged")
	must(cmd.MarkFlagFilename("acknowledge", "json"))
	cmd.Flags().StringVar(&q.reason, "reason", "", "with --acknowledge: why the changes are right")
	cmd.Flags().StringVar(&q.by, "by", "", "with --acknowledge: who reviewed them")
	cmd.Flags().BoolVar(&strict, "strict", false, "fail also on a version that did not rise and an acknowledgement that matches nothing")
	return cmd
}

type diffQuery struct{ acknowledged, acknowledge, reason, by string }

// acknowledge adds entries for what is open to a file, and takes the file as reviewed.
func (t *terminal) acknowledge(r *diff.Report, q diffQuery) error {
	var list []diff.Acknowledgement
	if _, err := os.Stat(q.acknowledge); !errors.Is(err, fs.ErrNotExist) {
		if list, err = readAcknowledged("--acknowledge", q.acknowledge); err != nil {
			return err
		}
	}
	text, added, err := r.Acknowledged(list, q.reason, q.by)
	if err != nil {
		return &exitError{exitUsage, "--acknowledge: " + err.Error()}
	}
	if list, err = diff.ParseAcknowledged(text); err != nil {
		return &exitError{exitUsage, fmt.Sprintf("--acknowledge %s: %v", q.acknowledge, err)}
	}
	if added > 0 {
		if err := replaceFile(q.acknowledge, text); err != nil {
			return &exitError{exitUsage, "--acknowledge: " + err.Error()}
		}
	}
	if q.acknowledged == q.acknowledge {
		r.Unused = []diff.Acknowledgement{} // they are told below
	}
	r.Acknowledge(list)
	t.say("%s added to %s", counted(int64(added), "acknowledgement"), printable(q.acknowledge, 0))
	return nil
}

func readAcknowledged(flag, file string) ([]diff.Acknowledgement, error) {
	text, err := readFile(file, maxAcknowledgedBytes)
	if err != nil {
		return nil, &exitError{exitUsage, flag + ": " + err.Error()}
	}
	list, err := diff.ParseAcknowledged(text)
	if err != nil {
		return nil, &exitError{exitUsage, fmt.Sprintf("%s %s: %v", flag, file, err)}
	}
	return list, nil
}

func compareContracts(oldPath, newPath, acknowledged string) (diff.Report, error) {
	old, err := versionAt(oldPath)
	if err != nil {
		return diff.Report{}, err
	}
	now, err := versionAt(newPath)
	if err != nil {
		return diff.Report{}, err
	}
	report, err := diff.Compare(old.contracts, now.contracts)
	if err != nil {
		return diff.Report{}, &exitError{exitUsage, err.Error()}
	}
	report.Explain(now.remarks)
	report.Locate(now.places)
	if acknowledged == "" {
		return report, nil
	}
	list, err := readAcknowledged("--acknowledged", acknowledged)
	if err != nil {
		return diff.Report{}, err
	}
	report.Acknowledge(list)
	return report, nil
}

func (t *terminal) compared(r diff.Report, strict bool) error {
	open := r.Open()
	if t.json {
		answer := diffAnswer{Report: r, ToAcknowledge: []diff.Acknowledgement{}}
		for _, c := range open {
			answer.ToAcknowledge = append(answer.ToAcknowledge, diff.Acknowledgement{Name: c.Name, From: c.From, To: c.To})
		}
		if err := t.printJSON(answer); err != nil {
			return err
		}
	} else if _, err := t.out.Write([]byte(diffText(r))); err != nil {
		return err
	}
	switch {
	case len(open) > 0:
		return &exitError{exitScript, fmt.Sprintf("%s not acknowledged", counted(int64(len(open)), "widening"))}
	case strict && len(r.Stale) > 0:
		return &exitError{exitScript, fmt.Sprintf("%s changed and did not rise", counted(int64(len(r.Stale)), "version"))}
	case strict && len(r.Unused) > 0:
		return &exitError{exitScript, fmt.Sprintf("%s matched nothing", counted(int64(len(r.Unused)), "acknowledgement"))}
	}
	return nil
}

const (
	maxDiffChanges = 40 // of a group, in text
	maxDiffParts   = 8  // of a change
)

// diffText groups the changes by what they mean for a reviewer.
func diffText(r diff.Report) string {
	groups := []struct {
		title string
		holds func(diff.Change) bool
	}{
		{"widened, not acknowledged", func(c diff.Change) bool { return c.Widens && c.Acknowledged == nil }},
		{"widened, acknowledged", func(c diff.Change) bool { return c.Widens }},
		{"may break scripts", func(c diff.Change) bool { return c.Breaks }},
		{"other changes", func(c diff.Change) bool { return c.Class != diff.ClassWords }},
		{"words only", func(diff.Change) bool { return true }},
	}
	var out bytes.Buffer
	members := make([][]diff.Change, len(groups))
	for _, c := range r.Changes {
		for i, g := range groups {
			if g.holds(c) {
				members[i] = append(members[i], c)
				break
			}
		}
	}
	for i, g := range groups {
		if len(members[i]) > 0 {
			fmt.Fprintf(&out, "%s: %d\n", g.title, len(members[i]))
			writeChanges(&out, members[i])
		}
	}
	if len(r.Changes) == 0 {
		out.WriteString("nothing changed\n")
	}
	if len(r.Stale) > 0 {
		fmt.Fprintf(&out, "changed under the same version: %d\n", len(r.Stale))
		for _, s := range capList(r.Stale) {
			fmt.Fprintf(&out, "  %s: version %d -> %d; raise it in the row\n", s.Name, s.OldVersion, s.Version)
		}
	}
	if len(r.Unused) > 0 {
		fmt.Fprintf(&out, "acknowledgements that match nothing: %d\n", len(r.Unused))
		for _, a := range capList(r.Unused) {
			fmt.Fprintf(&out, "  %s by %s: remove it, or correct its digests\n", a.Name, a.By)
		}
	}
	return printable(out.String(), 0)
}

func capList[T any](list []T) []T { return list[:min(len(list), maxDiffChanges)] }

func writeChanges(out *bytes.Buffer, changes []diff.Change) {
	for _, c := range capList(changes) {
		name := c.Name
		if c.OldName != "" {
			name = c.OldName + " -> " + c.Name
		}
		row := c.Row
		if c.Place != "" {
			row += ", " + c.Place
		}
		fmt.Fprintf(out, "  %s (%s)", oneLine(name), oneLine(row))
		if c.Class == diff.ClassWords {
			var fields []string
			for _, p := range c.Parts {
				fields = append(fields, p.Field)
			}
			fmt.Fprintf(out, ": %s\n", strings.Join(fields, ", "))
			continue
		}
		out.WriteByte('\n')
		if c.Acknowledged != nil {
			fmt.Fprintf(out, "    acknowledged by %s: %s\n", oneLine(c.Acknowledged.By), oneLine(c.Acknowledged.Reason))
		}
		writeParts(out, c)
		for _, m := range c.Remarks[:min(len(c.Remarks), maxDiffParts)] {
			fmt.Fprintf(out, "    why: %s\n", oneLine(m))
		}
	}
	if more := len(changes) - maxDiffChanges; more > 0 {
		fmt.Fprintf(out, "  and %d more; --json lists all\n", more)
	}
}

func writeParts(out *bytes.Buffer, c diff.Change) {
	written := 0
	for i, p := range c.Parts {
		if p.Class == diff.ClassWords {
			continue
		}
		if written++; written > maxDiffParts {
			fmt.Fprintf(out, "    and %d more parts\n", len(c.Parts)-i)
			return
		}
		line := fmt.Sprintf("    %-8s %s: ", p.Class, oneLine(p.Field))
		switch {
		case p.Note != "":
			line += p.Note // before and after are digests
		case p.Before == "":
			line += "+ " + p.After
		case p.After == "":
			line += "- " + p.Before
		default:
			line += p.Before + " -> " + p.After
		}
		if p.Breaks && c.Widens {
			line += "  (may break scripts)"
		}
		out.WriteString(oneLine(line) + "\n")
	}
}

func oneLine(s string) string { return strings.ReplaceAll(s, "\n", `\n`) }
