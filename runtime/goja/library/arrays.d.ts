// Arrays.

interface ConcatArray<T> {
  readonly length: number;
  readonly [index: number]: T;
  join(separator?: string): string;
  slice(start?: number, end?: number): T[];
}

/** The elements of A.flat(D). */
type FlatArray<A, D extends number> = A extends readonly (infer E)[] ? Flattened<E, D> : A;
type Flattened<E, D extends number> =
  D extends 0 ? E :
  E extends readonly (infer Inner)[] ? Flattened<Inner, number extends D ? number : OneLess[D]> :
  E;
type OneLess = [never, 0, 1, 2, 3, 4, 5, 6, 7, 8];

interface ReadonlyArray<T> {
  readonly length: number;
  readonly [index: number]: T;
  [Symbol.iterator](): ArrayIterator<T>;
  toString(): string;
  toLocaleString(): string;

  at(index: number): T | undefined;
  includes(item: T, from?: number): boolean;
  indexOf(item: T, from?: number): number;
  lastIndexOf(item: T, from?: number): number;
  find<U extends T>(test: (value: T, index: number, array: readonly T[]) => value is U, thisArg?: any): U | undefined;
  find(test: (value: T, index: number, array: readonly T[]) => unknown, thisArg?: any): T | undefined;
  findLast<U extends T>(test: (value: T, index: number, array: readonly T[]) => value is U, thisArg?: any): U | undefined;
  findLast(test: (value: T, index: number, array: readonly T[]) => unknown, thisArg?: any): T | undefined;
  findIndex(test: (value: T, index: number, array: readonly T[]) => unknown, thisArg?: any): number;
  findLastIndex(test: (value: T, index: number, array: readonly T[]) => unknown, thisArg?: any): number;
  every<U extends T>(test: (value: T, index: number, array: readonly T[]) => value is U, thisArg?: any): this is readonly U[];
  every(test: (value: T, index: number, array: readonly T[]) => unknown, thisArg?: any): boolean;
  some(test: (value: T, index: number, array: readonly T[]) => unknown, thisArg?: any): boolean;

  forEach(f: (value: T, index: number, array: readonly T[]) => void, thisArg?: any): void;
  map<U>(f: (value: T, index: number, array: readonly T[]) => U, thisArg?: any): U[];
  filter<U extends T>(test: (value: T, index: number, array: readonly T[]) => value is U, thisArg?: any): U[];
  filter(test: (value: T, index: number, array: readonly T[]) => unknown, thisArg?: any): T[];
  flatMap<U, This = undefined>(f: (this: This, value: T, index: number, array: T[]) => U | ReadonlyArray<U>, thisArg?: This): U[];
  flat<A, D extends number = 1>(this: A, depth?: D): FlatArray<A, D>[];
  /** Throws for an empty array. */
  reduce(f: (sum: T, value: T, index: number, array: readonly T[]) => T): T;
  reduce(f: (sum: T, value: T, index: number, array: readonly T[]) => T, initial: T): T;
  reduce<U>(f: (sum: U, value: T, index: number, array: readonly T[]) => U, initial: U): U;
  reduceRight(f: (sum: T, value: T, index: number, array: readonly T[]) => T): T;
  reduceRight(f: (sum: T, value: T, index: number, array: readonly T[]) => T, initial: T): T;
  reduceRight<U>(f: (sum: U, value: T, index: number, array: readonly T[]) => U, initial: U): U;

  join(separator?: string): string;
  concat(...parts: ConcatArray<T>[]): T[];
  concat(...parts: (T | ConcatArray<T>)[]): T[];
  slice(start?: number, end?: number): T[];
  with(index: number, value: T): T[];
  toReversed(): T[];
  /** By their text unless compare is given: [10, 9].toSorted() is [10, 9]. */
  toSorted(compare?: (a: T, b: T) => number): T[];
  toSpliced(start: number, remove: number, ...items: T[]): T[];
  toSpliced(start: number, remove?: number): T[];

  keys(): ArrayIterator<number>;
  values(): ArrayIterator<T>;
  entries(): ArrayIterator<[number, T]>;
}

interface Array<T> {
  length: number;
  [index: number]: T;
  [Symbol.iterator](): ArrayIterator<T>;
  toString(): string;
  toLocaleString(): string;

  at(index: number): T | undefined;
  includes(item: T, from?: number): boolean;
  indexOf(item: T, from?: number): number;
  lastIndexOf(item: T, from?: number): number;
  find<U extends T>(test: (value: T, index: number, array: T[]) => value is U, thisArg?: any): U | undefined;
  find(test: (value: T, index: number, array: T[]) => unknown, thisArg?: any): T | undefined;
  findLast<U extends T>(test: (value: T, index: number, array: T[]) => value is U, thisArg?: any): U | undefined;
  findLast(test: (value: T, index: number, array: T[]) => unknown, thisArg?: any): T | undefined;
  findIndex(test: (value: T, index: number, array: T[]) => unknown, thisArg?: any): number;
  findLastIndex(test: (value: T, index: number, array: T[]) => unknown, thisArg?: any): number;
  every<U extends T>(test: (value: T, index: number, array: T[]) => value is U, thisArg?: any): this is U[];
  every(test: (value: T, index: number, array: T[]) => unknown, thisArg?: any): boolean;
  some(test: (value: T, index: number, array: T[]) => unknown, thisArg?: any): boolean;

  forEach(f: (value: T, index: number, array: T[]) => void, thisArg?: any): void;
  map<U>(f: (value: T, index: number, array: T[]) => U, thisArg?: any): U[];
  filter<U extends T>(test: (value: T, index: number, array: T[]) => value is U, thisArg?: any): U[];
  filter(test: (value: T, index: number, array: T[]) => unknown, thisArg?: any): T[];
  flatMap<U, This = undefined>(f: (this: This, value: T, index: number, array: T[]) => U | ReadonlyArray<U>, thisArg?: This): U[];
  flat<A, D extends number = 1>(this: A, depth?: D): FlatArray<A, D>[];
  /** Throws for an empty array. */
  reduce(f: (sum: T, value: T, index: number, array: T[]) => T): T;
  reduce(f: (sum: T, value: T, index: number, array: T[]) => T, initial: T): T;
  reduce<U>(f: (sum: U, value: T, index: number, array: T[]) => U, initial: U): U;
  reduceRight(f: (sum: T, value: T, index: number, array: T[]) => T): T;
  reduceRight(f: (sum: T, value: T, index: number, array: T[]) => T, initial: T): T;
  reduceRight<U>(f: (sum: U, value: T, index: number, array: T[]) => U, initial: U): U;

  join(separator?: string): string;
  concat(...parts: ConcatArray<T>[]): T[];
  concat(...parts: (T | ConcatArray<T>)[]): T[];
  slice(start?: number, end?: number): T[];
  with(index: number, value: T): T[];
  toReversed(): T[];
  /** By their text unless compare is given: [10, 9].toSorted() is [10, 9]. */
  toSorted(compare?: (a: T, b: T) => number): T[];
  toSpliced(start: number, remove: number, ...items: T[]): T[];
  toSpliced(start: number, remove?: number): T[];

  keys(): ArrayIterator<number>;
  values(): ArrayIterator<T>;
  entries(): ArrayIterator<[number, T]>;

  push(...items: T[]): number;
  pop(): T | undefined;
  shift(): T | undefined;
  unshift(...items: T[]): number;
  splice(start: number, remove?: number): T[];
  splice(start: number, remove: number, ...items: T[]): T[];
  fill(value: T, start?: number, end?: number): this;
  copyWithin(target: number, start: number, end?: number): this;
  reverse(): T[];
  /** In place. By their text unless compare is given: [10, 9].sort() is [10, 9]. */
  sort(compare?: (a: T, b: T) => number): this;
}

interface ArrayConstructor {
  new (length?: number): any[];
  new <T>(length: number): T[];
  new <T>(...items: T[]): T[];
  (length?: number): any[];
  <T>(length: number): T[];
  <T>(...items: T[]): T[];
  readonly prototype: any[];
  readonly [Symbol.species]: ArrayConstructor;
  isArray(value: any): value is any[];
  of<T>(...items: T[]): T[];
  from<T>(source: Iterable<T> | ArrayLike<T>): T[];
  from<T, U>(source: Iterable<T> | ArrayLike<T>, map: (value: T, index: number) => U, thisArg?: any): U[];
  /** Awaits every value, one after the other. */
  fromAsync<T>(source: AsyncIterable<T> | Iterable<T | PromiseLike<T>> | ArrayLike<T | PromiseLike<T>>): Promise<T[]>;
  fromAsync<T, U>(source: AsyncIterable<T> | Iterable<T> | ArrayLike<T>, map: (value: Awaited<T>, index: number) => U): Promise<Awaited<U>[]>;
}

declare var Array: ArrayConstructor;
