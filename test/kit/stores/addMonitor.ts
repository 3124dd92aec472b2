import { randomUUID } from "node:crypto";
import type pg from "pg";
import { workflowIdOf } from "../../../src/store/temporal/workflowIds.ts";
import {
  type Monitor,
  type MonitorOptions,
  type MonitorSecrets,
  monitorColumns,
} from "../../../src/uptime/monitor/monitor.ts";
import { phaseOf } from "../../../src/uptime/run/phaseOf.ts";

export type MonitorWebsite = { readonly websiteId: string; readonly organizationId: string };

/** Settings as the API accepts them, except for the interval. */
export type GivenMonitor = {
  readonly url: string;
  readonly intervalMs: number;
  readonly phaseMs?: number;
  readonly timeoutMs?: number;
} & Partial<MonitorOptions & Pick<MonitorSecrets, "headers" | "body">>;

/** The defaults of a monitor. */
export const standardOptions: Omit<MonitorOptions, "name"> = {
  method: "GET",
  expectedStatus: ["200-299"],
  keyword: "",
  degradedAfterMs: 0,
  openAfter: 2,
  resolveAfter: 1,
  regions: ["local"],
  ipVersion: "auto",
  httpVersion: "auto",
  certificateNoticeDays: 14,
  escalation: [],
};

/**
 * Inserts a monitor into PostgreSQL as the API does, but with any interval, and with its secrets in the clear as before
 * the first start of a version that encrypts them. It has no workflow yet.
 */
export async function addMonitor(
  postgres: Pick<pg.Pool, "query">,
  { websiteId, organizationId }: MonitorWebsite,
  given: GivenMonitor,
): Promise<Monitor> {
  const id = randomUUID();
  const { url, intervalMs, timeoutMs = 5_000, phaseMs = phaseOf(id, intervalMs, Date.now()), ...options } = given;
  const { rows } = await postgres.query<Monitor>(
    `WITH made AS (
       INSERT INTO monitors (id, website_id, organization_id, url, interval_ms, phase_ms, timeout_ms, cache_bust, options, status, workflow_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, false, $8, 'active', $9) RETURNING *
     ), noted AS (
       INSERT INTO monitor_schedules (monitor_id, from_at, interval_ms, phase_ms) SELECT id, now(), interval_ms, phase_ms FROM made
     ) SELECT ${monitorColumns} FROM made`,
    [
      id,
      websiteId,
      organizationId,
      url,
      intervalMs,
      phaseMs,
      timeoutMs,
      JSON.stringify({ ...standardOptions, name: new URL(url).host, ...options }),
      workflowIdOf("monitor", "shop.example", id),
    ],
  );
  const [monitor] = rows;
  if (monitor === undefined) throw new Error("The monitor was not inserted");
  return monitor;
}
