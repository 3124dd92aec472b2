import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { inject } from "vitest";
import { type Config, readConfig } from "../../src/config.ts";
import { preparePostgres } from "../../src/store/postgres.ts";
import { QuestdbReader } from "../../src/store/questdbReader.ts";
import { TemporalConnection } from "../../src/store/temporalConnection.ts";
import { type Monitor, type MonitorOptions, monitorColumns } from "../../src/uptime/monitor.ts";
import { type Stack, startStack } from "../../stack/stack.ts";

/** A Temporal, a PostgreSQL and a worker of a test's own, which it may kill; QuestDB is the one of all tests. */
export type UptimeStack = {
  readonly config: Config;
  readonly stack: Stack;
  readonly postgres: pg.Pool;
  readonly questdb: QuestdbReader;
  readonly temporal: TemporalConnection;
  stop(): Promise<void>;
};

export async function startUptimeStack(env: Record<string, string> = {}): Promise<UptimeStack> {
  const { questdbHttp, questdbPg } = inject("lookout");
  const dataDir = await mkdtemp(join(tmpdir(), "lookout-uptime-"));
  // PostgreSQL may run as another user, who has to pass.
  await chmod(dataDir, 0o711);
  const given = {
    ...process.env,
    DATA_DIR: dataDir,
    QUESTDB_HTTP: questdbHttp,
    QUESTDB_PG: questdbPg,
    UPTIME_ALLOW_CIDRS: "127.0.0.0/8",
    LOG_LEVEL: "info",
    ...env,
  };
  const stack = await startStack({
    config: readConfig(given),
    log: () => undefined,
    parts: ["temporal", "postgres", "worker"],
    preferUsualPorts: false,
  });
  const { config } = stack;
  const postgres = new pg.Pool({ connectionString: config.postgres.url, max: 4 });
  postgres.on("error", () => undefined);
  const never = new AbortController().signal;
  await preparePostgres(postgres, pino({ level: "silent" }), never, async () => undefined);
  const questdb = new QuestdbReader(config.questdb);
  const temporal = new TemporalConnection(config.temporal);
  return {
    config,
    stack,
    postgres,
    questdb,
    temporal,
    async stop() {
      await Promise.all([temporal.close(), questdb.close(), postgres.end()]);
      await stack.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

type Given = { readonly url: string; readonly intervalMs: number; readonly phaseMs?: number } & Partial<MonitorOptions>;

/** A monitor in PostgreSQL of which no workflow knows, with any interval. */
export async function addMonitor({ postgres }: UptimeStack, given: Given): Promise<Monitor> {
  const { url, intervalMs, phaseMs = 0, ...options } = given;
  const id = randomUUID();
  const standard: MonitorOptions = {
    name: "test",
    method: "GET",
    headers: {},
    body: null,
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
  await postgres.query("INSERT INTO organizations (id, name) VALUES ($1, 'Test')", [id]);
  await postgres.query(
    `INSERT INTO websites (id, client_id, organization_id, name, domain, timezone, public_access)
     VALUES ($1, $1, $1, 'Test', 'example.com', 'UTC', false)`,
    [id],
  );
  const { rows } = await postgres.query<Monitor>(
    `INSERT INTO monitors (id, website_id, organization_id, url, interval_ms, phase_ms, timeout_ms, cache_bust, options, status)
     VALUES ($1, $1, $1, $2, $3, $4, 5000, false, $5, 'active') RETURNING ${monitorColumns}`,
    [id, url, intervalMs, phaseMs, JSON.stringify({ ...standard, ...options })],
  );
  const monitor = rows[0];
  if (monitor === undefined) throw new Error("The monitor was not inserted");
  return monitor;
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
