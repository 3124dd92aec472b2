import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const repository = join(import.meta.dirname, "../..");

type Message = { readonly id?: number; readonly method?: string; readonly result?: unknown };

/** TypeScript as an editor runs it, over the Language Server Protocol. */
export class Editor {
  readonly #server: ChildProcessWithoutNullStreams;
  readonly #answers = new Map<number, (result: unknown) => void>();
  #buffer = Buffer.alloc(0);
  #lastId = 0;

  private constructor() {
    this.#server = spawn(process.execPath, [join(repository, "node_modules/typescript/bin/tsc"), "--lsp", "--stdio"]);
    this.#server.stdout.on("data", (data: Buffer) => this.#read(data));
  }

  static async start(): Promise<Editor> {
    const editor = new Editor();
    const rootUri = pathToFileURL(repository).href;
    await editor.#ask("initialize", { processId: process.pid, rootUri, capabilities: {} });
    editor.#send({ method: "initialized", params: {} });
    return editor;
  }

  /** What the editor shows when the pointer rests on a word of a file (the first one of that name), as Markdown. */
  async hover(path: string, text: string, word: string): Promise<string> {
    const uri = pathToFileURL(path).href;
    const document = { uri, languageId: "typescript", version: 1, text };
    this.#send({ method: "textDocument/didOpen", params: { textDocument: document } });
    const before = text.slice(0, text.indexOf(word)).split("\n");
    const position = { line: before.length - 1, character: (before.at(-1) ?? "").length + 1 };
    const result = await this.#ask("textDocument/hover", { textDocument: { uri }, position });
    this.#send({ method: "textDocument/didClose", params: { textDocument: { uri } } });
    return JSON.stringify((result as { readonly contents?: unknown } | null)?.contents ?? null);
  }

  stop(): void {
    this.#server.kill();
  }

  #ask(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#lastId;
    this.#send({ id, method, params });
    return new Promise((resolve) => this.#answers.set(id, resolve));
  }

  #send(message: object): void {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.#server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #read(data: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, data]);
    for (;;) {
      const end = this.#buffer.indexOf("\r\n\r\n");
      const [, length] = /Content-Length: (\d+)/i.exec(this.#buffer.subarray(0, Math.max(0, end)).toString()) ?? [];
      const bodyAt = end + 4;
      if (end < 0 || length === undefined || this.#buffer.length < bodyAt + Number(length)) return;
      const message: Message = JSON.parse(this.#buffer.subarray(bodyAt, bodyAt + Number(length)).toString());
      this.#buffer = this.#buffer.subarray(bodyAt + Number(length));
      if (message.id === undefined) continue;
      // The server asks things too, which need an answer.
      if (message.method !== undefined) this.#send({ id: message.id, result: null });
      else this.#answers.get(message.id)?.(message.result);
    }
  }
}
