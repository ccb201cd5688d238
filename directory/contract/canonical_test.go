package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		// RFC 8785, section 3.2.2 and 3.2.4: the worked example.
		{"rfc 8785 example", `{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
			"string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}`,
			`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`},
		// RFC 8785, section 3.2.3: keys sort by UTF-16 units, so an astral character comes before U+FB33.
		{"rfc 8785 sorting", `{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One",
			"\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`,
			"{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\",\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\"," +
				"\"😀\":\"Emoji: Grinning Face\",\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}"},
		{"nested sorting", `{"b":[{"z":1,"a":{"y":0,"x":0}}],"a":1}`, `{"a":1,"b":[{"a":{"x":0,"y":0},"z":1}]}`},
		{"white space", " \t\r\n[ 1 , { \"a\" : null } ]\n", `[1,{"a":null}]`},
		{"empty", `{"a":{},"b":[],"":""}`, `{"":"","a":{},"b":[]}`},
		{"controls", `"\u0000\u0001\u0008\u0009\u000a\u000b\u000c\u000d\u001f\u007f"`, "\"\\u0000\\u0001\\b\\t\\n\\u000b\\f\\r\\u001f\x7f\""},
		{"no html escapes", `"<&>\u2028\u2029"`, "\"<&>\u2028\u2029\""},
		{"replacement character", `"\ufffd"`, "\"\ufffd\""},
		{"escaped backslashes are no escapes", `"\\ud800 \\\\u0041"`, `"\\ud800 \\\\u0041"`},
		{"a pair", `"\ud83d\ude00"`, `"😀"`},
		{"prefix keys", `{"aa":1,"a":2,"":3}`, `{"":3,"a":2,"aa":1}`},
		// The difference from JCS: what is written as an integer keeps every digit.
		{"2^53+1", `9007199254740993`, `9007199254740993`},
		{"2^53", `[9007199254740992,-9007199254740993]`, `[9007199254740992,-9007199254740993]`},
		{"a long integer", `123456789012345678901234567890`, `123456789012345678901234567890`},
		{"minus zero", `[-0,-0.0,0e5,-0E-7]`, `[0,0,0,0]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Canonical([]byte(c.in))
			if err != nil || string(got) != c.want {
				t.Errorf("got  %s (%v)\nwant %s", got, err, c.want)
			}
			again, err := Canonical(got)
			if err != nil || !bytes.Equal(again, got) {
				t.Errorf("canonical bytes are not their own canonical form: %s (%v)", again, err)
			}
		})
	}
}

// TestNumbers are the samples of RFC 8785, appendix B: a double by its bits, and how it is written.
func TestNumbers(t *testing.T) {
	for bits, want := range map[uint64]string{
		0x0000000000000000: "0", 0x8000000000000000: "0",
		0x0000000000000001: "5e-324", 0x8000000000000001: "-5e-324",
		0x7fefffffffffffff: "1.7976931348623157e+308", 0xffefffffffffffff: "-1.7976931348623157e+308",
		0x4340000000000000: "9007199254740992", 0xc340000000000000: "-9007199254740992",
		0x4430000000000000: "295147905179352830000",
		0x44b52d02c7e14af5: "9.999999999999997e+22", 0x44b52d02c7e14af6: "1e+23", 0x44b52d02c7e14af7: "1.0000000000000001e+23",
		0x444b1ae4d6e2ef4e: "999999999999999700000", 0x444b1ae4d6e2ef4f: "999999999999999900000", 0x444b1ae4d6e2ef50: "1e+21",
		0x3eb0c6f7a0b5ed8c: "9.999999999999997e-7", 0x3eb0c6f7a0b5ed8d: "0.000001",
		0x41b3de4355555553: "333333333.3333332", 0x41b3de4355555554: "333333333.33333325", 0x41b3de4355555555: "333333333.3333333",
		0x41b3de4355555556: "333333333.3333334", 0x41b3de4355555557: "333333333.33333343",
		0xbecbf647612f3696: "-0.0000033333333333333333", 0x43143ff3c1cb0959: "1424953923781206.2",
	} {
		in := strconv.FormatFloat(math.Float64frombits(bits), 'e', -1, 64) // with an exponent: a double, no integer
		got, err := Canonical([]byte(in))
		if err != nil || string(got) != want {
			t.Errorf("%016x as %s: got %s (%v), want %s", bits, in, got, err, want)
		}
	}
	for _, in := range []string{"1e400", "-1e400", "1.5e999999999", "1" + strings.Repeat("0", 400) + ".5"} {
		if got, err := Canonical([]byte(in)); err == nil {
			t.Errorf("%.20s became %s", in, got)
		}
	}
}

// TestSameBytesOnlyForTheSameValue pairs values that a careless form makes equal.
func TestSameBytesOnlyForTheSameValue(t *testing.T) {
	for _, pair := range [][2]string{
		{`9007199254740992`, `9007199254740993`},
		{`[9007199254740992]`, `[9007199254740992.0,0]`},
		{`"1"`, `1`}, {`"a","b"`, `"a\",\"b"`}, {`{"a":[]}`, `{"a":{}}`}, {`null`, `"null"`},
		{`"\ufffd"`, `"\u0000"`}, {`"é"`, `"e\u0301"`}, {`1e20`, `100000000000000000001`},
	} {
		a, errA := Canonical([]byte(pair[0]))
		b, errB := Canonical([]byte(pair[1]))
		if errA == nil && errB == nil && bytes.Equal(a, b) {
			t.Errorf("%s and %s share %s", pair[0], pair[1], a)
		}
	}
	for _, pair := range [][2]string{{`1.0`, `1`}, {`1e2`, `100`}, {`"\u0041"`, `"A"`}, {`{"b":1,"a":2}`, `{"a":2,"b":1}`}, {`-0`, `0.0`}} {
		a, errA := Canonical([]byte(pair[0]))
		b, errB := Canonical([]byte(pair[1]))
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s gives %s (%v), %s gives %s (%v)", pair[0], a, errA, pair[1], b, errB)
		}
	}
}

func TestCanonicalRefuses(t *testing.T) {
	for name, in := range map[string]string{
		"nothing":               ``,
		"white space":           "  ",
		"torn object":           `{"a":1`,
		"torn array":            `[1,`,
		"torn string":           `"abc`,
		"trailing data":         `{} {}`,
		"trailing bracket":      `1]`,
		"comma at the end":      `[1,]`,
		"comma in object":       `{"a":1,}`,
		"missing comma":         `[1 2]`,
		"missing colon":         `{"a" 1}`,
		"wrong bracket":         `[1}`,
		"NaN":                   `NaN`,
		"leading zero":          `01`,
		"plus":                  `+1`,
		"bare point":            `.5`,
		"raw control":           "\"a\nb\"",
		"bad escape":            `"\x41"`,
		"duplicate key":         `{"a":1,"a":1}`,
		"duplicate by escape":   `{"a":1,"\u0061":2}`,
		"duplicate deep":        `[{"x":{"k":1,"z":0,"k":2}}]`,
		"lone high":             `"\ud800"`,
		"lone low":              `"\udc00"`,
		"high, then a letter":   `"\ud800\u0041"`,
		"high high low":         `"\ud800\ud800\udc00"`,
		"low high":              `"\udc00\ud800"`,
		"lone in a key":         `{"\uDEAD":1}`,
		"lone after backslash":  `"\\\ud800"`,
		"invalid UTF-8":         "\"\xff\"",
		"surrogate in UTF-8":    "\"\xed\xa0\x80\"",
		"overlong":              "\"\xc0\x80\"",
		"invalid UTF-8 outside": "\xff1",
		"byte order mark":       "\ufeff1",
		"too deep":              strings.Repeat("[", maxDepth+2) + strings.Repeat("]", maxDepth+2),
		"far too deep":          strings.Repeat("[", 5_000_000),
		"far too deep objects":  strings.Repeat(`{"a":`, 1_000_000),
	} {
		if got, err := Canonical([]byte(in)); err == nil {
			t.Errorf("%s: became %.60s", name, got)
		} else if len(err.Error()) > 300 || !strings.HasPrefix(err.Error(), "canonical json: ") {
			t.Errorf("%s: error is %.400s", name, err)
		}
	}
	if _, err := Canonical([]byte(strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth))); err != nil {
		t.Errorf("%d deep: %v", maxDepth, err)
	}
}

// TestLongNamesStayOutOfErrors because an error may reach a log, and a key is the sender's text.
func TestLongNamesStayOutOfErrors(t *testing.T) {
	key := strings.Repeat("k", 1<<20)
	for _, in := range []string{`{"` + key + `":1,"` + key + `":1}`, "1." + strings.Repeat("9", 1<<20) + "e999"} {
		if _, err := Canonical([]byte(in)); err == nil || len(err.Error()) > 300 {
			t.Errorf("error of %d bytes", len(fmt.Sprint(err)))
		}
	}
}

func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{`{"b":[1,2.5e-7,"\ud83d\ude00"],"a":{}}`, `"\\ud800"`, `[-0,1e21,9007199254740993]`, `{"a":1,"\u0061":2}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		got, err := Canonical(doc)
		if err != nil {
			return
		}
		if !json.Valid(doc) || !json.Valid(got) {
			t.Fatalf("%q became %q", doc, got)
		}
		again, err := Canonical(got)
		if err != nil || !bytes.Equal(again, got) {
			t.Fatalf("%q became %q, then %q (%v)", doc, got, again, err)
		}
		var indented bytes.Buffer
		if err := json.Indent(&indented, doc, " ", "\t"); err != nil {
			t.Fatal(err)
		}
		if spaced, err := Canonical(indented.Bytes()); err != nil || !bytes.Equal(spaced, got) {
			t.Fatalf("%q with space became %q (%v), not %q", doc, spaced, err, got)
		}
	})
}
