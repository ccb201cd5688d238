package infer

// This file reads sentences and phrases on the result: "Returns the total in cents (integer)", "True if
// the policy is in force", "Answers a list of seats, each with `seat` (string)".

import (
	"strings"
)

var (
	// answersWith leads a phrase that is the result.
	answersWith = compile(`(?i)^(?:.*[,;:–—] |.*\band )?(?:it |we |the (?:operation|call|endpoint|request|server|service|command|function|method|api|tool) )?(?:returns?|answers?(?: with| is)?|responds? with|replies with|gives(?: you)?(?: back)?|(?:sends|hands) (?:you )?back|comes back with|delivers|reports|emits|outputs|prints|produces|yields|you (?:get|receive)(?: back)?|(?:the |its )?(?:answer|result|response|reply|output)(?: is|:| (?:contains|has|holds|includes|carries|consists of))|what (?:comes back|you (?:get|receive)(?: back)?|is returned) is(?: simply| just| merely)?|in the (?:answer|result|response|reply) (?:you (?:find|get|see|have)|there (?:is|are))|it is|retourne|renvoie|liefert)\s*:?\s+(?:(?:status )?2\d\d(?: OK)?(?:,| and| with)+ )?(.+)$`)
	ifSo        = compile(`(?i)^(?:returns |answers |is )?true (?:comes back |is returned |is the answer )?(?:if|when)\b|^(?:tells|says|reports|checks|determines|returns|answers) (?:you )?(?:if|whether)\b.*\((?:a )?(?:boolean|bool|true/false|true or false)\)\W*$`)
	asText      = compile(`(?i)\b(?:as|in|is) (?:an? )?(?:CSV|one line of text|a line of text|plain text)\b|^CSV (?:on|with|of)\b|^plain text\W*$|, (?:plain text|CSV)\W*$|: CSV\W*$`)
	endsTyped   = compile(`(?i), (an? (?:number|string|integer|boolean))\W*$`)
	inBrackets  = compile(`^[^()]{2,80} \(((?:an? |the )?\p{L}+(?: of \p{L}+)?)\)\W*$`)
	someText    = compile(`(?i)^(?:an? |the |one |some |few )*(?:plain |svg |csv |html |xml |markdown |json )?(?:text|string|csv|lines? of text)\W*$|^une cha[iî]ne(?: de caract[eè]res)?\W*$|^eine Zeichenkette\W*$`)
	objectOf    = compile(`(?i)^(?:an? )?(?:object|map|dict(?:ionary)?) (?:of|with|that|whose|holding|from|by)\b`)
	typeFirst   = compile(`^((?:an? )?[A-Za-z]+(?:\[\w+\])?)\s*(?:,|:|--?|–|—)\s+\S`)
	trueOrFalse = compile(`(?i)^(?:either )?true\s*(?:or|/|\|)\s*false\b|^true when\b|\bas true or false\W*$|^true (?:if|when)\b|^an? boolean\b`)
	objectList  = compile(`(?i)^(?:an? |the )?(?:json )?(?:list|array) (?:of objects,?|with one object (?:per|for each|for every) \p{L}+[,:]?) (?:(?:each|every)(?: object| element| item| entry)? )?(?:(?:(?:one )?with|that (?:each )?have|have|having|holding|containing|contains|holds|of|has) )?(?:(?:the )?(?:properties|fields|members|keys):? )?(.+)$`)
	asKind      = compile(`(?i)^[^()]{2,80} as (an? (?:string|number|integer|boolean|whole number))\W*$`)
	holding     = compile(`(?i)^(?:an? )?(?:json )?object(?: that (?:holds|has|contains)| whose (?:fields|keys|members|properties) are| with| holding| containing| having|:|,)(?: (?:the )?(?:fields|keys|members|properties))?:? (.+)$`)
	eachIs      = compile(`^,? each (?:of them )?(?:is )?(.+?)\W*$`)
	grouped     = compile(`(?i)\b(?:per|by|for each|for every|grouped)\b`)
)

// answerWords are what a sentence on the result has at least one of.
var answerWords = anyOf(append(strings.Fields(`return answer respon repl give yield get result output retourne renvoie liefert comes csv text emit print report produc deliver sends hands receive boolean) bool)`), "true if", "it is", "back is",
	"a number", "a string", "an integer", "a boolean")...)

// saidResult reads one sentence.
func saidResult(s string) *object {
	if !answerWords.in(s) {
		return nil
	}
	s = singleTicks(strings.TrimSpace(s))
	switch {
	case ifSo.MatchString(s):
		return obj("type", "boolean")
	case asText.MatchString(s):
		return obj("type", "string")
	}
	if m := endsTyped.FindStringSubmatch(s); m != nil && !strings.Contains(s, " with ") && len(s) < 60 && !takes.MatchString(s) {
		if t, ok := parseWords(m[1]); ok {
			return t.schema
		}
	}
	if m := answersWith.FindStringSubmatch(s); m != nil {
		if schema := phraseResult(m[1]); schema.len() > 0 {
			return schema
		}
		if c := countWords.FindStringSubmatch(m[1]); c != nil && isCounted(c[1], c[2]) && !grouped.MatchString(m[1]) && !orElse.MatchString(strings.Split(m[1], ",")[0]) {
			return obj("type", "integer")
		}
	}
	if m := comesBack.FindStringSubmatch(s); m != nil {
		if m[2] != "" {
			return phraseResult(m[2])
		}
		return phraseResult(m[1])
	}
	return nil
}

// comesBack is "A whole number comes back.", "The price comes back as whole cents."
var comesBack = compile(`(?i)^(.{3,120}?) (?:comes back|is returned|are returned|is given back|is handed back)(?: in \p{L}+)?(?:,? (?:again |also )?as (.{3,60}?))?\W*$`)

// howMany is "how many were removed".
var howMany = compile(`(?i)^how many (?:\p{L}+ )?(?:were|are|was|is|have been|has been) [^,;]{2,40}$`)

// givenBack ends "gives an array of strings back".
var givenBack = compile(`(?i) back\W*$`)

// phraseResult reads what stands behind "returns".
func phraseResult(s string) *object {
	s = strings.TrimSpace(givenBack.ReplaceAllString(s, ""))
	if s == "" || nothing.MatchString(s) {
		return nil
	}
	if t, rest, ok := parseTypePrefix(s); ok && t.schema.object("properties") != nil {
		if orElse.MatchString(rest) {
			return nil // another result may come
		}
		unquoteTypes(t.schema)
		return eachField(t.schema, rest)
	}
	if m := objectList.FindStringSubmatch(s); m != nil {
		return arrayOf(heldFields(m[1]))
	}
	if list := listOf.FindString(s); list != "" {
		return listPhrase(s, list)
	}
	if fields := phraseFields(s); fields != nil {
		return fields
	}
	if schema := wordedResult(tokens(s)); schema != nil {
		return schema
	}
	if howMany.MatchString(s) {
		return obj("type", "integer")
	}
	return phraseKind(s)
}

// phraseFields reads the fields that a phrase names with types or in back-quotes.
func phraseFields(s string) *object {
	if strings.Contains(s, "`") || len(typedField.FindAllString(s, 2)) > 1 {
		if fields := namedFields(strings.TrimRight(s, ". ")); fields != nil {
			return fields
		}
	}
	if m := holding.FindStringSubmatch(s); m != nil {
		return heldFields(m[1])
	}
	if objectOf.MatchString(s) {
		return obj("type", "object")
	}
	return nil
}

// phraseKind reads a phrase that is one value: "a string", "the total (integer)", "true or false".
func phraseKind(s string) *object {
	switch {
	case trueOrFalse.MatchString(s):
		return obj("type", "boolean")
	case someText.MatchString(s):
		return obj("type", "string")
	}
	if t, ok := parseWords(strings.TrimRight(s, ". ")); ok && t.schema.len() > 0 && !t.schema.has("enum") {
		return t.schema // and what is quoted is shown
	}
	for _, form := range kindForms() {
		if m := form.FindStringSubmatch(s); m != nil {
			if t, ok := parseWords(m[1]); ok && t.schema.len() > 0 {
				return t.schema
			}
		}
	}
	if m := countWords.FindStringSubmatch(s); m != nil && isCounted(m[1], m[2]) && alone.MatchString(s) && !grouped.MatchString(s) {
		return obj("type", "integer")
	}
	return nil
}

// kindForms are where a phrase has its type: first, last, in brackets at its end, behind "as".
func kindForms() []*pattern {
	return []*pattern{typeFirst, endsTyped, inBrackets, asKind}
}

// alone says that a count is the whole answer: "the number of" begins many a sentence on an object.
var alone = compile(`(?i)\b(?:nothing else|and nothing more|only|alone|just|as (?:an? )?(?:plain |bare |whole )?(?:number|integer)|\(integer\))\b`)

// listPhrase reads "a list of {id, name}", "a list of seats, each with `seat` (string)".
func listPhrase(s, lead string) *object {
	rest := s[len(lead):]
	if t, ok := parseWords(strings.TrimRight(s, ". ")); ok && t.schema.len() > 0 {
		return t.schema
	}
	head, _, _ := strings.Cut(s, ",") // "a list of strings, the best match first"
	if t, ok := parseWords(head); ok && t.schema.object("items").len() > 0 && t.schema.object("items").text("type") != "object" {
		return t.schema
	}
	if strings.HasPrefix(rest, "{") {
		if fields := namedFields(rest); fields != nil {
			return arrayOf(fields)
		}
	}
	if at := strings.Index(rest, "each {"); at >= 0 {
		if fields := namedFields(rest[at+len("each "):]); fields != nil {
			return arrayOf(fields)
		}
	}
	if at := strings.Index(rest, "each with "); at >= 0 {
		if fields := namedFields(rest[at:]); fields != nil {
			return arrayOf(fields)
		}
	}
	if of, fields := eachOf(tokens(s)); fields.len() > 0 {
		return arrayOf(fields)
	} else if of.len() > 0 {
		return arrayOf(of)
	}
	return obj("type", "array")
}

// whereFields is "{id, total} where total is an integer".
func whereFields(schema *object, rest string) *object {
	properties := schema.object("properties")
	if !strings.Contains(rest, "where ") && !strings.Contains(rest, "with ") && !strings.Contains(rest, ";") {
		return schema
	}
	for _, name := range properties.names() {
		sub, _ := properties.values[name].(*object)
		if sub.len() > 0 {
			continue
		}
		eachMention(rest, name, func(before, after string) {
			d := docParam{name: name}
			d.predicateKind(before, strings.TrimRight(after, ". "))
			if current, _ := properties.values[name].(*object); d.schema.len() > 0 && current.len() == 0 {
				properties.set(name, d.schema)
			}
		})
	}
	return schema
}

// eachField gives every field of "{added, removed}, each a list of strings" its type.
func eachField(schema *object, rest string) *object {
	m := eachIs.FindStringSubmatch(rest)
	if m == nil {
		return whereFields(schema, rest)
	}
	t, ok := parseWords(m[1])
	properties := schema.object("properties")
	if !ok || t.schema.len() == 0 {
		return schema
	}
	for _, name := range properties.names() {
		if sub, _ := properties.values[name].(*object); sub.len() == 0 {
			properties.set(name, t.schema.clone())
		}
	}
	return schema
}

// namedBy is "a boolean named deleted"; plainField is "the id".
var (
	namedBy    = compile(`^(?:an? |the )?(.+?) (?:named|called) ` + "`?" + `([\p{L}_][\p{L}\p{N}_]*)` + "`?$")
	plainField = compile(`^(?:the |its |an? )?` + "`?" + `([a-z][a-z0-9_]*)` + "`?$")
)

// heldFields reads "the id and a boolean named deleted", or fields with types; words that name none
// leave the object as it is.
func heldFields(s string) *object {
	if fields := namedFields(strings.TrimRight(s, ". ")); fields != nil {
		return fields
	}
	if fields := wordedFields(tokens(strings.TrimRight(s, ". "))); fields != nil {
		return fields
	}
	var fields []docParam
	for _, piece := range itemBreak.Split(strings.TrimRight(s, ". "), maxOperands) {
		d := docParam{}
		if m := namedBy.FindStringSubmatch(piece); m != nil {
			d.name = m[2]
			if t, ok := parseWords(m[1]); ok {
				d.schema = t.schema
			}
		} else if m := plainField.FindStringSubmatch(piece); m != nil {
			d.name = m[1]
		} else {
			return obj("type", "object")
		}
		fields = append(fields, d)
	}
	return fieldsObject(fields)
}
