import type { Pool } from "pg";
import { Gauge, type Registry } from "prom-client";

/** A gauge. Its statement answers columns `of`, the value of the label (empty without one), and `value`. */
type Subject = { readonly name: string; readonly help: string; readonly label?: string; readonly sql: string };

/**
 * Gauges about monitors, incidents, notifications, exports, deletions, corrections and the daily salt. They are the same
 * in every worker: take their maximum over the processes, not their sum.
 *
 * Read from PostgreSQL when metrics are asked for, at most once a second; without it they are absent.
 */
export function addSubjectMetrics(registry: Registry, postgres: Pick<Pool, "query">): void {
  const read = readOnceInAWhile(postgres);
  for (const { name, help, label } of subjects)
    new Gauge({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [registry],
      async collect() {
        const rows = await read().catch(() => []);
        this.reset();
        const own = rows.filter((row) => row.name === name);
        // A reset gauge without a label is zero, which would be a figure too.
        if (own.length === 0 && label === undefined) this.remove();
        for (const row of own) this.set(label === undefined ? {} : { [label]: row.of }, row.value);
      },
    });
}

type Figure = { readonly name: string; readonly of: string; readonly value: number };

function readOnceInAWhile(postgres: Pick<Pool, "query">): () => Promise<readonly Figure[]> {
  const text = subjects
    .map(
      ({ name, sql }) =>
        `SELECT '${name}' AS name, subject.of, subject.value::float8 AS value FROM (${sql}) AS subject`,
    )
    .join("\nUNION ALL ");
  let readMs = Number.NEGATIVE_INFINITY;
  let figures: Promise<readonly Figure[]> = Promise.resolve([]);
  return () => {
    if (performance.now() - readMs > readEveryMs) {
      readMs = performance.now();
      figures = postgres.query<Figure>(text).then(({ rows }) => rows);
    }
    return figures;
  };
}

const readEveryMs = 1_000;

const count = (from: string) => `SELECT '' AS of, count(*) AS value FROM ${from}`;
const oldest = (from: string) =>
  `SELECT '' AS of, coalesce(extract(epoch FROM min(created_at)), 0) AS value FROM ${from}`;

const subjects: readonly Subject[] = [
  {
    name: "lookout_monitors",
    help: "Monitors that are not deleted, by their status",
    label: "status",
    sql: `SELECT wanted.of, count(monitors.id) AS value FROM unnest(ARRAY['active', 'paused', 'stopped']) AS wanted (of)
      LEFT JOIN monitors ON monitors.status = wanted.of AND monitors.deleted_at IS NULL GROUP BY 1`,
  },
  {
    name: "lookout_incidents_open",
    help: "Incidents that are not resolved",
    sql: count("incidents WHERE resolved_at IS NULL"),
  },
  {
    name: "lookout_incidents_unacknowledged",
    help: "Incidents that are neither resolved nor acknowledged",
    sql: count("incidents WHERE resolved_at IS NULL AND acknowledged_at IS NULL"),
  },
  {
    name: "lookout_notifications_pending",
    help: "Notifications that are not delivered yet, retries included",
    sql: count("deliveries WHERE status = 'pending'"),
  },
  {
    name: "lookout_notifications_failed",
    help: "Notifications of the last 24 hours that were given up",
    sql: count("deliveries WHERE status = 'failed' AND created_at > now() - interval '24 hours'"),
  },
  {
    name: "lookout_exports_running",
    help: "Exports that are not complete yet",
    sql: count("exports WHERE status = 'processing'"),
  },
  {
    name: "lookout_exports_failed",
    help: "Exports of the last 24 hours that failed",
    sql: count("exports WHERE status = 'failed' AND created_at > now() - interval '24 hours'"),
  },
  {
    name: "lookout_export_oldest_timestamp_seconds",
    help: "Unix time at which the oldest export that is not complete was requested; 0 when there is none",
    sql: oldest("exports WHERE status = 'processing'"),
  },
  {
    name: "lookout_deletions_running",
    help: "Deletions that are not complete yet. None is given up: one that cannot go on is tried again",
    sql: count("deletions WHERE status = 'processing'"),
  },
  {
    name: "lookout_deletion_oldest_timestamp_seconds",
    help: "Unix time at which the oldest deletion that is not complete was requested; 0 when there is none",
    sql: oldest("deletions WHERE status = 'processing'"),
  },
  {
    name: "lookout_touched_days",
    help: "Days of websites whose sessions and aggregates wait to be computed again",
    sql: count("touched_days"),
  },
  {
    name: "lookout_touched_hours",
    help: "Hours of websites whose sessions are computed from events until the next correction",
    sql: count("touched_hours"),
  },
  {
    name: "lookout_retention_timestamp_seconds",
    help: "Unix time at which the last daily run that erases data past its retention ended",
    sql: "SELECT '' AS of, extract(epoch FROM max(finished_at)) AS value FROM retention_runs WHERE website_id IS NULL HAVING count(finished_at) > 0",
  },
  {
    name: "lookout_backup_timestamp_seconds",
    help: "Unix time of which the newest backup is; absent without one",
    sql: "SELECT '' AS of, extract(epoch FROM max(taken_at)) AS value FROM backups WHERE finished_at IS NOT NULL AND replica IS NULL HAVING count(taken_at) > 0",
  },
  {
    name: "lookout_backup_checked_timestamp_seconds",
    help: "Unix time at which a backup was last read as a whole and equalled its checksums; absent before",
    sql: "SELECT '' AS of, extract(epoch FROM max(checked_at)) AS value FROM backups WHERE check_failure IS NULL AND replica IS NULL HAVING count(checked_at) > 0",
  },
  {
    name: "lookout_snapshot_timestamp_seconds",
    help: "Unix time of which the newest snapshot of each replica is",
    label: "replica",
    sql: "SELECT replica AS of, extract(epoch FROM max(taken_at)) AS value FROM backups WHERE finished_at IS NOT NULL AND removed_at IS NULL AND replica IS NOT NULL GROUP BY replica",
  },
  {
    name: "lookout_salt_timestamp_seconds",
    help: "Unix time at which the day of the newest salt of visitors' hashes began",
    sql: "SELECT '' AS of, extract(epoch FROM max(day)) AS value FROM daily_salts HAVING count(*) > 0",
  },
];
