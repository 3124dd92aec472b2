import type { Logger } from "pino";
import type { QuestdbReader } from "../store/questdbReader.ts";

/** From this share of the events on, reading the rows of all websites on all cores is faster than finding a website's own by its index. */
const largeShare = 0.005;

/** The share is that of the last days that have events. */
const countedMs = 7 * 86_400_000;

const refreshMs = 60_000;

/** Beyond this many, conditions that name each website cost more than they save. */
const mostAtOnce = 8;

/**
 * Knows the websites with so many of the recent events that their queries are answered faster without the index. There are at most 200
 * of them. Looks for them again while it is asked, once a minute; until it has found them, none is large.
 */
export class LargeWebsites {
  readonly #questdb: Pick<QuestdbReader, "read">;
  readonly #log: Pick<Logger, "warn">;
  #ids: ReadonlySet<string> = new Set();
  #nextAtMs = 0;

  constructor(questdb: Pick<QuestdbReader, "read">, log: Pick<Logger, "warn">) {
    this.#questdb = questdb;
    this.#log = log;
  }

  /** Whether these websites together are best read without the index. Never waits. */
  areLarge(websiteIds: readonly string[]): boolean {
    const nowMs = performance.now();
    if (nowMs >= this.#nextAtMs) {
      this.#nextAtMs = nowMs + refreshMs;
      void this.refresh();
    }
    return websiteIds.length <= mostAtOnce && websiteIds.some((id) => this.#ids.has(id));
  }

  /** Looks for them now. Where that fails it keeps what it knew: a wrong guess costs time, never a right answer. */
  async refresh(): Promise<void> {
    try {
      const [latest] = await this.#questdb.read("SELECT max(ts) AS ts FROM events", []);
      const latestMs = latest?.["ts"];
      if (typeof latestMs !== "number") return;
      const rows = await this.#questdb.read(
        "SELECT website_id FROM (SELECT website_id, n, sum(n) OVER () AS total FROM " +
          "(SELECT website_id, count() AS n FROM events WHERE ts >= $1)) WHERE n >= total * $2::double",
        [new Date(latestMs - countedMs).toISOString(), largeShare],
      );
      this.#ids = new Set(rows.map(({ website_id }) => String(website_id)));
    } catch (error) {
      this.#log.warn({ err: error }, "the largest websites could not be counted, trying again");
    }
  }
}
