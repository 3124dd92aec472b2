import type { Pool, PoolClient } from "pg";
import { poll } from "../../concurrency/poll.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import { maxStaleMs, type Placement } from "../shards/placements.ts";

/** Changes a placement and whatever `work` does with it, and resolves to the number of the change. */
export async function changePlacement(
  postgres: Pick<Pool, "connect">,
  work: (client: PoolClient) => Promise<unknown>,
): Promise<number> {
  return await inTransaction(postgres, async (client) => {
    await work(client);
    // Last, since other changes wait for it.
    const { rows } = await client.query<{ epoch: string }>(
      "UPDATE placement_epoch SET epoch = epoch + 1 RETURNING epoch",
    );
    return Number(rows[0]?.epoch);
  });
}

/** Sets the state of a move in the placement of its organization. */
export async function setMovingState(
  client: Pick<PoolClient, "query">,
  organizationId: string,
  state: Placement["movingState"],
): Promise<void> {
  await client.query(
    `UPDATE placements SET moving_state = $2${state === null ? ", moving_to = NULL, moving_since = NULL" : ""}
     WHERE organization_id = $1 AND moving_to IS NOT NULL`,
    [organizationId, state],
  );
}

/** A process that cannot reach PostgreSQL for so long goes by no placement any more; with the time that its report may be old. */
const silentForMs = maxStaleMs + 30_000;

/**
 * Resolves when every process knows a change: no row, read or computation that begins from then on goes by a placement from before. One that does not
 * report is waited for until it has forgotten what it knew.
 */
export async function whenFollowed(
  postgres: Pick<Pool, "query">,
  epoch: number,
  onWait: (reason: string) => void,
  signal: AbortSignal,
): Promise<void> {
  await poll(async () => {
    const { rows } = await postgres.query<{ place: string; silentMs: number }>(
      `SELECT place, (extract(epoch FROM clock_timestamp() - seen_at) * 1000)::float8 AS "silentMs" FROM log_directories
       WHERE coalesce(placement_epoch, -1) < $1 AND seen_at > clock_timestamp() - $2 * interval '1 millisecond' ORDER BY seen_at`,
      [epoch, silentForMs],
    );
    const [first] = rows;
    if (first === undefined) return true;
    const isSilent = first.silentMs > 10_000;
    const left = `${Math.ceil((silentForMs - first.silentMs) / 60_000)} minutes`;
    onWait(
      `waiting for the process with the log ${first.place}${isSilent ? `, which does not report: start it, or wait ${left}` : ""}`,
    );
    return false;
  }, signal);
}
