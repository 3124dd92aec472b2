import { Standstill, type TableProgress } from "../src/store/questdb/standstill.ts";

type Watched = { standstill: Standstill; applied: number; restarts: number };

/**
 * Decides when to restart a QuestDB: once it has applied nothing to a table for `afterMs`, though it answers and transactions
 * wait. A large erasure may take as long without standing still, and begins anew after a restart. So the time doubles after each
 * restart until something is applied.
 */
export class StandstillRule {
  readonly #afterMs: number;
  readonly #tables = new Map<string, Watched>();

  constructor(afterMs: number) {
    this.#afterMs = afterMs;
  }

  /** The reason for a restart, as the end of a sentence about QuestDB; undefined if none is needed. */
  decide(tables: ReadonlyMap<string, TableProgress>, nowMs: number): string | undefined {
    let reason: string | undefined;
    for (const [table, state] of tables) {
      const watched = this.#tables.get(table) ?? { standstill: new Standstill(), applied: state.applied, restarts: 0 };
      this.#tables.set(table, watched);
      if (state.applied !== watched.applied) watched.restarts = 0;
      watched.applied = state.applied;
      const standsMs = watched.standstill.note(state, nowMs);
      if (standsMs < this.#afterMs * 2 ** watched.restarts) continue;
      watched.restarts += 1;
      watched.standstill = new Standstill();
      reason ??= `has applied nothing to the table ${table} for ${Math.round(standsMs / 1_000)} s, though transactions wait`;
    }
    return reason;
  }
}
