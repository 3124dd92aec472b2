import { poll } from "../../../concurrency/poll.ts";
import { readDeletion } from "../deletion/readDeletion.ts";
import type { ErasureTools } from "../stores/erasureTools.ts";

/**
 * Resolves when every earlier deletion of the same website has erased its rows, so that each counts what the others
 * left.
 */
export async function awaitTurn(
  { postgres }: Pick<ErasureTools, "postgres">,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  await readDeletion(postgres, id);
  await poll(async () => {
    const { rows } = await postgres.query(
      `SELECT FROM deletions mine JOIN deletions other USING (website_id)
       WHERE mine.id = $1 AND other.status = 'processing' AND other.unreadable_at IS NULL
         AND (other.created_at, other.id) < (mine.created_at, mine.id) LIMIT 1`,
      [id],
    );
    return rows.length === 0;
  }, signal);
}
