// What the web's standards have that needs no network: URLs, UTF-8, base64.

/** Writes text as UTF-8. */
interface TextEncoder {
  readonly encoding: "utf-8";
  encode(text?: string): Uint8Array;
}

interface TextEncoderConstructor {
  new (): TextEncoder;
  readonly prototype: TextEncoder;
}

declare var TextEncoder: TextEncoderConstructor;

/** Reads UTF-8; with fatal, bytes that are none throw a TypeError, else they become U+FFFD. */
interface TextDecoder {
  readonly encoding: "utf-8";
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(data?: ArrayBuffer | ArrayBufferView): string;
}

interface TextDecoderConstructor {
  new (label?: "utf-8" | "utf8", options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder;
  readonly prototype: TextDecoder;
}

declare var TextDecoder: TextDecoderConstructor;

/** Decodes base64; each character of the result is a byte. */
declare function atob(text: string): string;
/** Encodes characters up to U+00FF, each a byte, as base64. */
declare function btoa(text: string): string;

/** The names and values of a query, in order. */
interface URLSearchParams {
  readonly size: number;
  append(name: string, value: string): void;
  delete(name: string, value?: string): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  set(name: string, value: string): void;
  /** By name; what has the same name keeps its order. */
  sort(): void;
  toString(): string;
  forEach(f: (value: string, name: string, params: URLSearchParams) => void, self?: any): void;
  entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
}

interface URLSearchParamsConstructor {
  new (init?: string | Iterable<readonly [string, string]> | Record<string, string> | URLSearchParams): URLSearchParams;
  readonly prototype: URLSearchParams;
}

declare var URLSearchParams: URLSearchParamsConstructor;

/** A URL by the URL standard; it is never fetched. Setting a part that does not fit changes nothing. */
interface URL {
  href: string;
  readonly origin: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  readonly searchParams: URLSearchParams;
  hash: string;
  toString(): string;
  toJSON(): string;
}

interface URLConstructor {
  /** Throws a TypeError where the text is no URL. */
  new (url: string | URL, base?: string | URL): URL;
  readonly prototype: URL;
  canParse(url: string | URL, base?: string | URL): boolean;
  parse(url: string | URL, base?: string | URL): URL | null;
}

declare var URL: URLConstructor;
