// Keyed collections.

interface ReadonlyMap<K, V> {
  readonly size: number;
  get(key: K): V | undefined;
  has(key: K): boolean;
  forEach(f: (value: V, key: K, map: ReadonlyMap<K, V>) => void, thisArg?: any): void;
  keys(): MapIterator<K>;
  values(): MapIterator<V>;
  entries(): MapIterator<[K, V]>;
  [Symbol.iterator](): MapIterator<[K, V]>;
}

interface Map<K, V> {
  readonly size: number;
  get(key: K): V | undefined;
  has(key: K): boolean;
  set(key: K, value: V): this;
  delete(key: K): boolean;
  clear(): void;
  forEach(f: (value: V, key: K, map: Map<K, V>) => void, thisArg?: any): void;
  keys(): MapIterator<K>;
  values(): MapIterator<V>;
  entries(): MapIterator<[K, V]>;
  [Symbol.iterator](): MapIterator<[K, V]>;
  readonly [Symbol.toStringTag]: string;
}

interface MapConstructor {
  new (): Map<any, any>;
  new <K, V>(entries?: readonly (readonly [K, V])[] | null): Map<K, V>;
  new <K, V>(entries?: Iterable<readonly [K, V]> | null): Map<K, V>;
  readonly prototype: Map<any, any>;
  readonly [Symbol.species]: MapConstructor;
  groupBy<T, K>(items: Iterable<T>, key: (item: T, index: number) => K): Map<K, T[]>;
}

declare var Map: MapConstructor;

/** What the set methods take: a Set, a Map (its keys), or anything made like them. */
interface ReadonlySetLike<T> {
  readonly size: number;
  has(value: T): boolean;
  keys(): Iterator<T>;
}

interface ReadonlySet<T> {
  readonly size: number;
  has(value: T): boolean;
  forEach(f: (value: T, same: T, set: ReadonlySet<T>) => void, thisArg?: any): void;
  keys(): SetIterator<T>;
  values(): SetIterator<T>;
  entries(): SetIterator<[T, T]>;
  [Symbol.iterator](): SetIterator<T>;
  union<U>(other: ReadonlySetLike<U>): Set<T | U>;
  intersection<U>(other: ReadonlySetLike<U>): Set<T & U>;
  difference<U>(other: ReadonlySetLike<U>): Set<T>;
  symmetricDifference<U>(other: ReadonlySetLike<U>): Set<T | U>;
  isSubsetOf(other: ReadonlySetLike<unknown>): boolean;
  isSupersetOf(other: ReadonlySetLike<unknown>): boolean;
  isDisjointFrom(other: ReadonlySetLike<unknown>): boolean;
}

interface Set<T> {
  readonly size: number;
  has(value: T): boolean;
  add(value: T): this;
  delete(value: T): boolean;
  clear(): void;
  forEach(f: (value: T, same: T, set: Set<T>) => void, thisArg?: any): void;
  keys(): SetIterator<T>;
  values(): SetIterator<T>;
  entries(): SetIterator<[T, T]>;
  [Symbol.iterator](): SetIterator<T>;
  union<U>(other: ReadonlySetLike<U>): Set<T | U>;
  intersection<U>(other: ReadonlySetLike<U>): Set<T & U>;
  difference<U>(other: ReadonlySetLike<U>): Set<T>;
  symmetricDifference<U>(other: ReadonlySetLike<U>): Set<T | U>;
  isSubsetOf(other: ReadonlySetLike<unknown>): boolean;
  isSupersetOf(other: ReadonlySetLike<unknown>): boolean;
  isDisjointFrom(other: ReadonlySetLike<unknown>): boolean;
  readonly [Symbol.toStringTag]: string;
}

interface SetConstructor {
  new <T = any>(values?: readonly T[] | null): Set<T>;
  new <T>(values?: Iterable<T> | null): Set<T>;
  readonly prototype: Set<any>;
  readonly [Symbol.species]: SetConstructor;
}

declare var Set: SetConstructor;

interface WeakMap<K extends WeakKey, V> {
  get(key: K): V | undefined;
  has(key: K): boolean;
  set(key: K, value: V): this;
  delete(key: K): boolean;
  readonly [Symbol.toStringTag]: string;
}

interface WeakMapConstructor {
  new <K extends WeakKey = WeakKey, V = any>(entries?: readonly (readonly [K, V])[] | null): WeakMap<K, V>;
  new <K extends WeakKey, V>(entries: Iterable<readonly [K, V]>): WeakMap<K, V>;
  readonly prototype: WeakMap<WeakKey, any>;
}

declare var WeakMap: WeakMapConstructor;

interface WeakSet<T extends WeakKey> {
  has(value: T): boolean;
  add(value: T): this;
  delete(value: T): boolean;
  readonly [Symbol.toStringTag]: string;
}

interface WeakSetConstructor {
  new <T extends WeakKey = WeakKey>(values?: readonly T[] | null): WeakSet<T>;
  new <T extends WeakKey = WeakKey>(values: Iterable<T>): WeakSet<T>;
  readonly prototype: WeakSet<WeakKey>;
}

declare var WeakSet: WeakSetConstructor;
