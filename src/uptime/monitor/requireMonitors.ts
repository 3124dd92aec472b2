import { validationError } from "../../errors/errors.ts";
import type { MonitorCall } from "../uptimeCall.ts";

/** A monitor that a request names, and the field in which it does. */
export type NamedMonitor = { readonly id: string; readonly field: string };

/** Rejects with VALIDATION_ERROR that names each monitor the website does not have. */
export async function requireMonitors(
  named: readonly NamedMonitor[],
  websiteId: string,
  { app }: MonitorCall,
): Promise<void> {
  if (named.length === 0) return;
  const { rows } = await app.postgres.query<{ id: string }>(
    "SELECT id FROM monitors WHERE website_id = $1 AND deleted_at IS NULL AND id = ANY($2)",
    [websiteId, named.map(({ id }) => id)],
  );
  const known = new Set(rows.map(({ id }) => id));
  const details = named
    .filter(({ id }) => !known.has(id))
    .map(({ field }) => ({
      field,
      message: "is no monitor of the website; POST /uptime/monitors/list lists them",
    }));
  if (details.length > 0) throw validationError(details);
}
