import { type FileHandle, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import type { Metrics } from "../../metrics.ts";
import { storeUnavailable } from "../storeUnavailable.ts";
import type { TableRow } from "../tables.ts";
import { encodeRecord } from "./record.ts";
import { inspectSegment, readSegment, type Segment } from "./segment.ts";
import { nextSegmentPath, openSpoolDirectory, type SpoolDirectory } from "./spoolDirectory.ts";

type Settings = Pick<Config["spool"], "directory" | "maxBytes" | "fsync">;
type SpoolMetrics = Pick<
  Metrics,
  "spoolBytes" | "spoolRows" | "spoolMaxBytes" | "spoolOldestSeconds" | "spoolDamagedBytes"
>;

/** How full a spool is: `filling` when it holds anything, `full` when it has little room left or cannot be written. */
export type SpoolState = "ok" | "filling" | "full";

/** The oldest rows, when each was received (Unix ms), and where the reading goes on once they are stored. */
export type SpoolHead = {
  readonly rows: readonly TableRow[];
  readonly receivedMs: readonly number[];
  readonly segment: Segment;
  readonly end: number;
};

type Append = {
  readonly record: Buffer;
  readonly rowCount: number;
  readonly receivedMs: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
};

/**
 * A first-in first-out queue of rows in files that survives kill -9 of this process; power loss only with `fsync`. Files are deleted
 * when all of their rows are stored. A restart reads a file from its start again, which stores rows a second time under the same keys.
 */
export class Spool {
  readonly #settings: Settings;
  readonly #metrics: SpoolMetrics;
  readonly #log: Pick<Logger, "warn" | "error">;
  readonly #directory: SpoolDirectory;
  readonly #segments: Segment[];
  /** Where reading goes on in the first segment. */
  #readOffset = 0;
  /** The last segment while it takes records. */
  #tail: { readonly segment: Segment; readonly file: FileHandle } | undefined;
  #lastPath: string | undefined;
  #waiting: Append[] = [];
  /** All that are not in the file yet. */
  readonly #appends = new Set<Append>();
  #writing: Promise<void> | undefined;
  #rows: number;
  #isFailing = false;

  /** Opens a spool of its own, with all rows that ended processes left behind. */
  static async open(settings: Settings, metrics: SpoolMetrics, log: Pick<Logger, "warn" | "error">): Promise<Spool> {
    const directory = await openSpoolDirectory(settings.directory);
    const segments: Segment[] = [];
    for (const path of directory.segmentPaths) segments.push(await inspectSegment(path));
    return new Spool(settings, metrics, log, directory, segments);
  }

  private constructor(
    settings: Settings,
    metrics: SpoolMetrics,
    log: Pick<Logger, "warn" | "error">,
    directory: SpoolDirectory,
    segments: Segment[],
  ) {
    this.#settings = settings;
    this.#metrics = metrics;
    this.#log = log;
    this.#directory = directory;
    this.#segments = segments;
    this.#lastPath = directory.segmentPaths.at(-1);
    this.#rows = segments.reduce((sum, { rows }) => sum + rows, 0);
    if (this.#rows > 0) {
      log.warn({ rows: this.#rows }, "rows that an ended process left in its spool are stored first");
      metrics.spoolOldestSeconds.set(Date.now() / 1_000);
    }
    metrics.spoolMaxBytes.set(settings.maxBytes);
    this.#measure();
  }

  /** Whether nothing waits in it or is on its way into it. */
  get isEmpty(): boolean {
    return this.#segments.length === 0 && this.#waiting.length === 0 && this.#writing === undefined;
  }

  /** Unix ms since when all that is in it, or on its way into it, was received: that or later. Undefined when it is empty. */
  get oldestMs(): number | undefined {
    const oldest = [...this.#segments, ...[...this.#appends].map(({ receivedMs }) => ({ oldestMs: receivedMs }))];
    return oldest.length === 0 ? undefined : Math.min(...oldest.map(({ oldestMs }) => oldestMs));
  }

  /** Its own directory, and those that it took over. */
  get directory(): Pick<SpoolDirectory, "path" | "takenOver"> {
    return this.#directory;
  }

  get state(): SpoolState {
    const { maxBytes } = this.#settings;
    if (this.#isFailing || this.#bytes > maxBytes - Math.min(roomForOneBatch, maxBytes / 10)) return "full";
    return this.isEmpty ? "ok" : "filling";
  }

  /** Where rows go that QuestDB refuses; shared by the processes. */
  get deadLettersPath(): string {
    return join(this.#settings.directory, "dead-letters.jsonl");
  }

  /**
   * Resolves when the rows, received at `receivedMs`, are in the file. Rejects with SERVICE_UNAVAILABLE past the bound and when the disk does
   * not take them.
   */
  append(rows: readonly TableRow[], receivedMs = Date.now()): Promise<void> {
    const record = encodeRecord(rows, receivedMs);
    return new Promise((resolve, reject) => {
      if (this.isEmpty) this.#metrics.spoolOldestSeconds.set(Date.now() / 1_000);
      const append: Append = {
        record,
        rowCount: rows.length,
        receivedMs,
        resolve: () => {
          this.#appends.delete(append);
          resolve();
        },
        reject: (error) => {
          this.#appends.delete(append);
          reject(error);
        },
      };
      this.#appends.add(append);
      this.#waiting.push(append);
      this.#writing ??= this.#writeAll();
    });
  }

  /** The oldest rows in it, about `maxRows`; undefined when it is empty. Gives the same rows again until they are `remove`d. */
  async head(maxRows: number): Promise<SpoolHead | undefined> {
    for (;;) {
      const segment = this.#segments[0];
      if (segment === undefined || segment.bytes === this.#readOffset) {
        if (this.#writing !== undefined) await this.#writing;
        await this.#deleteDrained();
        if (this.isEmpty) return undefined;
        continue;
      }
      const { rows, receivedMs, end, oldestMs, damagedBytes } = await readSegment<TableRow>(
        segment,
        this.#readOffset,
        maxRows,
      );
      if (damagedBytes > 0) {
        this.#metrics.spoolDamagedBytes.inc(damagedBytes);
        this.#log.error({ file: segment.path, damagedBytes }, "a part of the spool is damaged and was skipped");
      }
      if (oldestMs !== undefined) this.#metrics.spoolOldestSeconds.set(oldestMs / 1_000);
      if (rows.length > 0) return { rows, receivedMs, segment, end };
      this.#readOffset = end;
    }
  }

  /** Takes out what `head` gave, once it is stored. */
  async remove(head: SpoolHead): Promise<void> {
    this.#readOffset = head.end;
    this.#rows -= head.rows.length;
    await this.#deleteDrained();
  }

  /** Resolves when what was appended is in the file. What is left is for the next process. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#tail?.file.close();
    await this.#directory.release();
  }

  get #bytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async #writeAll(): Promise<void> {
    // What else comes in this turn shares the write.
    await nextTurn();
    while (this.#waiting.length > 0) {
      const taken = this.#takeWhatFits();
      if (taken.length === 0) continue;
      try {
        await this.#write(taken);
        this.#isFailing = false;
        for (const { resolve } of taken) resolve();
      } catch (error) {
        this.#isFailing = true;
        this.#log.error({ err: error }, "the spool cannot be written; free space where DATA_DIR is");
        for (const { reject } of taken) reject(storeUnavailable("Events cannot be kept now"));
      }
      this.#measure();
    }
    this.#writing = undefined;
  }

  /** Takes the appends that wait, as long as they fit, and refuses the rest of them. */
  #takeWhatFits(): Append[] {
    let room = this.#settings.maxBytes - this.#bytes;
    const taken: Append[] = [];
    for (const append of this.#waiting.splice(0)) {
      room -= append.record.length;
      if (room >= 0) taken.push(append);
      else append.reject(storeUnavailable("Too many events wait for the event store"));
    }
    return taken;
  }

  async #write(taken: readonly Append[]): Promise<void> {
    this.#tail ??= await this.#openSegment();
    const { segment, file } = this.#tail;
    const bytes = Buffer.concat(taken.map(({ record }) => record));
    try {
      for (let written = 0; written < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, written, bytes.length - written, segment.bytes + written);
        written += bytesWritten;
      }
      if (this.#settings.fsync) await file.datasync();
    } catch (error) {
      await this.#cutTail();
      throw error;
    }
    segment.bytes += bytes.length;
    for (const { rowCount, receivedMs } of taken) {
      segment.rows += rowCount;
      segment.oldestMs = Math.min(segment.oldestMs, receivedMs);
      this.#rows += rowCount;
    }
    if (segment.bytes >= segmentBytesOf(this.#settings.maxBytes)) {
      this.#tail = undefined;
      await file.close();
    }
  }

  async #openSegment(): Promise<{ segment: Segment; file: FileHandle }> {
    const path = nextSegmentPath(this.#directory.path, this.#lastPath === undefined ? [] : [this.#lastPath]);
    this.#lastPath = path;
    const file = await open(path, "wx", 0o600);
    const segment = { path, bytes: 0, rows: 0, oldestMs: Number.POSITIVE_INFINITY };
    this.#segments.push(segment);
    return { segment, file };
  }

  /** Takes back a write that failed half-way. Where even that fails, nothing more goes into this file. */
  async #cutTail(): Promise<void> {
    if (this.#tail === undefined) return;
    const { segment, file } = this.#tail;
    try {
      await file.truncate(segment.bytes);
    } catch {
      this.#tail = undefined;
      await file.close().catch(() => undefined);
    }
  }

  async #deleteDrained(): Promise<void> {
    for (;;) {
      const segment = this.#segments[0];
      const isTail = segment !== undefined && this.#tail?.segment === segment;
      if (segment === undefined || segment.bytes > this.#readOffset || (isTail && this.#writing !== undefined)) break;
      if (isTail) {
        const { file } = this.#tail ?? {};
        this.#tail = undefined;
        await file?.close();
      }
      this.#segments.shift();
      this.#readOffset = 0;
      await unlink(segment.path).catch((error: unknown) =>
        this.#log.warn({ err: error, file: segment.path }, "a stored part of the spool could not be deleted"),
      );
    }
    if (this.isEmpty) {
      this.#rows = 0;
      // The space that it took is free again.
      this.#isFailing = false;
      this.#metrics.spoolOldestSeconds.set(0);
    }
    this.#measure();
  }

  #measure(): void {
    this.#metrics.spoolBytes.set(this.#bytes);
    this.#metrics.spoolRows.set(this.#rows);
  }
}

/** A batch of the largest body that is accepted by default. */
const roomForOneBatch = 1_048_576;

/** Small enough that space comes back soon, large enough that files are few. */
function segmentBytesOf(maxBytes: number): number {
  return Math.min(16_777_216, Math.ceil(maxBytes / 8));
}
