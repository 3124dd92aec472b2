import type { Socket } from "node:net";
import pg from "pg";
import { FairQueue, RefusedWorkError } from "../../concurrency/fairQueue.ts";
import { nextSlice, sliceIsOver } from "../../concurrency/timeSlices.ts";
import type { Config } from "../../config.ts";
import { callerGone } from "../../errors.ts";
import { cancelStatement } from "../postgres/cancelStatement.ts";
import { executeStatement } from "./executeStatement.ts";
import { whenFilesCanBeMapped } from "./mappedFiles.ts";
import { readQuestdbAddress } from "./questdbAddress.ts";
import { callTookTooLong, readRefused, readTookTooLong, readTooManyRows } from "./readFailure.ts";
import { withLiterals } from "./withLiterals.ts";

/** A value that QuestDB binds. Numbers are sent as text and cast by QuestDB to the column's type. */
export type BoundValue = string | number | null;

/** A row; LONG is a number, TIMESTAMP Unix ms. */
export type Row = Record<string, string | number | boolean | null>;

/** A row as QuestDB writes it, a text for each column. */
export type TextRow = readonly (string | null)[];

/** Who a read is for. Without an owner it belongs to the service itself and waits for nobody. */
export type ReadOptions = {
  /** Who shares are fair between: a website or an organization. */
  readonly owner?: string;
  /** Stops the read, in QuestDB too, when nobody waits for it any more. */
  readonly signal?: AbortSignal;
  /** When the call that the read is for must have ended, by the clock of performance.now(), and how long it may take. */
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

/** pg 8.12 and later; its type declarations do not have it yet. */
type ExtendedQuery = pg.QueryConfig & { queryMode: "extended" };
type ArrayQuery = pg.QueryArrayConfig & { queryMode: "extended" };

/** How long a cancelled statement may take to end before its connection is closed. */
const cancelGraceMs = 1_000;

/** Rows that one read may hold: above the highest limit of an answer (specification part 8), far below what would hurt. */
const maxHeldRows = 100_000;

/**
 * Reads QuestDB over the PostgreSQL wire. Every value travels as a bound parameter: text without parameters could hold several
 * statements, so even a statement without values goes through the extended protocol.
 *
 * Reads with an owner take turns with those of other owners. A read whose time is up, whose caller has gone or whose rows are too many
 * is cancelled in QuestDB and keeps its place until QuestDB has stopped.
 */
export class QuestdbReader {
  readonly #pool: pg.Pool;
  readonly #queue: FairQueue;
  readonly #settings: Config["questdb"];

  constructor(settings: Config["questdb"]) {
    this.#settings = settings;
    this.#pool = new pg.Pool({
      connectionString: settings.pg,
      max: settings.poolSize,
      connectionTimeoutMillis: settings.queryTimeoutMs,
      types,
    });
    // An idle connection that breaks is replaced at the next read; without a listener it would end the process.
    this.#pool.on("error", () => undefined);
    // So would one that breaks while it is lent: its statement rejects as well.
    this.#pool.on("connect", (client) => client.on("error", () => undefined));
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
   * Rejects with the driver's error, which no answer may show; with ReadLimitError when it takes too long or has too many rows; with
   * RATE_LIMIT_EXCEEDED or SERVICE_UNAVAILABLE when too many reads wait, and when the signal aborts.
   */
  async read(sql: string, values: readonly BoundValue[], options: ReadOptions = {}): Promise<Row[]> {
    const rows: Row[] = [];
    const query = () => new pg.Query<Row>(extended(sql, values));
    const maxRows = options.owner === undefined ? Number.POSITIVE_INFINITY : maxHeldRows;
    await this.#inTurn(query, maxRows, (row: Row) => rows.push(row), options);
    return rows;
  }

  /** Hands the rows of one statement on as they arrive and holds none of them. Rejects like `read`, and with what `take` throws. */
  async readEach(
    sql: string,
    values: readonly BoundValue[],
    take: (row: TextRow) => void,
    options: ReadOptions = {},
  ): Promise<void> {
    const config: ArrayQuery = { ...extended(sql, values), rowMode: "array", types: textTypes };
    await this.#inTurn(() => new pg.Query<(string | null)[]>(config), this.#settings.maxRowsRead, take, options);
  }

  /**
   * Runs a statement that changes rows or tables; $1, $2 … are written into its text. It goes over HTTP: a connection of the PostgreSQL
   * wire keeps the writer of a table that it changed, and with it segments of its log, for as long as it lives.
   */
  async change(sql: string, values: readonly (string | number)[] = []): Promise<void> {
    const { http, queryTimeoutMs } = this.#settings;
    await executeStatement(readQuestdbAddress(http), withLiterals(sql, values), queryTimeoutMs);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #inTurn<R>(
    query: () => RowQuery<R>,
    maxRows: number,
    take: (row: R) => void,
    options: ReadOptions,
  ): Promise<void> {
    const { owner, signal, deadline } = options;
    let hasTaken = false;
    const takeNoting = (row: R): void => {
      hasTaken = true;
      take(row);
    };
    const attempt = () => this.#run(query(), maxRows, takeNoting, options);
    const run = () => whenFilesCanBeMapped(attempt, () => !hasTaken, signal);
    if (owner === undefined) return run();
    try {
      await this.#queue.run(owner, signal, run, deadline === undefined ? undefined : leftMs(deadline));
    } catch (error) {
      if (error instanceof RefusedWorkError && deadline !== undefined && leftMs(deadline) <= 0)
        throw callTookTooLong(deadline.timeoutMs);
      throw error instanceof RefusedWorkError
        ? readRefused(error.refusal, this.#settings.maxWaitingReadsPerWebsite)
        : error;
    }
  }

  async #run<R>(
    query: RowQuery<R>,
    maxRows: number,
    take: (row: R) => void,
    { signal, deadline }: ReadOptions,
  ): Promise<void> {
    if (deadline !== undefined && leftMs(deadline) <= 0) throw callTookTooLong(deadline.timeoutMs);
    const client = await this.#pool.connect();
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
        ? setTimeout(() => stop(callTookTooLong(deadline.timeoutMs)), leftMs(deadline))
        : setTimeout(() => stop(readTookTooLong(queryTimeoutMs)), queryTimeoutMs);
    const abandon = (): void => stop(callerGone());
    signal?.addEventListener("abort", abandon, { once: true });
    let rows = 0;
    let isResting = false;
    const rest = async (): Promise<void> => {
      isResting = true;
      const { stream } = connectionOf(client);
      stream.pause();
      await nextSlice();
      stream.resume();
      isResting = false;
    };
    query.on("row", (row) => {
      // The system hands over up to 2 MiB of rows in one turn of the event loop.
      if (!isResting && sliceIsOver()) void rest();
      if (stopped !== undefined) return;
      rows += 1;
      // An error in the driver's listener would end the process.
      try {
        if (rows > maxRows) throw readTooManyRows(maxRows);
        take(row);
      } catch (error) {
        stop(error);
      }
    });
    query.on("error", reject);
    query.on("end", () => resolve());
    let isUsable = false;
    try {
      if (signal?.aborted) throw callerGone();
      client.query(query);
      await promise;
      isUsable = stopped === undefined;
    } catch (error) {
      throw stopped ?? error;
    } finally {
      clearTimeout(timer);
      clearTimeout(grace);
      signal?.removeEventListener("abort", abandon);
      // A connection that was cancelled is not used again: the request might still reach its next statement.
      client.release(!isUsable);
    }
    if (stopped !== undefined) throw stopped;
  }
}

/** What the driver tells of a query, whatever its rows are. */
type RowQuery<R> = pg.Submittable & {
  on(event: "row", listener: (row: R) => void): unknown;
  on(event: "end", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
};

function leftMs({ untilMs }: Deadline): number {
  return untilMs - performance.now();
}

/** The socket of a connection; the driver's type declarations leave it out. */
function connectionOf(client: pg.PoolClient): { readonly stream: Socket } {
  return (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
}

function extended(sql: string, values: readonly BoundValue[]): ExtendedQuery {
  return { text: sql, values: [...values], queryMode: "extended" };
}
