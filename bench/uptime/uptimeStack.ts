import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { type Env, readConfig } from "../../src/config.ts";
import { QuestdbReader } from "../../src/store/questdbReader.ts";
import { TemporalConnection } from "../../src/store/temporalConnection.ts";
import { type Monitor, type MonitorOptions, monitorColumns } from "../../src/uptime/monitor.ts";
import { phaseOf } from "../../src/uptime/phaseOf.ts";
import { tellMonitor } from "../../src/uptime/tellMonitor.ts";
import { type Stack, startStack } from "../../stack/stack.ts";

/** The whole product on data of its own, with a website whose monitors may have any interval and check this machine. */
export type UptimeStack = {
  readonly stack: Stack;
  readonly config: Stack["config"];
  readonly websiteId: string;
  readonly organizationId: string;
  readonly apiKey: string;
  readonly questdb: QuestdbReader;
  readonly postgres: pg.Pool;
  readonly temporal: TemporalConnection;
  stop(): Promise<void>;
};

export async function startUptimeStack(env: Env = {}): Promise<UptimeStack> {
  const dataDir = await mkdtemp(join(tmpdir(), "lookout-uptime-"));
  // PostgreSQL may run as another user, who has to pass.
  await chmod(dataDir, 0o711);
  const given = { DATA_DIR: dataDir, PORT: "0", BASE_URL: undefined, LOG_LEVEL: "warn" };
  const stack = await startStack({
    config: readConfig({ ...process.env, ...given, UPTIME_ALLOW_CIDRS: "127.0.0.0/8", ...env }),
    log: (line) => console.error(line),
    preferUsualPorts: false,
  });
  const { config } = stack;
  const credentials: { websiteId: string; organizationId: string; apiKey: string } = JSON.parse(
    await readFile(join(dataDir, "credentials.json"), "utf8"),
  );
  const questdb = new QuestdbReader(config.questdb);
  const postgres = new pg.Pool({ connectionString: config.postgres.url, max: 8 });
  // A PostgreSQL that is killed ends the connections that nobody uses at the time.
  postgres.on("error", () => undefined);
  const temporal = new TemporalConnection(config.temporal);
  return {
    stack,
    config,
    ...credentials,
    questdb,
    postgres,
    temporal,
    async stop() {
      await Promise.all([questdb.close(), postgres.end(), temporal.close()]);
      await stack.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

type Wanted = { readonly urls: readonly string[]; readonly intervalMs: number; readonly timeoutMs: number };

const options: Omit<MonitorOptions, "name"> = {
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

/** Makes monitors as the API does, but with any interval, and starts their workflows. */
export async function startMonitors(
  { postgres, temporal, config, websiteId, organizationId }: UptimeStack,
  { urls, intervalMs, timeoutMs }: Wanted,
): Promise<Monitor[]> {
  const started: Monitor[] = [];
  const waiting = [...urls];
  const startNext = async () => {
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
      const id = randomUUID();
      const { rows } = await postgres.query<Monitor>(
        `WITH made AS (
           INSERT INTO monitors (id, website_id, organization_id, url, interval_ms, phase_ms, timeout_ms, cache_bust, options, status)
           VALUES ($1, $2, $3, $4, $5, $6, $7, false, $8, 'active') RETURNING *
         ), noted AS (
           INSERT INTO monitor_schedules (monitor_id, from_at, interval_ms, phase_ms) SELECT id, now(), interval_ms, phase_ms FROM made
         ) SELECT ${monitorColumns} FROM made`,
        [
          id,
          websiteId,
          organizationId,
          url,
          intervalMs,
          phaseOf(id, intervalMs),
          timeoutMs,
          JSON.stringify({ ...options, name: new URL(url).host }),
        ],
      );
      for (const monitor of rows) {
        // What Temporal is too busy for is told by the reconciliation within a minute.
        await tellMonitor({ postgres, temporal, config }, monitor).catch(() => undefined);
        started.push(monitor);
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, startNext));
  return started;
}
