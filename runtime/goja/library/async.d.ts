// Promises, jobs and timers.

interface PromiseLike<T> {
  then<A = T, B = never>(
    onfulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onrejected?: ((reason: any) => B | PromiseLike<B>) | null,
  ): PromiseLike<A | B>;
}

interface Promise<T> {
  then<A = T, B = never>(
    onfulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onrejected?: ((reason: any) => B | PromiseLike<B>) | null,
  ): Promise<A | B>;
  catch<B = never>(onrejected?: ((reason: any) => B | PromiseLike<B>) | null): Promise<T | B>;
  finally(onfinally?: (() => void) | null): Promise<T>;
  readonly [Symbol.toStringTag]: string;
}

interface PromiseFulfilledResult<T> {
  status: "fulfilled";
  value: T;
}

interface PromiseRejectedResult {
  status: "rejected";
  reason: any;
}

type PromiseSettledResult<T> = PromiseFulfilledResult<T> | PromiseRejectedResult;

interface PromiseWithResolvers<T> {
  promise: Promise<T>;
  resolve: (value: T | PromiseLike<T>) => void;
  reject: (reason?: any) => void;
}

type PromiseConstructorLike = new <T>(
  executor: (resolve: (value: T | PromiseLike<T>) => void, reject: (reason?: any) => void) => void,
) => PromiseLike<T>;

interface PromiseConstructor {
  new <T>(executor: (resolve: (value: T | PromiseLike<T>) => void, reject: (reason?: any) => void) => void): Promise<T>;
  readonly prototype: Promise<any>;
  readonly [Symbol.species]: PromiseConstructor;

  resolve(): Promise<void>;
  resolve<T>(value: T): Promise<Awaited<T>>;
  resolve<T>(value: T | PromiseLike<T>): Promise<Awaited<T>>;
  reject<T = never>(reason?: any): Promise<T>;

  all<T extends readonly unknown[] | []>(values: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }>;
  all<T>(values: Iterable<T | PromiseLike<T>>): Promise<Awaited<T>[]>;
  allSettled<T extends readonly unknown[] | []>(values: T): Promise<{ -readonly [K in keyof T]: PromiseSettledResult<Awaited<T[K]>> }>;
  allSettled<T>(values: Iterable<T | PromiseLike<T>>): Promise<PromiseSettledResult<Awaited<T>>[]>;
  any<T extends readonly unknown[] | []>(values: T): Promise<Awaited<T[number]>>;
  any<T>(values: Iterable<T | PromiseLike<T>>): Promise<Awaited<T>>;
  race<T extends readonly unknown[] | []>(values: T): Promise<Awaited<T[number]>>;
  race<T>(values: Iterable<T | PromiseLike<T>>): Promise<Awaited<T>>;

  withResolvers<T>(): PromiseWithResolvers<T>;
  /** Calls f at once; what it throws is the promise's rejection. */
  try<T, A extends unknown[]>(f: (...args: A) => T | PromiseLike<T>, ...args: A): Promise<Awaited<T>>;
}

declare var Promise: PromiseConstructor;

/** Runs f after the code that runs now, before any timer or settled call. */
declare function queueMicrotask(f: () => void): void;

/** The global object, as packages look for it. */
declare const self: typeof globalThis;

/** Runs f once after ms milliseconds, at least 1; text instead of a function throws. The result is for clearTimeout. */
declare function setTimeout(f: (...args: any[]) => void, ms?: number, ...args: any[]): number;
/** Runs f every ms milliseconds, at least 1, until cleared. */
declare function setInterval(f: (...args: any[]) => void, ms?: number, ...args: any[]): number;
declare function clearTimeout(id: number | undefined): void;
declare function clearInterval(id: number | undefined): void;
