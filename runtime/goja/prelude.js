// What a script finds beside the language, written in the language itself: no Go object is within
// its reach. It runs before the script and keeps its own references, so that a script that changes
// a built-in harms itself only. "native" holds the few functions that need the engine.
(function (native) {
  "use strict";
  const G = globalThis;
  const { Array, Object, Promise, Map, Set, Date, Error, TypeError, RangeError, SyntaxError, EvalError, Symbol, Reflect, String, Number, ArrayBuffer, Uint8Array, DataView, JSON, Proxy } = G;
  const { defineProperty, getPrototypeOf, getOwnPropertyDescriptor, create, keys, freeze } = Object;
  const ownKeys = Reflect.ownKeys;
  const call = Function.prototype.call;
  const uncurry = (f) => call.bind(f);
  const slice = uncurry(String.prototype.slice);
  const stringIncludes = uncurry(String.prototype.includes);
  const push = uncurry(Array.prototype.push);
  const join = uncurry(Array.prototype.join);
  const hasOwn = uncurry(Object.prototype.hasOwnProperty);
  const mapGet = uncurry(Map.prototype.get), mapSet = uncurry(Map.prototype.set), mapHas = uncurry(Map.prototype.has);
  const mapEach = uncurry(Map.prototype.forEach), setEach = uncurry(Set.prototype.forEach);
  const dateISO = uncurry(Date.prototype.toISOString), dateTime = uncurry(Date.prototype.getTime);
  const functionText = uncurry(Function.prototype.toString);
  const symbolText = uncurry(Symbol.prototype.toString);
  const regexpText = uncurry(G.RegExp.prototype.toString);

  const hidden = (target, name, value) => defineProperty(target, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  const fixed = (target, name, value) => defineProperty(target, name, { __proto__: null, value, writable: false, enumerable: false, configurable: false });
  const missing = (target, name, value) => { if (!hasOwn(target, name)) hidden(target, name, value); };

  // The bundler lowers async iteration to this symbol; a script's own async iterables need its name.
  if (!hasOwn(Symbol, "asyncIterator")) fixed(Symbol, "asyncIterator", Symbol("Symbol.asyncIterator"));
  // It would compile a pattern anew past the checks that regular expressions get.
  delete G.RegExp.prototype.compile;

  // ---- errors -------------------------------------------------------------------------------

  class ToolError extends Error {
    constructor(message, fields) {
      super(message);
      hidden(this, "name", "ToolError");
      const f = fields || {};
      this.code = f.code === undefined ? "script_failed" : f.code;
      for (const name of ["method", "hint", "status", "detail", "handle"]) if (f[name] !== undefined) this[name] = f[name];
    }
  }
  const toolError = (message, stack, code, method, hint, status, detail, handle) => {
    const e = new ToolError(message, { code, method, hint, status, detail, handle });
    hidden(e, "stack", stack);
    return e;
  };

  // ---- code made at run time ------------------------------------------------------------------
  // eval and the constructors of functions are refused: the checker and the bundler never saw such
  // code, so it could not be checked, and its places could not be named.

  const refused = (name) => function () {
    throw new EvalError(name + " is not available: code made from text at run time cannot be checked; write the code in the script");
  };
  const prototypes = [function () {}, async function () {}, function* () {}];
  for (let i = 0; i < prototypes.length; i++) {
    const proto = getPrototypeOf(prototypes[i]);
    const ctor = refused(["Function", "AsyncFunction", "GeneratorFunction"][i]);
    defineProperty(ctor, "name", { value: ["Function", "AsyncFunction", "GeneratorFunction"][i] });
    defineProperty(ctor, "prototype", { value: proto, writable: false });
    defineProperty(proto, "constructor", { value: ctor, writable: false, configurable: false });
    if (i === 0) hidden(G, "Function", ctor);
  }
  const noEval = refused("eval");
  defineProperty(noEval, "name", { value: "eval" });
  hidden(G, "eval", noEval);

  Reflect.deleteProperty(G, "GoError");

  // ---- known silent wrong answers of the engine -----------------------------------------------

  const RealRegExp = G.RegExp;
  const RegExp = function RegExp(pattern, flags) {
    if (new.target === undefined && flags === undefined && pattern !== null && typeof pattern === "object" && pattern.constructor === RegExp && pattern instanceof RealRegExp) return pattern;
    const isRegExp = pattern !== null && typeof pattern === "object" && pattern instanceof RealRegExp;
    const text = isRegExp ? pattern.source : pattern === undefined ? "" : String(pattern);
    const f = flags === undefined ? (isRegExp ? pattern.flags : "") : String(flags);
    return Reflect.construct(RealRegExp, [native.regexp(text, f), f], new.target === undefined ? RegExp : new.target);
  };
  defineProperty(RegExp, "prototype", { value: RealRegExp.prototype, writable: false });
  defineProperty(RegExp, "length", { value: 2, configurable: true });
  hidden(RealRegExp.prototype, "constructor", RegExp);
  defineProperty(RegExp, Symbol.species, { get() { return this; }, configurable: true });
  hidden(G, "RegExp", RegExp);

  const sourceOf = uncurry(getOwnPropertyDescriptor(RealRegExp.prototype, "source").get);
  const flagsOf = uncurry(getOwnPropertyDescriptor(RealRegExp.prototype, "flags").get);
  const sure = (re, text, start) => {
    if (text.length > 1000 && native.gaveUp(sourceOf(re), flagsOf(re), text, start)) {
      throw new RangeError("regular expression: the pattern needs too much backtracking on this text; simplify it, or match smaller parts");
    }
  };
  const watch = (name, missed) => {
    const real = uncurry(RealRegExp.prototype[name]);
    const f = { [name](text, ...rest) {
      const s = String(text), start = this.lastIndex;
      const result = real(this, s, ...rest);
      if (s.length > 1000 && missed(result, s)) sure(this, s, start);
      return result;
    } }[name];
    defineProperty(f, "length", { value: RealRegExp.prototype[name].length, configurable: true });
    hidden(RealRegExp.prototype, name, f);
  };
  watch("test", (r) => r === false);
  watch(Symbol.match, (r) => r === null);
  watch(Symbol.search, (r) => r === -1);
  watch(Symbol.replace, (r, s) => r === s);
  watch(Symbol.split, (r) => r.length <= 1);
  const watchExec = () => watch("exec", (r) => r === null);

  const revive = (holder, key, reviver) => {
    const value = holder[key];
    if (value !== null && typeof value === "object") {
      const names = keys(value);
      for (let i = 0; i < names.length; i++) {
        const v = revive(value, names[i], reviver);
        if (v === undefined) Reflect.deleteProperty(value, names[i]);
        else Reflect.defineProperty(value, names[i], { __proto__: null, value: v, writable: true, enumerable: true, configurable: true });
      }
    }
    return Reflect.apply(reviver, holder, [key, value]);
  };
  hidden(JSON, "parse", function parse(text, reviver) {
    const value = native.parseJSON(String(text));
    return typeof reviver === "function" ? revive({ "": value }, "", reviver) : value;
  });

  // Rows' identifiers are often bigints, and a script that prints or sends one should not fail over it:
  // as in a script's result, a bigint is its digits. The standard's own stringify refuses it, so it is
  // asked again with a mark in each one's place, one that no other text begins with.
  const plainStringify = uncurry(JSON.stringify);
  const isList = Array.isArray, textIndex = uncurry(String.prototype.indexOf), textRepeat = uncurry(String.prototype.repeat), textCode = uncurry(String.prototype.charCodeAt);
  const wideOf = uncurry(G.BigInt.prototype.valueOf), tagOf = uncurry(Object.prototype.toString);
  const MARK = "\uE000";
  const longestMark = (text) => {
    let most = 0, run = 0;
    for (let i = 0; i < text.length; i++) {
      run = textCode(text, i) === 0xE000 ? run + 1 : 0;
      if (run > most) most = run;
    }
    return most;
  };
  // pick is what a list of names leaves of an object, in the list's order.
  const pick = (value, names) => {
    const out = {};
    for (let i = 0; i < names.length; i++) {
      const n = names[i], kind = typeof n === "object" && n !== null ? tagOf(n) : typeof n;
      if (kind !== "string" && kind !== "number" && kind !== "[object String]" && kind !== "[object Number]") continue;
      const v = value[String(n)];
      if (v !== undefined) defineProperty(out, String(n), { __proto__: null, value: v, writable: true, enumerable: true, configurable: true });
    }
    return out;
  };
  const marked = (value, replacer, space, mark) => {
    let count = 0;
    const replace = function (key, v) {
      if (typeof replacer === "function") v = Reflect.apply(replacer, this, [key, v]);
      const tag = typeof v === "object" && v !== null ? tagOf(v) : "";
      if (tag === "[object BigInt]") v = wideOf(v);
      if (typeof v === "bigint") {
        count++;
        return mark + String(v);
      }
      return isList(replacer) && tag !== "" && !isList(v) && !stringIncludes("[object String][object Number][object Boolean]", tag) ? pick(v, replacer) : v;
    };
    const text = plainStringify(JSON, value, replace, space);
    if (text === undefined) return { text };
    let out = "", at = 0;
    for (let i = textIndex(text, '"' + mark); i >= 0; i = textIndex(text, '"' + mark, at)) {
      const end = textIndex(text, '"', i + 1);
      out += slice(text, at, i) + slice(text, i + 1 + mark.length, end);
      at = end + 1;
      count--;
    }
    return count === 0 ? { text: out + slice(text, at) } : { longest: longestMark(text) };
  };
  const stringify = function stringify(value, replacer, space) {
    try {
      return plainStringify(JSON, value, replacer, space);
    } catch (e) {
      if (!(e instanceof TypeError) || !stringIncludes(String(e.message), "BigInt")) throw e;
    }
    let written = marked(value, replacer, space, MARK);
    if (written.longest !== undefined) written = marked(value, replacer, space, textRepeat(MARK, written.longest + 1));
    if (written.longest !== undefined) throw new TypeError("JSON.stringify: the value changes while it is written");
    return written.text;
  };
  hidden(JSON, "stringify", stringify);

  // ---- what the engine lacks ------------------------------------------------------------------

  missing(Promise, "withResolvers", function withResolvers() {
    let resolve, reject;
    const promise = new this((a, b) => { resolve = a; reject = b; });
    return { promise, resolve, reject };
  });
  missing(Promise, "try", function (f, ...args) { return new this((resolve) => resolve(f(...args))); });
  missing(Object, "groupBy", function groupBy(items, key) {
    const out = create(null);
    let i = 0;
    for (const item of items) {
      const k = key(item, i++);
      const name = typeof k === "symbol" ? k : String(k);
      if (out[name]) push(out[name], item);
      else out[name] = [item];
    }
    return out;
  });
  missing(Map, "groupBy", function groupBy(items, key) {
    const out = new Map();
    let i = 0;
    for (const item of items) {
      const k = key(item, i++);
      if (mapHas(out, k)) push(mapGet(out, k), item);
      else mapSet(out, k, [item]);
    }
    return out;
  });
  missing(Array, "fromAsync", async function fromAsync(source, map) {
    const out = [];
    const take = async (v) => { const x = await v; push(out, map ? await map(x, out.length) : x); };
    const open = source[Symbol.asyncIterator || Symbol.for("Symbol.asyncIterator")];
    if (typeof open === "function") {
      const it = Reflect.apply(open, source, []);
      for (let r = await it.next(); !r.done; r = await it.next()) await take(r.value);
    } else if (typeof source[Symbol.iterator] === "function") {
      for (const v of source) await take(v);
    } else {
      for (let i = 0; i < source.length; i++) await take(source[i]);
    }
    return out;
  });
  const resolved = Promise.resolve();
  const then = uncurry(Promise.prototype.then);
  missing(G, "queueMicrotask", function queueMicrotask(f) {
    if (typeof f !== "function") throw new TypeError("queueMicrotask takes a function");
    then(resolved, () => { f(); });
  });
  const timer = (repeat) => function (f, ms, ...args) {
    if (typeof f !== "function") throw new TypeError("a timer takes a function, not text");
    return native.setTimer(args.length ? () => f(...args) : () => f(), Number(ms) || 0, repeat);
  };
  hidden(G, "setTimeout", timer(false));
  hidden(G, "setInterval", timer(true));
  const clear = function (id) { if (typeof id === "number") native.clearTimer(id); };
  hidden(G, "clearTimeout", clear);
  hidden(G, "clearInterval", clear);

  const tag = uncurry(Object.prototype.toString);
  const typedTag = getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;
  const typedName = (v) => Reflect.apply(typedTag, v, []);
  const isType = (v, f) => { try { f(v); return true; } catch { return false; } };
  const mapSize = getOwnPropertyDescriptor(Map.prototype, "size").get, setSize = getOwnPropertyDescriptor(Set.prototype, "size").get;
  const isMap = (v) => isType(v, (x) => Reflect.apply(mapSize, x, []));
  const isSet = (v) => isType(v, (x) => Reflect.apply(setSize, x, []));
  const isDate = (v) => isType(v, dateTime);
  const isError = (v) => v instanceof Error;

  const cloneError = (what) => new TypeError("structuredClone: " + what + " cannot be cloned");
  const clone = (v, seen) => {
    if (typeof v === "function") throw cloneError("a function");
    if (typeof v === "symbol") throw cloneError("a symbol");
    if (v === null || typeof v !== "object") return v;
    if (mapHas(seen, v)) return mapGet(seen, v);
    const keep = (c) => { mapSet(seen, v, c); return c; };
    if (Array.isArray(v)) {
      const c = keep(new Array(v.length));
      for (const k of keys(v)) c[k] = clone(v[k], seen);
      return c;
    }
    if (isDate(v)) return keep(new Date(dateTime(v)));
    if (v instanceof RealRegExp) return keep(new RegExp(v.source, v.flags));
    if (isMap(v)) { const c = keep(new Map()); mapEach(v, (x, k) => mapSet(c, clone(k, seen), clone(x, seen))); return c; }
    if (isSet(v)) { const c = keep(new Set()); setEach(v, (x) => c.add(clone(x, seen))); return c; }
    if (v instanceof ArrayBuffer) return keep(v.slice(0));
    if (typedName(v)) return keep(new G[typedName(v)](v));
    if (v instanceof DataView) return keep(new DataView(v.buffer.slice(0), v.byteOffset, v.byteLength));
    if (v instanceof Promise) throw cloneError("a promise");
    if (isError(v)) {
      const c = keep(new (G[v.name] && G[v.name].prototype instanceof Error ? G[v.name] : Error)(v.message));
      hidden(c, "stack", v.stack);
      return c;
    }
    const c = keep({});
    for (const k of keys(v)) defineProperty(c, k, { __proto__: null, value: clone(v[k], seen), writable: true, enumerable: true, configurable: true });
    return c;
  };
  // Packages look for the global object under this name before they try to make code that finds it.
  missing(G, "self", G);
  missing(G, "structuredClone", function structuredClone(value) { return clone(value, new Map()); });

  // ---- console --------------------------------------------------------------------------------

  const maxDepth = 4, maxItems = 100, maxString = 10000, maxText = 16384, lineWidth = 76;

  const quote = (s) => {
    const cut = s.length > maxString ? slice(s, 0, maxString) : s;
    const body = stringify(cut);
    const more = cut === s ? "" : "... " + (s.length - maxString) + " more characters";
    return (stringIncludes(cut, "'") ? body : "'" + slice(body, 1, -1).split('\\"').join('"') + "'") + more;
  };
  const nameOf = (v) => {
    let p = v;
    for (let i = 0; i < 20 && p !== null; i++, p = getPrototypeOf(p)) {
      const d = getOwnPropertyDescriptor(p, "constructor");
      if (d && typeof d.value === "function" && d.value.name) return String(d.value.name);
    }
    return null;
  };
  const showKey = (k) => typeof k === "symbol" ? "[" + symbolText(k) + "]" : native.isIdentifier(k) ? k : quote(k);
  const primitive = (v) => {
    if (typeof v === "string") return quote(v);
    if (typeof v === "bigint") return String(v) + "n";
    if (typeof v === "symbol") return symbolText(v);
    return Object.is(v, -0) ? "-0" : String(v);
  };
  const layout = (open, parts, close, indent) => {
    if (parts.length === 0) return open + close;
    let width = open.length + close.length;
    let lines = false;
    for (const p of parts) { width += p.length + 2; lines = lines || stringIncludes(p, "\n"); }
    if (!lines && width + indent <= lineWidth) return open + " " + join(parts, ", ") + " " + close;
    const pad = "\n" + " ".repeat(indent + 2);
    return open + pad + join(parts, "," + pad) + "\n" + " ".repeat(indent) + close;
  };
  const errorText = (e) => {
    const stack = e.stack;
    return typeof stack === "string" && stack ? native.trimStack(stack) : String(e);
  };
  const inspect = (v, st, depth, indent) => {
    if (v === null || (typeof v !== "object" && typeof v !== "function")) { const s = primitive(v); st.left -= s.length; return s; }
    if (st.left <= 0) return "...";
    if (st.seen.has(v)) return "[Circular]";
    st.left -= 4;
    if (native.isProxy(v)) return "[Proxy]";
    const name = nameOf(v);
    if (typeof v === "function") {
      const text = slice(functionText(v), 0, 5) === "class" ? "[class " + (v.name || "(anonymous)") + "]" : "[Function" + (v.name ? ": " + v.name : " (anonymous)") + "]";
      return text;
    }
    if (isDate(v)) { const t = dateTime(v); return t === t ? dateISO(v) : "Invalid Date"; }
    if (v instanceof RealRegExp) return regexpText(v);
    const list = Array.isArray(v) || typedName(v) !== undefined;
    if (depth > maxDepth) return list ? "[Array]" : "[" + (name || "Object") + "]";
    st.seen.add(v);
    try { return structure(v, st, depth, indent, name, list); } finally { st.seen.delete(v); }
  };
  const structure = (v, st, depth, indent, name, list) => {
    const parts = [];
    const sub = (x) => inspect(x, st, depth + 1, indent + 2);
    let open = "{", close = "}", head = name === "Object" ? "" : name === null ? "[Object: null prototype] " : name + " ";
    let count = 0;
    const room = () => { count++; return count <= maxItems && st.left > 0; };
    if (list) {
      open = "["; close = "]";
      head = Array.isArray(v) ? (name === "Array" ? "" : name + "(" + v.length + ") ") : name + "(" + v.length + ") ";
      const n = v.length;
      let i = 0;
      for (; i < n && i < maxItems && st.left > 0; i++) push(parts, i in v ? sub(v[i]) : "<empty>");
      if (i < n) push(parts, "... " + (n - i) + " more items");
    } else if (isMap(v)) {
      head = name + "(" + v.size + ") ";
      mapEach(v, (x, k) => { if (room()) push(parts, sub(k) + " => " + sub(x)); });
    } else if (isSet(v)) {
      head = name + "(" + v.size + ") ";
      setEach(v, (x) => { if (room()) push(parts, sub(x)); });
    } else if (isError(v)) {
      head = errorText(v) + " ";
    } else if (v instanceof ArrayBuffer) {
      return "ArrayBuffer { byteLength: " + v.byteLength + " }";
    }
    if (count > maxItems) push(parts, "... " + (count - maxItems) + " more");
    count = 0;
    const names = list ? [] : ownKeys(v);
    for (const k of names) {
      const d = getOwnPropertyDescriptor(v, k);
      if (!d || !d.enumerable) continue;
      if (!room()) continue;
      const text = d.get || d.set ? (d.get && d.set ? "[Getter/Setter]" : d.get ? "[Getter]" : "[Setter]") : sub(d.value);
      const key = showKey(k);
      st.left -= key.length + 2;
      push(parts, key + ": " + text);
    }
    if (count > maxItems) push(parts, "... " + (count - maxItems) + " more");
    if (parts.length === 0 && isError(v)) return slice(head, 0, -1);
    return head + layout(open, parts, close, indent);
  };
  const show = (v) => inspect(v, { seen: new Set(), left: maxText }, 0, 0);
  const plain = (v) => typeof v === "string" ? v : show(v);
  const format = (args) => {
    const out = [];
    let i = 0;
    if (typeof args[0] === "string" && args.length > 1 && stringIncludes(args[0], "%")) {
      i = 1;
      const text = args[0];
      let done = "", from = 0;
      for (let at = text.indexOf("%"); at >= 0 && at < text.length - 1; at = text.indexOf("%", from)) {
        const c = text[at + 1];
        done += slice(text, from, at);
        from = at + 2;
        if (c === "%") { done += "%"; continue; }
        if (!stringIncludes("sdifjoOc", c) || i >= args.length) { done += "%" + c; continue; }
        const v = args[i++];
        if (c === "s") done += typeof v === "object" && v !== null ? show(v) : typeof v === "symbol" ? symbolText(v) : String(v);
        else if (c === "d") done += typeof v === "bigint" ? String(v) + "n" : typeof v === "object" ? "NaN" : String(Number(v));
        else if (c === "i") done += String(Number.parseInt(v));
        else if (c === "f") done += String(Number.parseFloat(v));
        else if (c === "j") done += stringify(v);
        else if (c !== "c") done += show(v);
      }
      push(out, done + slice(text, from));
    }
    for (; i < args.length; i++) push(out, plain(args[i]));
    const text = join(out, " ");
    return text.length > 4 * maxText ? slice(text, 0, 4 * maxText) + "... " + (text.length - 4 * maxText) + " more characters" : text;
  };
  let group = "";
  const emit = (level, text) => native.console(level, group ? group + text.split("\n").join("\n" + group) : text);
  const console = create(null);
  for (const [name, level] of [["log", "log"], ["info", "info"], ["warn", "warn"], ["error", "error"], ["debug", "debug"], ["trace", "debug"], ["dir", "log"], ["table", "log"]]) {
    hidden(console, name, { [name](...args) { emit(level, format(name === "dir" || name === "table" ? [args[0]] : args)); } }[name]);
  }
  hidden(console, "assert", function assert(ok, ...args) { if (!ok) emit("error", "Assertion failed" + (args.length ? ": " + format(args) : "")); });
  hidden(console, "group", function group_(...args) { if (args.length) emit("log", format(args)); if (group.length < 20) group += "  "; });
  hidden(console, "groupEnd", function groupEnd() { group = slice(group, 2); });

  fixed(G, "console", freeze(console));
  fixed(G, "ToolError", freeze(ToolError));
  fixed(G, "progress", function progress(message) { native.progress(String(message)); });
  fixed(G, "artifacts", freeze({
    write(path, data, options) {
      const type = options === undefined || options === null ? undefined : options.mediaType;
      return native.artifact(path, data, type);
    },
  }));

  return {
    toolError,
    text: (v) => v instanceof Error ? String(v.name) + (v.message ? ": " + v.message : "") : "thrown: " + show(v),
    isToolError: (v) => v instanceof ToolError,
    watchExec,
    run: async (main) => {
      let value = await main();
      if (typeof value === "function") value = await value();
      return value;
    },
  };
})
