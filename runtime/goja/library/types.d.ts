// Types that have no value: what TypeScript itself looks up, and the helpers scripts write types with.

type PropertyKey = string | number | symbol;

type Partial<T> = { [K in keyof T]?: T[K] };
type Required<T> = { [K in keyof T]-?: T[K] };
type Readonly<T> = { readonly [K in keyof T]: T[K] };
type Record<K extends keyof any, V> = { [Key in K]: V };
type Pick<T, K extends keyof T> = { [Key in K]: T[Key] };
type Omit<T, K extends keyof any> = Pick<T, Exclude<keyof T, K>>;

type Exclude<T, Unwanted> = T extends Unwanted ? never : T;
type Extract<T, Wanted> = T extends Wanted ? T : never;
type NonNullable<T> = T & {};
type NoInfer<T> = intrinsic;

type Parameters<F extends (...args: any) => any> = F extends (...args: infer A) => any ? A : never;
type ReturnType<F extends (...args: any) => any> = F extends (...args: any) => infer R ? R : any;
type ConstructorParameters<C extends abstract new (...args: any) => any> = C extends abstract new (...args: infer A) => any ? A : never;
type InstanceType<C extends abstract new (...args: any) => any> = C extends abstract new (...args: any) => infer I ? I : any;
type ThisParameterType<F> = F extends (this: infer This, ...args: never) => any ? This : unknown;
type OmitThisParameter<F> = unknown extends ThisParameterType<F> ? F : F extends (...args: infer A) => infer R ? (...args: A) => R : F;

type Uppercase<S extends string> = intrinsic;
type Lowercase<S extends string> = intrinsic;
type Capitalize<S extends string> = intrinsic;
type Uncapitalize<S extends string> = intrinsic;

/** What await makes of T: promises and thenables are followed to their value. */
type Awaited<T> =
  T extends null | undefined ? T :
  T extends object & { then(onfulfilled: infer F, ...rest: infer _): any } ?
    F extends (value: infer V, ...rest: infer _) => any ? Awaited<V> : never :
  T;

/** The type of "this" in the methods of an object literal. */
interface ThisType<T> {}

interface ArrayLike<T> {
  readonly length: number;
  readonly [index: number]: T;
}

/** What can be a key of a WeakMap or a member of a WeakSet; symbols cannot. */
type WeakKey = object;

interface PropertyDescriptor {
  configurable?: boolean;
  enumerable?: boolean;
  value?: any;
  writable?: boolean;
  get?(): any;
  set?(value: any): void;
}

interface TypedPropertyDescriptor<T> {
  configurable?: boolean;
  enumerable?: boolean;
  writable?: boolean;
  value?: T;
  get?: () => T;
  set?: (value: T) => void;
}

interface PropertyDescriptorMap {
  [key: PropertyKey]: PropertyDescriptor;
}

/** import.meta is an empty object. */
interface ImportMeta {}

interface ImportAttributes {
  [name: string]: string;
}

interface ImportCallOptions {
  with?: ImportAttributes;
}

interface TemplateStringsArray extends ReadonlyArray<string> {
  readonly raw: readonly string[];
}

/** Nothing fits: the engine has no Symbol.dispose, so "using" is refused for all but null. */
interface Disposable {
  readonly disposable: never;
}

interface AsyncDisposable {
  readonly disposable: never;
}
