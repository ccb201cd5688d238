package accept

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"codemode/runtime"
)

// Each import and comment that reaches for more than a script may have is refused in words of its own, where it stands.
func TestRefused(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"import x from 'lodash'", `1:15 there is no package "lodash"; did you mean lodash-es?`},
		{"import x from 'lodahs-es'", `1:15 there is no package "lodahs-es"; did you mean lodash-es?`},
		{"import x from 'react'", `1:15 there is no package "react"; these can be imported: lodash-es`},
		{"import x from '/etc/passwd'", `1:15 "/etc/passwd" is a path of the host`},
		{"import x from 'C:\\\\x'", `1:15 "C:\\x" holds a character`},
		{"import x from '../x'", `1:15 "../x" leads out of the script`},
		{"import x from './lib/../../x'", `1:15 "./lib/../../x" leads out of the script`},
		{"import x from './Lib/N'", `1:15 the script has no file "./Lib/N"; letter case counts; its file is lib/n.ts`},
		{"import x from './a.json'", `1:15 the script has no file "./a.json", and a file of this kind is no module; data is given as an input`},
		{"import x from 'https://a.example/x.ts'", `1:15 nothing is imported from a network`},
		{"import x from 'data:text/javascript,1'", `1:15 code in a data: URL`},
		{"import x from 'npm:lodash'", `1:15 "npm:lodash" has the scheme npm:`},
		{"import fs from 'fs'", `1:16 "fs" is a module of Node, which a script does not have; there are no files; read inputs`},
		{"import fs from 'node:FS/promises'", `1:16 "fs/promises" is a module of Node`},
		{"import { Buffer } from 'buffer'", `1:24 "buffer" is a module of Node, which a script does not have; use Uint8Array`},
		{"import x from './lib/n' with { type: 'text' }", `1:25 import attributes are not supported`},
		{"import\n\tx from\n\t'./__proto__'", `3:2 "./__proto__" can't be imported`},
		{"import x from './a\u202eb'", `1:15 "./a\u202eb" holds a character`},
		{"import x from ''", `1:15 an import names nothing`},
		{"export * from 'nope'", `1:15 there is no package "nope"`},
		{"export { a as b } from 'nope'", `1:24 there is no package "nope"`},
		{"export type { a } from './nope'", `1:24 the script has no file "./nope"`},
		{"import 'nope'", `1:8 there is no package "nope"`},
		{"const é = '𝒜'; await import('./lib/n')", `1:23 import() is not supported`},
		{"return import.meta", `1:8 import.meta does not exist here`},
		{"import x = require('fs')", `1:12 require does not exist here`},
		{"return require('fs')", `1:8 require does not exist here`},
		{"/// <reference path='x' />", `1:1 a reference comment brings nothing in`},
		{"1 //# sourceMappingURL=x", `1:3 a comment can't say where the source stands`},
		{"1 //@ sourceURL=x", `1:3 a comment can't say where the source stands`},
		{"/**\n * @jsx h\n */", `1:1 there is no JSX here`},
		{"// @moduleResolution: node", `1:1 a comment can't set options`},

		{"import x from './lib/n'", ""},
		{"import x from './lib/n.js'; export * from './lib/n.ts'", ""},
		{"import _, { chunk as c, type Chunk } from \"lodash-es\"", ""},
		{"import type { A } from 'lodash-es/types'", ""},
		{"import type A from './types'", ""},
		{"import { from } from './lib/n'; export { from }", ""},
		{"import A = B.C", ""},
		{"const o = { import: 1, require() { return 1 } }; o.import; o.require('x')", ""},
		{"function require(a) { return a } return require('x')", ""},
		{"class A { import(a) { return a } }", ""},
		{"return 'import x from \"fs\"' + `require('fs')` + /import('x')/", ""},
		{"// import x from 'fs', require('fs'), see @jsx in the manual", ""},
		{"/** @module a, @type {string} */ // @ts-ignore", ""},
		{"// the sourceMappingURL=x of a bundle", ""},
	} {
		script := runtime.Script{Entry: "main.ts", Files: []runtime.SourceFile{{Name: "main.ts", Text: tt.text}, {Name: "lib/n.ts"}, {Name: "types.d.ts"}}}
		packages := Packages{"lodash-es/package.json": `{"name":"lodash-es","main":"lodash.js"}`, "lodash-es/lodash.js": ""}
		found := NewReach(script, packages).Refused()
		got := ""
		for _, d := range found {
			got += fmt.Sprintf("%d:%d %s; %s", d.Line, d.Column, d.Message, d.Hint)
		}
		if !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" || len(found) > 1 {
			t.Errorf("%s\n%s, want\n%s", tt.text, got, tt.want)
		}
	}
}

// Resolution follows Node: the order of conditions, patterns by the longest head, closed targets, lists.
func TestResolve(t *testing.T) {
	p := Packages{
		"a/package.json": `{"exports":{".":[{"node":"./node.js"},"./index.js"],"./x/*":"./lib/*.js","./x/y/*":"./deep/*.js","./x/no":null,"./cond":{"default":"./index.js","import":"./never.js"},
			"./req":{"require":"./r.cjs","import":"./r.mjs"},"./out":"./../b/index.js","./abs":"/etc/passwd","./bare":"b"},"imports":{"#in":"./lib/in.js","#b":"b","#b/*":"b/*","#self":"#in"}}`,
		"a/index.js": "", "a/lib/in.js": "", "a/lib/y.js": "", "a/deep/z.js": "", "a/never.js": "", "a/r.cjs": "", "a/r.mjs": "", "a/node.js": "", "a/lib/no.js": "",
		"b/package.json": `{"main":"lib","module":"es/main"}`, "b/lib/index.js": "", "b/es/main.mjs": "", "b/data.json": "{}",
		"c/package.json": `{"exports":"./c.js"}`, "c/c.js": "", "d/package.json": `{"exports":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, "d/index.js": "",
		"@s/e/package.json": `{}`, "@s/e/index.js": "", "f/package.json": `{"main":"../b/data.json"}`,
	}
	for _, tt := range []struct {
		importer, spec string
		required       bool
		want           string
	}{
		{"", "a", false, "a/index.js"}, {"", "a/x/y", false, "a/lib/y.js"}, {"", "a/x/y/z", false, "a/deep/z.js"}, {"", "a/x/no", false, ""},
		{"", "a/cond", false, "a/index.js"}, {"", "a/req", false, "a/r.mjs"}, {"", "a/req", true, "a/r.cjs"}, {"", "a/lib/in.js", false, ""},
		{"", "a/x/../../b/lib", false, ""}, {"", "a/out", false, ""}, {"", "a/abs", false, ""}, {"", "a/bare", false, ""}, {"", "a/x/*", false, ""},
		{"a/index.js", "#in", false, "a/lib/in.js"}, {"a/index.js", "#b", false, "b/es/main.mjs"}, {"a/index.js", "#b", true, "b/lib/index.js"},
		{"a/index.js", "#b/data.json", false, "b/data.json"}, {"a/index.js", "#self", false, ""}, {"", "#in", false, ""},
		{"a/lib/in.js", "../index.js", false, "a/index.js"}, {"a/lib/in.js", "./y", false, "a/lib/y.js"}, {"a/lib/in.js", "../../b/lib", false, ""}, {"a/index.js", "a/x/y", false, "a/lib/y.js"},
		{"", "b", false, "b/es/main.mjs"}, {"", "b", true, "b/lib/index.js"}, {"", "b/lib", false, "b/lib/index.js"}, {"", "b/data", false, "b/data.json"}, {"", "b/../a/index.js", false, ""},
		{"", "c", false, "c/c.js"}, {"", "c/c.js", false, ""}, {"", "d", false, "d/index.js"}, {"", "@s/e", false, "@s/e/index.js"}, {"", "@s", false, ""}, {"", "f", false, ""}, {"", "g", false, ""},
	} {
		got, refused := p.Resolve(tt.importer, tt.spec, tt.required)
		if got != tt.want || (refused == nil) != (tt.want != "") {
			t.Errorf("%q from %q: %q, %+v; want %q", tt.spec, tt.importer, got, refused, tt.want)
		}
	}
}

// What looks for imports is linear itself, whatever a script makes of it.
func TestRefusedInTime(t *testing.T) {
	packages := Packages{"a/package.json": `{"main":"a.js"}`, "a/a.js": ""}
	for i := range 4000 {
		packages[fmt.Sprintf("a/f%d.js", i)] = ""
	}
	for _, piece := range []string{"require(1);", "import as ", "import 'a';", "import 'b';", "export {a as ", "import type ", "import*", "import(", "import.meta;", "///<reference a\n", "//@jsx\n", "/**/", "import{a}from'a/f1';"} {
		text := strings.Repeat(piece, 250_000/len(piece))
		start := time.Now()
		reach := NewReach(runtime.Script{Entry: "main.ts", Files: []runtime.SourceFile{{Name: "main.ts", Text: text}}}, packages)
		refused := reach.Refused()
		reach.Untyped()
		reach.ImportedNames()
		if took := time.Since(start); took > 30*time.Second || len(refused) > maxRefused {
			t.Errorf("%s: %v, %d refused", piece, took, len(refused))
		}
	}
}
