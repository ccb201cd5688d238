package worker_test

// This file runs scripts that are right, or wrong in the ways scripts are, through the real worker.

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"codemode/runtime"
)

// results are scripts with the result they must have.
var results = []struct{ name, text, want string }{
	{"nothing", "", "null"},
	{"no export", "1 + 1", "null"},
	{"value", "export default 42", "42"},
	{"undefined", "export default undefined", "null"},
	{"promise", "export default Promise.resolve([1])", "[1]"},
	{"function", "export default () => 'x'", `"x"`},
	{"async function", "export default async function main() { return await tools.crm.get({ id: 7 }) }", `{"id":7}`},
	{"function returning a function's promise", "export default async () => { await null; return { a: 1 } }", `{"a":1}`},
	{"ends in a comment", "export default 1 // the end", "1"},
	{"ends in a comment, nothing else", "// nothing", "null"},
	{"hashbang", "#!/usr/bin/env node\nexport default 2", "2"},
	{"carriage returns", "const a = 1;\r\nconst b = `x\r\ny`;\r\nexport default [a, b]\r\n", `[1,"x\ny"]`},
	{"line separators", "export default ['\u2028', `\u2029`, String.raw`é\u2028`]", "[\"\u2028\",\"\u2029\",\"é\u2028\"]"},
	{"the wrapper's words", "const s = `\nexport {\n  x as default\n};\n`; const main_default = 3; const __top = 4;\nexport default [s.length, main_default, __top, typeof run]", `[28,3,4,"undefined"]`},
	{"a text like the export", "const main_default = 9; export const z = `\nexport {\n  main_default as default\n};\n`", "null"},
	{"clashing names", "const tools_ = tools, console = 1, Promise_ = Promise; export default [typeof tools_, console]", `["object",1]`},
	{"await in many places", "const f = async (n) => (await n) + 1; let t = 0; for (const x of [f(1), f(2)]) t += await x; export default t", "5"},
	{"for await and async generators", "async function* g() { yield 1; yield 2 } let t = 0; for await (const x of g()) t += x; export default t", "3"},
	{"class features", "class A { #x = 1; static y = 2; get x() { return this.#x } static { A.z = 3 } } export default [new A().x, A.y, A.z]", "[1,2,3]"},
	{"enum and namespace", "enum E { A = 'a' } namespace N { export const b = 1 } export default [E.A, N.b] as const", `["a",1]`},
	{"optional chaining", "const o: any = { a: null }; export default [o.a?.b ?? 'none', o?.['a']]", `["none",null]`},
	{"regular expressions", "export default ['2024-01-02'.match(/(?<y>\\d+)-(\\d+)/).groups.y, 'aXbX'.replaceAll(/x/gi, '-'), new RegExp('a+', 'g')[Symbol.replace]('caat', 'o'), /a/ instanceof RegExp, new RegExp('a').constructor === RegExp]", `["2024","a-b-","cot",true,true]`},

	{"clock stands until a settlement", "const a = Date.now(); for (let i = 0; i < 1e5; i++); const b = Date.now(); await tools.crm.list(); export default [a, b, Date.now(), new Date().toISOString()]",
		`[1000000,1000000,1000001,"1970-01-01T00:16:40.001Z"]`},
	{"timers advance the clock", "const t = Date.now(); await new Promise((r) => setTimeout(r, 20)); export default Date.now() - t", "20"},
	{"timers in order", "const out = []; setTimeout(() => out.push('b'), 15); setTimeout((x) => out.push(x), 1, 'a'); const id = setInterval(() => { out.push('i'); if (out.length > 4) clearInterval(id) }, 3); await new Promise((r) => setTimeout(r, 60)); export default [out[0], out.includes('b'), out.length >= 5]", `["a",true,true]`},
	{"a timer cleared", "let n = 0; clearTimeout(setTimeout(() => n++, 1)); await new Promise((r) => setTimeout(r, 5)); export default n", "0"},
	{"seeded random", "export default [Math.random(), Math.random()].every((x) => x >= 0 && x < 1)", "true"},
	{"utc", "export default [new Date(0).getHours(), new Date(0).getTimezoneOffset()]", "[0,0]"},

	{"calls run together", "const all = await Promise.all([1, 2, 3, 4, 5].map((n) => tools.crm.get({ n }))); export default all.map((x) => x.n)", "[1,2,3,4,5]"},
	{"namespaces", "export default [Object.keys(tools), Object.keys(tools.crm), tools.then, tools.crm.then, tools.nope, tools.crm.nope, Object.isFrozen(tools), Object.isFrozen(tools.crm), 'crm' in tools, await tools === tools].map((x) => x === undefined ? 'undefined' : x)",
		`[["crm","mail"],["get","list"],"undefined","undefined","undefined","undefined",true,true,true,true]`},
	{"stub's face", "const f = tools.crm.list; export default [f.name, f.length, String(f), Object.keys(f)]", `["list",1,"function list() { [native code] }",[]]`},
	{"natives show no Go names", "const names = []; for (const k of Object.getOwnPropertyNames(globalThis)) { const v = globalThis[k]; if (typeof v === 'function') names.push(String(v), v.name) } names.push(String(Object.getOwnPropertyDescriptor(tools, 'crm').get)); export default names.filter((n) => /codemode|\\.go|func\\d|\\/|-fm/.test(n) && !n.includes('=>') && !n.includes('{\\n'))", "[]"},

	{"errors in a result", `const all = await Promise.allSettled([tools.crm.get({ n: 1 }), Promise.reject(new RangeError("too far"))]); class E extends Error { code = 7 } export default [all[1], new E("mine"), self === globalThis]`,
		`[{"status":"rejected","reason":{"name":"RangeError","message":"too far"}},{"name":"Error","message":"mine","code":7},true]`},
	{"bigints as JSON text", `export default JSON.stringify({ a: 9007199254740993n, b: [1n, "x", { c: -5n }], d: 7 })`, `"{\"a\":9007199254740993,\"b\":[1,\"x\",{\"c\":-5}],\"d\":7}"`},
	{"bigints as JSON text, some names", `export default JSON.stringify({ a: 1n, b: 2n, c: { a: 3n, b: 4 } }, ["a", "c"])`, `"{\"a\":1,\"c\":{\"a\":3}}"`},
	{"bigints as JSON text, replaced", `export default JSON.stringify({ a: 1n, b: "x" }, (k, v) => typeof v === "bigint" ? v * 2n : v)`, `"{\"a\":2,\"b\":\"x\"}"`},
	{"bigints beside their own mark", `export default JSON.stringify({ a: 1n, b: "\uE0009", c: "\uE000\uE000" }) === '{"a":1,"b":"\uE0009","c":"\uE000\uE000"}'`, "true"},
	{"bigints beside many marks", `export default JSON.stringify({ a: 1n, b: '"\uE000'.repeat(30000) }).length`, "90014"},
	{"bigints as JSON text, numbers as names", `export default JSON.stringify({ 1: 5n, 2: 3, b: [{ 1: 2n, 3: 4 }] }, [1, new String("b")] as any)`, `"{\"1\":5,\"b\":[{\"1\":2}]}"`},
	{"bigints as JSON text, in the list's order", `export default JSON.stringify({ a: 1n, b: 2 }, ["b", "a"])`, `"{\"b\":2,\"a\":1}"`},
	{"a bigint object as JSON text", `export default JSON.stringify([Object(1n), 2n])`, `"[1,2]"`},
	{"a value that is never the same as JSON text", `let n = 0; try { JSON.stringify({ toJSON() { return ["\uE000".repeat(++n) + "7", 2n] } }); export_ = "written" } catch (e) { export_ = (e as Error).message } var export_: string; export default export_`, `"JSON.stringify: the value changes while it is written"`},
	{"big integers out and back", "export default (await tools.crm.get({ id: 9007199254740993n })).id === 9007199254740993n", "true"},
	{"numbers keep their kind", "export default await tools.crm.get({ a: 1, b: -0, c: 1.5, d: 9007199254740991, e: 1e-7, f: true, g: null, h: undefined })", `{"a":1,"b":0,"c":1.5,"d":9007199254740991,"e":1e-07,"f":true,"g":null}`},
	{"unsafe integers stay numbers in exponent form", "export default [2 ** 53, 1e21, 123456789012345680000]", "[9.007199254740992e+15,1e+21,1.2345678901234568e+20]"},
	{"dates, boxes, toJSON, bytes", "export default [new Date(0), Object(1), Object('x'), { toJSON() { return 7 } }, new Uint8Array([1, 2, 255]), new Uint8Array([1]).buffer, new Float64Array([1.5, 2]), [1, , undefined]]",
		`["1970-01-01T00:00:00.000Z",1,"x",7,"AQL/","AQ==",[1.5,2],[1,null,null]]`},
	{"hostile names in data", `export default await tools.crm.get({ ["__proto__"]: 1, constructor: 2, toString: 3, then: 4, "a\"b\n": "\u0000\u2028😀" })`, "{\"__proto__\":1,\"constructor\":2,\"toString\":3,\"then\":4,\"a\\\"b\\n\":\"\\u0000\u2028😀\"}"},
	{"results are plain", "const r = await tools.crm.get({ a: [{ b: 1 }] }); r.a.push(2); r.c = 3; export default [Object.getPrototypeOf(r) === Object.prototype, Array.isArray(r.a), r]", `[true,true,{"a":[{"b":1},2],"c":3}]`},

	{"lone surrogates survive JSON.parse", `export default [JSON.parse('"\\ud800"').charCodeAt(0) === 0xd800, JSON.parse('{"a":[1,{"b":"\\u00e9"}]}', (k, v) => k === 'b' ? v + '!' : v)]`, `[true,{"a":[1,{"b":"é!"}]}]`},
	{"JSON.parse of what is no JSON", "const bad = ['', '{', '[1,]', '01', '1.', '\"\\\\x\"', 'nul', '{\"a\":1,}', '1 2', '\"\\n\"', '{a:1}', '-']; export default bad.filter((t) => { try { JSON.parse(t); return true } catch (e) { return !(e instanceof SyntaxError) } })", "[]"},
	{"JSON.parse of what is", "export default [' [1, -2.5e3 , \"\\\\u0041\\\\n\", true,false,null,{},[]] ', '-0', '12345678901234567890'].map((t) => JSON.parse(t))", `[[1,-2500,"A\n",true,false,null,{},[]],0,1.2345678901234567e+19]`},

	{"helpers", "const w = Promise.withResolvers(); w.resolve(1); const g = Object.groupBy([1, 2, 3], (n) => n % 2 ? 'odd' : 'even'); const m = Map.groupBy([1, 2], (n) => n > 1); export default [await w.promise, g.odd, g.even, m.get(true), await Array.fromAsync([Promise.resolve(1), 2], (x) => x * 2), await new Promise((r) => queueMicrotask(() => r('q')))]",
		`[1,[1,3],[2],[2],[2,4],"q"]`},
	{"array from an async generator", "async function* g() { yield 1; yield 2 } export default await Array.fromAsync(g())", "[1,2]"},
	{"structuredClone", "const a: any = { d: new Date(5), m: new Map([[1, { x: 1 }]]), s: new Set([1]), u: new Uint8Array([9]), r: /x/g, e: new TypeError('t') }; a.self = a; const c = structuredClone(a); export default [c !== a, c.self === c, c.d.getTime(), c.m.get(1).x, c.s.has(1), c.u[0], c.r.flags, c.e instanceof TypeError, c.e.message]",
		`[true,true,5,1,true,9,"g",true,"t"]`},
	{"structuredClone refuses functions", "try { structuredClone({ f() {} }); } catch (e) { globalThis.x = e.name } export default globalThis.x", `"TypeError"`},

	{"no code at run time", "const tries = [() => eval('1'), () => (0, eval)('1'), () => new Function('return 1')(), () => (() => {}).constructor('return 1')(), () => (async () => {}).constructor('return 1')(), () => (function* () {}).constructor('return 1')(), () => Reflect.construct(Function, ['return 1']), () => Object.getPrototypeOf(Object.getPrototypeOf(async () => {})).constructor('1')(), () => setTimeout('1')]; export default tries.map((f) => { try { f(); return 'ran' } catch (e) { return e.name } })",
		`["EvalError","EvalError","EvalError","EvalError","EvalError","EvalError","EvalError","EvalError","TypeError"]`},
	{"functions stay functions", "export default [(() => {}) instanceof Function, (() => {}).constructor === Function, Function.prototype.call.call(() => 1)]", "[true,true,1]"},
	{"patterns the engine cannot match are refused", "export default [() => /\\p{L}/u.test('a'), () => new RegExp('\\\\P{Lu}', 'u'), () => new RegExp('a', 'v'), () => /\\\\p/u.test('\\\\p'), () => /\\p/.test('p')].map((f) => { try { return f() } catch (e) { return e.name } })",
		`["SyntaxError","SyntaxError","SyntaxError",true,true]`},
	{"a match that gave up says so", "const s = 'ab'.repeat(60000), re = /^(?:(a)|(b))*(?=$)/; export default [() => re.test(s), () => s.match(re), () => s.search(re), () => s.replace(re, ''), () => re.exec(s), () => [...s.matchAll(/(?:(a)|(b))*(?=$)/g)], () => s.split(/(?:(a)|(b))*(?=c)/).length, () => re.test(s.slice(0, 2000)), () => /z(?=a)/.test(s)].map((f) => { try { return f() } catch (e) { return e.name } })",
		`["RangeError","RangeError","RangeError","RangeError","RangeError","RangeError","RangeError",true,false]`},
	{"constants stay", "const tries = [() => { tools = 1 }, () => { tools.crm = 1 }, () => { tools.crm.list = 1 }, () => { inputs.x = 1 }, () => { console.log = 1 }, () => { ToolError = 1 }]; export default tries.map((f) => { try { f(); return 'changed' } catch (e) { return e.name } })",
		`["TypeError","TypeError","TypeError","TypeError","TypeError","TypeError"]`},
	{"no host", "export default [typeof process, typeof fetch, typeof module, typeof Deno, typeof WebAssembly, typeof GoError]", `["undefined","undefined","undefined","undefined","undefined","undefined"]`},
	{"ToolError", "const e = new ToolError('m', { code: 'not_found', status: 404 }); export default [e instanceof Error, e instanceof ToolError, e.name, e.code, e.status, String(e), 'hint' in e]", `[true,true,"ToolError","not_found",404,"ToolError: m",false]`},
	{"a race leaves its loser", "await Promise.race([tools.mail.send({ slow: true }), tools.crm.list()]); export default 'won'", `"won"`},
	{"a race leaves losers that have to be gathered", "await Promise.race([Promise.all([tools.mail.send({ slow: 1 }), tools.mail.send({ slow: 2 }).then((x) => x)]), Promise.any([tools.mail.send({ slow: 3 }), tools.crm.list()])]); export default 'won'", `"won"`},
	{"a caught failure", "try { await Promise.all([tools.mail.send({ fail: true }), tools.crm.list()]) } catch (e) { globalThis.e = e } export default [e instanceof ToolError, e.code, e.method, e.hint, e.status, e.detail, Object.keys(e)]",
		`[true,"remote_failed","mail.send","try later",503,"busy",["code","method","hint","status","detail"]]`},
	{"arguments that are refused are caught", "const out = []; for (const a of ['x', [1], 1, { f() {} }, { s: Symbol() }, { n: NaN }, { m: new Map() }, { s: new Set() }, { p: Promise.resolve() }, { d: new Date(NaN) }, { t: '\\ud800' }, { r: /x/ }]) await tools.crm.get(a as any).catch((e) => out.push(e.code)); const c: any = {}; c.c = { c }; await tools.crm.get(c).catch((e) => out.push(e.message)); export default out",
		`["invalid_argument","invalid_argument","invalid_argument","invalid_argument","invalid_argument","invalid_argument","invalid_argument","invalid_argument","invalid_argument","invalid_argument","invalid_argument","invalid_argument","args.c.c refers back to an object around it (a cycle)"]`},
	{"a shared object is no cycle", "const s = { a: 1 }; export default { x: s, y: [s, s] }", `{"x":{"a":1},"y":[{"a":1},{"a":1}]}`},
	{"a getter that throws stays in the script", "export default await tools.crm.get({ get a() { throw new RangeError('no') } }).catch((e) => e.name)", `"RangeError"`},
	{"artifacts", "export default [artifacts.write('a/b.txt', 'é'), artifacts.write('c.json', { a: 1n }), artifacts.write('d', new Uint8Array(3), { mediaType: 'image/png' })]",
		`[{"path":"a/b.txt","mediaType":"text/plain","bytes":2},{"path":"c.json","mediaType":"application/json","bytes":13},{"path":"d","mediaType":"image/png","bytes":3}]`},
	{"artifact paths", "const bad = ['', '/a', '../a', 'a/../b', 'a//b', './a', 'a\\\\b', 'a\\nb', 'a/', 'C:x', ' a', 'a.', 'x'.repeat(500), 'a\\u202Eb', 'a\\u0000']; export default bad.filter((p) => { try { artifacts.write(p, 'x'); return true } catch (e) { return e.code !== 'invalid_argument' } })", "[]"},
	{"inputs", "export default [Object.keys(inputs), inputs.people.name, inputs.people.size, inputs.people.csv(), inputs.data.json(), inputs.data.bytes()[0], inputs.people.text().length, inputs.nope === undefined]",
		`[["bad","data","people"],"people",39,[{"name":"Ana, \"A\"","age":"30"},{"name":"Bo\nB","age":""}],{"n":12345678901234567890},123,36,true]`},
	{"inputs that are something else", "const out = []; for (const f of [() => inputs.bad.text(), () => inputs.bad.csv(), () => inputs.people.json(), () => inputs.data.csv()]) try { out.push(f()) } catch (e) { out.push(e.name + ' ' + (e.code ?? '')) } export default out",
		`["ToolError invalid_argument","ToolError invalid_argument","SyntaxError ","ToolError invalid_argument"]`},
	{"stack in the author's coordinates", "function f() {\n  throw new Error('x')\n}\ntry { f() } catch (e) { globalThis.s = e.stack.split('\\n')[1].trim().replace(/\\(\\d+\\)/, '') }\nexport default s", `"at f (main.ts:2:9)"`},
}

func TestResults(t *testing.T) {
	pool := newPool(t)
	for _, c := range results {
		t.Run(c.name, func(t *testing.T) {
			p := script(c.text)
			p.Inputs = []runtime.Input{
				{Name: "people", Bytes: []byte("\ufeffname,age\r\n\"Ana, \"\"A\"\"\",30\r\n\"Bo\nB\",\r\n")},
				{Name: "data", Bytes: []byte(`{"n":12345678901234567890}`)},
				{Name: "bad", Bytes: []byte("\xff\xfe")},
			}
			out := run(t, pool, p, &host{call: answer})
			if out.Err != nil || string(out.Result) != c.want {
				t.Errorf("got %s\nwant %s", describe(out), c.want)
			}
		})
	}
}

// answer echoes the arguments; mail.send can be slow or fail.
func answer(ctx context.Context, c runtime.StubCall) runtime.Settlement {
	s := runtime.Settlement{Result: c.Args, NowUnixMillis: 1_000_000 + int64(c.Seq)}
	switch {
	case strings.Contains(string(c.Args), `"slow"`):
		<-ctx.Done()
	case strings.Contains(string(c.Args), `"fail"`):
		return runtime.Settlement{Err: &runtime.Error{Code: runtime.RemoteFailed, Message: "the mailer said no", Hint: "try later", Status: 503, Detail: "busy"}}
	}
	return s
}

// failures are scripts with how they must fail: reason, place, and part of the message.
var failures = []struct {
	name, text string
	reason     runtime.Reason
	line, col  int
	message    string
}{
	{"throw", "const a = 1;\n\n  throw new TypeError('bad ' + a);", runtime.ReasonScript, 3, 9, "TypeError: bad 1"},
	{"throw in TypeScript", "interface A { b: number }\ntype C = A & {\n d: string };\nconst f = (x: C): number => { throw new Error('x') };\nf({} as any)", runtime.ReasonScript, 4, 37, "Error: x"},
	{"throw what is no error", "throw { a: 1 }", runtime.ReasonScript, 0, 0, "thrown: { a: 1 }"},
	{"unknown method", "await tools.crm.list();\nawait tools.crm.nope({});", runtime.ReasonScript, 2, 17, "TypeError: Object has no member 'nope'"},
	{"unknown name", "\n  nope(1)", runtime.ReasonScript, 2, 3, "ReferenceError: nope is not defined"},
	{"after await", "await tools.crm.list();\nconst x: any = null;\nx.y", runtime.ReasonScript, 3, 3, "TypeError"},
	{"carriage returns and wide characters", "const s = '😀é';\r\nconst t = `\r\n`; /* 😀 */ (null as any).x", runtime.ReasonScript, 3, 27, "TypeError"},
	{"a failed call", "const x = 1;\nawait tools.mail.send({ fail: true })", runtime.ReasonScript, 2, 18, "ToolError remote_failed: the mailer said no"},
	{"a failed call nobody awaits", "tools.mail.send({ fail: true });\nawait tools.crm.list();\nawait tools.crm.list();\nawait new Promise((r) => setTimeout(r, 30))", runtime.ReasonScript, 1, 12, "ToolError remote_failed"},
	{"bad arguments", "await tools.crm.get({\n  ok: 1, list: [1, { f() {} }] })", runtime.ReasonScript, 1, 17, "args.list[1].f is a function"},
	{"a call not awaited", "const x = 1;\n tools.mail.send({ slow: true });\nexport default x", runtime.ReasonUnawaited, 2, 13, "tools.mail.send, called at main.ts:2:13, was still under way"},
	{"a chain not awaited", "tools.mail.send({ slow: true }).then((x) => x);", runtime.ReasonUnawaited, 1, 12, "await every call"},
	{"a function not awaited", "const f = async () => { await tools.mail.send({ slow: true }) };\nf()", runtime.ReasonUnawaited, 1, 42, ""},
	{"two not awaited name the first", "tools.mail.send({ slow: 1 });\ntools.mail.send({ slow: 2 })", runtime.ReasonUnawaited, 1, 12, ""},
	{"a loop that nobody awaits and that catches", "['a', 'b'].forEach(async (to) => {\n  try { await tools.mail.send({ to, slow: true }) } catch { }\n});\nexport default 1", runtime.ReasonUnawaited, 2, 26, "still under way"},
	{"a call that is only caught", "tools.mail.send({ slow: true }).catch(() => null);\nexport default 1", runtime.ReasonUnawaited, 1, 12, "await every call"},
	{"a call with a last word", "tools.mail.send({ slow: true }).catch((e) => e).finally(() => 1);\nexport default 1", runtime.ReasonUnawaited, 1, 12, ""},
	{"a function that is only caught", "const f = async () => { await tools.mail.send({ slow: true }) };\nf().catch(console.error);\nexport default 1", runtime.ReasonUnawaited, 1, 42, ""},
	{"deadlock", "const a = 1;\nawait new Promise(() => {});", runtime.ReasonDeadlock, 2, 7, "nothing can settle"},
	{"deadlock in a function", "const f = async () => {\n  await new Promise(() => {});\n};\nexport default f", runtime.ReasonDeadlock, 2, 9, ""},
	{"a timer throws", "setTimeout(() => {\n  throw new Error('late') }, 1);\nawait new Promise((r) => setTimeout(r, 50))", runtime.ReasonScript, 2, 9, "Error: late"},
	{"an unseen rejection", "Promise.reject(new Error('unseen'));\nexport default 1", runtime.ReasonScript, 1, 16, "Error: unseen"},
	{"a function as the result", "export default { a: { b: [() => 1] } }", runtime.ReasonScript, 0, 0, "result.a.b[0] is a function"},
	{"a Map as the result", "export default new Map()", runtime.ReasonScript, 0, 0, "result is a Map"},
	{"syntax", "const a = 1;\nconst é = 'é😀'; foo bar", runtime.ReasonCheck, 2, 22, `Expected ";" but found "bar"`},
	{"not closed", "const s = `abc", runtime.ReasonCheck, 1, 15, "Unterminated string literal"},
	{"unknown import", "import { x } from 'lodash';\nexport default x", runtime.ReasonCheck, 1, 19, `there is no package "lodash"`},
	{"absolute import", "import x from '/etc/passwd';\nexport default x", runtime.ReasonCheck, 1, 15, "is a path of the host, which a script can't see"},
	{"missing file", "import x from './other';\nexport default x", runtime.ReasonCheck, 1, 15, `the script has no file "./other"`},
	{"computed import", "const n = 'x'; export default await import(`./${n}`)", runtime.ReasonCheck, 1, 37, "import() is not supported"},
	{"computed import that climbs", "const n = 'x';\nexport default await import('../../../etc/' + n)", runtime.ReasonCheck, 2, 22, "import() is not supported"},
	{"import by a variable", "const n = './x';\nexport default await import(n)", runtime.ReasonCheck, 2, 22, "import() is not supported"},
	{"an object without text", "throw new Error(String(Object.create(null)))", runtime.ReasonScript, 1, 17, "TypeError: Could not convert the object to primitive"},
	{"require", "export default require('fs')", runtime.ReasonCheck, 1, 16, "require does not exist here"},
}

func TestFailures(t *testing.T) {
	pool := newPool(t)
	for _, c := range failures {
		t.Run(c.name, func(t *testing.T) {
			out := run(t, pool, script(c.text), &host{call: answer})
			if out.Err == nil || out.Reason != c.reason {
				t.Fatalf("want reason %q: %s", c.reason, describe(out))
			}
			if !strings.Contains(out.Err.Message+" "+out.Err.Hint, c.message) {
				t.Errorf("want message %q: %s", c.message, describe(out))
			}
			switch pos := out.Err.Pos; {
			case c.line == 0 && pos == nil:
			case pos == nil, pos.File != "main.ts", pos.Line != c.line, pos.Column != c.col:
				t.Errorf("want %d:%d: %s", c.line, c.col, describe(out))
			}
		})
	}
}

func TestSeveralFiles(t *testing.T) {
	pool := newPool(t)
	p := files("main.ts", map[string]string{
		"main.ts":        "import { f } from './lib/a.js';\nimport d from './data.json';\nimport * as n from './lib';\nexport default f(d.x + n.one);\n",
		"lib/a.ts":       "import { g } from './b';\nexport const waited = await Promise.resolve(1);\nexport const f = (x: number) => g(x + waited);\n",
		"lib/b.mts":      "\n\nexport function g(x: number) {\n  if (x > 3) throw new RangeError('too much: ' + x);\n  return x;\n}\n",
		"lib/index.ts":   "export const one = 1",
		"data.json":      `{"x":1}`,
		"lib/unused.ts":  "throw new Error('never imported')",
		"name with ?.ts": "",
	})
	if out := run(t, pool, p, &host{}); string(out.Result) != "3" {
		t.Fatal(describe(out))
	}
	for i, f := range p.Script.Files {
		if f.Name == "data.json" {
			p.Script.Files[i].Module = `{"x":5}`
		}
	}
	out := run(t, pool, p, &host{})
	if out.Err == nil || out.Err.Pos == nil || *out.Err.Pos != (runtime.Pos{File: "lib/b.mts", Line: 4, Column: 20}) || out.Err.Message != "RangeError: too much: 7" {
		t.Error(describe(out))
	}
}

// A file's name reaches the author as it is, whatever a URL would make of it.
func TestOddFileName(t *testing.T) {
	pool := newPool(t)
	p := files("my file?é%41.ts", map[string]string{"my file?é%41.ts": "\nthrow new Error('x')"})
	out := run(t, pool, p, &host{})
	if out.Err == nil || out.Err.Pos == nil || *out.Err.Pos != (runtime.Pos{File: "my file?é%41.ts", Line: 2, Column: 7}) {
		t.Error(describe(out))
	}
}

// What acceptance put in before the author's text does not move places.
func TestInsertedText(t *testing.T) {
	pool := newPool(t)
	text := "const a = await tools.mail.send({ fail: true });\nreturn a;"
	head := "export default async () => { "
	p := script(text)
	p.Script.Files[0].Module = head + text + "\n}"
	p.Script.Files[0].Inserted = runtime.Insertion{Line: 1, Column: 1, Columns: len(head)}
	h := &host{call: answer}
	out := run(t, pool, p, h)
	want := runtime.Pos{File: "main.ts", Line: 1, Column: 28}
	if out.Err == nil || out.Err.Pos == nil || *out.Err.Pos != want || h.calls[0].At != want {
		t.Errorf("%v %s", h.calls, describe(out))
	}
	p.Script.Files[0].Module = head + "foo bar" + "\n}"
	p.Script.Files[0].Text = "foo bar"
	out = run(t, pool, p, h)
	if out.Err == nil || out.Err.Pos == nil || out.Err.Pos.Column != 5 || len(out.Diagnostics) == 0 || out.BundleSHA256 != "" {
		t.Error(describe(out))
	}
}

// The same program with the same settlements gives the same result.
func TestDeterminism(t *testing.T) {
	pool := newPool(t)
	p := script("const r = [Math.random(), Date.now()]; await tools.crm.list(); export default [...r, Math.random(), Date.now(), String(new Date())]")
	first := run(t, pool, p, &host{})
	second := run(t, pool, p, &host{})
	p.Seed = 2
	third := run(t, pool, p, &host{})
	if first.Err != nil || string(first.Result) != string(second.Result) || string(first.Result) == string(third.Result) || first.BundleSHA256 != third.BundleSHA256 {
		t.Errorf("%s\n%s\n%s", describe(first), describe(second), describe(third))
	}
}

// The pointers of one settlement may be as long as the gate lets them be, and grow when written as JSON.
func TestManyBigInts(t *testing.T) {
	name := strings.Repeat("<", 100)
	var pointers []string
	for i := range 18_000 {
		pointers = append(pointers, "/"+name+"/"+strconv.Itoa(i))
	}
	result := []byte(`{"` + name + `":[` + strings.TrimSuffix(strings.Repeat("7,", len(pointers)), ",") + `]}`)
	h := &host{call: func(context.Context, runtime.StubCall) runtime.Settlement {
		return runtime.Settlement{Result: result, BigInts: pointers}
	}}
	out := run(t, newPool(t), script("const r = await tools.crm.list(); export default typeof Object.values(r)[0].at(-1)"), h)
	if string(out.Result) != `"bigint"` {
		t.Fatal(describe(out))
	}
}

func TestBigIntsOfResults(t *testing.T) {
	pool := newPool(t)
	h := &host{call: func(context.Context, runtime.StubCall) runtime.Settlement {
		return runtime.Settlement{Result: []byte(`{"id":5,"rows":[{"a/b":1},{"a/b":2}],"huge":12345678901234567890,"n":6}`), BigInts: []string{"/id", "/rows/1/a~1b", "/absent"}}
	}}
	out := run(t, pool, script("const r = await tools.crm.get(); export default [typeof r.id, typeof r.rows[0]['a/b'], typeof r.rows[1]['a/b'], typeof r.huge, typeof r.n, r]"), h)
	want := `["bigint","number","bigint","bigint","number",{"id":5,"rows":[{"a/b":1},{"a/b":2}],"huge":12345678901234567890,"n":6}]`
	if string(out.Result) != want {
		t.Error(describe(out))
	}
}

// One settlement is delivered a turn, with all the jobs it made, before the next.
func TestOneSettlementATurn(t *testing.T) {
	pool := newPool(t)
	first := make(chan struct{})
	h := &host{call: func(ctx context.Context, c runtime.StubCall) runtime.Settlement {
		switch c.Seq {
		case 1:
			<-first
		case 3: // the second has settled: the script went on from it
			close(first)
		}
		return runtime.Settlement{Result: c.Args}
	}}
	out := run(t, pool, script(`const log: string[] = [];
const step = async (n: number) => { await tools.crm.get({ n }); log.push('settled ' + n); for (let i = 0; i < 3; i++) { await null; log.push('job ' + n) } };
await Promise.all([step(1), step(2).then(() => tools.crm.get({ n: 3 }))]);
export default log`), h)
	want := `["settled 2","job 2","job 2","job 2","settled 1","job 1","job 1","job 1"]`
	if string(out.Result) != want {
		t.Error(describe(out))
	}
}

func TestConcurrentCallsAreBounded(t *testing.T) {
	pool := newPool(t)
	inFlight, most := make(chan struct{}, 100), 0
	h := &host{}
	h.call = func(ctx context.Context, c runtime.StubCall) runtime.Settlement {
		inFlight <- struct{}{}
		h.mu.Lock()
		most = max(most, len(inFlight))
		h.mu.Unlock()
		<-inFlight
		return runtime.Settlement{Result: []byte("1")}
	}
	p := script("const all = []; for (let i = 0; i < 200; i++) all.push(tools.crm.get({ i })); export default (await Promise.all(all)).length")
	p.Limits.ConcurrentCalls = 3
	out := run(t, pool, p, h)
	if string(out.Result) != "200" || most > 3 {
		t.Errorf("%d at once, %s", most, describe(out))
	}
	for i, c := range h.calls[:20] {
		if c.Seq > i+1+3 {
			t.Errorf("call %d went out as number %d", c.Seq, i+1)
		}
	}
}

func TestResultOfACallTooLarge(t *testing.T) {
	pool := newPool(t)
	p := script("try { await tools.crm.get() } catch (e) { globalThis.code = e.code } export default globalThis.code")
	p.Limits.ResultBytes = 100
	h := &host{call: func(context.Context, runtime.StubCall) runtime.Settlement {
		return runtime.Settlement{Result: []byte(`"` + strings.Repeat("x", 200) + `"`)}
	}}
	if out := run(t, pool, p, h); string(out.Result) != `"result_too_large"` {
		t.Error(describe(out))
	}
}

func TestConsoleText(t *testing.T) {
	pool := newPool(t)
	h := &host{}
	out := run(t, pool, script(`
console.log('plain', 1, -0, 1n, null, undefined, true, Symbol('s'), [1, 'a', [2]], { a: 1, 'b-c': 'it\'s' });
console.warn('%s is %d of %j, %o %%', 'x', 4, { a: 1 }, [1]);
console.error(new TypeError('bad'));
console.info(new Map([['k', { v: 1 }]]), new Set([1]), new Date(0), /x/g, () => 1, class A {}, new (class B { x = 1 })(), Object.create(null));
console.debug({ a: { b: { c: { d: { e: { f: 1 } } } } }, get g() { return 1 } });
const cycle: any = { name: 'c' }; cycle.self = cycle; console.log(cycle, new Uint8Array(3), new Array(200).fill(1).length, new Proxy({}, { get() { throw 1 } }));
console.log({ aaaaaaaaaaaaaaaaaaaaaaaa: 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', cccccccccccccccccc: 'dddddddddddddddddddddd' });
console.log('x'.repeat(100000).length, tools, 'a\nb');
progress('half\u0007 done');
`), h)
	if out.Err != nil {
		t.Fatal(describe(out))
	}
	want := []string{
		`log plain 1 -0 1n null undefined true Symbol(s) [ 1, 'a', [ 2 ] ] { a: 1, 'b-c': "it's" }`,
		`warn x is 4 of {"a":1}, [ 1 ] %`,
		"error TypeError: bad\n    at main.ts:4:15",
		"info Map(1) { 'k' => { v: 1 } } Set(1) { 1 } 1970-01-01T00:00:00.000Z /x/g [Function (anonymous)] [class A] B { x: 1 } [Object: null prototype] {}",
		"debug { a: { b: { c: { d: { e: [Object] } } } }, g: [Getter] }",
		"log { name: 'c', self: [Circular] } Uint8Array(3) [ 0, 0, 0 ] 200 [Proxy]",
		"log {\n  aaaaaaaaaaaaaaaaaaaaaaaa: 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',\n  cccccccccccccccccc: 'dddddddddddddddddddddd'\n}",
		"log 100000 [Object: null prototype] { crm: [Getter], mail: [Getter] } a\nb",
	}
	for i, l := range h.console {
		if got := l.Level + " " + l.Text; i >= len(want) || got != want[i] {
			t.Errorf("line %d is %q", i, got)
		}
		if l.At.File != "main.ts" || l.At.Line != i+2 {
			t.Errorf("line %d at %v", i, l.At)
		}
	}
	if len(h.console) != len(want) || len(h.progress) != 1 || h.progress[0] != "half done" {
		t.Errorf("%d lines, progress %q", len(h.console), h.progress)
	}
}
