import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { damagedDirectoryName, deleteDamagedFiles } from "../../../durableLog/damagedFiles.ts";
import type { LogDirectory } from "../../../durableLog/logDirectory.ts";
import { type ErasedRange, rangeColumns } from "../guard/erasedRowGuard.ts";
import { blankDeadLetters } from "./localFiles.ts";

/** Where a process keeps rows that are not stored yet. */
export type SpoolSource = {
  readonly directory: Pick<LogDirectory, "path" | "takenOver">;
  /** Unix ms: no row in it was received before. Undefined when it holds none. */
  readonly oldestMs: number | undefined;
};

/** Times of PostgreSQL are kept as its own text: it counts microseconds. */
type Mark = { readonly at: string; readonly localMs: number };

/** An erasure waits for two reports of each process. */
const everyMs = 2_000;

/**
 * Tells PostgreSQL every two seconds until when the spools of this process are clear of rows, so that an erasure knows when no file of any
 * machine holds what it erased.
 *
 * Clocks of machines differ. So each answer of PostgreSQL is a mark, with its time there and ours here; once every row that is held came
 * after the mark by our clock, the spool is clear until the mark by PostgreSQL's.
 */
export class SpoolReports {
  readonly #sources: readonly SpoolSource[];
  readonly #deadLetters: string;
  readonly #postgres: Pick<Pool, "query">;
  readonly #log: Pick<Logger, "warn">;
  readonly #marks = new Map<SpoolSource, Mark>();
  #blankedUntil = "-infinity";
  /** Names of spools that are not there any more. */
  #takenOver: readonly string[];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  /** `deadLetters` is the file in which rows of these spools are put aside. */
  constructor(
    sources: readonly SpoolSource[],
    deadLetters: string,
    postgres: Pick<Pool, "query">,
    log: Pick<Logger, "warn">,
  ) {
    this.#sources = sources;
    this.#takenOver = sources.flatMap(({ directory }) => directory.takenOver.map((path) => basename(path)));
    this.#deadLetters = deadLetters;
    this.#postgres = postgres;
    this.#log = log;
  }

  /** To be awaited before the process takes rows: from then on erasures wait for it. */
  async begin(): Promise<void> {
    await this.#tryReport();
    this.#timer = setInterval(() => {
      this.#running ??= this.#tryReport().finally(() => {
        this.#running = undefined;
      });
    }, everyMs);
  }

  /** To be called once nothing more is taken and the spools are closed: those that hold nothing are not waited for any more. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
    const empty = this.#sources.filter(({ oldestMs }) => oldestMs === undefined);
    await this.#postgres
      .query("DELETE FROM spools WHERE name = ANY($1)", [empty.map(nameOf)])
      .catch((error: unknown) => this.#log.warn({ err: error }, "erasures wait half a minute for this process"));
  }

  async #tryReport(): Promise<void> {
    try {
      await this.#report();
    } catch (error) {
      this.#log.warn({ err: error }, "until when the spools are clear could not be told, trying again");
    }
  }

  async #report(): Promise<void> {
    const clear = this.#sources.map((source) => this.#clearUntil(source));
    if (clear.some((until) => until !== null)) await this.#eraseWhatWasPutAside();
    const { rows } = await this.#postgres.query<{ at: string }>({
      name: "spools",
      text: `INSERT INTO spools (name, place, clear_until)
       SELECT name, place, clear_until FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS told (name, place, clear_until)
       ON CONFLICT (name) DO UPDATE SET place = excluded.place, seen_at = clock_timestamp(),
         clear_until = coalesce(excluded.clear_until, spools.clear_until)
       RETURNING clock_timestamp()::text AS at`,
      values: [
        this.#sources.map(nameOf),
        this.#sources.map(({ directory }) => `${hostname()}:${directory.path}`),
        clear,
      ],
    });
    const localMs = Date.now();
    const at = rows[0]?.at;
    if (at === undefined) return;
    for (const [index, source] of this.#sources.entries())
      if (clear[index] !== null || !this.#marks.has(source)) this.#marks.set(source, { at, localMs });
    if (this.#takenOver.length === 0) return;
    await this.#postgres.query("DELETE FROM spools WHERE name = ANY($1)", [this.#takenOver]);
    this.#takenOver = [];
  }

  /** The last mark once the spool is clear until it, else null. */
  #clearUntil(source: SpoolSource): string | null {
    const mark = this.#marks.get(source);
    const { oldestMs } = source;
    // A row of the same millisecond may have come before.
    return mark !== undefined && (oldestMs === undefined || oldestMs > mark.localMs) ? mark.at : null;
  }

  /** Rows that were put aside are looked at after those that were held: one of them may just have come there. */
  async #eraseWhatWasPutAside(): Promise<void> {
    const roots = this.#sources.map(({ directory }) => dirname(directory.path));
    if (!existsSync(this.#deadLetters) && !roots.some((root) => existsSync(join(root, damagedDirectoryName)))) return;
    const { rows: times } = await this.#postgres.query<{ at: string }>("SELECT clock_timestamp()::text AS at");
    const { rows: ranges } = await this.#postgres.query<ErasedRange>(
      `SELECT ${rangeColumns} FROM erased_ranges JOIN deletions ON deletions.id = deletion_id
       WHERE deletions.status = 'processing' OR deletions.completed_at >= $1`,
      [this.#blankedUntil],
    );
    if (ranges.length > 0) {
      await blankDeadLetters(this.#deadLetters, ranges);
      for (const root of roots) await deleteDamagedFiles(root);
    }
    this.#blankedUntil = times[0]?.at ?? this.#blankedUntil;
  }
}

const nameOf = ({ directory }: SpoolSource): string => basename(directory.path);
