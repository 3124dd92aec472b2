import http from "node:http";
import https from "node:https";
import type { Config } from "../../config.ts";
import { noteFailedMapping } from "../questdb/failedMappings.ts";

/**
 * The result of a flush: `committed`, `refused` because of its content, or `unavailable` when QuestDB could not be
 * reached, did not answer in time or cannot write now. Rows of an `unavailable` flush may be stored all the same;
 * sending them again is safe, since the tables deduplicate. `reason` is an HTTP status or a system error code, safe to
 * log.
 */
export type SendResult =
  | { readonly outcome: "committed" }
  | { readonly outcome: "refused" | "unavailable"; readonly reason: string };

/**
 * Sends encoded rows to QuestDB over HTTP, one flush at a time. It never retries: its caller knows how long a retry is
 * worth it.
 *
 * For each connection QuestDB keeps a writer of every table it got rows for, and with it segments of the table's
 * write-ahead log, which may hold erased rows. So a connection is closed when it was idle for a second, and when it
 * grows old.
 */
export class RowSender {
  readonly #settings: Pick<Config["questdb"], "http" | "commitTimeoutMs">;
  #connection: { readonly agent: http.Agent; readonly openedMs: number } | undefined;

  constructor(settings: Pick<Config["questdb"], "http" | "commitTimeoutMs">) {
    this.#settings = settings;
  }

  async send(bytes: Buffer): Promise<SendResult> {
    try {
      const status = await this.#post(bytes);
      if (status === noContent) return { outcome: "committed" };
      return { outcome: refusals.has(status) ? "refused" : "unavailable", reason: `HTTP ${status}` };
    } catch (error) {
      return { outcome: "unavailable", reason: reasonOf(error) };
    }
  }

  /** Resolves to the HTTP status. The answer's text may quote rows, and is only looked through for a file that could not be mapped. */
  #post(bytes: Buffer): Promise<number> {
    const { http: address, commitTimeoutMs: timeout } = this.#settings;
    const url = new URL("/write?precision=n", address);
    const { request, Agent } = url.protocol === "https:" ? https : http;
    const options = { method: "POST", agent: this.#currentAgent(Agent), timeout };
    return new Promise((resolve, reject) => {
      const sent = request(url, options, (response) => {
        const status = response.statusCode ?? 0;
        response.on("error", reject).on("end", () => resolve(status));
        if (status === noContent) return void response.resume();
        resolve(status);
        void readRefusal(response)
          .then((text) => noteFailedMapping("write", text, address))
          .finally(() => sent.destroy());
      });
      sent.on("error", reject);
      sent.on("timeout", () => sent.destroy(new Error("no answer in time")));
      sent.end(bytes);
    });
  }

  #currentAgent(Agent: typeof http.Agent): http.Agent {
    const nowMs = performance.now();
    if (this.#connection !== undefined && nowMs - this.#connection.openedMs < maxAgeMs) return this.#connection.agent;
    this.#connection?.agent.destroy();
    const agent = new Agent({ keepAlive: true, timeout: idleMs });
    this.#connection = { agent, openedMs: nowMs };
    return agent;
  }
}

const noContent = 204;

const idleMs = 1_000;
const maxAgeMs = 5_000;

/**
 * Bad request (a line that QuestDB cannot take) and content too large. Other statuses have nothing to do with the rows.
 */
const refusals: ReadonlySet<number> = new Set([400, 413]);

/** How much of a refusal is read, and for how long. */
const refusalBytes = 16_384;
const refusalMs = 1_000;

async function readRefusal(response: http.IncomingMessage): Promise<string> {
  const tooLong = setTimeout(() => response.destroy(), refusalMs);
  let text = "";
  try {
    for await (const piece of response) {
      text += String(piece);
      if (text.length > refusalBytes) break;
    }
  } catch {
    // What has come by then has to do.
  }
  clearTimeout(tooLong);
  return text;
}

function reasonOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "no answer in time";
}
