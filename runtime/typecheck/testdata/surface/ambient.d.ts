interface ArtifactInfo { readonly path: string; readonly mediaType: string; readonly bytes: number }
declare const artifacts: {
  write(path: string, data: string | Uint8Array | object, options?: { mediaType?: string }): ArtifactInfo;
};
declare function ask(question: string): Promise<string>;
declare function progress(message: string): void;
interface Console { log(...data: unknown[]): void; info(...data: unknown[]): void; warn(...data: unknown[]): void; error(...data: unknown[]): void; debug(...data: unknown[]): void }
declare const console: Console;
interface InputFile { text(): string; json(): unknown; csv(): { [column: string]: string }[] }
declare class ToolError extends Error { readonly code: string; readonly status?: number; readonly method: string }
