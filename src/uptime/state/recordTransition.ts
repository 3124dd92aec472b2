import type { Pool } from "pg";
import type { IncidentChange } from "./state.ts";
import { incidentId, type Transition } from "./transition.ts";

/**
 * Writes a transition of an incident to PostgreSQL. Safe to repeat, and in any order: a resolved incident stays
 * resolved, and its figures only grow. For a monitor that no longer exists nothing is written.
 */
export async function recordTransition(postgres: Pick<Pool, "query">, transition: Transition): Promise<void> {
  if (transition.kind === "certificateExpiring") return;
  const { monitorId, change } = transition;
  await postgres.query(
    `INSERT INTO incidents (id, monitor_id, started_at, resolved_at, first_error, checks_affected, regions)
     SELECT $1, id, to_timestamp($3::float8 / 1000), to_timestamp($4::float8 / 1000), $5, $6, $7 FROM monitors WHERE id = $2
     ON CONFLICT (id) DO UPDATE SET
       resolved_at = coalesce(incidents.resolved_at, excluded.resolved_at),
       regions = CASE WHEN excluded.checks_affected >= incidents.checks_affected THEN excluded.regions ELSE incidents.regions END,
       checks_affected = greatest(incidents.checks_affected, excluded.checks_affected)`,
    [
      incidentId(monitorId, change.startedMs),
      monitorId,
      change.startedMs,
      change.resolvedMs ?? null,
      storedText(change.firstError),
      change.checksAffected,
      change.regions,
    ],
  );
}

/** Records how an open incident has grown. Does nothing if its opening is not recorded yet. */
export async function recordGrowth(
  postgres: Pick<Pool, "query">,
  monitorId: string,
  { startedMs, checksAffected, regions }: IncidentChange,
): Promise<void> {
  await postgres.query(
    `UPDATE incidents SET checks_affected = $2, regions = $3 WHERE id = $1 AND checks_affected < $2`,
    [incidentId(monitorId, startedMs), checksAffected, regions],
  );
}

/** PostgreSQL refuses U+0000, and an error may contain text from a server. */
function storedText(text: string): string {
  return text.replaceAll("\u0000", "\uFFFD");
}
