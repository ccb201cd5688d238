// Idioms as scripts write them. The page compiles without an error, here as with TypeScript's own library, and
// runs in the engine to its end.
function rest<T extends { a: number }>(x: T) { const { a, ...r } = x; return r; }
function keys<T extends object>(x: T) { for (const k in x) { const v = x[k]; } }
async function aw<T>(x: T) { const y = await x; return y; }
function isin<T>(x: T) { if (typeof x === "object" && x) { if ("a" in x) return x.a; } }
function dec(v: undefined, c: ClassFieldDecoratorContext<A, number>) { return (x: number) => x + c.name.toString().length; }
const logged = <T, A extends unknown[], R>(f: (this: T, ...args: A) => R, _: ClassMethodDecoratorContext<T, (this: T, ...args: A) => R>) => function (this: T, ...args: A): R { return f.call(this, ...args); };
class A { declare x: number; @dec p = 1; @logged twice(n: number) { return n * 2; } }
function inst(x: unknown) { if (x instanceof Map) return x; if (x instanceof Array) return x; if (x instanceof Object) return x.constructor; }
const o = { __proto__: null, get a() { return 1 }, set a(v) {} };
const big = 1n ** 2n;
function tagged(s: TemplateStringsArray) {}
tagged`x`;
async function* ag() { const x: number = yield 1; yield* ag2(); }
async function* ag2(): AsyncIterableIterator<number> { yield 1 }
function* g2(): IterableIterator<number> { yield* [1]; yield* "ab".length ? [2] : []; }
const nt = function (this: { a: number } & ThisType<string>) { return this.a };
enum E { A = "x" }
const sym: unique symbol = Symbol("s");
let fnn = Function.prototype;
switch (1 as any) { case sym: break }
label: for (;;) break label;
const assertNever = (x: never): never => { throw x };
function assertIs(x: unknown): asserts x is string {}
abstract class B<T> { abstract get(): T; protected constructor(readonly x: T) {} }
type Dec = Parameters<typeof rest>;
const obj = { method() { return super.toString(); } };
const ff = (...a: Parameters<typeof setTimeout>) => setTimeout(...a);
var regex = /(?<y>\d)/.exec("1")!.groups!.y!.length;
delete (obj as any).method;
const p = new Proxy(class {}, { construct(t, a) { return new t(); } });
for (const [i, v] of "ab".split("").entries()) i.toFixed() + v;
const { length } = "abc";
const ar: ReadonlyArray<number> = [1]; ar.slice().sort((a, b) => a - b);
const sorted = Object.entries({ a: 1 }).sort(([, a], [, b]) => b - a).map(([k]) => k);
const counts = ["a"].reduce((acc, x) => { acc[x] = (acc[x] || 0) + 1; return acc; }, {} as Record<string, number>);
const cnt2 = ["a"].reduce<{ [k: string]: number }>((acc, x) => (acc[x] = 1, acc), {});
const grouped = new Map<string, string[]>(); (grouped.get("a") ?? []).push("x");
Object.entries(JSON.parse("{}")).forEach(([k, v]) => k + v);
Object.entries(JSON.parse("{}") as Record<string, number>).map(([k, v]) => v * 2);
Object.values(JSON.parse("{}")).map((v: any) => v.x);
[..."abc"].map(Number).filter(Number.isFinite).map(String).filter(Boolean);
["1"].map(parseFloat); ["1"].map((x) => parseInt(x));
Array.from({ length: 3 }).map((_, i) => i); Array(3).fill(0).map((_, i) => i); [...Array(3).keys()];
Array.from(new Set([1])).sort(); new Array<number>(3); Array.of(1, 2);
Math.max.apply(null, [1]); Math.max(...[1]);
[1, 2].concat([3], 4); ([] as number[]).concat(...[[1], [2]]);
Object.fromEntries([["a", 1]]); Object.fromEntries(["a"].map((x) => [x, 1]));
await Promise.all(["a"].map(async (x) => [x, 1] as const)).then((e) => Object.fromEntries(e));
Promise.all([]).then((x) => x.length); Promise.resolve().then(() => 1);
new Date("x").getTime() - Date.now(); Number("1").toFixed(2);
const e2: Error & { code?: string } = new Error("x"); e2.code;
const nested: unknown[][] = [[1]]; nested.flat();
"a".replace(/a/g, (m, p1, p2) => p1 + p2); "x".replace("x", "$&");
const zip = <A, B>(a: A[], b: B[]) => a.map((x, i) => [x, b[i]] as const);
[3, 1].sort().reverse()[0]; const last = [1].slice(-1)[0]; [[1, "a"]].map(([n, s]) => n);
new Map([["a", { n: 1 }], ["b", { n: 2 }]]).forEach((v, k) => v.n + k);
const sumBy = <T>(xs: T[], f: (x: T) => number) => xs.reduce((s, x) => s + f(x), 0);
const chunk = <T>(xs: T[], n: number): T[][] => xs.length ? [xs.slice(0, n), ...chunk(xs.slice(n), n)] : [];
const debounce = <A extends unknown[]>(f: (...a: A) => void) => { let id: ReturnType<typeof setTimeout>; return (...a: A) => { clearTimeout(id); id = setTimeout(() => f(...a), 1); }; };
const memo = new WeakMap<object, Promise<number>>();
type DeepPartial<T> = { [K in keyof T]?: T[K] extends object ? DeepPartial<T[K]> : T[K] };
const uniq = [...new Map([{ id: 1 }].map((x) => [x.id, x])).values()];
const uniq2 = Array.from(new Map([{ id: 1 }].map((x) => [x.id, x] as const)).values());
class Stack<T> extends Array<T> { top() { return this.at(-1); } } new Stack<number>().map((x) => x);
class M2 extends Map<string, number> { inc(k: string) { this.set(k, (this.get(k) ?? 0) + 1); return this; } }
class P2<T> extends Promise<T> {}
class E3 extends AggregateError {}
const f2 = Object.freeze(["a", "b"] as const); type F = (typeof f2)[number];
const str = String(null) + [1].toString() + (5).toString(2) + Symbol.iterator.toString() + true.toString() + ({}).toString();
({} as Object).hasOwnProperty("a"); (() => {}).name; (function () {}).length;
Reflect.ownKeys({}).forEach((k) => k.toString()); Reflect.has({}, "a");
isNaN(Number("x")); isFinite(1); Number.parseInt("1", 10); parseInt(String(5.5));
new Uint8Array([1]).buffer.slice(0); new Uint8Array(new ArrayBuffer(2)).set([1], 0); const u8: Uint8Array<ArrayBuffer> = new Uint8Array(1);
export default [new A().p, new A().twice(4), big.toString(), uniq.length, uniq2.length, sorted, counts];
