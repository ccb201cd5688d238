package ts

// This file holds what every script has besides its tools, as the worker provides it.

// Ambient declares the globals that do not depend on a directory or a grant. It fits beside
// TypeScript's own library for ES2023, without the DOM.
func Ambient() string { return ambient }

const ambient = `/** Why a call failed; the same closed list everywhere. */
type ToolErrorCode =
  | "invalid_argument"
  | "not_granted"
  | "grant_expired"
  | "budget_exhausted"
  | "needs_decision"
  | "conflict"
  | "not_found"
  | "refused"
  | "rate_limited"
  | "remote_failed"
  | "unavailable"
  | "timeout"
  | "cancelled"
  | "outcome_unknown"
  | "result_too_large"
  | "script_failed"
  | "check_failed"
  | "internal";

/** What a failed call throws: try { ... } catch (e) { if (e instanceof ToolError && e.code === "not_found") ... } */
declare class ToolError extends Error {
  readonly code: ToolErrorCode;
  /** The method or helper called, such as "crm.listContacts" or "ask"; "" outside a call. */
  readonly method: string;
  /** What to do about it. */
  readonly hint?: string;
  /** The destination's own status, such as an HTTP status. */
  readonly status?: number;
  /** The destination's own words, shortened. */
  readonly detail?: string;
  /** With result_too_large: names the result, for results.read. */
  readonly handle?: string;
  private constructor();
}

/** One input file of the run. */
interface InputFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** The content as UTF-8 text. */
  text(): string;
  bytes(): Uint8Array;
  /** The content parsed as JSON; throws where it is not. */
  json(): unknown;
  /** The rows of a CSV file, keyed by its header line; every value is a string. */
  csv(): Record<string, string>[];
}

/** A file that the run has put out. */
interface ArtifactInfo {
  readonly path: string;
  readonly mediaType: string;
  /** Its size in bytes. */
  readonly bytes: number;
}

/** The files that the run puts out. */
declare const artifacts: {
  /**
   * Writes one output file; the path is relative, with "/". An object is written as JSON.
   * The media type is told from the path and content unless given.
   */
  write(path: string, data: string | Uint8Array | object, options?: { mediaType?: string }): ArtifactInfo;
};

/**
 * Asks a person and waits for the answer, which fits the JSON Schema if one is given. The run may be put by
 * until then and go on much later: ask before doing what depends on it, and ask what is open at once, with
 * Promise.all.
 */
declare function ask<const S extends object>(question: string, schema: S): Promise<AskAnswer<S>>;
declare function ask<T = unknown>(question: string, schema?: object): Promise<T>;

/** The answer that a small schema describes. */
type AskAnswer<S> = S extends { enum: readonly (infer E)[] } ? E
  : S extends { type: "string" } ? string
  : S extends { type: "number" | "integer" } ? number
  : S extends { type: "boolean" } ? boolean
  : unknown;

/** Values that a later run of the same task finds again. */
declare const checkpoint: {
  /** Keeps the value, in the place of an earlier one of the name. It must be JSON. */
  save(name: string, value: unknown): Promise<void>;
  /**
   * The value last saved under the name; undefined when there is none. Throws a ToolError "conflict" where the
   * script, its inputs or its methods have changed since.
   */
  load<T = unknown>(name: string): Promise<T | undefined>;
};

/** A granted method that a search found; the declaration is complete, with the types it needs. */
interface FoundMethod {
  readonly name: string;
  readonly description: string;
  readonly declaration: string;
}

/** The methods that the run may call. */
declare const directory: {
  /** Finds methods by what they do, best first. */
  search(query: string, limit?: number): Promise<FoundMethod[]>;
};

/** A part of a result. */
interface ResultPart {
  readonly text: string;
  /** The offset of the part that follows; undefined at the end. */
  readonly next?: number;
  /** The size of the whole result in bytes. */
  readonly bytes: number;
}

/** Results that were too large for the script. */
declare const results: {
  /** Reads a part of one as JSON text; the handle is that of the ToolError "result_too_large", offset and bytes count bytes. */
  read(handle: string, offset?: number, bytes?: number): Promise<ResultPart>;
};

/** Tells whoever watches the run what it is doing. */
declare function progress(message: string): void;

/** Lines for the run's log; they are not its result. */
interface Console {
  log(...data: unknown[]): void;
  info(...data: unknown[]): void;
  warn(...data: unknown[]): void;
  error(...data: unknown[]): void;
  debug(...data: unknown[]): void;
  trace(...data: unknown[]): void;
  dir(value?: unknown): void;
  table(value?: unknown): void;
  /** Writes a line of level error unless the condition holds. */
  assert(condition?: unknown, ...data: unknown[]): void;
  /** Indents the lines that follow, until groupEnd. */
  group(...data: unknown[]): void;
  groupEnd(): void;
}

declare const console: Console;
`
