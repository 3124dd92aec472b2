import { closeSync, fdatasync as fdatasyncCallback, ftruncateSync, openSync, unlinkSync, writeSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Metrics } from "../metrics.ts";
import { RowsRefusedError, type RowWriter } from "../store/rowWriter.ts";
import { encodeRecord } from "../store/spool/record.ts";
import { inspectSegment } from "../store/spool/segment.ts";
import { nextSegmentPath, openSpoolDirectory, type SpoolDirectory } from "../store/spool/spoolDirectory.ts";
import type { Click, ClickRow } from "./click.ts";
import { type ClickPart, isStored, newPart, nextClicks } from "./clickPart.ts";
import { giveWay } from "./giveWay.ts";
import { ClickEncoder } from "./keptClick.ts";

type Settings = { readonly directory: string } & Pick<Config["spool"], "maxBytes" | "fsync">;
type JournalMetrics = Pick<Metrics, "eventsAccepted" | "eventsDropped" | "journaledClicks" | "spoolDamagedBytes">;

type ReadClicks<Seen> = (seen: readonly Seen[]) => Click[];

/** Clicks of one turn of the event loop, which share a write. */
type Turn<Seen> = {
  readonly seen: Seen[];
  readonly kept: Promise<boolean>;
  readonly settle: (isKept: boolean) => void;
};

/**
 * Keeps clicks in a file before their redirect is sent and hands them to the row writer a moment later, many at a time. A redirect so
 * waits for a write to the page cache, which takes microseconds and survives kill -9 of this process, and not for QuestDB's commit. A file
 * is deleted once its clicks are stored; those that an ended process left are stored by the next one, under the same keys.
 */
export class ClickJournal<Seen> {
  readonly #settings: Settings;
  readonly #writer: Pick<RowWriter, "write">;
  readonly #metrics: JournalMetrics;
  readonly #log: Pick<Logger, "warn" | "error">;
  readonly #directory: SpoolDirectory;
  readonly #read: ReadClicks<Seen>;
  #lastPath: string | undefined;
  #turn: Turn<Seen> | undefined;
  #writing: Promise<void> | undefined;
  #open: { readonly part: ClickPart; readonly file: number; readonly encoder: ClickEncoder } | undefined;
  /** Oldest first. */
  readonly #closed: ClickPart[] = [];
  #storing: Promise<void> | undefined;
  #isFailing = false;
  readonly #closing = new AbortController();
  readonly #scratch = Buffer.allocUnsafeSlow(scratchBytes);

  /** Opens a journal of its own, with what ended processes left behind. `read` makes clicks of what was seen of them in a turn. */
  static async open<Seen>(
    settings: Settings,
    writer: Pick<RowWriter, "write">,
    metrics: JournalMetrics,
    log: Pick<Logger, "warn" | "error">,
    read: ReadClicks<Seen>,
  ): Promise<ClickJournal<Seen>> {
    const directory = await openSpoolDirectory(settings.directory);
    const journal = new ClickJournal(settings, writer, metrics, log, directory, read);
    for (const path of directory.segmentPaths) {
      const segment = await inspectSegment(path);
      journal.#closed.push(newPart(segment, undefined));
      metrics.journaledClicks.inc(segment.rows);
    }
    journal.#startStoring();
    return journal;
  }

  private constructor(
    settings: Settings,
    writer: Pick<RowWriter, "write">,
    metrics: JournalMetrics,
    log: Pick<Logger, "warn" | "error">,
    directory: SpoolDirectory,
    read: ReadClicks<Seen>,
  ) {
    this.#settings = settings;
    this.#writer = writer;
    this.#metrics = metrics;
    this.#log = log;
    this.#directory = directory;
    this.#read = read;
    this.#lastPath = directory.segmentPaths.at(-1);
  }

  /** Resolves once the click is kept; with false when the disk does not take it or the journal is as large as it may be. */
  append(seen: Seen): Promise<boolean> {
    this.#turn ??= newTurn<Seen>();
    this.#turn.seen.push(seen);
    this.#writing ??= this.#writeTurns();
    return this.#turn.kept;
  }

  /** Unix ms: no click in its files was taken before. Undefined when it has none. */
  get oldestMs(): number | undefined {
    const parts = this.#open === undefined ? this.#closed : [...this.#closed, this.#open.part];
    return parts.length === 0 ? undefined : Math.min(...parts.map(({ oldestMs }) => oldestMs));
  }

  /** Its own directory, and those that it took over. */
  get directory(): Pick<SpoolDirectory, "path" | "takenOver"> {
    return this.#directory;
  }

  /** Stores what it holds as far as the row writer takes it. What is left is for the next process. */
  async close(): Promise<void> {
    await this.#writing;
    this.#closing.abort();
    await this.#storing;
    this.#closeOpen();
    if (this.#closed.length > 0) await this.#storeAll(() => false);
    await this.#directory.release();
  }

  async #writeTurns(): Promise<void> {
    // What else comes in this turn shares the write.
    await nextTurn();
    while (this.#turn !== undefined) {
      const { seen, settle } = this.#turn;
      this.#turn = undefined;
      settle(await this.#write(seen));
    }
    this.#writing = undefined;
    this.#startStoring();
  }

  async #write(seen: readonly Seen[]): Promise<boolean> {
    const nowMs = Date.now();
    try {
      const clicks = this.#read(seen);
      this.#open ??= this.#openPart(nowMs);
      const { part, file, encoder } = this.#open;
      const kept = clicks.map((click) => encoder.encode(click, nowMs));
      const record = encodeRecord(kept, nowMs, this.#scratch);
      if (this.#bytes + record.length > this.#settings.maxBytes) throw new Error("the journal is full");
      // Into the page cache, which takes microseconds; a way through the thread pool would take longer and wait behind its other work.
      for (let written = 0; written < record.length; )
        written += writeSync(file, record, written, record.length - written, part.bytes + written);
      if (this.#settings.fsync) await fdatasync(file);
      part.bytes += record.length;
      part.count += clicks.length;
      for (const click of clicks) part.clicks?.push(click);
      // With many waiting they are read again when their turn comes.
      if (part.clicks !== undefined && part.clicks.length > maxHeldClicks) part.clicks = undefined;
    } catch (error) {
      if (!this.#isFailing)
        this.#log.error({ err: error }, "clicks are lost: they cannot be kept where DATA_DIR is; free space there");
      this.#isFailing = true;
      this.#metrics.eventsDropped.inc({ reason: "store_unavailable" }, seen.length);
      this.#cutOpen();
      return false;
    }
    this.#isFailing = false;
    this.#metrics.journaledClicks.inc(seen.length);
    return true;
  }

  get #bytes(): number {
    return this.#closed.reduce((sum, { bytes }) => sum + bytes, this.#open?.part.bytes ?? 0);
  }

  #openPart(oldestMs: number): { part: ClickPart; file: number; encoder: ClickEncoder } {
    const path = nextSegmentPath(this.#directory.path, this.#lastPath === undefined ? [] : [this.#lastPath]);
    const file = openSync(path, "wx", 0o600);
    this.#lastPath = path;
    const waiting = this.#closed.reduce((sum, { clicks }) => sum + (clicks?.length ?? 0), 0);
    const clicks = waiting < maxHeldClicks ? [] : undefined;
    const part = newPart({ path, bytes: 0, rows: 0, oldestMs }, clicks);
    return { part, file, encoder: new ClickEncoder() };
  }

  /** Takes back a write that failed half-way. */
  #cutOpen(): void {
    if (this.#open === undefined) return;
    this.#open.encoder.forget();
    try {
      ftruncateSync(this.#open.file, this.#open.part.bytes);
    } catch {
      this.#closeOpen();
    }
  }

  #closeOpen(): void {
    if (this.#open === undefined) return;
    const { part, file } = this.#open;
    this.#open = undefined;
    this.#closed.push(part);
    closeSync(file);
  }

  #startStoring(): void {
    if (this.#closing.signal.aborted || (this.#open === undefined && this.#closed.length === 0)) return;
    this.#storing ??= this.#store();
  }

  async #store(): Promise<void> {
    const { signal } = this.#closing;
    let waitMs = gatherMs;
    while (!signal.aborted && (this.#open !== undefined || this.#closed.length > 0)) {
      const givesWay = this.#watchLoop();
      await pause(waitMs, undefined, { signal }).catch(() => undefined);
      if (givesWay()) continue;
      if (this.#writing !== undefined) await this.#writing;
      this.#closeOpen();
      waitMs = (await this.#storeAll(givesWay)) ? gatherMs : Math.min(waitMs * 2, mostWaitMs);
    }
    this.#storing = undefined;
    this.#startStoring();
  }

  /** Answers whether redirects have kept the process so busy since it was asked last that storing gives way to them. */
  #watchLoop(): () => boolean {
    let before = performance.eventLoopUtilization();
    return () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return !this.#closing.signal.aborted && giveWay(utilization, Date.now() - (this.oldestMs ?? 0));
    };
  }

  /** Stores until it is to give way. False when some are to be tried again. */
  async #storeAll(givesWay: () => boolean): Promise<boolean> {
    for (let part = this.#closed[0]; part !== undefined; part = this.#closed[0]) {
      try {
        const { rows, end, damagedBytes, nameless } = await nextClicks(part, rowsAtOnce);
        if (rows.length > 0) await this.#hand(rows, part.oldestMs);
        part.stored = end;
        if (damagedBytes + nameless > 0) this.#noteDamage(part, damagedBytes, nameless);
      } catch (error) {
        this.#log.warn({ err: error, clicks: part.count }, "clicks could not be stored, trying again");
        return false;
      }
      if (isStored(part)) {
        this.#closed.shift();
        this.#metrics.journaledClicks.dec(part.count);
        this.#delete(part);
      }
      if (this.#closed.length > 0 && givesWay()) return true;
    }
    return true;
  }

  #noteDamage({ path }: ClickPart, damagedBytes: number, nameless: number): void {
    this.#log.error({ file: path, damagedBytes, nameless }, "a part of the click journal is damaged and was skipped");
    this.#metrics.spoolDamagedBytes.inc(damagedBytes);
  }

  #delete({ path }: ClickPart): void {
    try {
      unlinkSync(path);
    } catch (error) {
      // The next process stores its clicks again, which changes nothing.
      this.#log.warn({ err: error, file: path }, "a stored part of the click journal could not be deleted");
    }
  }

  async #hand(rows: readonly ClickRow[], receivedMs: number): Promise<void> {
    let refused = 0;
    try {
      await this.#writer.write(rows, receivedMs);
    } catch (error) {
      if (!(error instanceof RowsRefusedError)) throw error;
      refused = error.refused.size;
      this.#metrics.eventsDropped.inc({ reason: "refused_by_store" }, refused);
    }
    this.#metrics.eventsAccepted.inc({ table: "link_clicks" }, rows.length - refused);
  }
}

const fdatasync: (file: number) => Promise<void> = promisify(fdatasyncCallback);

function newTurn<Seen>(): Turn<Seen> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  return { seen: [], kept: promise, settle: resolve };
}

/** Each commit costs QuestDB as much as dozens of clicks; a click is seen this much later. */
const gatherMs = 100;

/** Holds some two hundred clicks, more than come in one turn of the event loop. */
const scratchBytes = 262_144;

/** While neither QuestDB nor the spool takes rows. */
const mostWaitMs = 5_000;

/** Rows handed over at once; events share the writer. */
const rowsAtOnce = 2_000;

/** Past it clicks wait in their files alone: what is held for longer costs the garbage collector more than reading it again. */
const maxHeldClicks = 5_000;
