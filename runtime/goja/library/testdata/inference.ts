// What the compiler must infer: is<T>()(value) compiles when the value's type is exactly T. The page also runs in
// the engine, so each name in it exists there. Only lines marked "differs" are refused with TypeScript's own library.
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <E>() => <A>(value: A, ..._: Equal<A, E> extends true ? [] : [expected: E, got: A]) => value;
interface Row { id: number; name: string; tags?: string[]; price: number | null }
const rows: Row[] = [{ id: 1, name: "a", price: 2, tags: ["x"] }, { id: 2, name: "b", price: null }];
const later = <T>(value: T) => Promise.resolve(value);

// Promises.
is<[number, string, Row[]]>()(await Promise.all([later(1), "x", later(rows)]));
is<string[]>()(await Promise.all(rows.map(async (r) => r.name)));
is<number[]>()(await Promise.all(new Set([later(1), later(2)])));
const [one, two] = await Promise.all([later(1 as number), later("two" as string)] as const);
is<number>()(one), is<string>()(two);
const settled = await Promise.allSettled([later(1), Promise.reject<string>(new Error("no"))]);
is<[PromiseSettledResult<number>, PromiseSettledResult<string>]>()(settled);
is<number[]>()((await Promise.allSettled([later(1), later(2)])).filter((s) => s.status === "fulfilled").map((s) => s.value));
is<string | number>()(await Promise.race([later(1), later("x")]));
is<string | number>()(await Promise.any([later(1), later("x")]));
is<number>()(await later(later(later(1))));
is<Promise<number>>()(later(1).then((n) => n + 1).catch(() => 0).finally(() => {}));
is<Promise<string | number>>()(later("x").then((s) => s, () => 1));
is<Awaited<ReturnType<typeof work>>>()(await work());
async function work() { return { done: true, rows: await later(rows) }; }
await new Promise<void>((resolve) => setTimeout(resolve, 1));
await new Promise((resolve) => setTimeout(resolve, 1));
is<number>()(setTimeout(() => {}, 1, "argument"));
is<unknown>()(await new Promise((resolve) => queueMicrotask(() => resolve(1))));

// Arrays.
is<number[]>()(rows.map((r) => r.price).filter((p): p is number => p !== null));
is<number[]>()(rows.map((r) => r.price).filter((p) => p !== null));
is<string[]>()(rows.flatMap((r) => r.tags ?? []));
is<number>()(rows.reduce((sum, r) => sum + (r.price ?? 0), 0));
is<Record<string, number>>()(rows.reduce<Record<string, number>>((by, r) => ({ ...by, [r.name]: r.id }), {}));
is<Row | undefined>()(rows.find((r) => r.id === 1));
is<Row | undefined>()(rows.findLast((r) => r.id === 9));
is<Row | undefined>()(rows.at(-1));
is<string[]>()(rows.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b)));
is<[number, Row][]>()([...rows.entries()]);
is<number[]>()([1, [2, 3]].flat());
is<number[]>()([[[1]], [[2]]].flat(2));
is<(number | string)[]>()([1, "a"].concat([2]));
is<string[]>()(Array.from("abc"));
is<number[]>()(Array.from({ length: 3 }, (_, i) => i * 2));
is<string[]>()(Array.from(new Map([["a", 1]]).keys()));
is<string[]>()(Array.from(new Map([["a", 1]]), ([k, v]) => k + v));
is<number[]>()([3, 1, 2].toReversed().toSpliced(0, 1).with(0, 5));
is<boolean>()(["a", "b"].includes("a"));
const unsure: number | string[] = Math.random() < 2 ? ["a"] : 1;
if (Array.isArray(unsure)) is<string[]>()(unsure);
const pairs: readonly (readonly [string, number])[] = [["a", 1]];
is<[string, number][]>()(pairs.map(([k, v]): [string, number] => [k, v]));
const [first, ...others] = rows.map((r) => r.id) as [number, ...number[]];
is<number>()(first), is<number[]>()(others);
if ([1, 2].every((n): n is 1 => n === 1)) throw new Error("2 is not 1");
is<string>()([..."ab"].join("-"));
is<number>()([1, 2].push(3));
is<boolean[]>()([true as boolean, false].filter(Boolean));
const either = (rows.length ? ["a"] : [1]) as string[] | number[];
is<number>()(either.filter((x) => x !== "a").length), is<string[]>()(either.map((x) => x.toString()));
is<boolean>()(either.find((x) => x === "a") !== undefined && either.some((x) => x === 1));

// Objects.
is<[string, number][]>()(Object.entries({ a: 1, b: 2 }));
is<(string | number)[]>()(Object.values({ a: 1, b: "x" }));
is<string[]>()(Object.keys(rows[0]!));
is<{ [k: string]: number }>()(Object.fromEntries(Object.entries({ a: 1 }).map(([k, v]) => [k, v * 2] as const)));
is<{ [k: string]: number }>()(Object.fromEntries(new Map([["a", 1]])));
is<{ a: number } & { b: string }>()(Object.assign({ a: 1 }, { b: "x" }));
is<Readonly<{ a: 1 }>>()(Object.freeze({ a: 1 }));
is<number | undefined>()(Object.groupBy(rows, (r) => (r.id > 1 ? "many" : "one")).many?.length); // differs
is<Map<boolean, Row[]>>()(Map.groupBy(rows, (r) => r.id > 1)); // differs
const { id, ...rest } = rows[0]!;
is<number>()(id), is<string>()(rest.name);
is<any>()(JSON.parse("{}"));
is<string>()(JSON.stringify({ a: [1] }, null, 2));
is<Row[]>()(structuredClone(rows)); // differs
is<boolean>()(Object.hasOwn({ a: 1 }, "a"));
is<PropertyDescriptor | undefined>()(Object.getOwnPropertyDescriptor({ a: 1 }, "a"));

// Maps and sets.
const byName = new Map(rows.map((r) => [r.name, r]));
is<Map<string, Row>>()(byName);
is<Row | undefined>()(byName.get("a"));
for (const [name, row] of byName) is<string>()(name), is<Row>()(row);
is<Map<string, number>>()(new Map(Object.entries({ a: 1 })));
is<Set<number>>()(new Set(rows.map((r) => r.id)));
is<Set<string>>()(new Set("abc"));
is<number[]>()([...new Set([1, 2, 2])]);
is<[string, Row][]>()([...byName].sort(([a], [b]) => (a < b ? 1 : -1)));
is<Set<number | string>>()(new Set([1]).union(new Set(["a"]))); // differs
is<WeakMap<object, number>>()(new WeakMap<object, number>([[rows, 1]]));
const counts = new Map<string, number>();
for (const r of rows) counts.set(r.name, (counts.get(r.name) ?? 0) + 1);

// Text.
for (const m of "a=1;b=2".matchAll(/(?<key>\w)=(?<value>\d)/g)) {
  is<string | undefined>()(m.groups?.["key"]), is<number>()(m.index), is<string>()(m[0]);
  const { key, value } = m.groups!;
  is<string>()(key!), is<string>()(value!);
}
is<string | undefined>()("2024-01-02".match(/(\d+)-(\d+)/)?.[1]);
is<string>()("a.b".replaceAll(".", "-").replace(/b/, (s) => s.toUpperCase()).padStart(5, "0"));
is<string[]>()("a, b".split(/,\s*/).map((s) => s.trim()));
is<RegExpExecArray | null>()(/a/.exec("a"));
is<string | undefined>()("abc".at(-1));
is<string>()(String.raw`a\n${1}` + String(5) + `${2n}`);
is<number>()("b".localeCompare("a") + Number("5") + parseInt("7", 10));
is<Uppercase<"ab">>()("AB" as const);

// Numbers and time.
is<bigint>()(2n ** 64n + BigInt("5") + BigInt.asUintN(8, 257n));
is<string>()((1.005).toFixed(2) + new Date(0).toISOString());
is<number>()(Math.max(...rows.map((r) => r.id)) + Date.now() + Date.UTC(2024, 0) + +new Date(2024, 1, 1));

// Iteration.
function* upTo(n: number): Generator<number, string, boolean | undefined> {
  for (let i = 0; i < n; i++) if (yield i) return "stopped";
  return "done";
}
is<number[]>()([...upTo(3)]);
is<IteratorResult<number, string>>()(upTo(1).next(true));
function* inferred() { yield 1; yield 2; }
is<(1 | 2)[]>()(Array.from(inferred()));
async function* pages() { for (let page = 1; page < 3; page++) yield { page, rows: await later(rows) }; }
const seen: number[] = [];
for await (const { page, rows: some } of pages()) is<number>()(page), is<Row[]>()(some), seen.push(page);
for await (const n of [later(1), 2]) is<number>()(n);
is<number[]>()(await Array.fromAsync(pages(), (p) => p.page)); // differs
class Range implements Iterable<number> {
  readonly #to: number;
  static made = 0;
  constructor(to: number) { this.#to = to; Range.made++; }
  *[Symbol.iterator]() { for (let i = 0; i < this.#to; i++) yield i; }
  get [Symbol.toStringTag]() { return "Range"; }
}
is<number[]>()([...new Range(3)]);
is<boolean>()(Symbol.iterator in new Range(1));

// Errors.
class Odd extends Error { constructor(readonly n: number, cause?: unknown) { super(`odd ${n}`, { cause }); this.name = "Odd"; } }
try { throw new Odd(3, new TypeError("x")); } catch (e) {
  if (e instanceof Odd) is<number>()(e.n), is<unknown>()(e.cause);
  is<string>()(e instanceof Error ? e.message : String(e));
}
is<any[]>()(new AggregateError([1], "several").errors);
is<string | undefined>()(new RangeError("r").stack);

// Bytes.
const bytes = Uint8Array.from([1, 2, 3], (n) => n * 2);
is<number>()(bytes.reduce((a, b) => a + b, 0) + (bytes[0] ?? 0) + new DataView(bytes.buffer).getUint16(0, true));
is<bigint>()(new BigInt64Array(2).fill(5n).at(0)!);
is<string>()(new Uint8Array([1]).toBase64() + Uint8Array.fromHex("00ff").toHex()); // differs
is<number[]>()([...new Float64Array([1, 2])].map((x) => x * 2));
is<string>()(new Uint8Array(2).subarray(1).constructor.name);

// Functions and helpers of types.
const add = (a: number, b: number) => a + b;
is<number>()(add.call(null, 1, 2) + add.apply(null, [1, 2]) + add.bind(null, 1)(2));
is<[a: number, b: number]>()(null! as Parameters<typeof add>);
is<{ id: number; name: string }>()(null! as { [K in keyof Pick<Row, "id" | "name">]: Row[K] });
is<"id" | "name" | "price" | "tags">()("id" as keyof Row);
is<number | null>()(null as Required<Row>["price"]);
is<string>()(null! as NonNullable<string | null | undefined>);
is<"b">()("b" as Exclude<"a" | "b", "a">), is<"a">()("a" as Extract<"a" | "b", "a">);
is<Date>()(null! as InstanceType<typeof Date>);
is<{ a: 1 }>()({ a: 1 } as const satisfies Partial<Record<"a" | "b", number>> as { a: 1 });
const anything: unknown = add;
if (anything instanceof Function) is<Function>()(anything);
function total(...values: number[]) { return Array.from(arguments).length + values.length; }
is<number>()(total(1, 2));
const proxy = new Proxy({ a: 1 }, { get: (target, key, receiver) => Reflect.get(target, key, receiver) });
is<number>()(proxy.a);
is<(string | symbol)[]>()(Reflect.ownKeys(proxy));
is<typeof globalThis.Map>()(Map);
is<string | undefined>()(Symbol("d").description);
const tag = (parts: TemplateStringsArray, ...values: unknown[]) => parts.raw.join("|") + values.length;
is<string>()(tag`a${1}b`);
export default seen;
