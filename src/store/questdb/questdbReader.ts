import type { Socket } from "node:net";
import pg from "pg";
import { FairQueue, type Refusal, RefusedWorkError } from "../../concurrency/fairQueue.ts";
import { nextSlice, sliceIsOver } from "../../concurrency/timeSlices.ts";
import type { Config } from "../../config.ts";
import { StoreFailure } from "../../errors/storeFailure.ts";
import type { SpanOptions } from "../../observability/span.ts";
import { inSpan } from "../../observability/traces.ts";
import type { TimeRange } from "../../time/dates.ts";
import { cancelStatement } from "../postgres/cancelStatement.ts";
import { unlessBrokenOff } from "./brokenOff.ts";
import { executeStatement } from "./executeStatement.ts";
import { noteFailedMapping } from "./failedMappings.ts";
import { whenFilesCanBeMapped } from "./mappedFiles.ts";
import { QuestdbMaps } from "./questdbMaps.ts";
import { withLiterals } from "./withLiterals.ts";

/** A bound value of a QuestDB statement. Numbers are sent as text, and QuestDB casts them to the column's type. */
export type BoundValue = string | number | null;

/** A row; LONG is a number, TIMESTAMP Unix ms. */
export type Row = Record<string, string | number | boolean | null>;

/** A row as QuestDB sends it, a text for each column. */
export type TextRow = readonly (string | null)[];

/** Whose read it is. A read without an owner belongs to the service itself and does not queue. */
export type ReadOptions = {
  /** Reads are scheduled fairly between owners: a website or an organization. */
  readonly owner?: string;
  /** Stops the read, in QuestDB too, when the caller has disconnected. */
  readonly signal?: AbortSignal;
  /** The time that it reads, where it may be long: such a read is not begun while QuestDB may map too few files for it. */
  readonly range?: TimeRange;
  /** Reads on a connection that is opened for it, as a check of what another read found. */
  readonly isCheck?: boolean;
  /** The deadline of the call that the read belongs to, in performance.now() time, and its full timeout. */
  readonly deadline?: Deadline;
};

type Deadline = { readonly untilMs: number; readonly timeoutMs: number };

/** OIDs of the PostgreSQL wire protocol (pg_type.dat of PostgreSQL). */
const int8Oid = 20;
const timestampOid = 1114;

const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === int8Oid) return Number;
    // QuestDB sends UTC without a zone, which pg would read in the machine's zone.
    if (oid === timestampOid) return (text: string) => Date.parse(`${text.replace(" ", "T")}Z`);
    return pg.types.getTypeParser(oid, format);
  },
};

const textTypes: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text };

/** Since pg 8.12; its type declarations do not have it yet. */
type ExtendedQuery = pg.QueryConfig & { queryMode: "extended" };
type ArrayQuery = pg.QueryArrayConfig & { queryMode: "extended" };

/** The wait for a turn included. */
const span: SpanOptions = { kind: "client", attributes: { "db.system.name": "questdb" } };

/** How long a cancelled statement may take to end before its connection is closed. */
const cancelGraceMs = 1_000;

/**
 * The most rows that one read may hold: above the highest limit of an answer (specification part 8), far below what
 * would hurt.
 */
const maxHeldRows = 100_000;

/** Connections of reads that check others, at once. */
const checksAtOnce = 2;

/**
 * Reads QuestDB over the PostgreSQL wire protocol. Every value is a bound parameter. Text without parameters could hold
 * several statements, so even a statement without values uses the extended protocol.
 *
 * Reads with an owner take turns with those of other owners. A read that times out, whose caller has disconnected or that
 * returns too many rows is cancelled in QuestDB and keeps its slot until QuestDB has stopped.
 */
export class QuestdbReader {
  /** The shard whose rows it has; empty with a single QuestDB. */
  readonly shard: string;
  /** The files that its QuestDB has mapped. */
  readonly maps: QuestdbMaps;
  readonly #pool: pg.Pool;
  readonly #checks: pg.Pool;
  readonly #queue: FairQueue;
  readonly #settings: Config["questdb"];

  constructor(settings: Config["questdb"], shard = "") {
    this.shard = shard;
    this.#settings = settings;
    this.maps = new QuestdbMaps(settings, async (table) => {
      const [row] = await this.read(`SELECT count() AS "partitions" FROM table_partitions('${table}')`, []);
      return Number(row?.["partitions"]);
    });
    this.#pool = openPool(settings, { max: settings.poolSize });
    this.#checks = openPool(settings, { max: checksAtOnce, maxUses: 1 });
    this.#queue = new FairQueue({
      atOnce: settings.poolSize,
      atOncePerOwner: Math.min(settings.readsPerWebsite, settings.poolSize),
      maxWaiting: settings.maxWaitingReads,
      maxWaitingPerOwner: settings.maxWaitingReadsPerWebsite,
      maxWaitMs: settings.queryTimeoutMs,
    });
  }

  /**
   * Rows of one statement with `$1`, `$2` … bound.
   *
   * Rejects with the driver's error, which must not be shown in answers; with StoreFailure when it takes too long,
   * returns too many rows, too many reads are queued or QuestDB breaks it off repeatedly, and when the signal aborts.
   */
  async read(sql: string, values: readonly BoundValue[], options: ReadOptions = {}): Promise<Row[]> {
    const rows: Row[] = [];
    const query = () => new pg.Query<Row>(extended(sql, values));
    const maxRows = options.owner === undefined ? Number.POSITIVE_INFINITY : maxHeldRows;
    const forget = (): void => {
      rows.length = 0;
    };
    const held = { take: (row: Row) => rows.push(row), forget };
    await inSpan("questdb read", span, () => this.#queued(sql, query, maxRows, held, options));
    return rows;
  }

  /**
   * Streams the rows of one statement to `take` without holding them. Rejects like `read`, and with what `take` throws.
   */
  async readEach(
    sql: string,
    values: readonly BoundValue[],
    take: (row: TextRow) => void,
    options: ReadOptions = {},
  ): Promise<void> {
    const config: ArrayQuery = { ...extended(sql, values), rowMode: "array", types: textTypes };
    const query = () => new pg.Query<(string | null)[]>(config);
    await inSpan("questdb read", span, () => this.#queued(sql, query, this.#settings.maxRowsRead, { take }, options));
  }

  /**
   * Runs a statement that changes rows or tables; $1, $2 … are written into its text. It uses HTTP: a connection of the
   * PostgreSQL wire protocol would keep a writer of each table it changed, and thereby segments of the write-ahead log,
   * as long as it lives.
   */
  async change(sql: string, values: readonly (string | number)[] = []): Promise<void> {
    const { http, queryTimeoutMs } = this.#settings;
    const statement = withLiterals(sql, values);
    await inSpan("questdb change", span, () => executeStatement(http, statement, queryTimeoutMs));
  }

  async close(): Promise<void> {
    this.maps.close();
    await Promise.all([this.#pool.end(), this.#checks.end()]);
  }

  async #queued<R>(
    sql: string,
    query: () => RowQuery<R>,
    maxRows: number,
    { take, forget }: Rows<R>,
    options: ReadOptions,
  ): Promise<void> {
    const { signal, range } = options;
    let hasTaken = false;
    const takeAndMark = (row: R): void => {
      hasTaken = true;
      take(row);
    };
    const mayRepeat = (): boolean => {
      if (hasTaken && forget === undefined) return false;
      forget?.();
      hasTaken = false;
      return true;
    };
    const needed = range === undefined ? 0 : await this.maps.needed(sql, range);
    const read = () => this.maps.run(needed, () => this.#run(query(), maxRows, takeAndMark, options));
    try {
      // The pauses between the attempts take up no connection.
      await whenFilesCanBeMapped(
        () => unlessBrokenOff(() => this.#inTurn(read, options), mayRepeat, this.#settings.queryTimeoutMs),
        () => this.maps.canMap(needed) && mayRepeat(),
        signal,
      );
    } catch (error) {
      if (error instanceof StoreFailure && error.problem.kind === "too_many_files") this.maps.noteRefusal();
      throw error;
    }
  }

  /** Runs a read in the turn of its owner; one without an owner at once. */
  async #inTurn(run: () => Promise<void>, { owner, signal, deadline }: ReadOptions): Promise<void> {
    if (owner === undefined) return run();
    const { queryTimeoutMs, maxWaitingReadsPerWebsite } = this.#settings;
    const waitMs = deadline === undefined ? Number.POSITIVE_INFINITY : leftMs(deadline);
    try {
      await this.#queue.run(owner, signal, run, waitMs);
    } catch (error) {
      if (!(error instanceof RefusedWorkError)) throw error;
      // By the shorter limit and not by the clock: a timer may fire a millisecond before the deadline.
      if (error.refusal === "waited_too_long" && deadline !== undefined && waitMs <= queryTimeoutMs)
        throw callTooLong(deadline);
      throw refused(error.refusal, maxWaitingReadsPerWebsite);
    }
  }

  async #run<R>(
    query: RowQuery<R>,
    maxRows: number,
    take: (row: R) => void,
    { signal, deadline, isCheck = false }: ReadOptions,
  ): Promise<void> {
    if (deadline !== undefined && leftMs(deadline) <= 0) throw callTooLong(deadline);
    const client = await (isCheck ? this.#checks : this.#pool).connect();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let stopped: unknown;
    let grace: NodeJS.Timeout | undefined;
    const stop = (reason: unknown): void => {
      if (stopped !== undefined) return;
      stopped = reason;
      grace = setTimeout(() => reject(reason), cancelGraceMs);
      void cancelStatement(client);
    };
    const { queryTimeoutMs } = this.#settings;
    const timer =
      deadline !== undefined && leftMs(deadline) < queryTimeoutMs
        ? setTimeout(() => stop(callTooLong(deadline)), leftMs(deadline))
        : setTimeout(
            () => stop(new StoreFailure({ kind: "read_too_long", timeoutMs: queryTimeoutMs })),
            queryTimeoutMs,
          );
    const abandon = (): void => stop(new StoreFailure({ kind: "given_up" }));
    signal?.addEventListener("abort", abandon, { once: true });
    let rows = 0;
    let isPaused = false;
    const pauseStream = async (): Promise<void> => {
      isPaused = true;
      const { stream } = connectionOf(client);
      stream.pause();
      await nextSlice();
      stream.resume();
      isPaused = false;
    };
    query.on("row", (row) => {
      // The system hands over up to 2 MiB of rows in one event-loop tick.
      if (!isPaused && sliceIsOver()) void pauseStream();
      if (stopped !== undefined) return;
      rows += 1;
      // An exception in the driver's listener would end the process.
      try {
        if (rows > maxRows) throw new StoreFailure({ kind: "too_many_rows", maxRows });
        take(row);
      } catch (error) {
        stop(error);
      }
    });
    query.on("error", reject);
    query.on("end", () => resolve());
    let isUsable = false;
    try {
      if (signal?.aborted) throw new StoreFailure({ kind: "given_up" });
      client.query(query);
      await promise;
      isUsable = stopped === undefined;
    } catch (error) {
      if (error instanceof Error) noteFailedMapping("select", error.message, this.#settings.http);
      throw stopped ?? error;
    } finally {
      clearTimeout(timer);
      clearTimeout(grace);
      signal?.removeEventListener("abort", abandon);
      // A cancelled connection is not used again: the cancel request might still hit its next statement.
      client.release(!isUsable);
    }
    if (stopped !== undefined) throw stopped;
  }
}

function openPool(settings: Config["questdb"], limits: Pick<pg.PoolConfig, "max" | "maxUses">): pg.Pool {
  const pool = new pg.Pool({
    ...limits,
    connectionString: settings.pg,
    connectionTimeoutMillis: settings.queryTimeoutMs,
    types,
  });
  // An idle connection that breaks is replaced at the next read; without a listener it would end the process.
  pool.on("error", () => undefined);
  // Same for a connection in use; its statement rejects as well.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** Where the rows of a read go; `forget` takes them back, so that the read can be repeated. */
type Rows<R> = { take(row: R): void; forget?(): void };

/** The driver's query events, for rows of any type. */
type RowQuery<R> = pg.Submittable & {
  on(event: "row", listener: (row: R) => void): unknown;
  on(event: "end", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
};

/** The failure of a read that was not started. */
function refused(refusal: Refusal, maxWaiting: number): StoreFailure {
  if (refusal === "aborted") return new StoreFailure({ kind: "given_up" });
  return new StoreFailure(refusal === "owner_full" ? { kind: "owner_queue_full", maxWaiting } : { kind: "queue_full" });
}

/** A call may make many reads; together they took too long. */
export function callTooLong({ timeoutMs }: Pick<Deadline, "timeoutMs">): StoreFailure {
  return new StoreFailure({ kind: "call_too_long", timeoutMs });
}

function leftMs({ untilMs }: Deadline): number {
  return untilMs - performance.now();
}

/** The socket of a connection; the driver's type declarations omit it. */
function connectionOf(client: pg.PoolClient): { readonly stream: Socket } {
  return (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
}

function extended(sql: string, values: readonly BoundValue[]): ExtendedQuery {
  return { text: sql, values: [...values], queryMode: "extended" };
}
