import { writeSync } from "node:fs";
import { type FileHandle, open, truncate, unlink } from "node:fs/promises";
import { setImmediate as nextTick } from "node:timers/promises";
import type { Logger } from "pino";
import { hasCode } from "../errors/errorCode.ts";
import { StoreFailure } from "../errors/storeFailure.ts";
import type { Metrics } from "../observability/metrics.ts";
import { deleteDamagedFiles, keepDamagedFile } from "./damagedFiles.ts";
import type { LogBatch, LogPosition, LogRecord, NewRecord } from "./durableLog.ts";
import { type LogDirectory, logFilePath, openLogDirectory } from "./logDirectory.ts";
import { type FilePart, inspectLogFile, type LogFile, readPart } from "./logFile.ts";
import { PositionFile } from "./positionFile.ts";
import { RecordBuffer } from "./recordBuffer.ts";

type Settings = {
  readonly directory: string;
  readonly maxBytes: number;
  /** Whether each write is also forced to the disk, against power loss. */
  readonly fsync: boolean;
};
type LogMetrics = Pick<
  Metrics,
  "logBytes" | "logRecords" | "logMaxBytes" | "logOldestSeconds" | "logDamaged" | "logDamagedBytes"
>;

/** The file that takes records. */
type Tail = { readonly file: LogFile; readonly handle: FileHandle };

/** A call of `append` that waits for its write. */
type Append = {
  readonly records: number;
  readonly oldestMs: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
};

/**
 * A first-in first-out log in files of a directory used by this process alone. It survives kill -9, and power loss with `fsync`. Records
 * left by ended processes are read first. A file is deleted once it is committed; a damaged one is moved aside.
 */
export class FileLog {
  readonly #settings: Settings;
  readonly #metrics: LogMetrics;
  readonly #log: Pick<Logger, "warn" | "error">;
  readonly #directory: LogDirectory;
  readonly #positionFile: PositionFile;
  /** Oldest first; the last one may be open for writing. */
  readonly #files: LogFile[];
  #tail: Tail | undefined;
  #lastNumber: number;
  #committed: LogPosition;
  /** The number of records found when the log was opened plus those appended since. */
  #count: number;
  /** The records of the waiting appends. */
  readonly #buffer = new RecordBuffer();
  #waiting: Append[] = [];
  /** Taken by the current write. */
  #taken: readonly Append[] = [];
  #writing: Promise<void> | undefined;
  #failedAtMs: number | undefined;
  /** Unix ms of the oldest uncommitted record. */
  #oldestWaitingMs: number | undefined;
  /** The first record of the last read. */
  #lastRead: { readonly from: number; readonly receivedMs: number } | undefined;
  #isTailOld = false;
  #dropTimer: NodeJS.Timeout | undefined;
  #dropping: Promise<void> = Promise.resolve();
  /** Committed files that could not be deleted. */
  #leftOver: string[] = [];

  static async open(settings: Settings, metrics: LogMetrics, log: Pick<Logger, "warn" | "error">): Promise<FileLog> {
    const directory = await openLogDirectory(settings.directory);
    await deleteDamagedFiles(settings.directory, keepDamagedMs).catch(() => undefined);
    const files: LogFile[] = [];
    for (const { path, number, start } of directory.files) {
      const file = await inspectLogFile(path, number, start);
      if (file.start < file.bytes) files.push(file);
      // Its process ended between the last commit and the deletion.
      else await unlink(path).catch(() => undefined);
    }
    return new FileLog(settings, metrics, log, directory, files);
  }

  private constructor(
    settings: Settings,
    metrics: LogMetrics,
    log: Pick<Logger, "warn" | "error">,
    directory: LogDirectory,
    files: LogFile[],
  ) {
    this.#settings = settings;
    this.#metrics = metrics;
    this.#log = log;
    this.#directory = directory;
    this.#positionFile = new PositionFile(directory.path);
    this.#files = files;
    this.#lastNumber = directory.lastNumber;
    this.#committed = { file: files[0]?.number ?? 0, offset: files[0]?.start ?? 0, count: 0 };
    this.#count = files.reduce((sum, { records }) => sum + records, 0);
    if (this.#count > 0) {
      log.warn({ records: this.#count }, "rows that an ended process left in its log are stored first");
      const oldestMs = files.find(({ oldestMs }) => oldestMs > 0 && oldestMs < Number.POSITIVE_INFINITY)?.oldestMs;
      this.#setOldest(oldestMs ?? Date.now());
    }
    metrics.logMaxBytes.set(settings.maxBytes);
    this.#measure();
  }

  /** Where reading begins. */
  get committed(): LogPosition {
    return this.#committed;
  }

  /** True if no record waits to be committed and none is being appended. */
  get isEmpty(): boolean {
    if (this.#waiting.length > 0 || this.#writing !== undefined) return false;
    return this.#files.every((file) => this.#isCommitted(file));
  }

  /** Unix ms: no record in the log, committed or not, was received before this time. Undefined when it has none. */
  get oldestMs(): number | undefined {
    let oldestMs: number | undefined;
    for (const each of this.#files) oldestMs = Math.min(each.oldestMs, oldestMs ?? each.oldestMs);
    for (const each of [...this.#taken, ...this.#waiting])
      oldestMs = Math.min(each.oldestMs, oldestMs ?? each.oldestMs);
    return oldestMs === Number.POSITIVE_INFINITY ? undefined : oldestMs;
  }

  get directory(): Pick<LogDirectory, "path" | "takenOver"> {
    return this.#directory;
  }

  /** `full` when the log accepts no records or has little room left. */
  get state(): "ok" | "full" {
    const { maxBytes } = this.#settings;
    const isFailing = this.#failedAtMs !== undefined && performance.now() - this.#failedAtMs < failingMs;
    return isFailing || this.#bytes > maxBytes - Math.min(roomForOneBatch, maxBytes / 10) ? "full" : "ok";
  }

  /** The age of the oldest uncommitted record; 0 without one. */
  get lagMs(): number {
    return this.#oldestWaitingMs === undefined ? 0 : Math.max(0, Date.now() - this.#oldestWaitingMs);
  }

  /** Resolves when the records are durable. Rejects with StoreFailure; then none of them is in the log. */
  append(records: readonly NewRecord[]): Promise<void> {
    const bytesBefore = this.#buffer.length;
    let oldestMs = Number.POSITIVE_INFINITY;
    for (const record of records) {
      this.#buffer.add(record);
      oldestMs = Math.min(oldestMs, record.receivedMs);
    }
    if (this.#bytes + this.#buffer.length > this.#settings.maxBytes) {
      this.#buffer.cut(bytesBefore);
      return Promise.reject(new StoreFailure({ kind: "log_full" }));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ records: records.length, oldestMs, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  /** Reads at most `max` records from a position on; none at the end of the log. */
  async read(from: LogPosition, max: number): Promise<LogBatch> {
    const records: LogRecord[] = [];
    let next = from;
    for (const file of [...this.#files]) {
      if (file.number < next.file) continue;
      const start = file.number === next.file ? next.offset : file.start;
      if (start >= file.bytes) continue;
      const part = await readPart(file.path, start, file.bytes, max - records.length);
      this.#noteDamage(file, part);
      for (const record of part.records) records.push(record);
      next = { file: file.number, offset: part.end, count: from.count + records.length };
      if (part.end < file.bytes || records.length === max) break;
    }
    const oldest = records[0];
    if (oldest !== undefined) {
      this.#lastRead = { from: from.count, receivedMs: oldest.receivedMs };
      if (from.count === this.#committed.count) this.#setOldest(oldest.receivedMs);
    }
    return { records, next };
  }

  /** Marks everything before the position as stored: it is not read again, not even by the next process. */
  async commit(position: LogPosition): Promise<void> {
    this.#committed = position;
    await this.#writePosition();
    while (this.#files[0] !== undefined && this.#files[0] !== this.#tail?.file && this.#isCommitted(this.#files[0]))
      await this.#delete(this.#files[0]);
    if (this.isEmpty) {
      // Damage may have removed records that were counted.
      this.#count = position.count;
      this.#setOldest(undefined);
    } else if (this.#lastRead?.from === position.count) {
      this.#setOldest(this.#lastRead.receivedMs);
    }
    if (this.#tail !== undefined) this.#dropTimer ??= setTimeout(() => this.#dropTail(), tailMs).unref();
    this.#measure();
  }

  /** Resolves when all appended records are in the files. Uncommitted ones are left for the next process. */
  async close(): Promise<void> {
    await this.#writing;
    this.#dropTail();
    await this.#dropping;
    clearTimeout(this.#dropTimer);
    await this.#closeTail();
    await this.#positionFile.close();
    await this.#directory.release();
  }

  get #bytes(): number {
    return this.#files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #isCommitted({ number, bytes }: LogFile): boolean {
    const { file, offset } = this.#committed;
    return bytes === 0 || number < file || (number === file && offset >= bytes);
  }

  async #writeAll(): Promise<void> {
    // Appends in the same tick share the write.
    await nextTick();
    while (this.#waiting.length > 0) {
      await this.#dropping;
      const failure = await this.#write().then(
        () => undefined,
        (error: unknown) => this.#noteFailure(error),
      );
      if (failure === undefined) this.#failedAtMs = undefined;
      const settled = this.#taken;
      this.#taken = [];
      for (const { resolve, reject } of settled) failure === undefined ? resolve() : reject(failure);
      this.#measure();
    }
    this.#writing = undefined;
  }

  #noteFailure(error: unknown): StoreFailure {
    if (this.#failedAtMs === undefined)
      this.#log.error({ err: error }, "the log cannot be written; free space where DATA_DIR is, or make it writable");
    this.#failedAtMs = performance.now();
    return new StoreFailure({ kind: "log_unwritable" });
  }

  /** Takes the waiting appends and writes their records to the file that takes records, or none of them. */
  async #write(): Promise<void> {
    let bytes: Buffer;
    try {
      if (this.#isTailOld) await this.#closeTail();
      this.#tail ??= await this.#openFile();
    } finally {
      this.#taken = this.#waiting;
      this.#waiting = [];
      bytes = this.#buffer.take();
    }
    const { file, handle } = this.#tail;
    const { length } = bytes;
    try {
      // Synchronous, since it ends in the system's cache within microseconds: a promise and a thread for each write cost
      // more than the write itself, and halved the redirects per second.
      for (let written = 0; written < length; )
        written += writeSync(handle.fd, bytes, written, length - written, file.bytes + written);
      if (this.#settings.fsync) await handle.datasync();
    } catch (error) {
      // Undoes a write that failed half-way. If that fails too, nothing more is written to this file.
      await handle.truncate(file.bytes).catch(() => this.#closeTail());
      throw error;
    }
    const oldestMs = this.#taken.reduce((oldest, each) => Math.min(oldest, each.oldestMs), Number.POSITIVE_INFINITY);
    const records = this.#taken.reduce((sum, each) => sum + each.records, 0);
    if (this.#count === this.#committed.count) this.#setOldest(oldestMs);
    file.bytes += length;
    file.records += records;
    file.oldestMs = Math.min(file.oldestMs, oldestMs);
    this.#count += records;
    if (file.bytes >= fileBytesOf(this.#settings.maxBytes)) await this.#closeTail();
  }

  async #openFile(): Promise<Tail> {
    const number = this.#lastNumber + 1;
    const path = logFilePath(this.#directory.path, number);
    const handle = await open(path, "wx", 0o600);
    this.#lastNumber = number;
    const oldestMs = Number.POSITIVE_INFINITY;
    const file = { path, number, start: 0, bytes: 0, records: 0, oldestMs, damagedUntil: undefined };
    this.#files.push(file);
    return { file, handle };
  }

  async #closeTail(): Promise<void> {
    const { handle } = this.#tail ?? {};
    this.#tail = undefined;
    this.#isTailOld = false;
    await handle?.close().catch(() => undefined);
  }

  /**
   * Closes the file that takes records, so that it can be deleted: committed records must not stay on disk for long.
   */
  #dropTail(): void {
    this.#dropTimer = undefined;
    this.#isTailOld = true;
    if (this.#writing !== undefined) return;
    const file = this.#tail?.file;
    // Writes wait for it.
    this.#dropping = (async () => {
      await this.#closeTail();
      if (file !== undefined && this.#isCommitted(file)) await this.#delete(file);
      for (const path of this.#leftOver.splice(0)) await this.#unlink(path);
      this.#measure();
    })();
  }

  async #delete(file: LogFile): Promise<void> {
    const index = this.#files.indexOf(file);
    if (index !== -1) this.#files.splice(index, 1);
    if (file.damagedUntil === undefined) await this.#unlink(file.path);
    else
      await keepDamagedFile(file.path).catch((error: unknown) =>
        this.#log.warn({ err: error, file: file.path }, "a damaged file of the log could not be moved aside"),
      );
  }

  /**
   * A committed file that cannot be deleted is emptied, and deleted later. The position file records that it is
   * committed.
   */
  async #unlink(path: string): Promise<void> {
    try {
      await unlink(path);
    } catch (error) {
      if (hasCode(error, "ENOENT")) return;
      this.#leftOver.push(path);
      await truncate(path).catch(() =>
        this.#log.warn({ err: error, file: path }, "a stored file of the log could be neither deleted nor emptied"),
      );
    }
  }

  async #writePosition(): Promise<void> {
    try {
      await this.#positionFile.write(this.#committed);
    } catch (error) {
      this.#log.warn({ err: error }, "the log's position could not be written; a restart stores rows again");
    }
  }

  /** Counts each damaged range once, even if it is read again or in two parts, and logs each file once. */
  #noteDamage(file: LogFile, { damaged }: FilePart): void {
    for (const { start, end } of damaged) {
      const isFirst = file.damagedUntil === undefined;
      const countedUntil = file.damagedUntil ?? -1;
      if (end <= countedUntil) continue;
      if (start > countedUntil) this.#metrics.logDamaged.inc();
      this.#metrics.logDamagedBytes.inc(end - Math.max(start, countedUntil));
      file.damagedUntil = end;
      if (isFirst)
        this.#log.error(
          { file: file.path, offset: start },
          "a file of the log is damaged: its intact rows are stored, then it is moved to the folder damaged; see lookout_log_damaged_total",
        );
    }
  }

  #setOldest(receivedMs: number | undefined): void {
    this.#oldestWaitingMs = receivedMs;
    this.#metrics.logOldestSeconds.set((receivedMs ?? 0) / 1_000);
  }

  #measure(): void {
    this.#metrics.logBytes.set(this.#bytes);
    this.#metrics.logRecords.set(Math.max(0, this.#count - this.#committed.count));
  }
}

/** A batch of the largest body that is accepted by default. */
const roomForOneBatch = 1_048_576;

/** How long the log counts as full after a failed write. */
const failingMs = 10_000;

/**
 * How long a file takes records after the first of them was committed, approximately. A new file for each row would
 * cost too much.
 */
const tailMs = 1_000;

/** How long damaged files are kept. */
const keepDamagedMs = 7 * 86_400_000;

/** Small enough that space is freed soon, large enough that there are few files. */
function fileBytesOf(maxBytes: number): number {
  return Math.min(16_777_216, Math.ceil(maxBytes / 8));
}
