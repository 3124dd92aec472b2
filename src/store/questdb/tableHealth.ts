import type { Logger } from "pino";
import { repeat } from "../../concurrency/poll.ts";
import type { Config } from "../../config.ts";
import { freeBytesAt } from "../../observability/freeBytes.ts";
import type { Metrics } from "../../observability/metrics.ts";
import { ApplyLag } from "./applyLag.ts";
import { type Cell, executeStatement } from "./executeStatement.ts";
import { noteFailedMapping } from "./failedMappings.ts";
import { Standstill } from "./standstill.ts";
import { remedyFor, retryWaitMs } from "./suspension.ts";
import { type AnyTable, allTables, indexedColumns } from "./tables.ts";
import { askWalStates, type WalState } from "./walStates.ts";

type Settings = Pick<Config["questdb"], "http" | "queryTimeoutMs" | "root" | "stuckAfterMs">;
type HealthMetrics = Pick<Metrics, "suspendedTables" | "unappliedTransactions">;
type HealthLog = Pick<Logger, "error" | "info">;

/** A suspended table: the last transaction it applied, and the attempts to resume it from there. */
type Suspension = {
  readonly applied: number;
  attempts: number;
  nextAttemptMs: number;
  isIndexRebuilt: boolean;
  /** Error tags that were logged already. */
  readonly reportedTags: Set<string>;
};

const pollMs = 1_000;

/** Fewer free bytes count as a full disk. */
const minFreeBytes = 67_108_864;

/**
 * Watches for suspended tables and resumes them.
 *
 * QuestDB suspends a table when it cannot apply a transaction of its write-ahead log, for example on a full disk. It
 * keeps accepting commits, but queries do not see them until the table is resumed. Resuming starts at the transaction
 * that failed. None is ever skipped, since its rows would be lost.
 *
 * After a failure the indexes are built again: a transaction that failed on a full disk may leave its rows in an index
 * and add them a second time when it is applied, and queries that use the index then count them twice.
 *
 * Nothing is tried while the disk is full, where it can be seen: a DROP INDEX that fails halfway leaves files behind at which it fails
 * ever after (QuestDB 9.3.4, `cannot hardLink`).
 *
 * Each process does this for itself: resuming a table twice does no harm, and this needs no other store that a full
 * disk may have stopped too.
 */
export class TableHealth {
  readonly #settings: Settings;
  readonly #metrics: HealthMetrics;
  readonly #log: HealthLog;
  readonly #suspensions = new Map<AnyTable, Suspension>();
  readonly #labels: { readonly node?: string };
  readonly #applyLags = new Map<AnyTable, ApplyLag>(allTables.map((table) => [table, new ApplyLag()]));
  readonly #standstills = new Map<AnyTable, Standstill>(allTables.map((table) => [table, new Standstill()]));
  #applyLagMs = 0;
  #stuckTables: readonly AnyTable[] = [];

  /** `node` names the QuestDB where there are several. */
  constructor(settings: Settings, metrics: HealthMetrics, log: HealthLog, node = "") {
    this.#settings = settings;
    this.#labels = node === "" ? {} : { node };
    this.#metrics = metrics;
    this.#log = log;
  }

  /** Tables whose new rows are invisible to queries. */
  get suspendedTables(): readonly AnyTable[] {
    return [...this.#suspensions.keys()];
  }

  /** Tables that are not suspended, and to which QuestDB has applied nothing for `stuckAfterMs` though transactions wait. */
  get stuckTables(): readonly AnyTable[] {
    return this.#stuckTables;
  }

  /** For how long committed rows have been waiting until queries see them, ms; of tables that are not suspended, and at most a second old. */
  get applyLagMs(): number {
    return this.#applyLagMs;
  }

  /**
   * Watches until `stop` aborts. Never rejects: a QuestDB that does not answer is reported by the callers that need an
   * answer.
   */
  async watch(stop: AbortSignal): Promise<void> {
    const check = async () => {
      const states = await this.#readStates(stop);
      const nowMs = performance.now();
      const lagsMs = states.map(([table, state]) => {
        const lagMs = this.#applyLags.get(table)?.note(state, nowMs) ?? 0;
        return state.isSuspended ? 0 : lagMs;
      });
      this.#applyLagMs = Math.max(0, ...lagsMs);
      this.#stuckTables = states.flatMap(([table, state]) => {
        const standsMs = this.#standstills.get(table)?.note(state, nowMs) ?? 0;
        return standsMs < this.#settings.stuckAfterMs ? [] : [table];
      });
      for (const [table, state] of states) await this.#check(table, state, stop);
    };
    await repeat(check, pollMs, stop, () => undefined);
  }

  async #check(table: AnyTable, state: WalState, stop: AbortSignal): Promise<void> {
    this.#metrics.unappliedTransactions.set({ ...this.#labels, table }, state.committed - state.applied);
    const known = this.#suspensions.get(table);
    const isStuck = state.isSuspended || (known !== undefined && !hasProgressed(known, state));
    this.#metrics.suspendedTables.set({ ...this.#labels, table }, isStuck ? 1 : 0);
    if (!isStuck) {
      if (known === undefined || (!known.isIndexRebuilt && !(await this.#hasRoom()))) return;
      await this.#rebuildIndexes(table, known, stop);
      if (!known.isIndexRebuilt) return;
      this.#suspensions.delete(table);
      this.#log.info(
        { ...this.#labels, table, attempts: known.attempts },
        "QuestDB applies the table's new rows again",
      );
      return;
    }
    // Resumed, but not known yet whether it makes progress.
    if (!state.isSuspended) return;
    const suspension = known?.applied === state.applied ? known : this.#begin(table, state, known);
    this.#report(table, state, suspension);
    if (performance.now() < suspension.nextAttemptMs || !(await this.#hasRoom())) return;
    suspension.attempts += 1;
    suspension.nextAttemptMs = performance.now() + retryWaitMs(suspension.attempts);
    // Before the table is resumed, so that a crash in between cannot skip it: a suspended table queues such statements.
    await this.#rebuildIndexes(table, suspension, stop);
    await this.#run(`ALTER TABLE ${table} RESUME WAL`, stop);
  }

  /**
   * Drops and adds the table's indexes, once for each suspension. Statements that fail, as on a disk that is still full,
   * are tried again; one also fails if another process was faster with it.
   */
  async #rebuildIndexes(table: AnyTable, suspension: Suspension, stop: AbortSignal): Promise<void> {
    if (suspension.isIndexRebuilt) return;
    const succeeds = (statement: string) =>
      this.#run(statement, stop).then(
        () => true,
        () => false,
      );
    const outcomes: boolean[] = [];
    for (const column of indexedColumns[table] ?? []) {
      const isDropped = await succeeds(`ALTER TABLE ${table} ALTER COLUMN ${column} DROP INDEX`);
      const isAdded = await succeeds(`ALTER TABLE ${table} ALTER COLUMN ${column} ADD INDEX`);
      outcomes.push(isDropped || isAdded);
    }
    suspension.isIndexRebuilt = outcomes.every(Boolean);
  }

  async #hasRoom(): Promise<boolean> {
    const { root } = this.#settings;
    return root === undefined || (await freeBytesAt(root)) >= minFreeBytes;
  }

  #begin(table: AnyTable, state: WalState, before: Suspension | undefined): Suspension {
    const suspension = {
      applied: state.applied,
      attempts: 0,
      nextAttemptMs: performance.now() + retryWaitMs(0),
      isIndexRebuilt: false,
      reportedTags: before?.reportedTags ?? new Set<string>(),
    };
    this.#suspensions.set(table, suspension);
    noteFailedMapping("apply", state.reason, this.#settings.http);
    return suspension;
  }

  #report(table: AnyTable, { errorTag, reason }: WalState, { reportedTags }: Suspension): void {
    if (reportedTags.has(errorTag)) return;
    reportedTags.add(errorTag);
    this.#log.error(
      { ...this.#labels, table, reason, errorTag, todo: remedyFor(table, errorTag, reason) },
      "QuestDB has suspended a table: new rows are kept, but queries do not see them until it is resumed",
    );
  }

  async #readStates(stop: AbortSignal): Promise<(readonly [AnyTable, WalState])[]> {
    const { http, queryTimeoutMs } = this.#settings;
    const states = await askWalStates(http, queryTimeoutMs, stop);
    return allTables.flatMap((table) => {
      const state = states.get(table);
      return state === undefined ? [] : [[table, state] as const];
    });
  }

  #run(statement: string, stop: AbortSignal): Promise<Cell[][]> {
    const { http, queryTimeoutMs } = this.#settings;
    return executeStatement(http, statement, queryTimeoutMs, stop);
  }
}

/** A resumed table is healthy once it has applied the transaction that it was stuck at, or has none left. */
function hasProgressed(suspension: Suspension, state: WalState): boolean {
  return state.applied > suspension.applied || state.applied >= state.committed;
}
