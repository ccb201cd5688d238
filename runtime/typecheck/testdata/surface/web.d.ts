declare namespace Tools {
  interface web {
    search(args: { query: string; count?: number; safe?: boolean; lang?: "en" | "de" | "fr" }): Promise<{ results: { title: string; url: string; snippet: string }[]; total: number }>;
    fetchPage(args: { url: string; headers?: { [name: string]: string } }): Promise<{ status: number; body: string; headers: { [name: string]: string } }>;
    ping(): Promise<boolean>;
  }
  interface hidden {
    secret(args: { key: string }): Promise<string>;
  }
}
