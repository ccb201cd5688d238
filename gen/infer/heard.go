package infer

// This file brings what sentences tell to the arguments that they speak of.

import "strings"

// heedSentences completes arguments with what the row's sentences tell of them.
func (b *builder) heedSentences(all []*docParam, names func(*docParam) []string, fixed func(*docParam) bool) {
	var subjects []*subject
	for _, d := range all {
		subjects = append(subjects, &subject{d: d, fixed: fixed(d)})
	}
	t := newTeller(subjects, names)
	t.one = b.operation != ""
	for _, s := range b.sentences() {
		t.hear(s)
	}
	for _, s := range subjects {
		if s.where.place != "" {
			s.settle()
		}
	}
}

func (s *subject) settle() {
	q := s.said
	if s.d.presumed && (q.optionalArg || q.hasDefault) {
		s.d.required, s.d.presumed = nil, false
	}
	if q.schema.len() == 1 && s.d.schema.len() > 0 {
		q.schema = nil
	}
	if q.required != nil && s.d.required == nil && !s.d.optional() {
		s.d.required, s.d.remark = q.required, source{s.where.place, s.where.text}
	}
	s.d.adopt(q, s.where)
}

// heedWords completes an argument with what the words that describe it tell, where nothing else did.
func (p *docParam) heedWords() {
	q := wordsOn(p.name, p.description, p.schema)
	if isUnitOf(p.name, q.value) {
		q.value, q.hasDefault, q.optionalArg = nil, false, false
	}
	if q.schema.len() == 1 && q.schema.text("type") == "string" {
		q.schema = nil // as the place itself says
	}
	if p.schema.len() == 1 && p.schema.text("type") == "string" && q.schema.has("enum") {
		p.schema = q.schema
	}
	if p.schema.len() == 0 && !p.anything && len(p.choices) == 0 && q.schema.len() > 0 {
		p.schema, p.fromProse = q.schema, true
	}
	if !p.hasDefault && q.hasDefault && (p.required == nil || !*p.required) && fitsType(q.value, p.schema) {
		p.value, p.hasDefault = q.value, true
	}
	if p.required == nil && !p.optional() {
		p.required = q.required
	}
	p.optionalArg = p.optionalArg || p.required == nil && (q.optionalArg || q.hasDefault)
}

// wordsOn is what words on one argument tell of it. schema is what is known of its type.
func wordsOn(name, words string, schema *object) docParam {
	s := &subject{d: &docParam{name: name, schema: schema}}
	t := newTeller([]*subject{s}, func(*docParam) []string { return []string{name} })
	t.alone = true
	for n := 0; words != "" && n < maxMentions; n++ {
		end := sentenceEnd(words)
		t.hear(sentence{place: "words", text: words[:end]})
		words = strings.TrimSpace(words[end:])
	}
	return s.said
}
