// Decorators of classes and their members: what they are handed and may return. They have no value.

type DecoratorMetadata = Record<PropertyKey, unknown> & object;

interface ClassDecoratorContext<C extends abstract new (...args: any) => any = abstract new (...args: any) => any> {
  readonly kind: "class";
  readonly name: string | undefined;
  readonly metadata: DecoratorMetadata;
  addInitializer(f: (this: C) => void): void;
}

interface ClassMethodDecoratorContext<This = unknown, Value extends (this: This, ...args: any) => any = (this: This, ...args: any) => any> {
  readonly kind: "method";
  readonly name: string | symbol;
  readonly static: boolean;
  readonly private: boolean;
  readonly access: { has(object: This): boolean; get(object: This): Value };
  readonly metadata: DecoratorMetadata;
  addInitializer(f: (this: This) => void): void;
}

interface ClassGetterDecoratorContext<This = unknown, Value = unknown> {
  readonly kind: "getter";
  readonly name: string | symbol;
  readonly static: boolean;
  readonly private: boolean;
  readonly access: { has(object: This): boolean; get(object: This): Value };
  readonly metadata: DecoratorMetadata;
  addInitializer(f: (this: This) => void): void;
}

interface ClassSetterDecoratorContext<This = unknown, Value = unknown> {
  readonly kind: "setter";
  readonly name: string | symbol;
  readonly static: boolean;
  readonly private: boolean;
  readonly access: { has(object: This): boolean; set(object: This, value: Value): void };
  readonly metadata: DecoratorMetadata;
  addInitializer(f: (this: This) => void): void;
}

interface ClassAccessorDecoratorContext<This = unknown, Value = unknown> {
  readonly kind: "accessor";
  readonly name: string | symbol;
  readonly static: boolean;
  readonly private: boolean;
  readonly access: { has(object: This): boolean; get(object: This): Value; set(object: This, value: Value): void };
  readonly metadata: DecoratorMetadata;
  addInitializer(f: (this: This) => void): void;
}

interface ClassFieldDecoratorContext<This = unknown, Value = unknown> {
  readonly kind: "field";
  readonly name: string | symbol;
  readonly static: boolean;
  readonly private: boolean;
  readonly access: { has(object: This): boolean; get(object: This): Value; set(object: This, value: Value): void };
  readonly metadata: DecoratorMetadata;
  addInitializer(f: (this: This) => void): void;
}

type ClassMemberDecoratorContext =
  | ClassMethodDecoratorContext
  | ClassGetterDecoratorContext
  | ClassSetterDecoratorContext
  | ClassAccessorDecoratorContext
  | ClassFieldDecoratorContext;

type DecoratorContext = ClassDecoratorContext | ClassMemberDecoratorContext;

interface ClassAccessorDecoratorTarget<This, Value> {
  get(this: This): Value;
  set(this: This, value: Value): void;
}

interface ClassAccessorDecoratorResult<This, Value> {
  get?(this: This): Value;
  set?(this: This, value: Value): void;
  init?(this: This, value: Value): Value;
}
