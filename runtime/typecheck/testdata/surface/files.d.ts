declare namespace Tools {
  interface files {
    read(args: { path: string; encoding?: "utf8" | "base64" }): Promise<string>;
    stat(args: { path: string }): Promise<{ bytes: bigint; mtime: string }>;
    write(args: { path: string; text: string; mode?: "create" | "append" }): Promise<{ bytes: number }>;
    raw(args: { path: string; options?: { [key: string]: unknown } }): Promise<unknown>;
    meta(args: { path: string }): Promise<{ [key: string]: unknown }>;
    convert(args: { path: string; to: string }): Promise<{ path: string; pages?: { number: number; text: string }[] }>;
  }
}
