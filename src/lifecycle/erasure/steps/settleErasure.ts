import { readDeletion } from "../request/findDeletion.ts";
import type { ErasureTools } from "./erasureTools.ts";
import { recomputeTouchedDays } from "./recomputeTouchedDays.ts";
import { verifyErased } from "./verifyErased.ts";

/**
 * Recomputes what was derived from erased rows, verifies that no row is left, and records since when nothing can be
 * read.
 */
export async function settleErasure(
  tools: Pick<ErasureTools, "questdb" | "postgres" | "rows">,
  id: string,
  settleMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { phase } = await readDeletion(tools.postgres, id);
  if (phase === "erasing") await tools.postgres.query("UPDATE deletions SET phase = 'recomputing' WHERE id = $1", [id]);
  do await recomputeTouchedDays(tools, id, settleMs, signal);
  while ((await verifyErased(tools, id, signal)) > 0);
  await tools.postgres.query("UPDATE deletions SET unreadable_at = clock_timestamp() WHERE id = $1", [id]);
}
