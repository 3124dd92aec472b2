import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { BoundValue } from "../store/questdb/questdbReader.ts";
import type { Questdbs } from "../store/questdb/questdbs.ts";

export type TrackingStatus = "active" | "inactive" | "pending" | "unknown";

/** The maximum age of the latest event. */
const activeForMs = 7 * 86_400_000;

/** An active website stays active for days; one that is being set up is checked often. */
const keepActiveMs = 60_000;
const keepOthersMs = 2_000;

/** Timeout; the status is optional. */
const giveUpAfterMs = 2_000;

/** Bound values per statement. */
const maxIds = 500;

const tables = ["events", "outgoing_links"] as const;

/**
 * Reports whether the trackers of websites work: `active` with an event in the last 7 days by its own time, else
 * `inactive`, `pending` before the first one, `unknown` while QuestDB cannot be read. Answers are cached for up to a
 * minute.
 */
export class TrackingStatuses {
  readonly #questdb: Pick<Questdbs, "of">;
  readonly #log: Pick<Logger, "warn">;
  readonly #kept: LRUCache<string, { readonly status: TrackingStatus; readonly untilMs: number }>;

  constructor(questdb: Pick<Questdbs, "of">, maxCached: number, log: Pick<Logger, "warn">) {
    this.#questdb = questdb;
    this.#kept = new LRUCache({ max: maxCached });
    this.#log = log;
  }

  /**
   * The status of each website, all of one organization. Never rejects: the website can be answered without its status.
   */
  async of(
    websites: readonly { readonly id: string; readonly organizationId: string }[],
  ): Promise<ReadonlyMap<string, TrackingStatus>> {
    const nowMs = Date.now();
    const owner = websites[0]?.organizationId ?? "";
    const statuses = new Map<string, TrackingStatus>();
    const stale: string[] = [];
    for (const { id } of websites) {
      const known = this.#kept.get(id);
      if (known !== undefined && known.untilMs > nowMs) statuses.set(id, known.status);
      else stale.push(id);
    }
    for (let from = 0; from < stale.length; from += maxIds) {
      const part = stale.slice(from, from + maxIds);
      try {
        for (const [id, status] of await this.#read(part, owner, nowMs)) statuses.set(id, status);
      } catch (error) {
        this.#log.warn({ err: error }, "whether trackers are active could not be read");
        for (const id of stale.slice(from)) statuses.set(id, "unknown");
        break;
      }
    }
    return statuses;
  }

  async #read(ids: readonly string[], owner: string, nowMs: number): Promise<[string, TrackingStatus][]> {
    const recent = await this.#withEvents(ids, owner, nowMs - activeForMs);
    const quiet = ids.filter((id) => !recent.has(id));
    const sinceMs = new Set(quiet.filter((id) => this.#kept.get(id)?.status === "inactive"));
    const fresh = quiet.filter((id) => !sinceMs.has(id));
    const ever = await this.#withEvents(fresh, owner, undefined);
    return ids.map((id) => {
      const hadEvents = sinceMs.has(id) || ever.has(id);
      const status = recent.has(id) ? "active" : hadEvents ? "inactive" : "pending";
      this.#kept.set(id, { status, untilMs: nowMs + (status === "active" ? keepActiveMs : keepOthersMs) });
      return [id, status];
    });
  }

  async #withEvents(ids: readonly string[], owner: string, fromMs: number | undefined): Promise<Set<string>> {
    const found = new Set<string>();
    if (ids.length === 0) return found;
    const values: BoundValue[] = [...ids];
    const scope = `website_id IN (${ids.map((_, index) => `$${index + 1}`).join(", ")})`;
    if (fromMs !== undefined) values.push(fromMs * 1_000);
    const time = fromMs === undefined ? "" : ` AND ts >= $${values.length}::timestamp`;
    const signal = AbortSignal.timeout(giveUpAfterMs);
    const read = (table: string) =>
      this.#questdb
        .of(owner)
        .read(`SELECT DISTINCT website_id FROM ${table} WHERE ${scope}${time}`, values, { owner, signal });
    for (const row of (await Promise.all(tables.map(read))).flat())
      if (typeof row["website_id"] === "string") found.add(row["website_id"]);
    return found;
  }
}
