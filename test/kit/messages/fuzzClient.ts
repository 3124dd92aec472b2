import { Agent, request } from "node:http";

export type RawAnswer = {
  readonly status: number;
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly text: string;
};

/** Sends requests over a few keep-alive connections, at a third of the cost of fetch. */
export class FuzzClient {
  readonly #agent: Agent;
  readonly #address: { readonly hostname: string; readonly port: string };

  constructor(baseUrl: string, connections: number) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
    const { hostname, port } = new URL(baseUrl);
    this.#address = { hostname, port };
  }

  /** Rejects when the connection breaks before the answer is complete. */
  send(
    verb: string,
    target: string,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array | undefined,
  ): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      const sent = request({ ...this.#address, agent: this.#agent, method: verb, path: target, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("error", reject);
        answer.on("end", () => {
          const bytes = Buffer.concat(chunks);
          const contentType = answer.headers["content-type"] ?? "";
          resolve({ status: answer.statusCode ?? 0, contentType, bytes, text: bytes.toString() });
        });
      });
      sent.on("error", reject);
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Runs `work` for each number below `count`, `width` at a time. */
export async function inParallel(count: number, width: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const run = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, run));
}
