import http from "node:http";
import https from "node:https";
import { HttpTransport } from "@questdb/nodejs-client";
import type { Config } from "../../config.ts";
import { readQuestdbAddress } from "../questdb/questdbAddress.ts";

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
  #connection: { readonly transport: HttpTransport; readonly agent: http.Agent; readonly openedMs: number } | undefined;

  constructor(settings: Pick<Config["questdb"], "http" | "commitTimeoutMs">) {
    this.#settings = settings;
  }

  async send(bytes: Buffer): Promise<SendResult> {
    try {
      await this.#current().send(bytes);
      return { outcome: "committed" };
    } catch (error) {
      const reason = reasonOf(error);
      return { outcome: refusals.has(reason) ? "refused" : "unavailable", reason };
    }
  }

  #current(): HttpTransport {
    const nowMs = performance.now();
    if (this.#connection !== undefined && nowMs - this.#connection.openedMs < maxAgeMs)
      return this.#connection.transport;
    this.#connection?.agent.destroy();
    const address = readQuestdbAddress(this.#settings.http);
    const { Agent } = address.protocol === "https" ? https : http;
    const agent = new Agent({ keepAlive: true, timeout: idleMs });
    const transport = new HttpTransport({
      ...address,
      agent,
      request_timeout: this.#settings.commitTimeoutMs,
      // The client adds the time that this rate allows to the timeout; an unreachable rate leaves the timeout as it is
      // set.
      request_min_throughput: Number.MAX_SAFE_INTEGER,
      retry_timeout: 0,
      // By default the client logs to the console, and its texts may quote rows.
      log: () => undefined,
    });
    this.#connection = { transport, agent, openedMs: nowMs };
    return transport;
  }
}

const idleMs = 1_000;
const maxAgeMs = 5_000;

/**
 * Bad request (a line that QuestDB cannot take) and content too large. Other statuses have nothing to do with the rows.
 */
const refusals: ReadonlySet<string> = new Set(["HTTP 400", "HTTP 413"]);

/** The client has the HTTP status only in its error text; the rest of the text may quote rows. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const status = /statusCode=(\d{3})/.exec(error.message)?.[1];
  if (status !== undefined) return `HTTP ${status}`;
  return "code" in error && typeof error.code === "string" ? error.code : "no answer in time";
}
