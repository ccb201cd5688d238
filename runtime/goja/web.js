// The parts of the web's standards that scripts use without a network: URL and URLSearchParams (the URL
// standard), TextEncoder and TextDecoder for UTF-8 (the Encoding standard), atob and btoa. "native" is
// Go's, and takes and gives texts and bytes only.
(function (native) {
  "use strict";
  const { Object, Reflect, TypeError, RangeError, String, Symbol, Uint8Array, ArrayBuffer } = globalThis;
  const define = (name, value) => Object.defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
  const isView = ArrayBuffer.isView;

  // ---- text and bytes -------------------------------------------------------------------------

  define("TextEncoder", class TextEncoder {
    get encoding() { return "utf-8"; }
    encode(text) { return new Uint8Array(native.utf8(text === undefined ? "" : String(text))); }
  });

  const labels = ["utf-8", "utf8", "unicode-1-1-utf-8"];
  const bytesOf = (data) => {
    if (data instanceof ArrayBuffer) return new Uint8Array(data);
    if (isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    throw new TypeError("TextDecoder.decode takes bytes: a Uint8Array or another view, or an ArrayBuffer");
  };
  define("TextDecoder", class TextDecoder {
    #fatal; #ignoreBOM;
    constructor(label, options) {
      const name = label === undefined ? "utf-8" : String(label).trim().toLowerCase();
      if (!labels.includes(name)) throw new RangeError("TextDecoder reads utf-8 only, not " + name);
      this.#fatal = !!(options && options.fatal);
      this.#ignoreBOM = !!(options && options.ignoreBOM);
    }
    get encoding() { return "utf-8"; }
    get fatal() { return this.#fatal; }
    get ignoreBOM() { return this.#ignoreBOM; }
    decode(data) {
      if (data === undefined) return "";
      const text = native.text(bytesOf(data), this.#ignoreBOM, this.#fatal);
      if (text === undefined) throw new TypeError("the bytes are not UTF-8");
      return text;
    }
  });

  define("atob", function atob(text) {
    const out = native.atob(String(text));
    if (out === undefined) throw new TypeError("atob: the text is not base64");
    return out;
  });
  define("btoa", function btoa(text) {
    const out = native.base64(String(text));
    if (out === undefined) throw new TypeError("btoa: the text has a character past U+00FF; encode it with TextEncoder, and write bytes with toBase64");
    return out;
  });

  // ---- URL --------------------------------------------------------------------------------------

  let bind, load; // how a URL and its searchParams keep each other

  class URLSearchParams {
    #pairs = []; #changed = () => {};
    static {
      bind = (p, changed) => { p.#changed = changed; };
      load = (p, query) => { p.#read(query); };
    }
    constructor(init) {
      if (init === undefined || init === null) return;
      if (typeof init !== "object" && typeof init !== "function") {
        const text = String(init);
        this.#read(text[0] === "?" ? text.slice(1) : text);
      } else if (init[Symbol.iterator] !== undefined) {
        for (const pair of init) {
          const both = [...pair];
          if (both.length !== 2) throw new TypeError("URLSearchParams: each entry is a name and a value");
          this.#pairs.push([String(both[0]), String(both[1])]);
        }
      } else {
        for (const name of Object.keys(init)) this.#pairs.push([name, String(init[name])]);
      }
    }
    #read(query) {
      const flat = native.readForm(query);
      this.#pairs = [];
      for (let i = 0; i < flat.length; i += 2) this.#pairs.push([flat[i], flat[i + 1]]);
    }
    get size() { return this.#pairs.length; }
    append(name, value) {
      this.#pairs.push([String(name), String(value)]);
      this.#changed();
    }
    delete(name, value) {
      this.#pairs = this.#pairs.filter(([n, v]) => n !== String(name) || value !== undefined && v !== String(value));
      this.#changed();
    }
    get(name) {
      const found = this.#pairs.find(([n]) => n === String(name));
      return found === undefined ? null : found[1];
    }
    getAll(name) { return this.#pairs.filter(([n]) => n === String(name)).map(([, v]) => v); }
    has(name, value) { return this.#pairs.some(([n, v]) => n === String(name) && (value === undefined || v === String(value))); }
    set(name, value) {
      const first = this.#pairs.findIndex(([n]) => n === String(name));
      if (first < 0) return this.append(name, value);
      this.#pairs = this.#pairs.filter(([n], i) => i === first || n !== String(name));
      this.#pairs[first] = [String(name), String(value)];
      this.#changed();
    }
    sort() {
      this.#pairs.sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0);
      this.#changed();
    }
    toString() { return native.writeForm(...this.#pairs.flat()); }
    forEach(f, self) { for (const [name, value] of this) Reflect.apply(f, self, [value, name, this]); }
    *entries() { for (let i = 0; i < this.#pairs.length; i++) yield [this.#pairs[i][0], this.#pairs[i][1]]; }
    *keys() { for (const [name] of this.entries()) yield name; }
    *values() { for (const [, value] of this.entries()) yield value; }
    [Symbol.iterator]() { return this.entries(); }
  }
  define("URLSearchParams", URLSearchParams);

  const parse = (url, base) => native.parseURL(String(url), base === undefined ? undefined : String(base));
  class URL {
    #parts; #params;
    constructor(url, base) {
      this.#parts = parse(url, base);
      if (this.#parts === undefined) throw new TypeError("Invalid URL: " + String(url).slice(0, 200) + (base === undefined ? "" : ", base " + String(base).slice(0, 200)));
    }
    static canParse(url, base) { return parse(url, base) !== undefined; }
    static parse(url, base) { return URL.canParse(url, base) ? new URL(url, base) : null; }
    #take(parts, params) {
      if (parts === undefined) return;
      this.#parts = parts;
      if (params && this.#params) load(this.#params, parts.search.slice(1));
    }
    #change(part, value, params) { this.#take(native.changeURL(this.#parts.href, part, String(value)), params); }
    get href() { return this.#parts.href; }
    set href(v) {
      const parts = parse(v);
      if (parts === undefined) throw new TypeError("Invalid URL: " + String(v).slice(0, 200));
      this.#take(parts, true);
    }
    get origin() { return this.#parts.origin; }
    get protocol() { return this.#parts.protocol; }
    set protocol(v) { this.#change("protocol", v); }
    get username() { return this.#parts.username; }
    set username(v) { this.#change("username", v); }
    get password() { return this.#parts.password; }
    set password(v) { this.#change("password", v); }
    get host() { return this.#parts.host; }
    set host(v) { this.#change("host", v); }
    get hostname() { return this.#parts.hostname; }
    set hostname(v) { this.#change("hostname", v); }
    get port() { return this.#parts.port; }
    set port(v) { this.#change("port", v); }
    get pathname() { return this.#parts.pathname; }
    set pathname(v) { this.#change("pathname", v); }
    get search() { return this.#parts.search; }
    set search(v) { this.#change("search", v, true); }
    get hash() { return this.#parts.hash; }
    set hash(v) { this.#change("hash", v); }
    get searchParams() {
      if (!this.#params) {
        this.#params = new URLSearchParams(this.#parts.search);
        bind(this.#params, () => this.#change("search", this.#params.toString()));
      }
      return this.#params;
    }
    toString() { return this.#parts.href; }
    toJSON() { return this.#parts.href; }
  }
  define("URL", URL);
})
