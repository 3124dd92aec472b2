import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { flushEvery } from "../../concurrency/poll.ts";
import { applyLimit, type LimitState, rolled, type WindowCounts, windowAt } from "./slidingWindow.ts";

const everyMs = 1_000;

/** About 20 MB at 200 bytes a subject. */
const maxSubjects = 100_000;

/** `unsent` is what this process counted in the window and has not shared yet. */
type Entry = { counts: WindowCounts; unsent: number; readonly isShared: boolean };

/**
 * Counts calls by subject in this process and exchanges the counts with the other processes through PostgreSQL every
 * second. So a limit holds across all processes, except for calls that others admitted within the last second, and those that a process
 * admits within a second of the first call of a subject that it does not know from this window or the one before. While PostgreSQL is
 * unavailable each process limits on its own. A check needs no round trip.
 */
export class RateLimits {
  readonly windowMs: number;
  /**
   * Subjects may be addresses of unknown clients: beyond the limit the least recently used ones are evicted and start again
   * at zero.
   */
  readonly #entries = new LRUCache<string, Entry>({ max: maxSubjects });
  readonly #postgres: Pick<Pool, "query">;
  /** Begins each subject in PostgreSQL: processes with another window number their windows differently, and must not delete these. */
  readonly #prefix: string;
  #cleaned = 0;

  constructor(postgres: Pick<Pool, "query">, windowMs: number) {
    this.#postgres = postgres;
    this.windowMs = windowMs;
    this.#prefix = `${windowMs} `;
  }

  /**
   * Counts a call of a subject and returns whether it is allowed. A limit of 0 allows everything. Subjects that must
   * not leave this process, such as addresses, are not shared.
   */
  take(subject: string, limit: number, isShared = true, nowMs = Date.now()): LimitState | undefined {
    if (limit === 0) return undefined;
    const window = windowAt(nowMs, this.windowMs);
    const entry = this.#entryOf(subject, window, isShared);
    if (entry.counts.window < window) {
      entry.counts = rolled(entry.counts, window);
      entry.unsent = 0;
    }
    const state = applyLimit(entry.counts, limit, nowMs, this.windowMs);
    if (state.isAllowed) {
      entry.counts = { ...entry.counts, current: entry.counts.current + 1 };
      if (isShared) entry.unsent += 1;
    }
    return state;
  }

  /** Exchanges counts with the other processes every second, and once more when the signal aborts. */
  async share(log: Pick<Logger, "warn">, signal: AbortSignal): Promise<void> {
    await flushEvery(
      () => this.exchange(),
      everyMs,
      signal,
      (error) => log.warn({ err: error }, "call counts could not be exchanged"),
    );
  }

  /** Shares what was counted here since the last time, and takes over the sums, also of subjects that only others have counted since. */
  async exchange(nowMs = Date.now()): Promise<void> {
    const window = windowAt(nowMs, this.windowMs);
    const sent = new Map<string, number>();
    const known: string[] = [];
    for (const [subject, entry] of [...this.#entries.entries()]) {
      if (entry.counts.window < window - 1) {
        this.#entries.delete(subject);
        continue;
      }
      if (entry.counts.window < window) entry.unsent = 0;
      if (entry.unsent > 0) sent.set(subject, entry.unsent);
      if (entry.isShared) known.push(subject);
    }
    if (window > this.#cleaned) {
      const deletion = "DELETE FROM call_counts WHERE number < $1 AND starts_with(subject, $2)";
      await this.#postgres.query(deletion, [window - 1, this.#prefix]);
      this.#cleaned = window;
    }
    if (sent.size > 0) await this.#send(sent, window);
    if (known.length > 0) await this.#takeOver(known, window);
  }

  async #send(sent: ReadonlyMap<string, number>, window: number): Promise<void> {
    // One order everywhere, so that two processes cannot deadlock on each other's rows.
    const subjects = [...sent.keys()].sort();
    await this.#postgres.query(
      `INSERT INTO call_counts (subject, number, calls) SELECT subject, $2, calls FROM unnest($1::text[], $3::bigint[]) AS sent (subject, calls)
       ON CONFLICT (subject, number) DO UPDATE SET calls = call_counts.calls + excluded.calls`,
      [this.#keysOf(subjects), window, subjects.map((subject) => sent.get(subject) ?? 0)],
    );
    for (const subject of subjects) {
      const entry = this.#entries.get(subject);
      if (entry?.counts.window === window) entry.unsent -= sent.get(subject) ?? 0;
    }
  }

  async #takeOver(subjects: readonly string[], window: number): Promise<void> {
    const { rows } = await this.#postgres.query<{ subject: string; isCurrent: boolean; calls: number }>(
      `SELECT subject, number = $2 AS "isCurrent", calls::float8 AS calls FROM call_counts WHERE subject = ANY($1) AND number IN ($2, $2 - 1)`,
      [this.#keysOf(subjects), window],
    );
    for (const subject of subjects) {
      const entry = this.#entries.peek(subject);
      if (entry !== undefined) entry.counts = rolled(entry.counts, window);
    }
    for (const { subject, isCurrent, calls } of rows) {
      const entry = this.#entries.peek(subject.slice(this.#prefix.length));
      if (entry?.counts.window !== window) continue;
      entry.counts = isCurrent
        ? { ...entry.counts, current: calls + entry.unsent }
        : { ...entry.counts, previous: calls };
    }
    for (const subject of subjects) {
      const { current = 0, previous = 0 } = this.#entries.peek(subject)?.counts ?? {};
      if (current === 0 && previous === 0) this.#entries.delete(subject);
    }
  }

  #keysOf(subjects: readonly string[]): string[] {
    return subjects.map((subject) => this.#prefix + subject);
  }

  #entryOf(subject: string, window: number, isShared: boolean): Entry {
    const known = this.#entries.get(subject);
    if (known !== undefined) return known;
    const entry = { counts: { window, current: 0, previous: 0 }, unsent: 0, isShared };
    this.#entries.set(subject, entry);
    return entry;
  }
}
