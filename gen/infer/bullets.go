package infer

// This file reads arguments listed with bullets: "- `id` (string, required): the order".

import (
	"strings"

	"codemode/directory/contract"
)

var (
	bulletMark = compile(`^\s*(?:[-*•‣·+–]|\d{1,2}[.)])\s+(\S.*)$`)
	bulletHead = compile("^(?:\\*\\*|__)?(`?)([\\p{L}_$][\\p{L}\\p{N}_.\\-]{0,79}\\??)(`?)(?:\\*\\*|__)?\\s*(.*)$")
	// listHeads say that what follows are arguments: "Parameters:", "It takes the following arguments:".
	listHeads = compile(`(?i)\b(?:parameters?|params?|arguments?|args|inputs?)\b[^.:]{0,30}:?\W*$`)
)

// readBullets reads the first run of bullets that lists arguments. A list may be of anything: it counts
// where a heading says so, where nothing introduces it and every item has a type or says whether it is
// required, or where the template bears it out.
func readBullets(p passage) docArgs {
	above := ""
	for i := 0; i < len(p.lines); i++ {
		if bulletMark.MatchString(p.lines[i]) {
			run, next := bulletRun(p.lines, i)
			if out := bulletArgs(run, above); len(out.params) > 0 {
				return out
			}
			i, above = next-1, ""
			continue
		}
		if s := strings.TrimSpace(p.lines[i]); s != "" {
			above = s
		}
	}
	return docArgs{}
}

// bulletRun are the items from line at on, each with the lines that it goes over.
func bulletRun(lines []string, at int) (items []string, next int) {
	indent := leading(lines[at])
	for next = at; next < len(lines); next++ {
		line := lines[next]
		m := bulletMark.FindStringSubmatch(line)
		switch {
		case m != nil && leading(line) <= indent+1:
			items = append(items, m[1])
		case strings.TrimSpace(line) == "" || leading(line) <= indent:
			return items, next
		default:
			items[len(items)-1] += " " + strings.TrimSpace(line)
		}
	}
	return items, next
}

func bulletArgs(items []string, above string) docArgs {
	var out docArgs
	said := listHeads.MatchString(above)
	typed := true
	if resultWords.MatchString(above) {
		return docArgs{}
	}
	for _, item := range items {
		d, plain, ok := bulletItem(item)
		if !ok {
			return docArgs{}
		}
		typed = typed && !plain
		out.params = append(out.params, d)
	}
	out.params = oppose(out.params)
	out.unsure, out.listed = !said && !typed, true
	out.introduced = !said && strings.HasSuffix(strings.TrimRight(above, "*_ "), ":")
	return out
}

// emphasis is the bold of Markdown, which sets a name apart.
var emphasis = compile(`(?:\*\*|__)([^*_]{1,80})(?:\*\*|__)`)

// bulletItem reads one item; plain says that nothing but its name and words stand there.
func bulletItem(item string) (d docParam, plain, ok bool) {
	written := item
	item = plainForm(singleTicks(emphasis.ReplaceAllString(item, "$1")))
	m := bulletHead.FindStringSubmatch(item)
	if m == nil || m[1] != m[3] {
		return d, false, false
	}
	d = docParam{from: contract.FromArgs, source: source{words: clean(written)}}
	d.readName(m[2])
	rest := strings.TrimSpace(m[4])
	switch {
	case rest == "":
	case strings.HasPrefix(rest, "("), strings.HasPrefix(rest, ":"), strings.HasPrefix(rest, "="):
		d.readRest(rest)
	case strings.IndexFunc(rest, func(r rune) bool { return strings.ContainsRune("-–—", r) }) == 0:
		d.readTyped(strings.TrimLeft(rest, "-–— "))
	case strings.HasPrefix(rest, ", "):
		d.readTyped(rest[2:])
	default:
		return d, false, false
	}
	d.readProse()
	return d, d.schema == nil && d.required == nil && !d.optional(), d.name != "" && !isRemark(d.name, rest)
}

// bulletResult reads the fields of the result from bullets below a line that says so.
func bulletResult(p passage) *object {
	above := ""
	for i := 0; i < len(p.lines); i++ {
		if bulletMark.MatchString(p.lines[i]) {
			run, next := bulletRun(p.lines, i)
			if resultWords.MatchString(above) && !listHeads.MatchString(above) {
				return bulletFields(run)
			}
			i, above = next-1, ""
		} else if s := strings.TrimSpace(p.lines[i]); s != "" {
			above = s
		}
	}
	return nil
}

func bulletFields(items []string) *object {
	var fields []docParam
	for _, item := range items {
		d, plain, ok := bulletItem(item)
		if !ok || plain && len(items) < 2 {
			return nil
		}
		fields = append(fields, d)
	}
	return fieldsObject(fields)
}
