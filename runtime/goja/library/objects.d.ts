// Objects, functions, booleans and symbols; Proxy, Reflect and the properties of the global object
// that are plain values. The engine refuses code made of text: eval is not declared, and Function has no signatures.

declare var NaN: number;
declare var Infinity: number;

interface Object {
  /** The function that made the object. */
  constructor: Function;
  toString(): string;
  toLocaleString(): string;
  valueOf(): Object;
  hasOwnProperty(key: PropertyKey): boolean;
  isPrototypeOf(object: Object): boolean;
  propertyIsEnumerable(key: PropertyKey): boolean;
}

interface ObjectConstructor {
  new (value?: any): Object;
  (): any;
  (value: any): any;
  readonly prototype: Object;

  keys(object: {}): string[];
  values<T>(object: { [key: string]: T } | ArrayLike<T>): T[];
  values(object: {}): any[];
  entries<T>(object: { [key: string]: T } | ArrayLike<T>): [string, T][];
  entries(object: {}): [string, any][];
  fromEntries<T = any>(entries: Iterable<readonly [PropertyKey, T]>): { [key: string]: T };
  fromEntries(entries: Iterable<readonly any[]>): any;
  /** The result has no prototype. */
  groupBy<T, K extends PropertyKey>(items: Iterable<T>, key: (item: T, index: number) => K): Partial<Record<K, T[]>>;

  assign<T extends {}, A>(target: T, source: A): T & A;
  assign<T extends {}, A, B>(target: T, first: A, second: B): T & A & B;
  assign<T extends {}, A, B, C>(target: T, first: A, second: B, third: C): T & A & B & C;
  assign(target: object, ...sources: any[]): any;

  create(prototype: object | null): any;
  create(prototype: object | null, properties: PropertyDescriptorMap & ThisType<any>): any;
  getPrototypeOf(object: any): any;
  setPrototypeOf<T>(object: T, prototype: object | null): T;
  hasOwn(object: {}, key: PropertyKey): boolean;
  is(a: any, b: any): boolean;

  getOwnPropertyNames(object: any): string[];
  getOwnPropertySymbols(object: any): symbol[];
  getOwnPropertyDescriptor(object: any, key: PropertyKey): PropertyDescriptor | undefined;
  getOwnPropertyDescriptors<T>(object: T): { [K in keyof T]: TypedPropertyDescriptor<T[K]> } & { [key: string]: PropertyDescriptor };
  defineProperty<T>(object: T, key: PropertyKey, descriptor: PropertyDescriptor & ThisType<any>): T;
  defineProperties<T>(object: T, properties: PropertyDescriptorMap & ThisType<any>): T;

  freeze<F extends Function>(object: F): F;
  freeze<T extends { [key: string]: V | null | undefined | object }, V extends string | bigint | number | boolean | symbol>(object: T): Readonly<T>;
  freeze<T>(object: T): Readonly<T>;
  seal<T>(object: T): T;
  preventExtensions<T>(object: T): T;
  isFrozen(object: any): boolean;
  isSealed(object: any): boolean;
  isExtensible(object: any): boolean;
}

declare var Object: ObjectConstructor;

interface Function {
  apply(this: Function, thisArg: any, args?: any): any;
  call(this: Function, thisArg: any, ...args: any[]): any;
  bind(this: Function, thisArg: any, ...args: any[]): any;
  toString(): string;
  prototype: any;
  /** How many parameters stand before the first optional one. */
  readonly length: number;
  readonly name: string;
  [Symbol.hasInstance](value: any): boolean;
}

/** For f instanceof Function; it makes no functions. */
interface FunctionConstructor {
  readonly prototype: Function;
  [Symbol.hasInstance](value: any): value is Function;
}

declare var Function: FunctionConstructor;

interface CallableFunction extends Function {
  apply<This, R>(this: (this: This) => R, thisArg: This): R;
  apply<This, A extends any[], R>(this: (this: This, ...args: A) => R, thisArg: This, args: A): R;
  call<This, A extends any[], R>(this: (this: This, ...args: A) => R, thisArg: This, ...args: A): R;
  bind<F>(this: F, thisArg: ThisParameterType<F>): OmitThisParameter<F>;
  bind<This, Given extends any[], Left extends any[], R>(this: (this: This, ...args: [...Given, ...Left]) => R, thisArg: This, ...args: Given): (...args: Left) => R;
}

interface NewableFunction extends Function {
  apply<This>(this: new () => This, thisArg: This): void;
  apply<This, A extends any[]>(this: new (...args: A) => This, thisArg: This, args: A): void;
  call<This, A extends any[]>(this: new (...args: A) => This, thisArg: This, ...args: A): void;
  bind<C>(this: C, thisArg: any): C;
  bind<Given extends any[], Left extends any[], I>(this: new (...args: [...Given, ...Left]) => I, thisArg: any, ...args: Given): new (...args: Left) => I;
}

/** "arguments" inside a function; scripts are strict code, so it has no callee. */
interface IArguments {
  [index: number]: any;
  length: number;
  [Symbol.iterator](): ArrayIterator<any>;
}

interface Boolean {
  valueOf(): boolean;
}

interface BooleanConstructor {
  new (value?: any): Boolean;
  <T>(value?: T): boolean;
  readonly prototype: Boolean;
}

declare var Boolean: BooleanConstructor;

interface Symbol {
  readonly description: string | undefined;
  toString(): string;
  valueOf(): symbol;
  [Symbol.toPrimitive](hint: string): symbol;
  readonly [Symbol.toStringTag]: string;
}

interface SymbolConstructor {
  (description?: string | number): symbol;
  readonly prototype: Symbol;
  /** The symbol of that key, the same one everywhere. */
  for(key: string): symbol;
  keyFor(symbol: symbol): string | undefined;

  readonly asyncIterator: unique symbol;
  readonly hasInstance: unique symbol;
  readonly isConcatSpreadable: unique symbol;
  readonly iterator: unique symbol;
  readonly match: unique symbol;
  readonly matchAll: unique symbol;
  readonly replace: unique symbol;
  readonly search: unique symbol;
  readonly species: unique symbol;
  readonly split: unique symbol;
  readonly toPrimitive: unique symbol;
  readonly toStringTag: unique symbol;
  readonly unscopables: unique symbol;
}

declare var Symbol: SymbolConstructor;

interface ProxyHandler<T extends object> {
  apply?(target: T, thisArg: any, args: any[]): any;
  construct?(target: T, args: any[], newTarget: Function): object;
  defineProperty?(target: T, key: string | symbol, descriptor: PropertyDescriptor): boolean;
  deleteProperty?(target: T, key: string | symbol): boolean;
  get?(target: T, key: string | symbol, receiver: any): any;
  getOwnPropertyDescriptor?(target: T, key: string | symbol): PropertyDescriptor | undefined;
  getPrototypeOf?(target: T): object | null;
  has?(target: T, key: string | symbol): boolean;
  isExtensible?(target: T): boolean;
  ownKeys?(target: T): ArrayLike<string | symbol>;
  preventExtensions?(target: T): boolean;
  set?(target: T, key: string | symbol, value: any, receiver: any): boolean;
  setPrototypeOf?(target: T, prototype: object | null): boolean;
}

interface ProxyConstructor {
  new <T extends object>(target: T, handler: ProxyHandler<T>): T;
  revocable<T extends object>(target: T, handler: ProxyHandler<T>): { proxy: T; revoke: () => void };
}

declare var Proxy: ProxyConstructor;

interface Reflect {
  apply<This, A extends readonly any[], R>(target: (this: This, ...args: A) => R, thisArg: This, args: Readonly<A>): R;
  apply(target: Function, thisArg: any, args: ArrayLike<any>): any;
  construct<A extends readonly any[], I>(target: new (...args: A) => I, args: Readonly<A>, newTarget?: Function): I;
  construct(target: Function, args: ArrayLike<any>, newTarget?: Function): any;
  defineProperty(target: object, key: PropertyKey, descriptor: PropertyDescriptor & ThisType<any>): boolean;
  deleteProperty(target: object, key: PropertyKey): boolean;
  get<T extends object, K extends PropertyKey>(target: T, key: K, receiver?: unknown): K extends keyof T ? T[K] : any;
  getOwnPropertyDescriptor<T extends object, K extends PropertyKey>(target: T, key: K): TypedPropertyDescriptor<K extends keyof T ? T[K] : any> | undefined;
  getPrototypeOf(target: object): object | null;
  has(target: object, key: PropertyKey): boolean;
  isExtensible(target: object): boolean;
  ownKeys(target: object): (string | symbol)[];
  preventExtensions(target: object): boolean;
  set(target: object, key: PropertyKey, value: any, receiver?: any): boolean;
  setPrototypeOf(target: object, prototype: object | null): boolean;
  readonly [Symbol.toStringTag]: string;
}

declare var Reflect: Reflect;

/**
 * Copies a value with all it holds: plain objects, arrays, Date, RegExp, Map, Set, errors, buffers. Functions,
 * symbols and promises throw; a class's methods are lost.
 */
declare function structuredClone<T>(value: T): T;
