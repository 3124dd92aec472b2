import type { Pool } from "pg";
import { inTransaction } from "../../../store/postgres/inTransaction.ts";
import type { ErasureScope } from "../request/erasureScope.ts";

/** Incidents that are over and began in the range. One that lasts is still the monitor's business. */
const ofScope = `id IN (SELECT incidents.id FROM incidents JOIN monitors ON monitors.id = monitor_id
  WHERE website_id = $1 AND resolved_at IS NOT NULL
    AND started_at >= to_timestamp($2::float8 / 1000) AND started_at < to_timestamp($3::float8 / 1000))`;

const valuesOf = ({ websiteId, fromMs, untilMs }: ErasureScope) => [websiteId, fromMs, untilMs];

/** Whether incidents go with an erasure: they hold what monitored servers said. */
export function hasIncidents({ kind, dataTypes, visitorKey }: ErasureScope): boolean {
  return visitorKey === null && (kind === "purge" || dataTypes.includes("uptime"));
}

export async function countIncidents(postgres: Pick<Pool, "query">, scope: ErasureScope): Promise<number> {
  const { rows } = await postgres.query<{ count: string }>(
    `SELECT count(*) FROM incidents WHERE ${ofScope}`,
    valuesOf(scope),
  );
  return Number(rows[0]?.count);
}

/** Deletes them with what was told of them. */
export async function eraseIncidents(postgres: Pick<Pool, "connect">, scope: ErasureScope): Promise<void> {
  await inTransaction(postgres, async (client) => {
    await client.query(
      `DELETE FROM deliveries WHERE incident_id IN (SELECT id FROM incidents WHERE ${ofScope})`,
      valuesOf(scope),
    );
    await client.query(`DELETE FROM incidents WHERE ${ofScope}`, valuesOf(scope));
  });
}
