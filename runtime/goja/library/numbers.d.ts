// Numbers, big integers, arithmetic and dates. The engine knows no locales: toLocaleString and its like
// take no locale and no options.

declare function parseInt(text: string, radix?: number): number;
declare function parseFloat(text: string): number;
declare function isNaN(value: number): boolean;
declare function isFinite(value: number): boolean;

interface Number {
  toString(radix?: number): string;
  /** digits is 0 to 100. */
  toFixed(digits?: number): string;
  toExponential(digits?: number): string;
  /** precision is 1 to 100. */
  toPrecision(precision?: number): string;
  /** The same as toString(): no grouping of digits. */
  toLocaleString(): string;
  valueOf(): number;
}

interface NumberConstructor {
  new (value?: any): Number;
  (value?: any): number;
  readonly prototype: Number;
  readonly EPSILON: number;
  readonly MAX_SAFE_INTEGER: number;
  readonly MIN_SAFE_INTEGER: number;
  readonly MAX_VALUE: number;
  readonly MIN_VALUE: number;
  readonly NaN: number;
  readonly NEGATIVE_INFINITY: number;
  readonly POSITIVE_INFINITY: number;
  isFinite(value: unknown): boolean;
  isInteger(value: unknown): boolean;
  isNaN(value: unknown): boolean;
  isSafeInteger(value: unknown): boolean;
  parseFloat(text: string): number;
  parseInt(text: string, radix?: number): number;
}

declare var Number: NumberConstructor;

interface BigInt {
  toString(radix?: number): string;
  toLocaleString(): string;
  valueOf(): bigint;
  readonly [Symbol.toStringTag]: "BigInt";
}

interface BigIntConstructor {
  /** A fraction, or text that is no integer, throws. */
  (value: bigint | boolean | number | string): bigint;
  readonly prototype: BigInt;
  asIntN(bits: number, value: bigint): bigint;
  asUintN(bits: number, value: bigint): bigint;
}

declare var BigInt: BigIntConstructor;

interface Math {
  readonly E: number;
  readonly LN10: number;
  readonly LN2: number;
  readonly LOG10E: number;
  readonly LOG2E: number;
  readonly PI: number;
  readonly SQRT1_2: number;
  readonly SQRT2: number;
  abs(x: number): number;
  acos(x: number): number;
  acosh(x: number): number;
  asin(x: number): number;
  asinh(x: number): number;
  atan(x: number): number;
  atanh(x: number): number;
  atan2(y: number, x: number): number;
  cbrt(x: number): number;
  ceil(x: number): number;
  clz32(x: number): number;
  cos(x: number): number;
  cosh(x: number): number;
  exp(x: number): number;
  expm1(x: number): number;
  floor(x: number): number;
  fround(x: number): number;
  hypot(...values: number[]): number;
  imul(a: number, b: number): number;
  log(x: number): number;
  log1p(x: number): number;
  log10(x: number): number;
  log2(x: number): number;
  /** -Infinity of no values. */
  max(...values: number[]): number;
  /** Infinity of no values. */
  min(...values: number[]): number;
  pow(base: number, exponent: number): number;
  /** 0 <= x < 1, from the run's seed: the same run again gives the same numbers. */
  random(): number;
  /** Halves go up: round(-1.5) is -1. */
  round(x: number): number;
  sign(x: number): number;
  sin(x: number): number;
  sinh(x: number): number;
  sqrt(x: number): number;
  tan(x: number): number;
  tanh(x: number): number;
  trunc(x: number): number;
  readonly [Symbol.toStringTag]: string;
}

declare var Math: Math;

/** A moment, in milliseconds since 1970-01-01T00:00Z. Months count from 0, days of the month from 1, days of the week from 0, Sunday. */
interface Date {
  getTime(): number;
  valueOf(): number;
  getFullYear(): number;
  getUTCFullYear(): number;
  getMonth(): number;
  getUTCMonth(): number;
  getDate(): number;
  getUTCDate(): number;
  getDay(): number;
  getUTCDay(): number;
  getHours(): number;
  getUTCHours(): number;
  getMinutes(): number;
  getUTCMinutes(): number;
  getSeconds(): number;
  getUTCSeconds(): number;
  getMilliseconds(): number;
  getUTCMilliseconds(): number;
  /** In minutes, UTC minus local. */
  getTimezoneOffset(): number;

  setTime(time: number): number;
  setFullYear(year: number, month?: number, date?: number): number;
  setUTCFullYear(year: number, month?: number, date?: number): number;
  setMonth(month: number, date?: number): number;
  setUTCMonth(month: number, date?: number): number;
  setDate(date: number): number;
  setUTCDate(date: number): number;
  setHours(hours: number, minutes?: number, seconds?: number, ms?: number): number;
  setUTCHours(hours: number, minutes?: number, seconds?: number, ms?: number): number;
  setMinutes(minutes: number, seconds?: number, ms?: number): number;
  setUTCMinutes(minutes: number, seconds?: number, ms?: number): number;
  setSeconds(seconds: number, ms?: number): number;
  setUTCSeconds(seconds: number, ms?: number): number;
  setMilliseconds(ms: number): number;
  setUTCMilliseconds(ms: number): number;

  /** Throws for an invalid date. */
  toISOString(): string;
  toJSON(key?: any): string;
  toString(): string;
  toDateString(): string;
  toTimeString(): string;
  toUTCString(): string;
  toLocaleString(): string;
  toLocaleDateString(): string;
  toLocaleTimeString(): string;
  [Symbol.toPrimitive](hint: "default"): string;
  [Symbol.toPrimitive](hint: "string"): string;
  [Symbol.toPrimitive](hint: "number"): number;
  [Symbol.toPrimitive](hint: string): string | number;
}

interface DateConstructor {
  new (): Date;
  new (value: number | string | Date): Date;
  new (year: number, month: number, date?: number, hours?: number, minutes?: number, seconds?: number, ms?: number): Date;
  (): string;
  readonly prototype: Date;
  /** The time of the last settled call or fired timer: it stands still while code runs. */
  now(): number;
  /** Milliseconds, NaN for text that is no date. */
  parse(text: string): number;
  UTC(year: number, month?: number, date?: number, hours?: number, minutes?: number, seconds?: number, ms?: number): number;
}

declare var Date: DateConstructor;
