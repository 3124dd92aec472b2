import http from "node:http";
import https from "node:https";
import { HttpTransport } from "@questdb/nodejs-client";
import type { Config } from "../config.ts";
import { readQuestdbAddress } from "./questdbAddress.ts";

/**
 * What became of a flush: `committed`, `refused` because of its content, or `unavailable` when QuestDB could not be reached, did not
 * answer in time or cannot write now. Rows of an `unavailable` flush may be stored all the same; sending them again is safe, the
 * tables deduplicate. `reason` is an HTTP status or a system error's code, fit for the log.
 */
export type SendResult =
  | { readonly outcome: "committed" }
  | { readonly outcome: "refused" | "unavailable"; readonly reason: string };

/** Sends encoded rows to QuestDB over HTTP. It never tries twice: its caller knows how long a retry is worth it. */
export class RowSender {
  readonly #transport: HttpTransport;

  constructor(settings: Pick<Config["questdb"], "http" | "commitTimeoutMs">) {
    const address = readQuestdbAddress(settings.http);
    const { Agent } = address.protocol === "https" ? https : http;
    this.#transport = new HttpTransport({
      ...address,
      agent: new Agent({ keepAlive: true, timeout: idleMs }),
      request_timeout: settings.commitTimeoutMs,
      // The client adds the time that this rate allows to the timeout; an unreachable rate leaves the timeout as it is set.
      request_min_throughput: Number.MAX_SAFE_INTEGER,
      retry_timeout: 0,
      // The client logs to the console otherwise, and its texts may quote rows.
      log: () => undefined,
    });
  }

  async send(bytes: Buffer): Promise<SendResult> {
    try {
      await this.#transport.send(bytes);
      return { outcome: "committed" };
    } catch (error) {
      const reason = reasonOf(error);
      return { outcome: refusals.has(reason) ? "refused" : "unavailable", reason };
    }
  }
}

/**
 * How long a connection is kept that nothing is sent over. QuestDB keeps a writer for each table that came over it, and with it segments of
 * the table's log, which may hold what is erased meanwhile.
 */
const idleMs = 1_000;

/** Bad request (a line that QuestDB cannot take) and content too large. All else has nothing to do with the rows. */
const refusals: ReadonlySet<string> = new Set(["HTTP 400", "HTTP 413"]);

/** The client tells the HTTP status only in its error's text; the rest of the text may quote rows. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const status = /statusCode=(\d{3})/.exec(error.message)?.[1];
  if (status !== undefined) return `HTTP ${status}`;
  return "code" in error && typeof error.code === "string" ? error.code : "no answer in time";
}
