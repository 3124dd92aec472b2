import { Standstill, type TableProgress } from "../src/store/questdb/standstill.ts";

type Watched = { standstill: Standstill; applied: number; restarts: number };

/**
 * Decides when a QuestDB is ended, so that it starts again: once it has applied nothing to a table for `afterMs`, though transactions wait
 * and it answers. A large erasure may take as long without standing still, and begins anew after a restart. So the time is doubled after
 * each one until something was applied.
 */
export class StandstillRule {
  readonly #afterMs: number;
  readonly #tables = new Map<string, Watched>();

  constructor(afterMs: number) {
    this.#afterMs = afterMs;
  }

  /** Why it has to end, as the end of a sentence about it; undefined while it need not. */
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
