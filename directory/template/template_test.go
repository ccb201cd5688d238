package template

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// nasty holds everything that has a meaning somewhere.
const nasty = "a|b\"c\n$1 $$1 $SECRET_KEY {\"x\":1} > K:v => n & = % + # ? / \\ 'q' \u2028 é"

// args makes JSON values of Go ones; nil stays absent.
func args(values ...any) []json.RawMessage {
	out := make([]json.RawMessage, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case nil:
		case json.RawMessage:
			out[i] = v
		case string:
			out[i] = quote(v)
		default:
			out[i] = json.RawMessage(fmt.Sprint(v))
		}
	}
	return out
}

func raw(s string) json.RawMessage { return json.RawMessage(s) }

func mustParse(t *testing.T, src Source) *Template {
	t.Helper()
	tmpl, err := Parse(src)
	if err != nil {
		t.Fatalf("Parse(%+v): %v", src, err)
	}
	return tmpl
}

func TestSlots(t *testing.T) {
	tmpl := mustParse(t, Source{
		Kind: HTTP, Target: "POST https://api.example/users/$1/posts?limit=$2",
		Headers: map[string]string{"X-Trace": "id-$3", "Authorization": "Bearer $API_TOKEN"},
		Content: `{"title":"$4","draft":$5,"note":"by $1: $$6"}`,
	})
	want := []Slot{
		{Form: Arg, Index: 1, Context: URLPath, Whole: true, Hint: "users"},
		{Form: Arg, Index: 2, Context: URLQuery, Whole: true, Hint: "limit"},
		{Form: Secret, Name: "API_TOKEN", Context: Header, Hint: "Authorization", Before: "Bearer "},
		{Form: Arg, Index: 3, Context: Header, Hint: "X-Trace", Before: "id-"},
		{Form: Arg, Index: 4, Context: JSONString, Whole: true, Hint: "title"},
		{Form: Arg, Index: 5, Context: JSONValue, Whole: true, Hint: "draft"},
		{Form: Arg, Index: 1, Context: JSONString, Hint: "note", Before: "by "},
		{Form: Raw, Index: 6, Context: JSONString, Hint: "note", Before: ": "},
	}
	if diff := cmp.Diff(want, tmpl.Slots); diff != "" {
		t.Error(diff)
	}
	if tmpl.Arity() != 6 || tmpl.TailIndex() != 0 || tmpl.Method() != "POST" || tmpl.Origin() != "https://api.example" {
		t.Error(tmpl.Arity(), tmpl.TailIndex(), tmpl.Method(), tmpl.Origin())
	}
	if diff := cmp.Diff([]string{"API_TOKEN"}, tmpl.Secrets()); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsASlot(t *testing.T) {
	tests := []struct {
		kind    Kind
		content string
		slots   string // forms and indexes or names
		dollars string
	}{
		{Text, `Costs $15 per 1M tokens, answer $1`, "arg1", "$15"},
		{Text, `$1 and $2, not US$5, A$5, $1.50, $1,000, $5k, $3M, $9 million or $7/month`, "arg1 arg2", "$5 $5 $1 $1 $5 $3 $9 $7"},
		{Text, `give $2 examples of $1`, "arg2 arg1", ""},
		{Text, `a lone $1 beside $7 and $3`, "arg1", "$7 $3"},
		{Text, `$$ $ $0 $01 $100 ${1} $id $a $A $`, "", ""},
		{Text, `pay $USD 5 with $API_KEY`, "secretAPI_KEY", "$USD"},
		{Text, `$1|$2+`, "arg1 tail2", ""},
		{Text, `$1+$2`, "arg1 arg2", ""},
		{Text, `$$1 $$2`, "raw1 raw2", ""},
		{Text, `$12`, "arg12", ""},
		{Text, `{"price":"$15 per 1M","n":$1}`, "arg1", "$15"},
		{Text, `{"lit":"\u00241","n":$1}`, "arg1", ""},
		{Text, `{"mongo":{"$match":{"id":"$1"}}}`, "arg1", ""},
		{Fn, ``, "arg1", ""},
		{Fn, `["$1",$2,"$3+"]`, "arg1 arg2 tail3", ""},
		{CLI, `awk '{print $2}' $1`, "arg1", ""},
		{CLI, `awk -v x=$1 'NR > $2 && $1 == x' f`, "arg1", ""},
		{CLI, `convert -resize $1x$2 -quality $3.7z "in $4.png"`, "arg1 arg2 arg3 arg4", ""},
		{CLI, `sh -c 'echo "$1"' sh $1`, "arg1", ""},
		{CLI, `curl -d '{"q":"$1","n":$2}' x`, "arg1 arg2", ""},
		{CLI, `grep \$1 $1`, "arg1", ""},
		{CLI, `run ["$1"]`, "arg1", ""},
		{Flow, `A:$1 => u > B:$u|$PREV|$v`, "arg1 namedu prev", ""},
	}
	for _, tt := range tests {
		tmpl, err := Parse(Source{Kind: tt.kind, Content: tt.content})
		if err != nil {
			t.Errorf("%s %q: %v", tt.kind, tt.content, err)
			continue
		}
		var slots, dollars []string
		for _, s := range tmpl.Slots {
			name := string(s.Form) + s.Name
			if s.Index > 0 {
				name += fmt.Sprint(s.Index)
			}
			slots = append(slots, name)
		}
		for _, d := range tmpl.Dollars {
			dollars = append(dollars, d.Text)
		}
		if got := strings.Join(slots, " "); got != tt.slots {
			t.Errorf("%q: slots %q, want %q", tt.content, got, tt.slots)
		}
		if got := strings.Join(dollars, " "); got != tt.dollars {
			t.Errorf("%q: dollars %q, want %q", tt.content, got, tt.dollars)
		}
	}
}

func TestTextIsNeverEaten(t *testing.T) {
	for _, text := range []string{"$", "$$", "a $$ b", "$0", "US$5 each", "$15 per 1M", "$100", "${1}", "$id", "x$", "$7 alone"} {
		got, err := mustParse(t, Source{Kind: Text, Content: text}).Text(Values{Args: args("x")})
		if err != nil || got != text {
			t.Errorf("%q became %q, %v", text, got, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := map[string]Source{
		"no scheme":          {Kind: HTTP, Target: "GET /users/$1"},
		"other scheme":       {Kind: HTTP, Target: "GET file:///etc/passwd"},
		"no host":            {Kind: HTTP, Target: "GET https:///x"},
		"fragment":           {Kind: HTTP, Target: "GET https://a.example/#$1"},
		"argument as user":   {Kind: HTTP, Target: "GET https://$1@a.example/"},
		"json body":          {Kind: HTTP, Target: "POST https://a.example", Content: `{"a":$1,}`},
		"bare in the middle": {Kind: HTTP, Target: "POST https://a.example", Content: `{"a":-$1}`},
		"raw beside values":  {Kind: HTTP, Target: "POST https://a.example", Content: `{"a":1 $$1}`},
		"host header":        {Kind: HTTP, Target: "GET https://a.example", Headers: map[string]string{"Host": "b"}},
		"header twice":       {Kind: HTTP, Target: "GET https://a.example", Headers: map[string]string{"x-a": "1", "X-A": "2"}},
		"header with break":  {Kind: HTTP, Target: "GET https://a.example", Headers: map[string]string{"X-A": "1\r\nX-B: 2"}},
		"fn object":          {Kind: Fn, Content: `{"a":"$1"}`},
		"fn words":           {Kind: Fn, Content: `$1 $2`},
		"cli nothing":        {Kind: CLI},
		"cli open quote":     {Kind: CLI, Content: `grep 'x`},
		"cli pipe":           {Kind: CLI, Content: `cat $1 | sort`},
		"cli shell slot":     {Kind: CLI, Content: `sh -c "echo $1"`},
		"cli program slot":   {Kind: CLI, Content: `$1 x`},
		"flow no key":        {Kind: Flow, Content: `A:$1 > `},
		"flow name twice":    {Kind: Flow, Content: `A => x > B => x`},
		"flow secret":        {Kind: Flow, Content: `A:$API_KEY`},
		"kind":               {Kind: "other"},
		"too deep":           {Kind: Fn, Content: strings.Repeat("[", 5000) + strings.Repeat("]", 5000)},
		"too many slots":     {Kind: Text, Content: strings.Repeat("$1", 1001)},
		"not text":           {Kind: Text, Content: "\xff"},
	}
	for name, src := range tests {
		if _, err := Parse(src); !errors.Is(err, ErrTemplate) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRequestKeepsValues(t *testing.T) {
	tmpl := mustParse(t, Source{Kind: HTTP, Target: "POST https://api.example/a/$1/b?q=$1&n=$2&fixed=é x",
		Content: `{"s":"$1","in":"<$1>","n":$2,"o":$3,"t":"$2 $3"}`})
	req, err := tmpl.Request(Values{Args: args(nasty, raw("12345678901234567890"), raw(`{"k": [1.50]}`))})
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(req.URL)
	if err != nil {
		t.Fatal(err)
	}
	if u.Path != "/a/"+nasty+"/b" || strings.Count(u.EscapedPath(), "/") != 3 {
		t.Errorf("path %q", u.Path)
	}
	if diff := cmp.Diff(url.Values{"q": {nasty}, "n": {"12345678901234567890"}, "fixed": {"é x"}}, u.Query()); diff != "" {
		t.Error(diff)
	}
	var body map[string]json.RawMessage
	if err := json.Unmarshal(req.Body, &body); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"s": nasty, "in": "<" + nasty + ">", "t": `12345678901234567890 {"k":[1.50]}`} {
		if got, err := textOf(body[name]); err != nil || got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if string(body["n"]) != "12345678901234567890" || req.ContentType != jsonType {
		t.Errorf("n %s, type %s", body["n"], req.ContentType)
	}
}

func TestForm(t *testing.T) {
	tmpl := mustParse(t, Source{Kind: HTTP, Target: "POST https://api.example/f", Content: "form:a=$1&b=x-$2&c=$3&d=1"})
	req, err := tmpl.Request(Values{Args: args(nasty, nil, nil)})
	if err != nil {
		t.Fatal(err)
	}
	got, err := url.ParseQuery(string(req.Body))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(url.Values{"a": {nasty}, "b": {"x-"}, "d": {"1"}}, got); diff != "" || req.ContentType != formType {
		t.Error(diff, req.ContentType)
	}
}

func TestAbsent(t *testing.T) {
	tmpl := mustParse(t, Source{Kind: HTTP, Target: "POST https://api.example/a?x=$1&y=p$1&z=1", Headers: map[string]string{"X-A": "$1"},
		Content: `{"a":"$1","b":$1,"c":"p$1","d":["$1",$1],"e":{"f":$1}}`})
	for _, tt := range []struct {
		arg  json.RawMessage
		body string
	}{
		{nil, `{"c":"p","d":["",null],"e":{}}`},
		{raw("null"), `{"b":null,"c":"p","d":["",null],"e":{"f":null}}`},
	} {
		req, err := tmpl.Request(Values{Args: []json.RawMessage{tt.arg}})
		if err != nil {
			t.Fatal(err)
		}
		if req.URL != "https://api.example/a?y=p&z=1" || len(req.Header) != 0 || string(req.Body) != tt.body {
			t.Errorf("%s: %s %v %s", tt.arg, req.URL, req.Header, req.Body)
		}
	}
}

func TestRefusedValues(t *testing.T) {
	tests := []struct {
		name string
		src  Source
		arg  any
		want error
	}{
		{"header break", Source{Kind: HTTP, Target: "GET https://a.example", Headers: map[string]string{"X-A": "$1"}}, "a\r\nX-B: c", ErrValue},
		{"header ends", Source{Kind: HTTP, Target: "GET https://a.example", Headers: map[string]string{"X-A": "$1"}}, " a", ErrValue},
		{"raw header break", Source{Kind: HTTP, Target: "GET https://a.example", Headers: map[string]string{"X-A": "v $$1"}}, "a\nb", ErrStructure},
		{"host path", Source{Kind: HTTP, Target: "GET https://$1/x"}, "evil.example/y", ErrValue},
		{"host user", Source{Kind: HTTP, Target: "GET https://$1.a.example/x"}, "u@evil", ErrValue},
		{"host label", Source{Kind: HTTP, Target: "GET https://$1.a.example/x"}, "evil.example", ErrValue},
		{"raw host", Source{Kind: HTTP, Target: "GET https://api-$$1.example/x"}, "x.evil", ErrStructure},
		{"port", Source{Kind: HTTP, Target: "GET https://a.example:$1/x"}, "80@evil", ErrValue},
		{"base", Source{Kind: HTTP, Target: "GET $1/x"}, "https://u:p@evil.example", ErrValue},
		{"base scheme", Source{Kind: HTTP, Target: "GET $1"}, "file:///etc/passwd", ErrValue},
		{"dots", Source{Kind: HTTP, Target: "GET https://a.example/u/$1"}, "..", ErrStructure},
		{"empty segment", Source{Kind: HTTP, Target: "DELETE https://a.example/u/$1"}, "", ErrValue},
		{"raw path", Source{Kind: HTTP, Target: "GET https://a.example/u/$$1/x"}, "a/b", ErrStructure},
		{"raw path query", Source{Kind: HTTP, Target: "GET https://a.example/u/$$1"}, "a?admin=1", ErrStructure},
		{"raw path dots", Source{Kind: HTTP, Target: "GET https://a.example/u/$$1"}, "%2E%2e", ErrStructure},
		{"raw query", Source{Kind: HTTP, Target: "GET https://a.example/u?a=$$1"}, "1&admin=1", ErrStructure},
		{"raw fragment", Source{Kind: HTTP, Target: "GET https://a.example/u?a=$$1"}, "1#x", ErrStructure},
		{"raw form", Source{Kind: HTTP, Target: "POST https://a.example/u", Content: "form:a=$$1&b=2"}, "1&b=3", ErrStructure},
		{"raw json string", Source{Kind: HTTP, Target: "POST https://a.example/u", Content: `{"a":"$$1"}`}, `x","admin":"1`, ErrStructure},
		{"raw json string end", Source{Kind: HTTP, Target: "POST https://a.example/u", Content: `{"a":"$$1","b":"2"}`}, `x","b":"`, ErrStructure},
		{"raw json value", Source{Kind: HTTP, Target: "POST https://a.example/u", Content: `{"a":$$1}`}, `1,"admin":true`, ErrStructure},
		{"raw json array", Source{Kind: Fn, Content: `["x",[$$1]]`}, `1,2`, ErrStructure},
		{"raw not json", Source{Kind: Fn, Content: `[$$1]`}, nasty, ErrStructure},
		{"raw argv", Source{Kind: CLI, Content: `ls x$$1`}, "a b", ErrStructure},
		{"argv option", Source{Kind: CLI, Content: `ls $1`}, "--delete", ErrValue},
		{"argv nul", Source{Kind: CLI, Content: `ls -- $1`}, "a\x00b", ErrValue},
		{"raw flow", Source{Kind: Flow, Content: `A:$$1`}, "x > B:y", ErrStructure},
		{"raw flow pipe", Source{Kind: Flow, Content: `A:$$1`}, "x|y", ErrStructure},
		{"key twice", Source{Kind: HTTP, Target: "POST https://a.example/u", Content: `{"a":1,"$1":2}`}, "a", ErrStructure},
		{"surrogate", Source{Kind: Fn}, raw(`"\ud800"`), ErrValue},
		{"not json", Source{Kind: Fn}, raw(`{`), ErrValue},
		{"amplified", Source{Kind: Text, Content: strings.Repeat("$1", 900)}, strings.Repeat("x", 1<<20), ErrValue},
	}
	for _, tt := range tests {
		err := render(mustParse(t, tt.src), Values{Args: args(tt.arg)})
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
		if s, ok := tt.arg.(string); ok && len(s) > 8 && err != nil && strings.Contains(err.Error(), s) {
			t.Errorf("%s: the error repeats the value", tt.name)
		}
	}
}

func render(t *Template, v Values) (err error) {
	switch t.Kind {
	case HTTP:
		_, err = t.Request(v)
	case Fn:
		_, err = t.Arguments(v)
	case CLI:
		_, err = t.Argv(v)
	case Flow:
		for i := range t.Steps() {
			_, stepErr := t.StepArgs(i, v)
			err = errors.Join(err, stepErr)
		}
	default:
		_, err = t.Text(v)
	}
	return err
}

func TestRawThatFits(t *testing.T) {
	tests := []struct {
		src  Source
		arg  string
		want string
	}{
		{Source{Kind: Fn, Content: `[$$1]`}, `{"a":[1,2]}`, `{"a":[1,2]}`},
		{Source{Kind: Fn, Content: `["x$$1"]`}, `a\nb`, `"xa\nb"`},
	}
	for _, tt := range tests {
		got, err := mustParse(t, tt.src).Arguments(Values{Args: args(tt.arg)})
		if err != nil || string(got[0]) != tt.want {
			t.Errorf("%q: %s, %v", tt.arg, got, err)
		}
	}
	req, err := mustParse(t, Source{Kind: HTTP, Target: "GET https://a.example/$$1?q=$$2"}).Request(Values{Args: args("a%2Fb", "x%20y=z")})
	if err != nil || req.URL != "https://a.example/a%2Fb?q=x%20y=z" {
		t.Error(req, err)
	}
}

func TestArgv(t *testing.T) {
	tmpl := mustParse(t, Source{Kind: CLI, Target: "/usr/bin/ffmpeg", Content: "ffmpeg -i $1 -vf \"scale=$2:-1\" \\\n -meta 'a b' -- $3 '{\"t\":\"$1\"}' é"})
	got, err := tmpl.Argv(Values{Args: args(nasty, 640, "-x")})
	if err != nil {
		t.Fatal(err)
	}
	title, _ := json.Marshal(map[string]string{"t": nasty})
	var want, have map[string]string
	if json.Unmarshal(title, &want) != nil || json.Unmarshal([]byte(got[9]), &have) != nil || !cmp.Equal(want, have) {
		t.Errorf("json word %s", got[9])
	}
	got[9] = ""
	if diff := cmp.Diff([]string{"/usr/bin/ffmpeg", "-i", nasty, "-vf", "scale=640:-1", "-meta", "a b", "--", "-x", "", "é"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestFlow(t *testing.T) {
	tmpl := mustParse(t, Source{Kind: Flow, Content: `FIND:$1|exact => user > NOTE:{"who":$user,"text":"$1 > $2"}|"x|y"|$PREV > DONE > LOG:saw $PREV|$3`})
	want := []Step{
		{Key: "FIND", Args: []string{"$1", "exact"}, As: "user"},
		{Key: "NOTE", Args: []string{`{"who":$user,"text":"$1 > $2"}`, `"x|y"`, "$PREV"}},
		{Key: "DONE"},
		{Key: "LOG", Args: []string{"saw $PREV", "$3"}},
	}
	if diff := cmp.Diff(want, tmpl.Steps()); diff != "" {
		t.Fatal(diff)
	}
	v := Values{Args: args(nasty, 9007199254740993), Prev: raw(`{"id":1}`), Named: map[string]json.RawMessage{"user": raw(`{"id":9007199254740993}`)}}
	first, err := tmpl.StepArgs(0, v)
	if got, _ := textOf(first[0]); err != nil || got != nasty || string(first[1]) != `"exact"` {
		t.Errorf("%s, %v", first, err)
	}
	second, err := tmpl.StepArgs(1, v)
	if err != nil {
		t.Fatal(err)
	}
	var note struct {
		Who  json.RawMessage
		Text string
	}
	if err := json.Unmarshal(second[0], &note); err != nil || note.Text != nasty+" > 9007199254740993" || string(note.Who) != `{"id":9007199254740993}` {
		t.Errorf("%s, %v", second[0], err)
	}
	if string(second[1]) != `"x|y"` || string(second[2]) != `{"id":1}` {
		t.Errorf("%s", second)
	}
	last, err := tmpl.StepArgs(3, v)
	if err != nil || string(last[0]) != `"saw {\"id\":1}"` || last[1] != nil {
		t.Errorf("%s, %v", last, err)
	}
}

func TestSecrets(t *testing.T) {
	tmpl := mustParse(t, Source{Kind: HTTP, Target: "GET https://$DB_USER@a.example/x?k=$API_KEY"})
	if _, err := tmpl.Request(Values{}); !errors.Is(err, ErrSecret) || !strings.Contains(err.Error(), "DB_USER") {
		t.Error(err)
	}
	req, err := tmpl.Request(Values{Secret: func(name string) (string, error) { return name + "@&", nil }})
	if err != nil || req.URL != "https://DB_USER%40%26@a.example/x?k=API_KEY%40%26" {
		t.Error(req, err)
	}
	text, err := mustParse(t, Source{Kind: Text, Content: "$1"}).Text(Values{Args: args("$API_KEY")})
	if err != nil || text != "$API_KEY" {
		t.Errorf("a value became a secret: %q, %v", text, err)
	}
}
