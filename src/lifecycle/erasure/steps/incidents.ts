import type { Pool } from "pg";
import { inTransaction } from "../../../store/postgres/inTransaction.ts";
import type { DeletionScope } from "../deletion/deletionScope.ts";

/** Resolved incidents that began in the range. An ongoing one is still in use by its monitor. */
const ofScope = `id IN (SELECT incidents.id FROM incidents JOIN monitors ON monitors.id = monitor_id
  WHERE website_id = $1 AND resolved_at IS NOT NULL
    AND started_at >= to_timestamp($2::float8 / 1000) AND started_at < to_timestamp($3::float8 / 1000))`;

const valuesOf = ({ websiteId, fromMs, untilMs }: DeletionScope) => [websiteId, fromMs, untilMs];

/** Whether a deletion includes incidents: they hold texts of monitored servers. */
export function hasIncidents({ kind, dataTypes, visitorKey }: DeletionScope): boolean {
  return visitorKey === null && (kind === "purge" || dataTypes.includes("uptime"));
}

/** The number of incidents that the deletion includes; 0 if it includes none. */
export async function countIncidents(postgres: Pick<Pool, "query">, scope: DeletionScope): Promise<number> {
  const { rows } = await postgres.query<{ count: string }>(
    `SELECT count(*) FROM incidents WHERE ${ofScope}`,
    valuesOf(scope),
  );
  return Number(rows[0]?.count);
}

/** Deletes the incidents of a deletion with their deliveries and notes, in one transaction. Safe to repeat. */
export async function eraseIncidents(postgres: Pick<Pool, "connect">, scope: DeletionScope): Promise<void> {
  await inTransaction(postgres, async (client) => {
    await client.query(
      `DELETE FROM deliveries WHERE incident_id IN (SELECT id FROM incidents WHERE ${ofScope})`,
      valuesOf(scope),
    );
    await client.query(`DELETE FROM incidents WHERE ${ofScope}`, valuesOf(scope));
  });
}
