// Errors. ToolError, which failed calls throw, is declared with the run's other helpers.

interface ErrorOptions {
  cause?: unknown;
}

interface Error {
  name: string;
  message: string;
  stack?: string;
  cause?: unknown;
  toString(): string;
}

interface ErrorConstructor {
  new (message?: string, options?: ErrorOptions): Error;
  (message?: string, options?: ErrorOptions): Error;
  readonly prototype: Error;
  isError(value: unknown): value is Error;
}

declare var Error: ErrorConstructor;

interface EvalError extends Error {}

interface EvalErrorConstructor extends ErrorConstructor {
  new (message?: string, options?: ErrorOptions): EvalError;
  (message?: string, options?: ErrorOptions): EvalError;
  readonly prototype: EvalError;
}

declare var EvalError: EvalErrorConstructor;

interface RangeError extends Error {}

interface RangeErrorConstructor extends ErrorConstructor {
  new (message?: string, options?: ErrorOptions): RangeError;
  (message?: string, options?: ErrorOptions): RangeError;
  readonly prototype: RangeError;
}

declare var RangeError: RangeErrorConstructor;

interface ReferenceError extends Error {}

interface ReferenceErrorConstructor extends ErrorConstructor {
  new (message?: string, options?: ErrorOptions): ReferenceError;
  (message?: string, options?: ErrorOptions): ReferenceError;
  readonly prototype: ReferenceError;
}

declare var ReferenceError: ReferenceErrorConstructor;

interface SyntaxError extends Error {}

interface SyntaxErrorConstructor extends ErrorConstructor {
  new (message?: string, options?: ErrorOptions): SyntaxError;
  (message?: string, options?: ErrorOptions): SyntaxError;
  readonly prototype: SyntaxError;
}

declare var SyntaxError: SyntaxErrorConstructor;

interface TypeError extends Error {}

interface TypeErrorConstructor extends ErrorConstructor {
  new (message?: string, options?: ErrorOptions): TypeError;
  (message?: string, options?: ErrorOptions): TypeError;
  readonly prototype: TypeError;
}

declare var TypeError: TypeErrorConstructor;

interface URIError extends Error {}

interface URIErrorConstructor extends ErrorConstructor {
  new (message?: string, options?: ErrorOptions): URIError;
  (message?: string, options?: ErrorOptions): URIError;
  readonly prototype: URIError;
}

declare var URIError: URIErrorConstructor;

/** Several errors as one; Promise.any rejects with it. */
interface AggregateError extends Error {
  errors: any[];
}

interface AggregateErrorConstructor {
  new (errors: Iterable<any>, message?: string, options?: ErrorOptions): AggregateError;
  (errors: Iterable<any>, message?: string, options?: ErrorOptions): AggregateError;
  readonly prototype: AggregateError;
  isError(value: unknown): value is Error;
}

declare var AggregateError: AggregateErrorConstructor;
