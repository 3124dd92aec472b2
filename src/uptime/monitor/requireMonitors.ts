import { validationError } from "../../errors/errors.ts";
import type { MonitorCall } from "../uptimeCall.ts";

/** The id of an object that a request names, and the field in which it does. */
type NamedId = { readonly id: string; readonly field: string };

/** Rejects with VALIDATION_ERROR that names each monitor the website does not have. */
export async function requireMonitors(
  named: readonly NamedId[],
  websiteId: string,
  { app }: MonitorCall,
): Promise<void> {
  await requireKnown(named, "is no monitor of the website; POST /uptime/monitors/list lists them", (ids) =>
    app.postgres.query<{ id: string }>(
      "SELECT id FROM monitors WHERE website_id = $1 AND deleted_at IS NULL AND id = ANY($2)",
      [websiteId, ids],
    ),
  );
}

/** Rejects with VALIDATION_ERROR, with `message` for each of the ids that `read` does not find. */
export async function requireKnown(
  named: readonly NamedId[],
  message: string,
  read: (ids: readonly string[]) => Promise<{ readonly rows: readonly { readonly id: string }[] }>,
): Promise<void> {
  if (named.length === 0) return;
  const { rows } = await read(named.map(({ id }) => id));
  const known = new Set(rows.map(({ id }) => id));
  const details = named.filter(({ id }) => !known.has(id)).map(({ field }) => ({ field, message }));
  if (details.length > 0) throw validationError(details);
}
