import type { Logger } from "pino";
import type { QuestdbReader } from "../../store/questdb/questdbReader.ts";

/** The shares of smaller websites make no difference. */
const leastShare = 0.005;

/** The share is that of the last days that have events. */
const countedMs = 7 * 86_400_000;

const refreshMs = 60_000;

/** Beyond this many, conditions that name each website cost more than they save. */
const mostAtOnce = 8;

/**
 * Knows the websites with so many of the recent events that queries of theirs are answered faster without the index. There are at most
 * 200 of them. Looks for them again while it is asked, once a minute; until it has found them, there is none.
 */
export class LargeWebsites {
  readonly #questdb: Pick<QuestdbReader, "read">;
  readonly #log: Pick<Logger, "warn">;
  #shares: ReadonlyMap<string, number> = new Map();
  #nextAtMs = 0;

  constructor(questdb: Pick<QuestdbReader, "read">, log: Pick<Logger, "warn">) {
    this.#questdb = questdb;
    this.#log = log;
  }

  /** The share of all events that these websites have, 0 to 1; 0 where it makes no difference. Never waits. */
  shareOf(websiteIds: readonly string[]): number {
    const nowMs = performance.now();
    if (nowMs >= this.#nextAtMs) {
      this.#nextAtMs = nowMs + refreshMs;
      void this.refresh();
    }
    if (websiteIds.length > mostAtOnce) return 0;
    return websiteIds.reduce((sum, id) => sum + (this.#shares.get(id) ?? 0), 0);
  }

  /** Looks for them now. Where that fails it keeps what it knew: a wrong guess costs time, never a right answer. */
  async refresh(): Promise<void> {
    try {
      const [latest] = await this.#questdb.read("SELECT max(ts) AS ts FROM events", []);
      const latestMs = latest?.["ts"];
      if (typeof latestMs !== "number") return;
      const rows = await this.#questdb.read(
        "SELECT website_id, n / total::double AS share FROM (SELECT website_id, n, sum(n) OVER () AS total FROM " +
          "(SELECT website_id, count() AS n FROM events WHERE ts >= $1)) WHERE n >= total * $2::double",
        [new Date(latestMs - countedMs).toISOString(), leastShare],
      );
      this.#shares = new Map(rows.map(({ website_id, share }) => [String(website_id), Number(share)]));
    } catch (error) {
      this.#log.warn({ err: error }, "the largest websites could not be counted, trying again");
    }
  }
}
