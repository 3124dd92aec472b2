import type { Pool } from "pg";
import { epochMs } from "../../store/postgres/epochMs.ts";
import type { KeyedRow } from "../../store/questdb/keyedRow.ts";
import type { CommitGuard, CommitPass } from "../../store/write/commitGuard.ts";
import { ownerOfRow } from "../../store/write/rowOwner.ts";

/**
 * Rows of an owner received before `beforeMs` (Unix ms). `areMoved`: those that came from another shard, otherwise the others.
 */
type Gone = { readonly owner: string; readonly beforeMs: number; readonly areMoved: boolean };

/** Often enough: such rows only come back long after a move. */
const readEveryMs = 10_000;

/**
 * Rejects rows of organizations that left this shard, and rows that a cancelled move had copied, so that a rebuilt replica does
 * not resurrect them. An organization that is here again, or is moving here, is let in as a whole.
 */
export class MovedRowGuard implements CommitGuard {
  readonly #inner: CommitGuard;
  readonly #postgres: Pick<Pool, "query">;
  readonly #shard: string;
  #gone: ReadonlyMap<string, readonly Gone[]> = new Map();
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(inner: CommitGuard, postgres: Pick<Pool, "query">, shard: string) {
    this.#inner = inner;
    this.#postgres = postgres;
    this.#shard = shard;
  }

  async enter(rows: readonly KeyedRow[], receivedMs: readonly number[]): Promise<CommitPass> {
    if (performance.now() - this.#readMs > readEveryMs) await this.#read();
    const pass = await this.#inner.enter(rows, receivedMs);
    if (this.#gone.size === 0) return pass;
    const gone = rows.keys().filter((index) => {
      const row = rows[index];
      const areMoved = row?.moved !== undefined;
      const known = row === undefined ? [] : (this.#gone.get(ownerOfRow(row)) ?? []);
      return known.some((each) => each.areMoved === areMoved && (receivedMs[index] ?? 0) < each.beforeMs);
    });
    return { refused: new Set([...pass.refused, ...gone]), leave: () => pass.leave() };
  }

  async #read(): Promise<void> {
    const { rows } = await this.#postgres.query<Gone>(
      `WITH gone AS (
         SELECT organization_id, left_at AS before, false AS "areMoved" FROM organization_moves WHERE from_shard = $1 AND left_at IS NOT NULL
         UNION ALL
         SELECT organization_id, completed_at, true FROM organization_moves WHERE to_shard = $1 AND phase = 'cancelled'
       ), owners AS (
         SELECT id AS owner, organization_id FROM websites UNION ALL SELECT id, id FROM organizations
       )
       SELECT owner, ${epochMs("before")} AS "beforeMs", "areMoved" FROM gone JOIN owners USING (organization_id)
       JOIN placements USING (organization_id)
       WHERE shard <> $1 AND (moving_to IS DISTINCT FROM $1 OR moving_state = 'leaving')`,
      [this.#shard],
    );
    this.#gone = Map.groupBy(rows, ({ owner }) => owner);
    this.#readMs = performance.now();
  }
}
