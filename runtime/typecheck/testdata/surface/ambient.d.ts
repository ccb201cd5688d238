interface ArtifactInfo { readonly path: string; readonly mediaType: string; readonly bytes: number }
declare const artifacts: {
  write(path: string, data: string | Uint8Array | object, options?: { mediaType?: string }): ArtifactInfo;
};
declare function ask<T = unknown>(question: string, schema?: object): Promise<T>;
declare const checkpoint: { save(name: string, value: unknown): Promise<void>; load<T = unknown>(name: string): Promise<T | undefined> };
declare const directory: { search(query: string, limit?: number): Promise<{ name: string; description: string; declaration: string }[]> };
declare const results: { read(handle: string, offset?: number, bytes?: number): Promise<{ text: string; next?: number; bytes: number }> };
declare function progress(message: string): void;
interface Console { log(...data: unknown[]): void; info(...data: unknown[]): void; warn(...data: unknown[]): void; error(...data: unknown[]): void; debug(...data: unknown[]): void }
declare const console: Console;
interface InputFile { text(): string; json(): unknown; csv(): { [column: string]: string }[] }
declare class ToolError extends Error { readonly code: string; readonly status?: number; readonly method: string; readonly handle?: string }
