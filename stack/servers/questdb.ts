import { randomBytes } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import type { Config } from "../../src/config.ts";
import { askQuestdb } from "../../src/store/questdb/askQuestdb.ts";
import type { QuestdbProgram } from "../provision/questdb.ts";
import { patchedModule } from "../provision/questdbPatch.ts";
import { StandstillRule } from "../standstillRule.ts";
import type { ServerSpec } from "../supervisor.ts";
import { setThreadPriority } from "../threadPriority.ts";
import { whenStuck } from "./questdbStandstill.ts";

export type QuestdbPorts = {
  readonly http: number;
  readonly pg: number;
  /** Health and metrics. */
  readonly min: number;
};

const attemptTimeoutMs = 2_000;

/** QuestDB on 127.0.0.1 with its data in DATA_DIR/questdb. */
export async function questdbServer(
  config: Config,
  { java, jar, patch }: QuestdbProgram,
  ports: QuestdbPorts,
): Promise<{ spec: ServerSpec; addresses: { http: string; pg: string }; root: string }> {
  const home = join(config.stack.dataDir, "questdb");
  const temporary = join(home, "tmp");
  // The JVM unpacks native libraries here and leaves them behind when it is killed.
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  const password = await ownPassword(config.stack.dataDir);
  const addresses = questdbAddresses(ports, password);
  const rule = new StandstillRule(config.questdb.stuckAfterMs);
  const spec: ServerSpec = {
    label: "QuestDB",
    command: java,
    args: [
      // Used for compiled statements: 380 MB after 77 queries about goals on 30 connections.
      "-Xmx2g",
      // Rows are outside the heap, which stays small. Measured against the default collector (bench/ingest), QuestDB takes 33 MB
      // less when idle and 57 MB less under load, with the same rates, CPU and latencies.
      "-XX:+UseSerialGC",
      "-Xms32m",
      "-XX:+ExitOnOutOfMemoryError",
      "-XX:-UsePerfData",
      // At the system's limit of mapped regions releasing memory fails, and with it the whole server.
      "-XX:+IgnoreUnrecognizedVMOptions",
      "-XX:MetaspaceReclaimPolicy=none",
      `-Djava.io.tmpdir=${temporary}`,
      ...(patch === undefined ? [] : ["--patch-module", `${patchedModule}=${patch}`]),
      "-p",
      jar,
      "-m",
      "io.questdb/io.questdb.ServerMain",
      "-d",
      home,
    ],
    env: {
      ...config.stack.nativeMemory,
      // Percent of the machine's memory for what is neither Java's heap nor mapped files. With the default of 90, Linux would end
      // QuestDB, or another server of this machine, before QuestDB refuses a statement. An operator may set another value.
      QDB_RAM_USAGE_LIMIT_PERCENT: "50",
      ...segmentSettings,
      ...config.stack.environment,
      QDB_HTTP_BIND_TO: `127.0.0.1:${ports.http}`,
      QDB_PG_NET_BIND_TO: `127.0.0.1:${ports.pg}`,
      QDB_HTTP_MIN_NET_BIND_TO: `127.0.0.1:${ports.min}`,
      QDB_PG_USER: user,
      QDB_PG_PASSWORD: password,
      // Without these any page in a browser on this machine could send statements to the console's port.
      QDB_HTTP_USER: user,
      QDB_HTTP_PASSWORD: password,
      // The health check of compose.yaml has no password; its port only says up or down.
      QDB_HTTP_HEALTH_CHECK_AUTHENTICATION_REQUIRED: "false",
      QDB_LINE_TCP_ENABLED: "false",
      QDB_LINE_UDP_ENABLED: "false",
      QDB_TELEMETRY_ENABLED: "false",
      // INFO would log each statement.
      QDB_LOG_W_STDOUT_LEVEL: "ADVISORY,ERROR,CRITICAL",
      ...sleepyWorkers,
      ...settingsForMaps(await allowedMaps(), config.questdb.poolSize),
      // A compiled statement takes 1 to 10 MB of heap. Most statements come only once, since their text contains the positions of
      // sessions. With the default of 512 cached ones, 400 different filters on the overview ended QuestDB at 1 GB. Each
      // connection also keeps its last one.
      QDB_PG_SELECT_CACHE_BLOCK_COUNT: "8",
      QDB_PG_SELECT_CACHE_ROW_COUNT: "8",
      // Over HTTP the service reads exports, whose statements never repeat.
      QDB_HTTP_QUERY_CACHE_ENABLED: "false",
      QDB_QUERY_TIMEOUT: `${config.questdb.queryTimeoutMs}ms`,
      // How long a query waits for a consistent state of a table. With the default of 1 s, queries fail on a busy machine while
      // QuestDB enlarges a column of type SYMBOL: with 3 ms, 60 of 6,000 answers of storedSessions.long beside such columns.
      QDB_CAIRO_SPIN_LOCK_TIMEOUT: String(config.questdb.queryTimeoutMs),
      // Each column file grows by this much: with the default of 16 MiB three tables of 26 columns take 2.6 GB, with this 0.25
      // GB.
      QDB_CAIRO_WRITER_DATA_APPEND_PAGE_SIZE: "1M",
      QDB_CAIRO_WRITER_DATA_INDEX_VALUE_APPEND_PAGE_SIZE: "1M",
      // Rows that arrive out of order are merged into the end of their day. The merge rewrites the last split of the partition:
      // with the default of 50M each commit of a quarter of a second rewrote 23 times its own rows, with this 2 to 5 times, also
      // in tables of few columns.
      QDB_CAIRO_O3_PARTITION_SPLIT_MIN_SIZE: "1M",
      // Delete old column files that are still read within 1 s of the end of the read instead of 60 s; in microseconds.
      QDB_CAIRO_SQL_COLUMN_PURGE_RETRY_DELAY_LIMIT: "1000000",
      // An index may have been appended to after the checkpoint of a backup.
      QDB_CAIRO_CHECKPOINT_RECOVERY_REBUILD_COLUMN_INDEXES: "true",
    },
    cwd: home,
    logFile: join(config.stack.dataDir, "logs", "questdb.log"),
    stopSignal: "SIGTERM",
    stopTimeoutMs: 15_000,
    readyTimeoutMs: config.stack.readyTimeoutMs,
    ports: Object.values(ports),
    ready: async ({ pid }) => {
      await checkQuestdb(addresses.http, addresses.pg);
      if (pid !== undefined) await setThreadPriority(pid, applyThreads, applyPriority);
    },
    watch: (ended) => whenStuck(addresses.http, rule, ended),
  };
  return { spec, addresses, root: join(home, "db") };
}

/**
 * Segments of the write-ahead log have the text of erased rows: idle ones are deleted within 8 s instead of 7 minutes. Tests, which cannot wait
 * as long, set other values.
 */
export const segmentSettings = {
  QDB_CAIRO_IDLE_CHECK_INTERVAL: "2000",
  QDB_CAIRO_WAL_INACTIVE_WRITER_TTL: "3000",
  QDB_CAIRO_WAL_PURGE_INTERVAL: "3000",
};

/**
 * An idle worker spins 7,000 times before it first sleeps. On a machine with few cores that takes time from busy threads: a small
 * statement took 3.0 ms of processor time, and takes 1.9 ms with these settings, at the same latency.
 */
const sleepyWorkers = Object.fromEntries(
  ["HTTP", "PG", "SHARED", "WAL_APPLY", "EXPORT"].flatMap((pool) => [
    [`QDB_${pool}_WORKER_NAP_THRESHOLD`, "20"],
    [`QDB_${pool}_WORKER_SLEEP_THRESHOLD`, "200"],
  ]),
);

/** QuestDB's threads that apply the write-ahead log to the tables: `wal-apply_0` and so on. */
const applyThreads = "wal-apply";

/**
 * Queries have priority over these threads when all cores are busy. An erasure rewrites partitions for seconds; with equal
 * priority, other websites' queries took up to 1.9 times as long meanwhile. At this priority 3,000 events per second become
 * visible within 1.3 s beside eight endless queries on two cores. At the default it is 0.8 s, but the queries get only two thirds
 * of their time.
 */
const applyPriority = 10;

/** With this many mappings, QuestDB's own settings for readers apply; its documentation asks for four times as many. */
const manyMaps = 262_144;

/**
 * How many statements run at once, how long idle readers are kept, and for how many days of data.
 *
 * A statement occupies its worker until it ends. With QuestDB's default, one worker per core, two slow statements would stop all
 * other reads. So there is one worker for each connection of the API and of the worker process.
 *
 * A reader maps each column of each day it has read, 2,500 files for a month of events. Linux lets a process map 65,530 by
 * default. Ten idle readers, kept for two minutes, or sixteen simultaneous statements over a month would use that up: reads and
 * then the JVM fail. Where few mappings are allowed, half as many statements run at once and the others wait. Longer ranges are
 * mapped again for each answer, which takes 0.8 ms per day.
 */
export function settingsForMaps(allowed: number, poolSize: number): Record<string, string> {
  if (allowed >= manyMaps) return { QDB_PG_WORKER_COUNT: String(2 * poolSize) };
  return {
    QDB_PG_WORKER_COUNT: String(poolSize),
    QDB_CAIRO_INACTIVE_READER_MAX_OPEN_PARTITIONS: "32",
    QDB_CAIRO_INACTIVE_READER_TTL: "5000",
  };
}

async function allowedMaps(): Promise<number> {
  return Number(await readFile("/proc/sys/vm/max_map_count", "utf8").catch(() => ""));
}

const user = "admin";

function questdbAddresses(ports: QuestdbPorts, password: string) {
  return {
    http: `http://${user}:${password}@127.0.0.1:${ports.http}`,
    pg: `postgres://${user}:${password}@127.0.0.1:${ports.pg}/qdb`,
  };
}

/**
 * Created at the first start. QuestDB reads it from its settings at each start, so if the file is lost, a new password is
 * created.
 */
async function ownPassword(dataDir: string): Promise<string> {
  const file = join(dataDir, "questdb.password");
  const known = await readFile(file, "utf8").catch(() => "");
  if (known.trim() !== "") return known.trim();
  const password = randomBytes(24).toString("hex");
  await writeFile(file, `${password}\n`, { mode: 0o600 });
  return password;
}

/** Rejects if a query is not answered, over HTTP or over the PostgreSQL protocol. */
export async function checkQuestdb(http: string, pgAddress: string): Promise<void> {
  const { status, body } = await askQuestdb(http, "select 1", AbortSignal.timeout(attemptTimeoutMs));
  if (status !== 200) throw new Error(`${new URL(http).host} answers ${status} ${body.slice(0, 200)}`);
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
