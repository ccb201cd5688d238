package infer

// This file is the lexicon of what sentences say of arguments: the forms of words that mean the same, and
// the phrases made of them. It is data; cues.go finds the phrases.

import "strings"

// classes are words that phrases do not tell apart. A word may be in several, and stands for itself too.
var classes = classesOf(map[string]string{
	"BE":    "is are be was were been being",
	"HAVE":  "has have had having",
	"MAY":   "may can could might",
	"MUST":  "must shall should",
	"DO":    "do does did",
	"NOT":   "not never hardly",
	"NONE":  "none nothing nobody neither",
	"IF":    "if when where whenever wherever",
	"YOU":   "you one we they people callers somebody anybody i",
	"IT":    "it this that them these those",
	"FIELD": "field fields parameter parameters param argument arguments arg option options value values flag setting key member entry filter filters",
	"GIVE": `give set say name pass send state specify provide supply indicate mention choose pick tell ask want need wish care enter fill add put
		use include write select request object submit define decide`,
	"GIVES": `gives sets says names passes sends states specifies provides supplies indicates mentions chooses picks tells asks wants needs objects cares
		complains minds decides requests adds puts uses enters writes fills changes overrides`,
	"GIVEN": `given set said named passed sent stated specified provided supplied indicated mentioned chosen picked told asked wanted entered filled
		added put included there known selected requested submitted defined used present about switched turned disabled enabled changed overridden told`,
	"LEAVING":  "leaving omitting skipping dropping",
	"GIVING":   "giving setting saying naming passing sending stating specifying choosing",
	"LEAVE":    "leave omit skip drop",
	"LEFT":     "left",
	"OUT":      "out off away empty blank unset alone",
	"GONE":     "omitted skipped missing absent empty blank unset unspecified unsupplied dropped lacking",
	"REQ":      "required req req'd reqd mandatory compulsory obligatory necessary needed essential indispensable",
	"OPT":      "optional optionally opt voluntary voluntarily facultative",
	"STD":      "default defaults defaulting dflt dft std",
	"USED":     "assumed presumed used taken applied meant chosen implied supposed understood",
	"USUAL":    "normally usually ordinarily",
	"NARROW":   "restrict narrow filter limit add give pass name set choose pick include supply ask",
	"NARROWED": "restricted narrowed filtered limited added given passed named set chosen picked included supplied extended",
	"THE":      "the a an its his her their your our some any",
	"LIKE":     "like e.g such example instance including say",
	"WITHOUT":  "without lacking minus",
	"NO":       "no",
	"UNLESS":   "unless",
})

func classesOf(table map[string]string) map[string][]string {
	out := map[string][]string{}
	for class, words := range table {
		for _, w := range strings.Fields(words) {
			out[w] = append(out[w], class)
		}
	}
	return out
}

// cue is what a phrase says of its subject.
type cue int

const (
	needed   cue = iota + 1 // it must be given
	optional                // it may be left out
	absent                  // where it is left out, what stands beside this holds
	instead                 // the same, behind words on where it is given
	standard                // what stands beside this is its default
	alike                   // what was said of the one before holds for it too
)

// phrases are the words that give each cue. "X?" may be missing, "x/y" is one of both, "@" is an argument or a
// word for one, "~" up to three other words, "!x" what must not follow, "$" the end of a clause.
var phrases = phrasesOf(map[cue]string{
	needed: `
		REQ
		a must
		compulsorily
		MUST BE GIVEN !as/in/by
		MUST BE there/present
		HAVE to BE GIVEN/there/present !as/in/by
		needs to BE GIVEN/there/present !as/in/by
		YOU ~ MUST GIVE
		YOU ~ HAVE to GIVE
		MAY NOT BE GONE
		MAY NOT BE LEFT OUT
		MUST NOT BE GONE
		MUST NOT BE LEFT OUT
		NONE of which/IT MAY BE GONE
		NONE of which/IT MAY BE LEFT OUT
		NONE MAY BE GONE
		NONE of @ BE OPT
		NOT OPT
		MAY NOT do/go/work/live WITHOUT
		MAY NOT BE LEFT
		MAY not GIVE`,
	optional: `
		OPT
		NOT ~ REQ
		NONE of? @? BE REQ
		DO NOT GIVE @
		need NOT BE GIVEN/there/present
		need NOT GIVE
		NOT need to BE
		NOT need to GIVE
		NOT HAVE to BE
		NOT HAVE to GIVE
		DO NOT need @
		NONE HAVE to GIVE
		NO problem/harm/matter
		or neither
		NONE insists
		or NONE of IT
		or NONE at all
		or NOT at all
		NONE needs to GIVE
		MAY ~ BE GONE
		MAY ~ BE LEFT OUT
		MAY ~ LEAVE @? OUT
		MAY ~ LEAVE @
		MAY ~ fall/stay away
		MAY follow
		MAY stay/remain OUT
		BE ~ GONE
		may ~ BE GIVEN !as/in/by/only/at
		MAY BE NARROWED !as/in/at
		MAY also BE GIVEN
		YOU MAY ~ NARROW
		LEAVE @? OUT
		LEAVE @ OUT
		LEAVE out/off @
		LEAVE @
		omit/skip for/to/if/when
		IF YOU ~ want/like/wish/know/have/need @?
		IF YOU want to GIVE
		IF YOU ~ want/need/like/prefer something/anything else/different/other
		with @ GIVEN to true
		IF @? BE? known/wanted/available/desired
		IF @? BE? given/set/named/specified/provided/supplied/passed/stated
		IF YOU GIVE @
		filtered/narrowed/restricted/limited by @
		filtered/narrowed/restricted/limited down by @
		MAY BE attached/appended
		IF any
		IF anyone/anybody/someone/somebody !BE
		whichever @ YOU
		IF there BE ~ one/any/@
		only REQ
		only IF
		only for ~ that/who/which HAVE ~ any/one/IT
		nice to HAVE
		IF @? applicable
		as needed/required/wanted/desired`,
	absent: `
		IF NOT $
		IF NOT ~ GIVEN
		IF GONE/null
		IF @? BE null
		IF LEFT OUT
		IF @? BE ~ GONE
		IF @? BE ~ LEFT OUT
		IF @? BE NOT ~ GIVEN
		IF @? HAVE NOT been GIVEN
		IF @? BE NOT part
		IF NO @ BE ~ GIVEN
		IF NO @ HAVE been ~ GIVEN
		IF NO @ $
		IF there BE NO @
		IF there BE NONE
		IF NO such? @
		IF NONE else/other? BE GIVEN
		IF NONE BE ~ GIVEN
		IF NONE HAVE been GIVEN
		IF NONE GIVEN
		IF NONE GIVES
		IF NONE $
		IF in doubt
		IF YOU BE silent ~ @?
		IF YOU stay/keep silent ~ @?
		IF NOT present ~ @?
		by saying/giving/setting NONE
		for ~ that/which/who DO NOT GIVE @?
		for ~ that/which/who HAVE NONE
		for ~ that/which/who GIVE/HAVE NO @
		for ~ WITHOUT @
		for ~ WITHOUT one/any
		IF YOU DO NOT ~ GIVE @?
		IF YOU DO NOT $
		IF YOU GIVE NONE
		IF YOU GIVE NO @
		IF YOU LEAVE @? OUT
		IF YOU LEAVE OUT @?
		IF YOU LEAVE @
		UNLESS ~ GIVEN
		UNLESS ~ GIVE
		UNLESS ~ GIVES
		UNLESS @ GIVES
		UNLESS @ BE ~ GIVEN
		UNLESS ~ otherwise/else/differently/different
		WITHOUT @
		WITHOUT one/any
		WITHOUT $
		GIVING NONE
		LEAVING @? OUT
		LEAVING OUT @
		LEAVING @
		GIVE NONE
		GIVE NONE about/for @
		failing IT
		failing which
		in the absence of @
		in the absence of one
		in its/their absence
		GONE =
		GONE means/gives/for
		if nobody BE
		NO @ means/gives`,
	instead: `
		otherwise
		else`,
	standard: `
		STD
		by STD
		as STD
		BE the STD
		falls/fall/falling back
		fallback
		BE ~ USED
		being USED
		USED
		happens/comes/goes by itself
		by itself
		of its own accord
		USUAL
		standard
		usual
		as a rule
		assume/assumes/assuming/presume/presumes/presuming
		counts as
		initially`,
	alike: `
		same goes for
		same applies/holds for/to
		same is true for/of
		so DO/BE
		likewise
		ditto`,
})

// typeWord is a word that says of which type something is, with what may stand before it.
var typeNouns = map[string]string{
	"int32": "integer", "int64": "integer", "int": "integer", "ints": "integer", "integer": "integer", "integers": "integer", "integral": "integer",
	"float": "number", "floats": "number", "decimal": "number", "decimals": "number", "double": "number", "float32": "number", "float64": "number", "numeric": "number", "percentage": "number",
	"bool": "boolean", "boolean": "boolean", "booleans": "boolean", "bools": "boolean",
	"string": "string", "strings": "string", "str": "string",
}

// links are words that lead from an absence to what holds then.
var links = setOf(`server service api backend tool it is are be will then in this that case which system takes we use uses used get you'll gets you counts as assumed assumes presumed taken and means to
	the a an default defaults value shall would being stands goes by fall falls back so just simply that's what he she they them one have has gives up at after
	treated considered comes out becomes 's ll does stay stays but with for of on applies holds makes become meaning namely i.e here there`)

// bounding are words behind which a number bounds values and is none.
var bounding = setOf(`least most than between from max min maximum minimum exceed exceeds above below under over upto to within up every per range limit version since`)

// refusals say that a call without an argument fails.
var refusals = setOf(`error fails fail failure refused rejected rejects refuses invalid 400 404 422 exception aborts raises throws`)
