// Iteration: the protocols, generators, and the iterators that the language's own collections hand out.
// These have no methods of their own beyond the protocol's: take an array of them first, [...map.keys()].

interface IteratorYieldResult<T> {
  done?: false;
  value: T;
}

interface IteratorReturnResult<R> {
  done: true;
  value: R;
}

type IteratorResult<T, R = any> = IteratorYieldResult<T> | IteratorReturnResult<R>;

interface Iterator<T, R = any, N = any> {
  next(...value: [] | [N]): IteratorResult<T, R>;
  return?(value?: R): IteratorResult<T, R>;
  throw?(error?: any): IteratorResult<T, R>;
}

interface Iterable<T, R = any, N = any> {
  [Symbol.iterator](): Iterator<T, R, N>;
}

interface IterableIterator<T, R = any, N = any> extends Iterator<T, R, N> {
  [Symbol.iterator](): IterableIterator<T, R, N>;
}

/** An iterator that the language made. */
interface IteratorObject<T, R = unknown, N = unknown> extends Iterator<T, R, N> {
  [Symbol.iterator](): IteratorObject<T, R, N>;
}

type BuiltinIteratorReturn = intrinsic;

interface ArrayIterator<T> extends IteratorObject<T, BuiltinIteratorReturn, unknown> {
  [Symbol.iterator](): ArrayIterator<T>;
  readonly [Symbol.toStringTag]: string;
}

interface MapIterator<T> extends IteratorObject<T, BuiltinIteratorReturn, unknown> {
  [Symbol.iterator](): MapIterator<T>;
  readonly [Symbol.toStringTag]: string;
}

interface SetIterator<T> extends IteratorObject<T, BuiltinIteratorReturn, unknown> {
  [Symbol.iterator](): SetIterator<T>;
  readonly [Symbol.toStringTag]: string;
}

interface StringIterator<T> extends IteratorObject<T, BuiltinIteratorReturn, unknown> {
  [Symbol.iterator](): StringIterator<T>;
  readonly [Symbol.toStringTag]: string;
}

interface RegExpStringIterator<T> extends IteratorObject<T, BuiltinIteratorReturn, unknown> {
  [Symbol.iterator](): RegExpStringIterator<T>;
  readonly [Symbol.toStringTag]: string;
}

interface Generator<T = unknown, R = any, N = any> extends IteratorObject<T, R, N> {
  next(...value: [] | [N]): IteratorResult<T, R>;
  return(value: R): IteratorResult<T, R>;
  throw(error: any): IteratorResult<T, R>;
  [Symbol.iterator](): Generator<T, R, N>;
  readonly [Symbol.toStringTag]: string;
}

interface AsyncIterator<T, R = any, N = any> {
  next(...value: [] | [N]): Promise<IteratorResult<T, R>>;
  return?(value?: R | PromiseLike<R>): Promise<IteratorResult<T, R>>;
  throw?(error?: any): Promise<IteratorResult<T, R>>;
}

interface AsyncIterable<T, R = any, N = any> {
  [Symbol.asyncIterator](): AsyncIterator<T, R, N>;
}

interface AsyncIterableIterator<T, R = any, N = any> extends AsyncIterator<T, R, N> {
  [Symbol.asyncIterator](): AsyncIterableIterator<T, R, N>;
}

interface AsyncIteratorObject<T, R = unknown, N = unknown> extends AsyncIterator<T, R, N> {
  [Symbol.asyncIterator](): AsyncIteratorObject<T, R, N>;
}

interface AsyncGenerator<T = unknown, R = any, N = any> extends AsyncIteratorObject<T, R, N> {
  next(...value: [] | [N]): Promise<IteratorResult<T, R>>;
  return(value: R | PromiseLike<R>): Promise<IteratorResult<T, R>>;
  throw(error: any): Promise<IteratorResult<T, R>>;
  [Symbol.asyncIterator](): AsyncGenerator<T, R, N>;
}
