package infer

// This file finds lists in the lines of a passage: their items, whatever mark they have, and what the
// line above says that they are.

import (
	"slices"
	"strings"
)

// list is a run of items.
type list struct {
	above string // the line of words before it
	items []listItem
}

// listItem is one of them, with the list below it.
type listItem struct {
	text string
	box  string // "x" or " " of a box to tick
	told bool   // a line below a term tells of it
	subs []listItem
}

var (
	bulletMark = compile(`^\s*(?:[-*•‣·+–—→➜➤»▪◦○●☐☑✓✔✅]|\d{1,2}[.)]|\(\d{1,2}\)|[a-h]\)|\[[ xX✓]\])\s+(\S.*)$`)
	tickBox    = compile(`^\[([ xX✓*]?)\]\s+(\S.*)$`)
)

// readItemLine takes the mark off an item.
func readItemLine(line string) (listItem, bool) {
	m := bulletMark.FindStringSubmatch(line)
	if m == nil {
		return listItem{}, false
	}
	it := listItem{text: m[1]}
	switch mark := strings.TrimLeft(line, " \t"); {
	case strings.HasPrefix(mark, "☐"), strings.HasPrefix(mark, "[ ]"):
		it.box = " "
	case strings.HasPrefix(mark, "["), strings.HasPrefix(mark, "☑"), strings.HasPrefix(mark, "✓"), strings.HasPrefix(mark, "✔"), strings.HasPrefix(mark, "✅"):
		it.box = "x"
	}
	if box := tickBox.FindStringSubmatch(it.text); box != nil {
		it.text, it.box = box[2], "x"
		if strings.TrimSpace(box[1]) == "" {
			it.box = " "
		}
	}
	return it, true
}

// listsOf finds the lists of a passage, those without marks too.
func listsOf(p passage) []list {
	var out []list
	above := ""
	for i := 0; i < len(p.lines); i++ {
		if items, next := itemsAt(p.lines, i, above); len(items) > 0 {
			out = append(out, list{above, items})
			i, above = next-1, ""
			continue
		}
		if s := strings.TrimSpace(p.lines[i]); s != "" && !isRule(s) {
			above = s
		}
	}
	return out
}

func itemsAt(lines []string, at int, above string) (items []listItem, next int) {
	if bulletMark.MatchString(lines[at]) {
		return markedItems(lines, at)
	}
	if items, next = termItems(lines, at); len(items) > 0 {
		return items, next
	}
	if saysList(above) {
		return spacedItems(lines, at)
	}
	return nil, at
}

// markedItems are the items from line at on, each with the lines that it goes over. A blank line ends
// them where no other item follows.
func markedItems(lines []string, at int) (items []listItem, next int) {
	indent := leading(lines[at])
	for next = at; next < len(lines); next++ {
		line := lines[next]
		it, marked := readItemLine(line)
		switch {
		case marked && leading(line) <= indent+1:
			if leading(line)+1 < indent {
				return items, next
			}
			items = append(items, it)
		case marked:
			last := &items[len(items)-1]
			last.subs, next = markedItems(lines, next)
			next--
		case strings.TrimSpace(line) == "":
			if next+1 >= len(lines) || !listGoesOn(lines[next+1], indent) {
				return items, next
			}
		case leading(line) <= indent:
			return items, next
		default:
			items[len(items)-1].text += " " + strings.TrimSpace(line)
		}
	}
	return items, next
}

// listGoesOn reports whether a list with that indent goes on behind a blank line.
func listGoesOn(line string, indent int) bool {
	d := leading(line) - indent
	return bulletMark.MatchString(line) && d >= -1 && d <= 1
}

var (
	termLine    = compile("^(\\s*)(?:`[^`\\n]{1,60}`|\\*\\*[^*\\n]{1,60}\\*\\*|[\\p{L}_$][\\p{L}\\p{N}_.\\-]{0,59}\\??\\*?)(?:\\s*(?:\\([^()\\n]{2,80}\\)|:\\s[^\\n]{2,60}|::))?$")
	doubleColon = compile("^\\s*(`?[\\p{L}_$][\\p{L}\\p{N}_.\\-]{0,59}\\??`?)::\\s+(\\S.*)$")
	meansLine   = compile(`^\s*:\s+(\S.*)$`)
)

// termItems are the terms of a definition list, each with a line that a colon leads, or one indented below.
func termItems(lines []string, at int) (items []listItem, next int) {
	if !termLine.MatchString(lines[at]) && !doubleColon.MatchString(lines[at]) {
		return nil, at
	}
	indent := leading(lines[at])
	for next = at; next < len(lines); next++ {
		line := lines[next]
		switch {
		case strings.TrimSpace(line) == "":
			if next+1 >= len(lines) || leading(lines[next+1]) != indent || !doubleColon.MatchString(lines[next+1]) && !termLine.MatchString(lines[next+1]) {
				return defined(items), next
			}
		case leading(line) == indent && doubleColon.MatchString(line):
			m := doubleColon.FindStringSubmatch(line)
			items = append(items, listItem{text: m[1] + ": " + m[2], told: true})
		case meansLine.MatchString(line) && len(items) > 0:
			last := &items[len(items)-1]
			last.text, last.told = last.text+separated(last.text, meansLine.FindStringSubmatch(line)[1]), true
		case leading(line) > indent && len(items) > 0:
			last := &items[len(items)-1]
			last.text, last.told = last.text+separated(last.text, strings.TrimSpace(line)), true
		case leading(line) == indent && termLine.MatchString(line):
			items = append(items, listItem{text: strings.TrimSuffix(strings.TrimSpace(line), "::")})
		default:
			return defined(items), next
		}
	}
	return defined(items), next
}

// separated are more words of an item, apart from a lone name.
func separated(text, more string) string {
	if !strings.ContainsAny(text, " :(") {
		return ": " + more
	}
	return " " + more
}

// defined are the terms, where each has words: headings with paragraphs below them, which capitals begin,
// are none.
func defined(items []listItem) []listItem {
	if len(items) < 2 || slices.ContainsFunc(items, func(it listItem) bool {
		return !it.told || strings.ToUpper(it.text[:1]) == it.text[:1] && it.text[0] != '`' && it.text[0] != '*'
	}) {
		return nil
	}
	return items
}

// spacedItem is an item without a mark, below a line that says that a list follows: "  src   what to copy".
var spacedItem = compile("^\\s+(?:--?[a-z][\\w\\-]*[ =])?(`?[\\p{L}_$<\\[][\\p{L}\\p{N}_.\\-\\]>]{0,59}\\??\\*?`?)(?:\\s{2,}|\\t|\\s*[:(=]|\\s+[-–—]\\s)\\s*\\S")

func spacedItems(lines []string, at int) (items []listItem, next int) {
	indent := leading(lines[at])
	for next = at; next < len(lines) && indent > 0; next++ {
		line := lines[next]
		switch {
		case strings.TrimSpace(line) == "" || leading(line) < indent:
			return items, next
		case leading(line) > indent && len(items) > 0:
			items[len(items)-1].text += " " + strings.TrimSpace(line)
		case !spacedItem.MatchString(line):
			return nil, at
		default:
			items = append(items, listItem{text: strings.TrimSpace(line)})
		}
	}
	return items, next
}
