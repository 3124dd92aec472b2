import type { Pool } from "pg";
import type { TableName } from "../store/questdb/tables.ts";
import type { AfterCommit, CommitStep } from "../store/write/commitStep.ts";
import type { KeyedRow } from "../store/write/keyedRow.ts";
import { type TouchedHour, touchHours } from "./touchedDayQueue.ts";

/** Tables whose rows make sessions and aggregates. */
const tablesThatTouch: ReadonlySet<TableName> = new Set(["events", "outgoing_links"]);

/** An hour of a website is noted at most once in this time: what follows so closely is covered by `settleMs` of the queue. */
const noteEveryMs = 1_000;

/** Entries of the limiter that are kept before old ones are looked for. */
const keptNotes = 10_000;

const hourMs = 3_600_000;

/** QuestDB takes no row outside these years, and a date of another form would hold up its neighbours. */
const year10000Us = 253_402_300_800_000_000;

/**
 * Notes in PostgreSQL which UTC days of which websites get events, for the correction of sessions and daily aggregates, and in which
 * of their hours.
 *
 * A day is noted before its rows go to QuestDB and again after they are committed. The first note alone suffices to find the day,
 * wherever the process is killed; a day is only forgotten once it was corrected long enough after its last note.
 */
export class TouchedDays {
  readonly #postgres: Pick<Pool, "query">;
  readonly #notedAtMs = new Map<string, number>();

  constructor(postgres: Pick<Pool, "query">) {
    this.#postgres = postgres;
  }

  /** Rejects when PostgreSQL does not take the note: the rows must then wait. */
  readonly beforeCommit: CommitStep = async (rows) => {
    await this.#note(rows);
    return rows;
  };

  readonly afterCommit: AfterCommit = (rows) => {
    // Only makes the correction come sooner after a commit that took long.
    this.#note(rows).catch(() => undefined);
  };

  async #note(rows: readonly KeyedRow[]): Promise<void> {
    const nowMs = performance.now();
    const touched = new Map<string, TouchedHour>();
    let last: TouchedHour | undefined;
    for (const { table, tsUs, values } of rows) {
      const websiteId = values.website_id;
      if (!tablesThatTouch.has(table) || websiteId === undefined || !(tsUs >= 0 && tsUs < year10000Us)) continue;
      const hour = Math.floor(tsUs / 1_000 / hourMs);
      // Neighbours are mostly of one website and hour.
      if (last?.websiteId === websiteId && last.hourMs === hour * hourMs) continue;
      last = { websiteId, hourMs: hour * hourMs };
      const key = `${websiteId} ${hour}`;
      if (touched.has(key) || nowMs - (this.#notedAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < noteEveryMs) continue;
      touched.set(key, last);
    }
    if (touched.size === 0) return;
    await touchHours(this.#postgres, [...touched.values()]);
    this.#forgetOld(nowMs);
    for (const key of touched.keys()) this.#notedAtMs.set(key, nowMs);
  }

  #forgetOld(nowMs: number): void {
    if (this.#notedAtMs.size < keptNotes) return;
    for (const [key, atMs] of this.#notedAtMs) if (nowMs - atMs >= noteEveryMs) this.#notedAtMs.delete(key);
  }
}
