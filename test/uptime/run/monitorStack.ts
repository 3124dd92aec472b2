import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { inject } from "vitest";
import { preparePostgres } from "../../../src/store/postgres/postgres.ts";
import { type Monitor, monitorColumns } from "../../../src/uptime/monitor/monitor.ts";
import { startUptimeStack, type UptimeStack } from "../../kit/stack/uptimeStack.ts";
import type { Values } from "../../kit/stack/values.ts";
import { addMonitor, type GivenMonitor } from "../../kit/stores/addMonitor.ts";

/** A Temporal, a PostgreSQL and a worker of a test's own, which it may kill; QuestDB is the one of all tests. */
export async function startMonitorStack(env: Record<string, string> = {}, values: Values = {}): Promise<UptimeStack> {
  const { questdbHttp, questdbPg } = inject("lookout");
  const uptime = await startUptimeStack({
    env: { QUESTDB_HTTP: questdbHttp, QUESTDB_PG: questdbPg, LOG_LEVEL: "info", ...env },
    values,
    parts: ["temporal", "postgres", "worker"],
  });
  const never = new AbortController().signal;
  await preparePostgres(uptime.postgres, pino({ level: "silent" }), never, async () => undefined);
  return uptime;
}

/** A monitor of its own website, without a workflow. */
export async function addOwnMonitor({ postgres }: UptimeStack, given: GivenMonitor): Promise<Monitor> {
  const id = randomUUID();
  await postgres.query("INSERT INTO organizations (id, name) VALUES ($1, 'Test')", [id]);
  await postgres.query(
    `INSERT INTO websites (id, client_id, organization_id, name, domain, timezone, public_access)
     VALUES ($1, $1, $1, 'Test', 'example.com', 'UTC', false)`,
    [id],
  );
  return await addMonitor(postgres, { websiteId: id, organizationId: id }, { name: "test", phaseMs: 0, ...given });
}

/** Changes a monitor in PostgreSQL as a handler does. */
export async function changeMonitor({ postgres }: UptimeStack, id: string, set: string): Promise<Monitor> {
  const { rows } = await postgres.query<Monitor>(
    `UPDATE monitors SET ${set}, revision = revision + 1, updated_at = now() WHERE id = $1 RETURNING ${monitorColumns}`,
    [id],
  );
  const monitor = rows[0];
  if (monitor === undefined) throw new Error("There is no such monitor");
  return monitor;
}

export type StoredCheck = {
  readonly dueMs: number;
  readonly region: string;
  readonly status: string;
  readonly slot_status: string;
};

/** The rows of a monitor, by slot. */
export async function storedChecks({ questdb }: UptimeStack, monitorId: string): Promise<StoredCheck[]> {
  const rows = await questdb.read(
    "SELECT cast(ts AS long) / 1000 AS due_ms, region, status, slot_status FROM uptime_checks WHERE monitor_id = $1 ORDER BY ts",
    [monitorId],
  );
  return rows.map(({ due_ms, region, status, slot_status }) => ({
    dueMs: Number(due_ms),
    region: String(region),
    status: String(status),
    slot_status: String(slot_status),
  }));
}

/** Incidents of a monitor, oldest first; times in Unix ms. */
export async function storedIncidents({ postgres }: UptimeStack, monitorId: string) {
  const { rows } = await postgres.query<{
    startedMs: number;
    resolvedMs: number | null;
    firstError: string;
    checksAffected: number;
    regions: string[];
  }>(
    `SELECT (extract(epoch FROM started_at) * 1000)::float8 AS "startedMs", (extract(epoch FROM resolved_at) * 1000)::float8 AS "resolvedMs",
       first_error AS "firstError", checks_affected AS "checksAffected", regions FROM incidents WHERE monitor_id = $1 ORDER BY started_at`,
    [monitorId],
  );
  return rows;
}
