import type { Pool } from "pg";
import type { KeyedRow } from "../store/questdb/keyedRow.ts";
import type { TableName } from "../store/questdb/tables.ts";
import type { AfterCommit, CommitStep } from "../store/write/commitStep.ts";
import { hourMs } from "../time/utcDay.ts";
import { type TouchedHour, touchHours } from "./touchedDayQueue.ts";

/** Tables whose rows are the source of sessions and aggregates. */
const tablesThatTouch: ReadonlySet<TableName> = new Set(["events", "outgoing_links"]);

/** An hour of a website is marked at most once in this time: `settleMs` of the queue covers what follows so closely. */
const markEveryMs = 1_000;

/** Entries of the limiter before old ones are dropped. */
const maxMarks = 10_000;

/** QuestDB takes no row outside these years, and an invalid date would fail the whole statement. */
const year10000Us = 253_402_300_800_000_000;

/**
 * Marks in PostgreSQL which UTC days of which websites get events, and in which hours, so that their sessions and daily
 * aggregates are corrected.
 *
 * A day is marked before its rows are sent to QuestDB and again after they are committed. The first mark alone suffices
 * to find the day even if the process is killed; a day leaves the queue only once it was corrected long enough after
 * its last mark.
 */
export class TouchedDays {
  readonly #postgres: Pick<Pool, "query">;
  readonly #markedAtMs = new Map<string, number>();

  constructor(postgres: Pick<Pool, "query">) {
    this.#postgres = postgres;
  }

  /** Rejects when PostgreSQL does not take the mark: the rows must then wait. */
  readonly beforeCommit: CommitStep = async (rows) => {
    await this.#mark(rows);
    return rows;
  };

  readonly afterCommit: AfterCommit = (rows) => {
    // Only makes the correction come sooner after a slow commit.
    this.#mark(rows).catch(() => undefined);
  };

  async #mark(rows: readonly KeyedRow[]): Promise<void> {
    const nowMs = performance.now();
    const touched = new Map<string, TouchedHour>();
    let last: TouchedHour | undefined;
    for (const { table, tsUs, values, moved } of rows) {
      if (moved === "copy") continue;
      const websiteId = values.website_id;
      if (!tablesThatTouch.has(table) || websiteId === undefined || !(tsUs >= 0 && tsUs < year10000Us)) continue;
      const hour = Math.floor(tsUs / 1_000 / hourMs);
      // Adjacent rows mostly have the same website and hour.
      if (last?.websiteId === websiteId && last.hourMs === hour * hourMs) continue;
      last = { websiteId, hourMs: hour * hourMs };
      const key = `${websiteId} ${hour}`;
      if (touched.has(key) || nowMs - (this.#markedAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < markEveryMs) continue;
      touched.set(key, last);
    }
    if (touched.size === 0) return;
    await touchHours(this.#postgres, [...touched.values()]);
    this.#forgetOld(nowMs);
    for (const key of touched.keys()) this.#markedAtMs.set(key, nowMs);
  }

  #forgetOld(nowMs: number): void {
    if (this.#markedAtMs.size < maxMarks) return;
    for (const [key, atMs] of this.#markedAtMs) if (nowMs - atMs >= markEveryMs) this.#markedAtMs.delete(key);
  }
}
