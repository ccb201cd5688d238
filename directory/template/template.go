// Package template parses the executable part of a row once and renders it for each call, escaping
// every value for the place it lands in.
//
//	t, err := template.Parse(template.Source{Kind: template.HTTP, Target: "GET https://api.example/users/$1?limit=$2"})
//	req, err := t.Request(template.Values{Args: []json.RawMessage{[]byte(`"a/b"`), []byte(`10`)}})
//	// req.URL == "https://api.example/users/a%2Fb?limit=10"
//
// A value is only ever a value: it is escaped for its place, never scanned for slots again, and a
// raw slot ($$N) that would change the structure around it is refused with ErrStructure.
//
// # What is a slot
//
// A "$" starts a slot when it is followed by
//
//   - one or two digits not starting with 0: $N, or $N+ where N is the template's highest number
//     (in "$1+$2" the plus is text);
//   - "$" and such digits: $$N, raw;
//   - an upper-case name of two characters or more: $PREV, else a secret. Currency codes ($USD)
//     are text.
//
// In a source that gives the names of its parameters and has no numbered slots, {name} is a slot as
// well; {name*} writes an array as one query or form pair an item, {name,} joins its items by commas. A
// body that is {name} alone is that argument as JSON, and no body where it is absent; where the headers
// give another content type than JSON, a string stands there as its own characters.
//
// Everything else ("$$", "$" at the end, "$id", "$100", "${X}") is text. A price is prose, so it can
// only stand in prose: a JSON string, message, quoted word or flow argument that holds white space.
// There "$15 per 1M", "US$5", "$1.50" and "$5k" are text, and so is a number whose lower numbers are
// not all slots of the same template ("costs $7" beside a lone $1). The program of an awk or "sh -c"
// word stays text as a whole. What was kept as text although it looks like a slot, or like a secret
// in lower case, is listed in Template.Dollars, so that lint can show it. "\u0024" in JSON and "\$"
// in argv write a dollar that is never a slot.
//
// It performs nothing: no request is sent, no program started.
package template

import "encoding/json"

// Kind is the shape of a template; it follows the row's type.
type Kind string

const (
	Fn   Kind = "fn"   // a JSON array of arguments, default ["$1"]
	HTTP Kind = "http" // target "METHOD url", content is the body
	CLI  Kind = "cli"  // argv
	Flow Kind = "flow" // KEY:args > KEY2:$PREV => name
	Text Kind = "text" // the message of an agent row, the body of a dispatch row
)

// Source is what Parse reads.
type Source struct {
	Kind    Kind
	Target  string            // "METHOD url" of http, the program of cli
	Content string            // the row's content without its documentation lines
	Headers map[string]string // extra request headers of http; values may hold slots
	// Params are the names that {name} is a slot for; none means that braces are text. A source with
	// numbered slots has none.
	Params []string
}

// Form is how a slot is written.
type Form string

const (
	Arg    Form = "arg"    // $N: escaped for its context
	Tail   Form = "tail"   // $N+: arguments N to the end, re-joined by "|"
	Raw    Form = "raw"    // $$N: verbatim, the text around it parsed again
	Prev   Form = "prev"   // $PREV: the previous step's result
	Secret Form = "secret" // $NAME: filled by the service, never a parameter
	Named  Form = "named"  // $name: the result of an earlier flow step "=> name"
)

// Context is where in the template a slot stands; it decides the escaping.
type Context string

const (
	URLHost    Context = "url_host"
	URLPath    Context = "url_path"
	URLQuery   Context = "url_query"
	Header     Context = "header"
	JSONString Context = "json_string" // inside quotes of a JSON body
	JSONValue  Context = "json_value"  // a bare value of a JSON body: number, boolean, or any JSON
	FormValue  Context = "form_value"
	Argv       Context = "argv"
	Body       Context = "body" // raw body, message or dispatch body
)

// Slot is one place of the template that a call fills.
type Slot struct {
	Form    Form
	Index   int    // N, from 1, of arg, tail and raw; else 0
	Name    string // of secret and named
	Context Context
	// Whole reports whether the slot is the entire value of its place: "$1" but not "id-$1".
	Whole bool
	// Hint is the name that the surroundings give the slot, or "": the query or form key, the JSON
	// property, the header, the --flag before it, the URL segment before it.
	Hint string
	// Before is the literal text that stands right before the slot within its part, for diagnostics.
	Before string
}

// Values are what a call fills slots with. In text a string stands with its own characters and any
// other value as its JSON text, every digit kept. No value, and JSON null outside a bare JSON value,
// drops the query pair, form pair, header or object member whose whole value the slot is; a bare array
// item becomes null, and anything else is empty.
type Values struct {
	// Args[i] fills $i+1; nil means the caller gave no value. A tail slot $N takes Args[N-1] whole.
	Args []json.RawMessage
	Prev json.RawMessage
	// Named are the results of earlier steps of a flow, by their "=> name".
	Named map[string]json.RawMessage
	// Secret looks up $NAME; nil means there are none.
	Secret func(name string) (string, error)
}

// Request is a rendered http template.
type Request struct {
	Method      string
	URL         string
	Header      map[string]string
	ContentType string // "" without a body
	Body        []byte
}

// Step is one call of a flow, as written. StepArgs renders its arguments.
type Step struct {
	Key  string // the row called
	Args []string
	As   string // "=> name", or ""
}
