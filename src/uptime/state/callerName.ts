import type { Pool } from "pg";
import type { UptimeCall } from "../uptimeCall.ts";

/** Who acts on an incident: whom the request names, else the name of the key or the person's e-mail address. */
export async function callerName(
  client: Pick<Pool, "query">,
  by: string | undefined,
  { caller }: Pick<UptimeCall, "caller">,
): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT coalesce($1, (SELECT name FROM api_keys WHERE id = $2), (SELECT email FROM users WHERE id = $3), 'unknown') AS name",
    [by || null, caller?.kind === "key" ? caller.keyId : null, caller?.kind === "user" ? caller.userId : null],
  );
  return rows[0]?.name ?? "unknown";
}
