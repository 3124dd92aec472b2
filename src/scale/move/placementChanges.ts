import type { Pool, PoolClient } from "pg";
import { poll } from "../../concurrency/poll.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import { maxStaleMs, type Placement } from "../shards/placements.ts";

/** Runs `work`, which changes placements, in a transaction. Resolves to the number of the change. */
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

/** After this time without PostgreSQL a process has dropped its placements (includes the delay of its report). */
const silentForMs = maxStaleMs + 30_000;

/**
 * Resolves when every process knows a change: from then on no row, read or computation begins with an older placement. A process
 * that does not report is waited for until its placements have expired.
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
