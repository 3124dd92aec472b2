import type { Logger } from "pino";
import type { QuestdbReader } from "../../store/questdb/questdbReader.ts";
import type { Questdbs } from "../../store/questdb/questdbs.ts";

/** Smaller websites make no difference. */
const minShare = 0.005;

/** The share is measured over the last days with events. */
const countedMs = 7 * 86_400_000;

const refreshMs = 60_000;

/** Beyond this many, conditions for each website cost more than they save. */
const maxAtOnce = 8;

/**
 * Finds the websites with such a large share of the recent events of their QuestDB that their queries are faster without the index; at
 * most 200. Refreshes the list in the background when it is used, at most once a minute; until the first refresh it is
 * empty.
 */
export class LargeWebsites {
  readonly #questdb: Pick<Questdbs, "nodeOfEach">;
  readonly #log: Pick<Logger, "warn">;
  #shares: ReadonlyMap<string, number> = new Map();
  #nextAtMs = 0;

  constructor(questdb: Pick<Questdbs, "nodeOfEach">, log: Pick<Logger, "warn">) {
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
    if (websiteIds.length > maxAtOnce) return 0;
    return websiteIds.reduce((sum, id) => sum + (this.#shares.get(id) ?? 0), 0);
  }

  /**
   * Refreshes the list now. If that fails the old list stays: a wrong share costs time but never makes answers wrong.
   */
  async refresh(): Promise<void> {
    try {
      const nodes = await this.#questdb.nodeOfEach();
      const shares = await Promise.all(nodes.map(({ reader }) => readShares(reader)));
      if (shares.some((each) => each !== undefined)) this.#shares = new Map(shares.flatMap((each) => each ?? []));
    } catch (error) {
      this.#log.warn({ err: error }, "the largest websites could not be counted, trying again");
    }
  }
}

/** The shares of the largest websites of a QuestDB; undefined without events. */
async function readShares(questdb: Pick<QuestdbReader, "read">): Promise<[string, number][] | undefined> {
  const [latest] = await questdb.read("SELECT max(ts) AS ts FROM events", []);
  const latestMs = latest?.["ts"];
  if (typeof latestMs !== "number") return undefined;
  const rows = await questdb.read(
    "SELECT website_id, n / total::double AS share FROM (SELECT website_id, n, sum(n) OVER () AS total FROM " +
      "(SELECT website_id, count() AS n FROM events WHERE ts >= $1)) WHERE n >= total * $2::double",
    [new Date(latestMs - countedMs).toISOString(), minShare],
  );
  return rows.map(({ website_id, share }) => [String(website_id), Number(share)]);
}
