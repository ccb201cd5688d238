// Bytes: buffers, views and the eleven typed arrays, which differ in their elements only.

/** Bytes of a fixed length, read and written through a view. */
interface ArrayBuffer {
  readonly byteLength: number;
  slice(start?: number, end?: number): ArrayBuffer;
  readonly [Symbol.toStringTag]: "ArrayBuffer";
}

interface ArrayBufferConstructor {
  new (byteLength: number): ArrayBuffer;
  readonly prototype: ArrayBuffer;
  readonly [Symbol.species]: ArrayBufferConstructor;
  isView(value: any): value is ArrayBufferView;
}

declare var ArrayBuffer: ArrayBufferConstructor;

type ArrayBufferLike = ArrayBuffer;

interface ArrayBufferView<B extends ArrayBufferLike = ArrayBufferLike> {
  readonly buffer: B;
  readonly byteLength: number;
  readonly byteOffset: number;
}

/** Offsets in bytes; big-endian unless littleEndian. */
interface DataView<B extends ArrayBufferLike = ArrayBufferLike> extends ArrayBufferView<B> {
  getInt8(offset: number): number;
  setInt8(offset: number, value: number): void;
  getUint8(offset: number): number;
  setUint8(offset: number, value: number): void;
  getInt16(offset: number, littleEndian?: boolean): number;
  setInt16(offset: number, value: number, littleEndian?: boolean): void;
  getUint16(offset: number, littleEndian?: boolean): number;
  setUint16(offset: number, value: number, littleEndian?: boolean): void;
  getInt32(offset: number, littleEndian?: boolean): number;
  setInt32(offset: number, value: number, littleEndian?: boolean): void;
  getUint32(offset: number, littleEndian?: boolean): number;
  setUint32(offset: number, value: number, littleEndian?: boolean): void;
  getFloat32(offset: number, littleEndian?: boolean): number;
  setFloat32(offset: number, value: number, littleEndian?: boolean): void;
  getFloat64(offset: number, littleEndian?: boolean): number;
  setFloat64(offset: number, value: number, littleEndian?: boolean): void;
  getBigInt64(offset: number, littleEndian?: boolean): bigint;
  setBigInt64(offset: number, value: bigint, littleEndian?: boolean): void;
  getBigUint64(offset: number, littleEndian?: boolean): bigint;
  setBigUint64(offset: number, value: bigint, littleEndian?: boolean): void;
  readonly [Symbol.toStringTag]: "DataView";
}

interface DataViewConstructor {
  new <B extends ArrayBufferLike>(buffer: B, byteOffset?: number, byteLength?: number): DataView<B>;
  readonly prototype: DataView;
}

declare var DataView: DataViewConstructor;

/** What every typed array has: E are its elements, Self is the array's own type. */
interface TypedArray<E, Self, B extends ArrayBufferLike> extends ArrayBufferView<B> {
  readonly length: number;
  readonly BYTES_PER_ELEMENT: number;
  [index: number]: E;
  [Symbol.iterator](): ArrayIterator<E>;
  toString(): string;
  toLocaleString(): string;

  at(index: number): E | undefined;
  includes(item: E, from?: number): boolean;
  indexOf(item: E, from?: number): number;
  lastIndexOf(item: E, from?: number): number;
  find(test: (value: E, index: number, array: Self) => unknown, thisArg?: any): E | undefined;
  findLast(test: (value: E, index: number, array: Self) => unknown, thisArg?: any): E | undefined;
  findIndex(test: (value: E, index: number, array: Self) => unknown, thisArg?: any): number;
  findLastIndex(test: (value: E, index: number, array: Self) => unknown, thisArg?: any): number;
  every(test: (value: E, index: number, array: Self) => unknown, thisArg?: any): boolean;
  some(test: (value: E, index: number, array: Self) => unknown, thisArg?: any): boolean;

  forEach(f: (value: E, index: number, array: Self) => void, thisArg?: any): void;
  map(f: (value: E, index: number, array: Self) => E, thisArg?: any): Self;
  filter(test: (value: E, index: number, array: Self) => unknown, thisArg?: any): Self;
  /** Throws for an empty array. */
  reduce(f: (sum: E, value: E, index: number, array: Self) => E): E;
  reduce(f: (sum: E, value: E, index: number, array: Self) => E, initial: E): E;
  reduce<U>(f: (sum: U, value: E, index: number, array: Self) => U, initial: U): U;
  reduceRight(f: (sum: E, value: E, index: number, array: Self) => E): E;
  reduceRight(f: (sum: E, value: E, index: number, array: Self) => E, initial: E): E;
  reduceRight<U>(f: (sum: U, value: E, index: number, array: Self) => U, initial: U): U;

  join(separator?: string): string;
  /** A copy. */
  slice(start?: number, end?: number): Self;
  /** A view of the same bytes. */
  subarray(start?: number, end?: number): Self;
  with(index: number, value: E): Self;
  toReversed(): Self;
  toSorted(compare?: (a: E, b: E) => number): Self;

  set(source: ArrayLike<E>, offset?: number): void;
  fill(value: E, start?: number, end?: number): this;
  copyWithin(target: number, start: number, end?: number): this;
  reverse(): this;
  /** In place, by value. */
  sort(compare?: (a: E, b: E) => number): this;

  keys(): ArrayIterator<number>;
  values(): ArrayIterator<E>;
  entries(): ArrayIterator<[number, E]>;
}

/** The constructors of typed arrays; Self is the array's type. */
interface TypedArrayConstructor<E, Self> {
  new (length?: number): Self;
  new (elements: Iterable<E> | ArrayLike<E>): Self;
  new (buffer: ArrayBuffer, byteOffset?: number, length?: number): Self;
  new (source: ArrayBuffer | ArrayLike<E>): Self;
  readonly prototype: Self;
  readonly [Symbol.species]: TypedArrayConstructor<E, Self>;
  readonly BYTES_PER_ELEMENT: number;
  of(...items: E[]): Self;
  from(source: Iterable<E> | ArrayLike<E>): Self;
  from<T>(source: Iterable<T> | ArrayLike<T>, map: (value: T, index: number) => E, thisArg?: any): Self;
}

interface Int8Array<B extends ArrayBufferLike = ArrayBufferLike> extends TypedArray<number, Int8Array, B> {
  readonly [Symbol.toStringTag]: "Int8Array";
}

interface Int8ArrayConstructor extends TypedArrayConstructor<number, Int8Array> {}

declare var Int8Array: Int8ArrayConstructor;

interface Base64Options {
  alphabet?: "base64" | "base64url";
  lastChunkHandling?: "loose" | "strict" | "stop-before-partial";
}

interface Uint8Array<B extends ArrayBufferLike = ArrayBufferLike> extends TypedArray<number, Uint8Array, B> {
  readonly [Symbol.toStringTag]: "Uint8Array";
  toBase64(options?: { alphabet?: "base64" | "base64url"; omitPadding?: boolean }): string;
  toHex(): string;
  /** Writes what the text says from the start on; the counts are of characters read and bytes written. */
  setFromBase64(text: string, options?: Base64Options): { read: number; written: number };
  setFromHex(text: string): { read: number; written: number };
}

interface Uint8ArrayConstructor extends TypedArrayConstructor<number, Uint8Array> {
  fromBase64(text: string, options?: Base64Options): Uint8Array;
  fromHex(text: string): Uint8Array;
}

declare var Uint8Array: Uint8ArrayConstructor;

interface Uint8ClampedArray<B extends ArrayBufferLike = ArrayBufferLike> extends TypedArray<number, Uint8ClampedArray, B> {
  readonly [Symbol.toStringTag]: "Uint8ClampedArray";
}

interface Uint8ClampedArrayConstructor extends TypedArrayConstructor<number, Uint8ClampedArray> {}

declare var Uint8ClampedArray: Uint8ClampedArrayConstructor;

interface Int16Array<B extends ArrayBufferLike = ArrayBufferLike> extends TypedArray<number, Int16Array, B> {
  readonly [Symbol.toStringTag]: "Int16Array";
}

interface Int16ArrayConstructor extends TypedArrayConstructor<number, Int16Array> {}

declare var Int16Array: Int16ArrayConstructor;

interface Uint16Array<B extends ArrayBufferLike = ArrayBufferLike> extends TypedArray<number, Uint16Array, B> {
  readonly [Symbol.toStringTag]: "Uint16Array";
}

interface Uint16ArrayConstructor extends TypedArrayConstructor<number, Uint16Array> {}

declare var Uint16Array: Uint16ArrayConstructor;

interface Int32Array<B extends ArrayBufferLike = ArrayBufferLike> extends TypedArray<number, Int32Array, B> {
  readonly [Symbol.toStringTag]: "Int32Array";
}

interface Int32ArrayConstructor extends TypedArrayConstructor<number, Int32Array> {}

declare var Int32Array: Int32ArrayConstructor;

interface Uint32Array<B extends ArrayBufferLike = ArrayBufferLike> extends TypedArray<number, Uint32Array, B> {
  readonly [Symbol.toStringTag]: "Uint32Array";
}

interface Uint32ArrayConstructor extends TypedArrayConstructor<number, Uint32Array> {}

declare var Uint32Array: Uint32ArrayConstructor;

interface Float32Array<B extends ArrayBufferLike = ArrayBufferLike> extends TypedArray<number, Float32Array, B> {
  readonly [Symbol.toStringTag]: "Float32Array";
}

interface Float32ArrayConstructor extends TypedArrayConstructor<number, Float32Array> {}

declare var Float32Array: Float32ArrayConstructor;

interface Float64Array<B extends ArrayBufferLike = ArrayBufferLike> extends TypedArray<number, Float64Array, B> {
  readonly [Symbol.toStringTag]: "Float64Array";
}

interface Float64ArrayConstructor extends TypedArrayConstructor<number, Float64Array> {}

declare var Float64Array: Float64ArrayConstructor;

interface BigInt64Array<B extends ArrayBufferLike = ArrayBufferLike> extends TypedArray<bigint, BigInt64Array, B> {
  readonly [Symbol.toStringTag]: "BigInt64Array";
}

interface BigInt64ArrayConstructor extends TypedArrayConstructor<bigint, BigInt64Array> {}

declare var BigInt64Array: BigInt64ArrayConstructor;

interface BigUint64Array<B extends ArrayBufferLike = ArrayBufferLike> extends TypedArray<bigint, BigUint64Array, B> {
  readonly [Symbol.toStringTag]: "BigUint64Array";
}

interface BigUint64ArrayConstructor extends TypedArrayConstructor<bigint, BigUint64Array> {}

declare var BigUint64Array: BigUint64ArrayConstructor;
