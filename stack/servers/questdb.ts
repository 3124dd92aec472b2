import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import type { Config } from "../../src/config.ts";
import type { ServerSpec } from "../supervisor.ts";

export interface QuestdbPorts {
  readonly http: number;
  readonly pg: number;
  /** Health and metrics. */
  readonly min: number;
}

const attemptTimeoutMs = 2_000;

/** QuestDB on 127.0.0.1 with its data in DATA_DIR/questdb. */
export async function questdbServer(
  config: Config,
  java: string,
  jar: string,
  ports: QuestdbPorts,
): Promise<ServerSpec> {
  const home = join(config.stack.dataDir, "questdb");
  const temporary = join(home, "tmp");
  // The JVM unpacks native libraries here and leaves them behind when it is killed.
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { recursive: true });
  const addresses = questdbAddresses(ports);
  return {
    label: "QuestDB",
    command: java,
    args: [
      "-Xmx1g",
      "-XX:+ExitOnOutOfMemoryError",
      "-XX:-UsePerfData",
      `-Djava.io.tmpdir=${temporary}`,
      "-p",
      jar,
      "-m",
      "io.questdb/io.questdb.ServerMain",
      "-d",
      home,
    ],
    env: {
      ...config.stack.environment,
      QDB_HTTP_BIND_TO: `127.0.0.1:${ports.http}`,
      QDB_PG_NET_BIND_TO: `127.0.0.1:${ports.pg}`,
      QDB_HTTP_MIN_NET_BIND_TO: `127.0.0.1:${ports.min}`,
      QDB_PG_USER: pgUser,
      QDB_PG_PASSWORD: pgPassword,
      QDB_LINE_TCP_ENABLED: "false",
      QDB_LINE_UDP_ENABLED: "false",
      QDB_TELEMETRY_ENABLED: "false",
      // INFO would log each statement.
      QDB_LOG_W_STDOUT_LEVEL: "ADVISORY,ERROR,CRITICAL",
      QDB_QUERY_TIMEOUT: `${config.questdb.queryTimeoutMs}ms`,
      // Each column file grows by this much: with the default of 16 MiB three tables of 26 columns take 2.6 GB, so 0.25.
      QDB_CAIRO_WRITER_DATA_APPEND_PAGE_SIZE: "1M",
      QDB_CAIRO_WRITER_DATA_INDEX_VALUE_APPEND_PAGE_SIZE: "1M",
    },
    cwd: home,
    logFile: join(config.stack.dataDir, "logs", "questdb.log"),
    stopSignal: "SIGTERM",
    stopTimeoutMs: 15_000,
    readyTimeoutMs: config.stack.readyTimeoutMs,
    ports: Object.values(ports),
    ready: () => checkQuestdb(addresses.http, addresses.pg),
  };
}

/** QuestDB's own default user. It guards nothing here: whoever reaches the port of the console needs no password. */
const pgUser = "admin";
const pgPassword = "quest";

export function questdbAddresses(ports: QuestdbPorts) {
  return {
    http: `http://127.0.0.1:${ports.http}`,
    pg: `postgres://${pgUser}:${pgPassword}@127.0.0.1:${ports.pg}/qdb`,
  };
}

/** @throws when either of its two doors does not answer a query */
export async function checkQuestdb(http: string, pgAddress: string): Promise<void> {
  const url = new URL(`${http}/exec?query=select%201`);
  const headers: Record<string, string> = {};
  if (url.username) {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers["authorization"] = `Basic ${Buffer.from(credentials).toString("base64")}`;
    url.username = "";
    url.password = "";
  }
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(attemptTimeoutMs) });
  const body = await response.text();
  if (!response.ok) throw new Error(`${url.origin} answers ${response.status} ${body.slice(0, 200)}`);
  const client = new pg.Client({ connectionString: pgAddress, connectionTimeoutMillis: attemptTimeoutMs });
  // Without a listener an error after the answer would end this process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("select 1");
  } finally {
    await client.end().catch(() => undefined);
  }
}
