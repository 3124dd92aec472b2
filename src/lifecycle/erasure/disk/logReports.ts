import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { flushEvery } from "../../../concurrency/poll.ts";
import { damagedDirectoryName, deleteDamagedFiles } from "../../../durableLog/damagedFiles.ts";
import type { LogDirectory } from "../../../durableLog/logDirectory.ts";
import { type ErasedRange, rangeColumns } from "../guard/erasedRowGuard.ts";
import { blankDeadLetters } from "./localFiles.ts";

/** The log in which a process keeps rows that are not stored yet. */
export type LogSource = {
  readonly directory: Pick<LogDirectory, "path" | "takenOver">;
  /** Unix ms: the log holds no row received before this time. Undefined when it is empty. */
  readonly oldestMs: number | undefined;
};

/** PostgreSQL's times are kept as text, because they have microseconds. */
type Mark = { readonly at: string; readonly localMs: number };

/** An erasure waits for two reports of each process. */
const everyMs = 2_000;

/**
 * Reports to PostgreSQL every two seconds until when the log of this process is clear of rows, so that an erasure
 * knows when no file on any machine holds erased rows.
 *
 * Clocks of machines differ. So each answer of PostgreSQL sets a mark, with PostgreSQL's time and ours. Once every row
 * in the log was received after the mark by our clock, the log is clear until the mark by PostgreSQL's clock.
 */
export class LogReports {
  readonly #source: LogSource;
  readonly #name: string;
  readonly #deadLetters: string;
  readonly #postgres: Pick<Pool, "query">;
  readonly #log: Pick<Logger, "warn">;
  readonly #followed: () => number | undefined;
  #mark: Mark | undefined;
  #blankedUntil = "-infinity";
  /** Names of logs that this process has taken over from a dead one; they no longer exist. */
  #takenOver: readonly string[];
  readonly #stop = new AbortController();
  #reporting: Promise<void> | undefined;

  /**
   * `deadLetters` is the file for refused rows of the log. `followed` is the number of changes of placements that this process knows; undefined
   * where it needs none.
   */
  constructor(
    source: LogSource,
    deadLetters: string,
    postgres: Pick<Pool, "query">,
    log: Pick<Logger, "warn">,
    followed: () => number | undefined = () => undefined,
  ) {
    this.#source = source;
    this.#name = basename(source.directory.path);
    this.#takenOver = source.directory.takenOver.map((path) => basename(path));
    this.#deadLetters = deadLetters;
    this.#postgres = postgres;
    this.#log = log;
    this.#followed = followed;
  }

  /** Call before the process accepts rows: from then on erasures wait for it. */
  async begin(): Promise<void> {
    const onFailure = (error: unknown): void =>
      this.#log.warn({ err: error }, "the state of the logs could not be reported, trying again");
    await this.#report().catch(onFailure);
    this.#reporting = flushEvery(() => this.#report(), everyMs, this.#stop.signal, onFailure);
  }

  /** Call after the log is closed: erasures no longer wait for it if it is empty. */
  async end(): Promise<void> {
    this.#stop.abort();
    await this.#reporting;
    if (this.#source.oldestMs === undefined)
      await this.#forget([this.#name]).catch((error: unknown) =>
        this.#log.warn({ err: error }, "erasures wait half a minute for this process"),
      );
  }

  async #report(): Promise<void> {
    const followed = this.#followed();
    const clearUntil = this.#clearUntil();
    if (clearUntil !== null) await this.#blankDeadLetters();
    const { path } = this.#source.directory;
    const { rows } = await this.#postgres.query<{ at: string }>({
      name: "log_directories",
      text: `INSERT INTO log_directories (name, place, clear_until, placement_epoch)
       VALUES ($1, $2, $3, coalesce($4, (SELECT epoch FROM placement_epoch)))
       ON CONFLICT (name) DO UPDATE SET place = excluded.place, seen_at = clock_timestamp(), placement_epoch = excluded.placement_epoch,
         clear_until = coalesce(excluded.clear_until, log_directories.clear_until)
       RETURNING clock_timestamp()::text AS at`,
      values: [this.#name, `${hostname()}:${path}`, clearUntil, followed ?? null],
    });
    const at = rows[0]?.at;
    if (at === undefined) return;
    if (clearUntil !== null || this.#mark === undefined) this.#mark = { at, localMs: Date.now() };
    if (this.#takenOver.length === 0) return;
    await this.#forget(this.#takenOver);
    this.#takenOver = [];
  }

  async #forget(names: readonly string[]): Promise<void> {
    await this.#postgres.query("DELETE FROM log_directories WHERE name = ANY($1)", [names]);
  }

  /** The last mark once the log is clear until it, else null. */
  #clearUntil(): string | null {
    const mark = this.#mark;
    const { oldestMs } = this.#source;
    // A row of the same millisecond may have been received before the mark.
    return mark !== undefined && (oldestMs === undefined || oldestMs > mark.localMs) ? mark.at : null;
  }

  /** Dead letters are blanked after the log was checked: a row may just have moved from there to them. */
  async #blankDeadLetters(): Promise<void> {
    const root = dirname(this.#source.directory.path);
    if (!existsSync(this.#deadLetters) && !existsSync(join(root, damagedDirectoryName))) return;
    const { rows: times } = await this.#postgres.query<{ at: string }>("SELECT clock_timestamp()::text AS at");
    const { rows: ranges } = await this.#postgres.query<ErasedRange>(
      `SELECT ${rangeColumns} FROM erased_ranges JOIN deletions ON deletions.id = deletion_id
       WHERE deletions.status = 'processing' OR deletions.completed_at >= $1`,
      [this.#blankedUntil],
    );
    if (ranges.length > 0) {
      await blankDeadLetters(this.#deadLetters, ranges);
      await deleteDamagedFiles(root);
    }
    this.#blankedUntil = times[0]?.at ?? this.#blankedUntil;
  }
}
