// Strings, regular expressions, JSON and the escaping of URIs.

interface String {
  readonly length: number;
  readonly [index: number]: string;
  [Symbol.iterator](): StringIterator<string>;
  toString(): string;
  valueOf(): string;

  at(index: number): string | undefined;
  charAt(index: number): string;
  /** NaN past the end. */
  charCodeAt(index: number): number;
  codePointAt(index: number): number | undefined;

  includes(search: string, from?: number): boolean;
  startsWith(search: string, from?: number): boolean;
  endsWith(search: string, end?: number): boolean;
  indexOf(search: string, from?: number): number;
  lastIndexOf(search: string, from?: number): number;
  /** Below, equal to or above 0. By a fixed order of letters: no locale, no options. */
  localeCompare(other: string): number;

  slice(start?: number, end?: number): string;
  substring(start: number, end?: number): string;
  /** @deprecated Use slice. */
  substr(start: number, length?: number): string;
  split(separator: string | RegExp, limit?: number): string[];
  concat(...texts: string[]): string;
  repeat(count: number): string;
  padStart(length: number, fill?: string): string;
  padEnd(length: number, fill?: string): string;
  trim(): string;
  trimStart(): string;
  trimEnd(): string;
  /** @deprecated Use trimStart. */
  trimLeft(): string;
  /** @deprecated Use trimEnd. */
  trimRight(): string;
  toLowerCase(): string;
  toUpperCase(): string;
  toLocaleLowerCase(): string;
  toLocaleUpperCase(): string;
  normalize(form?: "NFC" | "NFD" | "NFKC" | "NFKD"): string;
  normalize(form?: string): string;

  search(pattern: string | RegExp): number;
  /** With the flag g: all matches, without their groups. */
  match(pattern: string | RegExp): RegExpMatchArray | null;
  /** A RegExp needs the flag g. */
  matchAll(pattern: string | RegExp): RegExpStringIterator<RegExpExecArray>;
  /** The first match only, unless pattern has the flag g. */
  replace(pattern: string | RegExp, replacement: string): string;
  replace(pattern: string | RegExp, replacer: (match: string, ...args: any[]) => string): string;
  /** A RegExp needs the flag g. */
  replaceAll(pattern: string | RegExp, replacement: string): string;
  replaceAll(pattern: string | RegExp, replacer: (match: string, ...args: any[]) => string): string;
}

interface StringConstructor {
  new (value?: any): String;
  (value?: any): string;
  readonly prototype: String;
  fromCharCode(...units: number[]): string;
  fromCodePoint(...points: number[]): string;
  raw(template: { raw: readonly string[] | ArrayLike<string> }, ...substitutions: any[]): string;
}

declare var String: StringConstructor;

/** What match returns. index, input and groups are unset where the pattern has the flag g. */
interface RegExpMatchArray extends Array<string> {
  0: string;
  index?: number;
  input?: string;
  groups?: { [name: string]: string };
}

/** One match with its groups; a group that took no part is undefined. */
interface RegExpExecArray extends Array<string> {
  0: string;
  index: number;
  input: string;
  groups?: { [name: string]: string };
}

/** The engine has the flags g, i, m, s, u and y; d and v, and \p{...}, throw. */
interface RegExp {
  exec(text: string): RegExpExecArray | null;
  test(text: string): boolean;
  toString(): string;
  readonly source: string;
  readonly flags: string;
  readonly global: boolean;
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly unicode: boolean;
  readonly sticky: boolean;
  lastIndex: number;
  [Symbol.match](text: string): RegExpMatchArray | null;
  [Symbol.matchAll](text: string): RegExpStringIterator<RegExpMatchArray>;
  [Symbol.replace](text: string, replacement: string): string;
  [Symbol.replace](text: string, replacer: (match: string, ...args: any[]) => string): string;
  [Symbol.search](text: string): number;
  [Symbol.split](text: string, limit?: number): string[];
}

interface RegExpConstructor {
  new (pattern: RegExp | string, flags?: string): RegExp;
  (pattern: RegExp | string, flags?: string): RegExp;
  readonly prototype: RegExp;
  readonly [Symbol.species]: RegExpConstructor;
}

declare var RegExp: RegExpConstructor;

/** A number or another primitive that stringify writes as this text. */
interface RawJSON {
  readonly rawJSON: string;
}

interface JSON {
  /** Throws for text that is no JSON. An integer beyond 2^53 is rounded. */
  parse(text: string, reviver?: (this: any, key: string, value: any) => any): any;
  /** Throws for cycles and for a bigint. */
  stringify(value: any, replacer?: (this: any, key: string, value: any) => any, space?: string | number): string;
  stringify(value: any, replacer?: (number | string)[] | null, space?: string | number): string;
  rawJSON(text: string): RawJSON;
  isRawJSON(value: unknown): value is RawJSON;
  readonly [Symbol.toStringTag]: string;
}

declare var JSON: JSON;

declare function encodeURI(uri: string): string;
declare function encodeURIComponent(text: string | number | boolean): string;
declare function decodeURI(uri: string): string;
declare function decodeURIComponent(text: string): string;
/** @deprecated Use encodeURIComponent. */
declare function escape(text: string): string;
/** @deprecated Use decodeURIComponent. */
declare function unescape(text: string): string;
