package infer

// This file finds the tables of a passage, in the forms of Markdown, Org, reStructuredText and wikis, and
// in columns that spaces set apart.

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// table is the cells of its head and of its rows.
type table struct {
	head  []string
	rows  [][]string
	above string // the line of words before it
}

var (
	tableRule  = compile(`^\s*[|+]?\s*:?[-=]{1,}:?\s*(?:[|+]\s*:?[-=]{1,}:?\s*)*[|+]?\s*$`)
	spacedRule = compile(`^\s*(?:={2,}|-{2,})(?:\s+(?:={2,}|-{2,}))+\s*$`)
	boxDrawing = strings.NewReplacer("│", "|", "┃", "|", "║", "|", "─", "-", "━", "-", "═", "=", "┌", "+", "┬", "+", "┐", "+", "├", "+", "┼", "+", "┤", "+",
		"└", "+", "┴", "+", "┘", "+", "╔", "+", "╦", "+", "╗", "+", "╠", "+", "╬", "+", "╣", "+", "╚", "+", "╩", "+", "╝", "+", "╞", "+", "╪", "+", "╡", "+")
)

// tablesOf finds the tables of a passage.
func tablesOf(p passage) []table {
	var out []table
	above := ""
	lines := p.lines
	if strings.ContainsAny(p.text(), "│║┃") {
		lines = strings.Split(boxDrawing.Replace(p.text()), "\n")
	}
	if strings.Contains(p.text(), "<tr") {
		out = htmlTables(p.text())
	}
	for i := 0; i < len(lines); i++ {
		t, next := tableAt(lines, i)
		if next > i {
			t.above, above = above, ""
			out = append(out, upright(t))
			i = next - 1
		} else if s := strings.TrimSpace(lines[i]); s != "" && !isRule(s) {
			above = s
		}
	}
	return out
}

var (
	htmlTable = compile(`(?is)<table[^>]*>.*?</table>`)
	htmlRow   = compile(`(?is)<tr[^>]*>.*?</tr>`)
	htmlCell  = compile(`(?is)<t[hd][^>]*>(.*?)</t[hd]>`)
	htmlTag   = compile(`<[^<>]*>`)
)

// htmlTables are those that are written in HTML.
func htmlTables(text string) []table {
	var out []table
	for _, written := range htmlTable.FindAllString(text, 10) {
		var rows [][]string
		for _, row := range htmlRow.FindAllString(written, maxDocParams) {
			var cells []string
			for _, m := range htmlCell.FindAllStringSubmatch(row, maxOperands) {
				cells = append(cells, strings.TrimSpace(htmlTag.ReplaceAllString(m[1], "")))
			}
			rows = append(rows, cells)
		}
		if t := gridRows(rows); len(t.rows) > 0 && len(t.head) > 0 {
			out = append(out, upright(t))
		}
	}
	return out
}

// tableAt reads the table that begins at a line, and says where it ends.
func tableAt(lines []string, at int) (t table, next int) {
	line := strings.TrimSpace(lines[at])
	switch {
	case line == "":
		return t, at
	case strings.HasPrefix(line, "+-") && tableRule.MatchString(line):
		return gridTable(lines, at)
	case spacedRule.MatchString(line) && at+2 < len(lines):
		return columnTable(lines, at+1, columnStarts(lines[at]))
	case strings.Contains(line, "|"):
		return barTable(lines, at)
	}
	return wideTable(lines, at)
}

// barTable is a head with bars, a rule below it, and rows; the words of its head may do without the rule.
func barTable(lines []string, at int) (t table, next int) {
	line := strings.TrimSpace(lines[at])
	t.head = cells(strings.ReplaceAll(line, "||", "|"))
	next = at + 1
	switch {
	case next < len(lines) && strings.Contains(lines[next], "-") && tableRule.MatchString(lines[next]):
		next++
	case next < len(lines) && strings.HasPrefix(line, "|") && strings.HasPrefix(strings.TrimSpace(lines[next]), "|") && t.titled():
	default:
		return table{}, at
	}
	for ; next < len(lines) && (strings.HasPrefix(strings.TrimSpace(lines[next]), "|") || !strings.HasPrefix(line, "|") && strings.Contains(lines[next], "|")); next++ {
		if !tableRule.MatchString(lines[next]) {
			t.rows = append(t.rows, cells(lines[next]))
		}
	}
	return t, next
}

// gridTable is between rules of "+---+"; a row goes over the lines up to the next rule.
func gridTable(lines []string, at int) (t table, next int) {
	var rows [][]string
	fresh := true
	ruled := 0 // rules between rows
	for next = at; next < len(lines); next++ {
		line := strings.TrimSpace(lines[next])
		switch {
		case strings.HasPrefix(line, "+") && tableRule.MatchString(line):
			fresh = true
			ruled++
			continue
		case !strings.HasPrefix(line, "|"):
			return gridRows(rows), next
		}
		row := cells(line)
		if fresh || ruled == 2 && len(row) > 0 && row[0] != "" { // a head, and rows without rules between them
			rows = append(rows, row)
		} else {
			rows[len(rows)-1] = appendCells(rows[len(rows)-1], row)
		}
		fresh = false
	}
	return gridRows(rows), next
}

func gridRows(rows [][]string) table {
	if len(rows) < 2 {
		return table{}
	}
	return table{head: rows[0], rows: rows[1:]}
}

func appendCells(row, more []string) []string {
	for i, cell := range more {
		if i < len(row) {
			row[i] = strings.TrimSpace(row[i] + " " + cell)
		}
	}
	return row
}

// columnStarts are where the columns of a rule begin, in runes.
func columnStarts(rule string) []int {
	var out []int
	before := ' '
	for i, r := range []rune(rule) {
		if r != ' ' && r != '\t' && before == ' ' {
			out = append(out, i)
		}
		before = r
	}
	return out
}

// columnTable has its cells below the columns' beginnings, up to a blank line or a rule at its end.
func columnTable(lines []string, at int, starts []int) (t table, next int) {
	t.head = cutAt(lines[at], starts)
	for next = at + 1; next < len(lines) && strings.TrimSpace(lines[next]) != ""; next++ {
		switch {
		case spacedRule.MatchString(lines[next]) || tableRule.MatchString(lines[next]):
			if len(t.rows) > 0 {
				return t, next + 1
			}
		default:
			row := cutAt(lines[next], starts)
			if row[0] == "" && len(t.rows) > 0 {
				t.rows[len(t.rows)-1] = appendCells(t.rows[len(t.rows)-1], row)
			} else {
				t.rows = append(t.rows, row)
			}
		}
	}
	return t, next
}

// cutAt cuts a line at the columns' beginnings. A word that crosses one belongs where it begins.
func cutAt(line string, starts []int) []string {
	runes := []rune(line)
	out := make([]string, len(starts))
	from := 0
	for i := range starts {
		end := len(runes)
		if i+1 < len(starts) {
			end = min(starts[i+1], len(runes))
			for end > 0 && end < len(runes) && runes[end] != ' ' && runes[end-1] != ' ' {
				end++
			}
		}
		if from < end {
			out[i] = strings.TrimSpace(string(runes[from:end]))
			from = end
		}
	}
	return out
}

var wideGap = compile(`\t+|\s{2,}`)

// wideTable has its columns set apart by spaces or tabs, below a head whose words leave no doubt.
func wideTable(lines []string, at int) (t table, next int) {
	if strings.Count(lines[at], ",") > 1 {
		return commaTable(lines, at)
	}
	line := strings.TrimRight(lines[at], " \t")
	if at+1 >= len(lines) || !wideGap.MatchString(strings.TrimSpace(line)) {
		return t, at
	}
	t.head = wideGap.Split(strings.TrimSpace(line), maxOperands)
	if !t.titled() {
		return table{}, at
	}
	if strings.Contains(line, "\t") {
		for next = at + 1; next < len(lines) && strings.Contains(lines[next], "\t"); next++ {
			t.rows = append(t.rows, strings.Split(strings.TrimSpace(lines[next]), "\t"))
		}
		return t, next
	}
	var starts []int
	from := 0
	for _, head := range t.head {
		byteAt := from + strings.Index(line[from:], head)
		starts = append(starts, utf8.RuneCountInString(line[:byteAt]))
		from = byteAt + len(head)
	}
	if t, next = columnTable(lines, at, starts); len(t.rows) == 0 {
		return table{}, at
	}
	return t, next
}

// commaTable is "Name,Type,Required" above lines with as many commas and more.
func commaTable(lines []string, at int) (t table, next int) {
	t.head = strings.Split(strings.TrimSpace(lines[at]), ",")
	if !t.titled() {
		return table{}, at
	}
	for next = at + 1; next < len(lines) && strings.Count(lines[next], ",") >= len(t.head)-1; next++ {
		row := strings.SplitN(strings.TrimSpace(lines[next]), ",", len(t.head))
		for i := range row {
			row[i] = strings.Trim(row[i], ` "`)
		}
		t.rows = append(t.rows, row)
	}
	if len(t.rows) == 0 {
		return table{}, at
	}
	return t, next
}

// titled reports whether the head has a column of names and another that is known.
func (t table) titled() bool {
	columns := t.columns()
	known := slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return c == "" })
	return slices.Contains(columns, "name") && len(known) > 1 && len(known)+1 >= len(columns)
}

// cells splits a line at bars that no backslash precedes.
func cells(line string) []string {
	line = strings.TrimSpace(line)
	line = strings.TrimPrefix(line, "|")
	var out []string
	var cell strings.Builder
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line) && line[i+1] == '|':
			cell.WriteByte('|')
			i++
		case line[i] == '|':
			out = append(out, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			cell.WriteByte(line[i])
		}
	}
	if rest := strings.TrimSpace(cell.String()); rest != "" {
		out = append(out, rest)
	}
	return out
}

// upright turns a table on its side, where the first column says what the rows are: one column is one
// argument.
func upright(t table) table {
	if len(t.head) < 2 || len(t.rows) == 0 {
		return t
	}
	kinds := 0
	for _, h := range t.head[1:] {
		if columnOf(h) != "" || wordsColumn.MatchString(h) {
			kinds++
		}
	}
	if first := columnOf(t.head[0]); first != "name" && t.head[0] != "" || 2*kinds >= len(t.head) {
		return t
	}
	kinds = 0
	for _, row := range t.rows {
		if len(row) == 0 || row[0] == "" {
			return t
		}
		kind := columnOf(row[0])
		if kind == "" && !wordsColumn.MatchString(row[0]) || kind == "name" {
			return t
		}
		if kind != "" {
			kinds++
		}
	}
	if kinds == 0 {
		return t
	}
	out := table{head: []string{"name"}, above: t.above}
	for _, row := range t.rows {
		out.head = append(out.head, row[0])
	}
	for i, name := range t.head[1:] {
		column := []string{name}
		for _, row := range t.rows {
			cell := ""
			if i+1 < len(row) {
				cell = row[i+1]
			}
			column = append(column, cell)
		}
		out.rows = append(out.rows, column)
	}
	return out
}
