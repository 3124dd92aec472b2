/**
 * Every setting and every default of the service. Nothing else reads the environment.
 *
 * It imports no package: the image of QuestDB (deploy/questdb) is built with this file and without packages.
 *
 * A number's name has its unit: `Ms` milliseconds, `Bytes` bytes.
 */
import type { BlockList } from "node:net";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { StartFailure } from "./errors/startFailure.ts";
import { parseAddressRanges } from "./outbound/addressRanges.ts";
import { replacedSettings } from "./removedSettings.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** Invalid settings. The message has a line for each, which names the variable and its valid values. */
export class ConfigError extends StartFailure {
  override name = "ConfigError";
}

/** One invalid setting, or some that do not fit together. */
class InvalidSetting extends ConfigError {
  readonly variables: readonly string[];

  constructor(variable: string, message: string) {
    super(message);
    this.variables = together.find((group) => group.includes(variable)) ?? [variable];
  }
}

/** Settings that are checked together: where one of them is wrong, no more is said about the others. */
const together = [
  ["TLS_KEY", "TLS_CERT", "HSTS_MS"],
  [
    "EXPORT_S3_BUCKET",
    "BACKUP_TO",
    "BACKUP_INTERVAL_MS",
    "BACKUP_CHECK_INTERVAL_MS",
    "S3_ENDPOINT",
    "S3_REGION",
    "S3_ACCESS_KEY_ID",
    "S3_SECRET_ACCESS_KEY",
  ],
  ["BASE_URL", "HSTS_MS"],
  ["TEMPORAL", "TEMPORAL_HISTORY_SHARDS"],
  ["UPTIME_REGIONS", "UPTIME_PROBE_KEY"],
  ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"],
  ["SMTP_URL", "SMTP_FROM"],
  [
    "SHARDS",
    "KAFKA_BROKERS",
    "KAFKA_TLS",
    "KAFKA_TLS_CA",
    "KAFKA_TLS_KEY",
    "KAFKA_TLS_CERT",
    "KAFKA_SASL_USERNAME",
    "KAFKA_SASL_PASSWORD",
    "KAFKA_SASL_MECHANISM",
  ],
];

export type Config = ReturnType<typeof readSettings>;

/** Throws a ConfigError that names every invalid setting: who corrects one should not meet the next at the next start. */
export function readConfig(given: Env = process.env): Config {
  const problems = lostSettings(given);
  for (let env = given; ; ) {
    try {
      const config = readSettings(env);
      if (problems.length === 0) return config;
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error;
      problems.push(error.message);
      env = { ...env, ...Object.fromEntries(error.variables.map((variable) => [variable, undefined])) };
      continue;
    }
    throw new ConfigError([...problems, "All settings: docs/operate/settings.md"].join("\n"));
  }
}

/** The variables that are read. */
export function settingNames(): ReadonlySet<string> {
  const names = new Set<string>();
  readSettings(new Proxy<Env>({}, { get: (_, name) => void names.add(String(name)) }));
  return names;
}

function readSettings(env: Env) {
  const port = integer(env, "PORT", 8080, 0, 65_535);
  const host = text(env, "HOST", "127.0.0.1");
  const temporal = oneOf(env, "TEMPORAL", "dev", ["dev", "server", "cluster"]);
  if (temporal === "dev") refuseIgnored(env, ["TEMPORAL_HISTORY_SHARDS"], "TEMPORAL=server or TEMPORAL=cluster");
  if (!env["BACKUP_TO"]) refuseIgnored(env, ["BACKUP_INTERVAL_MS", "BACKUP_CHECK_INTERVAL_MS"], "BACKUP_TO");
  const tlsKeyFile = env["TLS_KEY"] || undefined;
  const tlsCertificateFile = env["TLS_CERT"] || undefined;
  refuseHalf(env, ["TLS_KEY", "TLS_CERT"], "set both to the paths of PEM files, or neither");
  const scheme = tlsKeyFile ? "https" : "http";
  const baseUrl = env["BASE_URL"]
    ? url(env, "BASE_URL", "https://analytics.example.com")
    : `${scheme}://${host}:${port}`;
  if (!baseUrl.startsWith("https:")) refuseIgnored(env, ["HSTS_MS"], "a BASE_URL of https");
  const region = names(env, "UPTIME_REGION")[0] ?? "local";
  const dataDir = resolve(text(env, "DATA_DIR", ".data"));
  const smtp = mailServer(env);
  const s3 = s3Access(env);
  const cacheMs = integer(env, "CACHE_MS", 1_000, 0, 60_000);
  const cacheMegabytes = integer(env, "CACHE_MB", 100, 1, 100_000);
  return Object.freeze({
    server: {
      /** The address on which the API listens. @setting HOST */
      host,
      /** The port on which the API listens. @setting PORT */
      port,
      /**
       * What links in answers and e-mails and credentials.json start with.
       * @setting BASE_URL
       * @default `http://HOST:PORT`
       */
      baseUrl,
      /** The path of a PEM file; with TLS_CERT the port speaks TLS. @setting TLS_KEY */
      tlsKeyFile,
      /** The path of a PEM file. @setting TLS_CERT */
      tlsCertificateFile,
      /** How long browsers use https only (Strict-Transport-Security), if BASE_URL is https; 0: no such header. @tuning */
      hstsMs: integer(env, "HSTS_MS", 31_536_000_000, 0, 63_072_000_000),
      /** A JSON body or one gRPC message; a larger one is answered 413 (RESOURCE_EXHAUSTED). @tuning */
      maxBodyBytes: integer(env, "MAX_BODY_BYTES", 1_048_576, 1_024, 67_108_864),
      /** Request line and headers together; larger ones are answered 431. @fixed MAX_HEADER_BYTES */
      maxHeaderBytes: 16_384,
      /**
       * How long a client may take to send its headers; over HTTP/2 until its first request.
       * @fixed HEADERS_TIMEOUT_MS
       */
      headersTimeoutMs: 10_000,
      /**
       * How long a client may take to send a whole request. Not less than for its headers, or Node does not start the server.
       * @fixed REQUEST_TIMEOUT_MS
       */
      requestTimeoutMs: 30_000,
      /**
       * How long a connection without requests is kept. Above the 60 s that common load balancers keep theirs.
       * @fixed KEEP_ALIVE_TIMEOUT_MS
       */
      keepAliveTimeoutMs: 65_000,
      /** How long a stop waits for the requests it has accepted. @tuning */
      shutdownTimeoutMs: integer(env, "SHUTDOWN_TIMEOUT_MS", 20_000, 0, 600_000),
    },
    /** Health and metrics, for operators alone. */
    operations: {
      /** The address of the ports for operators. @tuning */
      host: text(env, "OPERATIONS_HOST", "127.0.0.1"),
      /** A port of its own for the metrics of an API process, which its other port then does not serve; 0: none. @tuning */
      apiPort: integer(env, "API_OPERATIONS_PORT", 0, 0, 65_535),
      /** The port for health and metrics of a worker; 0: none. `npm start` takes another one where it is taken. @tuning */
      workerPort: integer(env, "WORKER_OPERATIONS_PORT", 8_081, 0, 65_535),
      /** The port for health and metrics of a probe; 0: none. @tuning */
      probePort: integer(env, "PROBE_OPERATIONS_PORT", 8_082, 0, 65_535),
      /** The port for health and metrics of a consumer of the log (`npm run consumer`); 0: none. @tuning */
      consumerPort: integer(env, "CONSUMER_OPERATIONS_PORT", 8_083, 0, 65_535),
    },
    health: {
      /** Free space on the disk of DATA_DIR or QuestDB below which /readyz reports `disk_low`. @tuning */
      minFreeBytes: integer(env, "DISK_MIN_FREE_BYTES", 1_073_741_824, 0, 1_099_511_627_776),
      /**
       * `disk_low` is also reported when that disk is full in less time than this at the rate of the last hour.
       * @fixed DISK_MIN_TIME_LEFT_MS
       */
      minTimeLeftMs: 21_600_000,
    },
    log: {
      /** `trace` to `fatal`, or `silent`. */
      level: oneOf(env, "LOG_LEVEL", "info", ["trace", "debug", "info", "warn", "error", "fatal", "silent"]),
    },
    traces: {
      /**
       * Where spans are sent over OTLP/HTTP, such as `http://127.0.0.1:4318`, see [traces](metrics.md#traces). Without it none are recorded.
       * @setting OTEL_EXPORTER_OTLP_ENDPOINT
       * @default none
       * @tuning
       */
      endpoint: env["OTEL_EXPORTER_OTLP_ENDPOINT"]
        ? url(env, "OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
        : undefined,
      /** Headers that are sent with them, `name=value` separated by commas, such as a token. Values are percent-encoded. @tuning */
      headers: headerPairs(env, "OTEL_EXPORTER_OTLP_HEADERS"),
      /** The share of traces that is recorded, from 0 to 1. The same in all processes, or traces are in parts. @tuning */
      share: fraction(env, "OTEL_TRACES_SAMPLER_ARG", 1),
    },
    stack: {
      /** The data of a process: its log, exports, credentials.json, and the stores of `npm start`. @setting DATA_DIR */
      dataDir,
      /**
       * Where `npm start` installs servers once; outside node_modules, so that a new clone starts in seconds.
       * @default `~/.cache/lookout` (below `XDG_CACHE_HOME`)
       * @tuning
       */
      cacheDir: resolve(text(env, "CACHE_DIR", join(env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "lookout"))),
      /** Free disk space under which no first start, installation or restore begins. */
      firstFreeBytes: 1_073_741_824,
      /**
       * Free disk space under which what has run before is not started either, that of `disk_full`. Below the former it is `disk_low`: events
       * are better accepted than refused, and who frees space may need the service to run.
       */
      minFreeBytes: 67_108_864,
      /** How long a server that `npm start` starts may take until it answers. @tuning */
      readyTimeoutMs: integer(env, "STACK_READY_TIMEOUT_MS", 60_000, 100, 600_000),
      /**
       * What `npm start` raises `vm.max_map_count` of this machine to where it may, as root may, see [QuestDB](questdb.md#mapped-files). It is never
       * lowered. 0: it is left as it is.
       * @tuning
       */
      maxMapCount: integer(env, "MAX_MAP_COUNT", 1_048_576, 0, 2_147_483_647),
      /** A QuestDB jar to run as it is, without the patches of the one from Maven ([QuestDB](questdb.md#questdb)). @tuning */
      questdbJar: env["QUESTDB_JAR"] || undefined,
      /**
       * What an answer of 10,000 rows leaves behind is garbage at once: with room for 64 MiB of it between collections it is rarely
       * copied, and costs a tenth less CPU (bench/gateway).
       */
      apiNodeFlags: ["--max-semi-space-size=64"],
      /**
       * A worker has two heaps, of activities and of workflows. By default each lets 200 MB of garbage gather between collections: with 500
       * monitors due every 10 s the worker took 813 MB, and takes 392 with these flags, for the same CPU (bench/uptime).
       */
      workerNodeFlags: ["--max-semi-space-size=8", "--initial-old-space-size=64", "--heap-growing-percent=30"],
      /**
       * Memory areas of the C library, which keeps what was freed in each: by default eight for each core, and threads are spread over them.
       */
      nativeMemory: { MALLOC_ARENA_MAX: "2" },
      /**
       * Temporal collects garbage when its heap has grown by this percentage. At Go's default of 100 it takes 13 MB more when idle and 44 MB more
       * with 50 checks a second, for the same CPU (bench/uptime).
       */
      temporalMemory: { GOGC: "40" },
      /**
       * The Temporal of `npm start`: `dev`, the development server with a file of its own; `server`, the server as in production, with its
       * data in the PostgreSQL of `npm start`; `cluster`, the same with a process for each of its roles. See [Temporal](temporal.md).
       * @setting TEMPORAL
       * @default `dev`
       * @tuning
       */
      temporal,
      /** History shards of `server` and `cluster`, see [Temporal](temporal.md#history-shards). Fixed by their first start. @tuning */
      temporalHistoryShards: integer(env, "TEMPORAL_HISTORY_SHARDS", 64, 1, 16_384),
      /** The Java to run QuestDB with. @default from `PATH` @tuning */
      javaHome: env["JAVA_HOME"] || undefined,
      /** Where programs are looked up. */
      path: env["PATH"] || "",
      /** Stores whose address is given are used as they are, neither provisioned nor started. */
      given: {
        questdbHttp: Boolean(env["QUESTDB_HTTP"] || env["SHARDS"]),
        questdbPg: Boolean(env["QUESTDB_PG"] || env["SHARDS"]),
        temporal: Boolean(env["TEMPORAL_ADDRESS"]),
        temporalUi: Boolean(env["TEMPORAL_UI"]),
        postgres: Boolean(env["DATABASE_URL"]),
        baseUrl: Boolean(env["BASE_URL"]),
      },
      /** What child processes inherit. */
      environment: env,
    },
    questdb: {
      /** HTTP address of a QuestDB 9.3 to use instead of the one of `npm start`: `http://user:password@host:9000`. */
      http: url(env, "QUESTDB_HTTP", "http://127.0.0.1:9000"),
      /** Its address for the PostgreSQL wire: `postgres://user:password@host:8812/qdb`. */
      pg: url(env, "QUESTDB_PG", "postgres://admin:quest@127.0.0.1:8812/qdb"),
      /**
       * QuestDB's data root, where erasures see when bytes are gone; without it they wait as long as QuestDB's settings may need.
       */
      root: env["QUESTDB_ROOT"] ? resolve(env["QUESTDB_ROOT"]) : undefined,
      /**
       * How many files QuestDB may map, `vm.max_map_count` of its machine: set it for a QuestDB on another machine or in another container
       * that has a low limit. Reads over long ranges are refused before they would pass it, see [mapped files](questdb.md#mapped-files).
       * @setting QUESTDB_MAX_MAPS
       * @default that of this machine, where QuestDB runs on it
       * @tuning
       */
      maxMaps: integer(env, "QUESTDB_MAX_MAPS", 0, 0, 2_147_483_647),
      /** Connections of a process to QuestDB for reading. @tuning */
      poolSize: integer(env, "QUESTDB_POOL_SIZE", 8, 1, 256),
      /**
       * Rows of one group commit, about. QuestDB's work depends on the number of commits more than on rows: 40,000 rows a second fit into four.
       * @fixed QUESTDB_FLUSH_ROWS
       */
      flushRows: 10_000,
      /**
       * How long one attempt to commit may take. Rows that can be computed again, such as aggregates, fail after it.
       * @fixed QUESTDB_COMMIT_TIMEOUT_MS
       */
      commitTimeoutMs: 10_000,
      /** How long one statement of a query may take before it fails. @tuning */
      queryTimeoutMs: integer(env, "QUESTDB_QUERY_TIMEOUT_MS", 30_000, 100, 600_000),
      /**
       * How long QuestDB may apply nothing to a table though rows wait. After that `/readyz` says so, and `npm start` starts its QuestDB again;
       * after twice that time if it did not help, and so on, since a large erasure may take as long.
       * @tuning
       */
      stuckAfterMs: integer(env, "QUESTDB_STUCK_AFTER_MS", 120_000, 1_000, 86_400_000),
      /**
       * Statements of one website, or of one organization, that run at once, so that others find a free connection.
       * @fixed QUESTDB_READS_PER_WEBSITE
       */
      readsPerWebsite: 4,
      /** Statements of all websites that wait for a connection; past it queries are answered 503. @fixed QUESTDB_MAX_WAITING_READS */
      maxWaitingReads: 10_000,
      /** Statements of one website that wait; past it its queries are answered 429. @fixed QUESTDB_MAX_WAITING_READS_PER_WEBSITE */
      maxWaitingReadsPerWebsite: 1_000,
      /** Rows that one funnel or journey may read. @fixed QUESTDB_MAX_ROWS_READ */
      maxRowsRead: 5_000_000,
      /**
       * Several QuestDBs instead of the one of QUESTDB_HTTP and QUESTDB_PG, the same for all processes: shards that each hold some
       * organizations, with replicas a, b … of the same rows ([scale](scale.md)). Needs KAFKA_BROKERS. `s1=http://a:9000|postgres://a:8812/qdb,http://b:9000|postgres://b:8812/qdb;s2=…`
       * @setting SHARDS
       * @default none: one QuestDB
       * @tuning
       */
      shards: shards(env),
      /** How far behind a replica may be until queries go to the other one of its shard. @fixed READ_MAX_LAG_MS */
      readMaxLagMs: 2_000,
    },
    query: {
      /** How long one request may take with all of its parameters; those not answered by then fail and say so. @tuning */
      timeoutMs: integer(env, "QUERY_TIMEOUT_MS", 30_000, 100, 600_000),
      /**
       * Values that the filters of a request may compare with, counted for each parameter; past it requests are refused.
       * @fixed QUERY_MAX_FILTER_VALUES
       */
      maxFilterValues: 20_000,
    },
    watch: {
      /** How often watched queries look for new events, and so how often one may be answered. @fixed WATCH_INTERVAL_MS */
      intervalMs: 1_000,
      /** Watched queries of a process; past it new ones are answered 503. @fixed WATCH_MAX_STREAMS */
      maxStreams: 1_000,
      /** Watched queries of one website; past it new ones are answered 429. @fixed WATCH_MAX_STREAMS_PER_WEBSITE */
      maxStreamsPerWebsite: 50,
      /**
       * Percent of both numbers for watches of public websites by others, who send no credentials or those of another organization.
       * @fixed WATCH_PUBLIC_PERCENT
       */
      publicPercent: 80,
      /**
       * Such watches of one address (a /64 of IPv6) in a process; past it new ones are answered 429.
       * @fixed WATCH_MAX_PUBLIC_STREAMS_PER_ADDRESS
       */
      maxPublicStreamsPerAddress: 20,
    },
    durableLog: {
      /** Below it each API process keeps the log of its events and clicks, from which they are stored. */
      eventsDirectory: join(dataDir, "log", "events"),
      /** Below it each worker process keeps the log of its checks. */
      checksDirectory: join(dataDir, "log", "checks"),
      /** Size of a process's log of accepted rows; past it events are answered 503 and checks are lost. @tuning */
      maxBytes: integer(env, "LOG_MAX_BYTES", 1_073_741_824, 4_096, 1_099_511_627_776),
      /** `on` forces each write to the log to the disk, against power loss. @tuning */
      fsync: oneOf(env, "LOG_FSYNC", "off", ["on", "off"]) === "on",
    },
    kafka: {
      /**
       * Brokers that speak Kafka's protocol, `host:port` separated by commas. With them events, clicks, checks and aggregates go through a
       * log that they keep several times, from which `npm run consumer` fills the QuestDBs of SHARDS ([scale](scale.md)). Needs SHARDS.
       * @setting KAFKA_BROKERS
       * @default none: rows are kept on this machine until QuestDB has them
       * @tuning
       */
      brokers: brokers(env),
      /**
       * `on` encrypts connections to the brokers and checks their certificates; the authority (KAFKA_TLS_CA) and what shows the brokers who
       * connects are paths of PEM files.
       * @setting KAFKA_TLS, KAFKA_TLS_CA, KAFKA_TLS_KEY, KAFKA_TLS_CERT
       * @default `off`; the authorities are those of Node
       * @tuning
       */
      tls: kafkaTls(env),
      /**
       * How processes sign in at the brokers: `PLAIN`, `SCRAM-SHA-256` or `SCRAM-SHA-512`, with a name and a password.
       * @setting KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD
       * @default not at all; the mechanism is `SCRAM-SHA-512`
       * @tuning
       */
      sasl: kafkaSasl(env),
      /** What the names of the topics begin with: `<prefix>.rows.<shard>`. @setting KAFKA_TOPIC_PREFIX @tuning */
      topicPrefix: topicPrefix(env),
      /** Partitions of a topic that is created. All processes need the same number, and it stays as it is. @tuning */
      partitions: integer(env, "KAFKA_PARTITIONS", 6, 1, 1_000),
      /** How long an answer waits for the brokers, so also for another one to take the place of one that fails. @fixed KAFKA_TIMEOUT_MS */
      timeoutMs: 10_000,
      /**
       * How long the brokers keep rows: a replica that was away for longer has to be rebuilt from another one. At most 29 days, so that erased
       * rows are gone within 30. All processes need the same value.
       * @tuning
       */
      retentionMs: integer(env, "LOG_RETENTION_MS", 172_800_000, 3_600_000, 2_505_600_000),
      /** Copies of each row at the brokers. Rows are taken while two of them are in sync. @tuning */
      replicas: integer(env, "LOG_REPLICAS", 3, 1, 9),
      /**
       * What happens to rows while the brokers do not take them: `embedded` keeps them in the log on this machine, as without brokers, and
       * forwards them later; `refuse` answers 503.
       * @tuning
       */
      whenUnavailable: oneOf(env, "LOG_UNAVAILABLE", "embedded", ["embedded", "refuse"]),
    },
    postgres: {
      /** A PostgreSQL 14 or later to use instead of the one of `npm start`. */
      url: url(env, "DATABASE_URL", "postgres://lookout@127.0.0.1:5432/lookout"),
      /** Connections of a process to PostgreSQL. @tuning */
      poolSize: integer(env, "DATABASE_POOL_SIZE", 8, 1, 256),
      /**
       * How long a call waits for an answer of PostgreSQL before it fails with 503. A connection that does not answer is closed.
       * @fixed DATABASE_TIMEOUT_MS
       */
      answerTimeoutMs: 10_000,
      /**
       * How long an event, a click or a query waits for a look-up in PostgreSQL before it does without: with what the process knows of the
       * website or link, or with events instead of stored sessions.
       * @fixed DATABASE_LOOK_UP_TIMEOUT_MS
       */
      lookUpTimeoutMs: 1_000,
    },
    temporal: {
      /** A Temporal server to use instead of the one of `npm start`. */
      address: text(env, "TEMPORAL_ADDRESS", "127.0.0.1:7233"),
      /** The namespace in Temporal. @tuning */
      namespace: text(env, "TEMPORAL_NAMESPACE", "default"),
      /** The task queue of the worker in Temporal. @tuning */
      taskQueue: text(env, "TEMPORAL_TASK_QUEUE", "lookout"),
      /** The address of the Temporal Web UI, as shown in credentials.json and at the start. */
      uiUrl: url(env, "TEMPORAL_UI", "http://127.0.0.1:8233"),
    },
    access: {
      /**
       * How long an API process keeps what it has looked up of keys, websites and links: so long a revoked key may still work, a deleted link
       * redirect and a website show what was changed in another process. Status pages are kept five times as long, and at least a second.
       * Sessions are read with each call.
       * @setting CACHE_MS
       * @tuning
       */
      keyCacheMs: cacheMs,
      /** How often the last use of API keys is recorded, and so its precision. @fixed KEY_USE_MS */
      keyUseMs: 60_000,
      websiteCacheMs: cacheMs,
      /**
       * What an API process keeps of its look-ups, in about as many megabytes once it is full: of 100 MB each 10,000 websites, API keys and
       * sessions, 50,000 links and 500 status pages, and of more or less in proportion. Past it each event of another website, and each click
       * on another link, costs a look-up in PostgreSQL.
       * @setting CACHE_MB
       * @tuning
       */
      cachedWebsites: 100 * cacheMegabytes,
      /** API keys, and as many sessions of people. */
      cachedKeys: 100 * cacheMegabytes,
    },
    accounts: {
      /**
       * At least 32 characters, the same for API and worker. They sign cookies and links, and encrypt second factors and the
       * secrets of monitors and channels in PostgreSQL ([secrets](secrets.md)). Change it only with AUTH_SECRET_OLD.
       * @setting AUTH_SECRET
       * @default generated at the first start, stored in PostgreSQL
       */
      secret: secret(env, "AUTH_SECRET"),
      /**
       * Former values of AUTH_SECRET, separated by commas: what they encrypted can be read until `npm run rotate-secrets` has
       * encrypted it anew.
       * @setting AUTH_SECRET_OLD
       */
      oldSecrets: oldSecrets(env),
      /**
       * A shell command that prints the key of the encrypted secrets, instead of AUTH_SECRET, such as one of a key management service. A
       * process runs it once, at its start. Further lines are former keys.
       * @setting SECRETS_KEY_COMMAND
       * @tuning
       */
      keyCommand: env["SECRETS_KEY_COMMAND"] || undefined,
      /** How long a session lasts that is not used. @tuning */
      sessionMs: integer(env, "SESSION_MS", 604_800_000, 1_000, 31_536_000_000),
      /** How long an invitation can be accepted. @fixed INVITATION_MS */
      invitationMs: 604_800_000,
      /** How long the link to a new password works. @fixed PASSWORD_RESET_MS */
      passwordResetMs: 3_600_000,
      /** Failed sign-ins of one account in the window; past it further ones are answered 429. @fixed SIGN_IN_ATTEMPTS_PER_ACCOUNT */
      signInsPerAccount: 10,
      /** Failed sign-ins from one address in the window; past it further ones are answered 429. @fixed SIGN_IN_ATTEMPTS_PER_ADDRESS */
      signInsPerAddress: 100,
      /** The window in which failed sign-ins are counted. @fixed SIGN_IN_WINDOW_MS */
      signInWindowMs: 900_000,
      /** Origins such as `https://app.example.com`, separated by commas, whose pages may act for the people who are signed in. @tuning */
      trustedOrigins: origins(env, "TRUSTED_ORIGINS"),
      /**
       * The OpenID Connect provider that people may sign in with; all three settings or none.
       * @setting OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET
       * @default none
       */
      oidc: oidcProvider(env),
    },
    /** Calls of a minute, counted over a sliding window; past it they are answered 429. 0 is no limit. */
    rateLimits: {
      /** The sliding window in which calls are counted. @fixed RATE_LIMIT_WINDOW_MS */
      windowMs: 60_000,
      /** Queries of a key or a person in the window; far above the queries of a dashboard, below those of a runaway loop. In all limits 0 means no limit. @tuning */
      query: integer(env, "RATE_LIMIT_QUERY", 60_000, 0, 1_000_000_000),
      /** Queries that the caller composes, such as structured queries and funnels, which may be expensive. @tuning */
      custom: integer(env, "RATE_LIMIT_CUSTOM", 6_000, 0, 1_000_000_000),
      /** All other calls of a key or a person, except events. @tuning */
      manage: integer(env, "RATE_LIMIT_MANAGE", 12_000, 0, 1_000_000_000),
      /** Queries of an address without credentials, about public websites, and QR codes. @tuning */
      anonymous: integer(env, "RATE_LIMIT_ANONYMOUS", 600, 0, 1_000_000_000),
      /** Look-ups of an address that find no short link, and those that find no website for its events. @tuning */
      misses: integer(env, "RATE_LIMIT_MISSES", 300, 0, 1_000_000_000),
    },
    retention: {
      /** Days for which raw events are kept if a website has no period of its own. */
      rawEventDays: integer(env, "RETENTION_RAW_EVENT_DAYS", 90, 1, 3_650),
      /** Days for which daily aggregates are kept: 24 months. */
      aggregatedDays: integer(env, "RETENTION_AGGREGATED_DAYS", 730, 1, 3_650),
      /** Days for which performance metrics are kept. @tuning */
      performanceDays: integer(env, "RETENTION_PERFORMANCE_DAYS", 90, 1, 3_650),
      /** Days for which custom events are kept. @tuning */
      customEventDays: integer(env, "RETENTION_CUSTOM_EVENT_DAYS", 90, 1, 3_650),
      /**
       * How long a website's shorter periods can be cancelled before they take effect and older data is erased.
       * @fixed RETENTION_CANCELLABLE_MS
       */
      cancellableMs: 86_400_000,
    },
    uptime: {
      /**
       * The probe region of the service's own worker.
       * @setting UPTIME_REGION
       * @default `local`
       * @tuning
       */
      region,
      /** Further regions, separated by commas, whose probes run elsewhere (`npm run probe -- --region eu-1`). */
      regions: [...new Set([region, ...names(env, "UPTIME_REGIONS")])].sort(),
      /**
       * Encrypts what checks send, such as headers, on its way to probes: at least 32 characters, the same for API, worker and
       * probes (`openssl rand -base64 32`). Required with UPTIME_REGIONS.
       * @setting UPTIME_PROBE_KEY
       */
      probeKey: probeKey(env),
      /** Private, loopback and other reserved ranges that checks and webhooks may reach. */
      allowedRanges: addressRanges(env, "UPTIME_ALLOW_CIDRS"),
      /** Checks that a worker or a probe runs at the same time. More than hang at a time, else the others wait for those. @tuning */
      checksAtOnce: integer(env, "UPTIME_CHECKS_AT_ONCE", 1_000, 1, 10_000),
      /**
       * Monitors that a worker keeps in memory, and that it watches; the others it reads from Temporal at each of their
       * checks, which takes several times as much CPU. About 0.35 MB each.
       * @setting UPTIME_CACHED_MONITORS
       * @tuning
       */
      cachedMonitors: integer(env, "UPTIME_CACHED_MONITORS", 2_000, 10, 100_000),
      /** Of an answer to a check no more is read. @fixed UPTIME_MAX_BODY_BYTES */
      maxBodyBytes: 5_242_880,
      /** A page costs more to read than a link, and anybody may ask for it as often as they like, so it is always kept for a while. */
      statusPageCacheMs: Math.max(5 * cacheMs, 1_000),
      /** Past it another page is read from the stores for its next visitor, and has no last known state. */
      cachedStatusPages: 5 * cacheMegabytes,
    },
    notifications: {
      /**
       * The mail server of e-mail channels, invitations and new passwords: `smtps://user:password@mail.example.com:465`.
       * @setting SMTP_URL
       */
      smtpUrl: smtp.url,
      /** The sender of e-mails; set together with SMTP_URL. @setting SMTP_FROM */
      smtpFrom: smtp.from,
      /**
       * The wait before a notification that did not arrive is retried; each further wait is twice as long, up to an hour, for a day.
       * @fixed NOTIFICATION_RETRY_MS
       */
      firstRetryMs: 5_000,
    },
    exports: {
      /** Where exports are kept when no bucket is set. All processes must reach it. */
      directory: join(dataDir, "exports"),
      /**
       * The bucket to keep exports in instead of `DATA_DIR/exports`, in the store of the settings S3_*.
       * @setting EXPORT_S3_BUCKET
       */
      bucket: env["EXPORT_S3_BUCKET"] ? { name: env["EXPORT_S3_BUCKET"], ...s3 } : undefined,
      /** How long a finished export is kept and its address is valid. @tuning */
      validMs: integer(env, "EXPORT_VALID_MS", 604_800_000, 1_000, 31_536_000_000),
      /** Exports of one organization that run at once; past it new ones are answered 429. @tuning */
      maxRunning: integer(env, "EXPORT_MAX_RUNNING", 3, 1, 1_000),
      /** Rows of a part of an export. A crash costs at most one part, which is written again. @fixed EXPORT_PART_ROWS */
      partRows: 500_000,
    },
    backup: {
      /**
       * Where the worker makes backups by itself: a directory outside of DATA_DIR, or `s3://bucket/folder`.
       * @setting BACKUP_TO
       * @default none: backups are made with `npm run backup`
       */
      to: env["BACKUP_TO"] || undefined,
      /** The time from one backup of the worker to the next. It looks every five minutes whether one is due. @tuning */
      intervalMs: integer(env, "BACKUP_INTERVAL_MS", 86_400_000, 600_000, 604_800_000),
      /**
       * How often the worker reads the whole newest backup and compares it with its checksums. 0: never, for a bucket whose reads cost too
       * much; then `npm run verify` has to be run.
       * @tuning
       */
      checkIntervalMs: integer(env, "BACKUP_CHECK_INTERVAL_MS", 86_400_000, 0, 604_800_000),
      /** Days after which a backup is removed. Not more than 30, since erased data has to be gone from backups by then. */
      keepDays: integer(env, "BACKUP_KEEP_DAYS", 30, 1, 30),
      /**
       * The S3-compatible store of the buckets of exports and backups: its endpoint is that of AWS unless set, its keys are those of the machine
       * unless set. They need a bucket: EXPORT_S3_BUCKET, one in BACKUP_TO, or that of a [command](backup.md#buckets).
       * @setting S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY
       * @default those of AWS; the region is `us-east-1`
       */
      s3,
    },
    links: {
      cacheMs,
      maxCached: 500 * cacheMegabytes,
    },
    mcp: {
      /**
       * `on` lets assistants change things over /mcp, such as create short links, if their key has the scope.
       * @setting MCP_CHANGES
       * @default `off`
       */
      allowsChanges: oneOf(env, "MCP_CHANGES", "off", ["on", "off"]) === "on",
      /**
       * Characters of one answer to an assistant; rows that do not fit are left out, and it says how to get them.
       * @fixed MCP_MAX_ANSWER_CHARACTERS
       */
      maxAnswerCharacters: 40_000,
    },
    ingest: {
      /**
       * How far ahead of the server's clock an event's own timestamp may be; further is set to the server's clock.
       * @fixed INGEST_MAX_CLOCK_AHEAD_MS
       */
      maxClockAheadMs: 3_600_000,
      /**
       * An older event is refused. Far above the retention, so that history can be imported with its own times; yet limited, since each
       * day with events is a partition of QuestDB.
       * @fixed INGEST_MAX_EVENT_AGE_DAYS
       */
      maxEventAgeDays: 3_650,
      /** How often the counts of events that are not stored are written to the log; what a process that is killed loses of them. */
      excludedFlushMs: 3_000,
      /**
       * Addresses or CIDR ranges, separated by commas, of the proxies whose headers give a visitor's address and whether it came over TLS.
       */
      trustedProxies: addressRanges(env, "TRUSTED_PROXIES"),
      /** `false` also counts visitors who send Do Not Track or Global Privacy Control. */
      honorDoNotTrack: oneOf(env, "HONOR_DO_NOT_TRACK", "true", ["true", "false"]) === "true",
    },
  });
}

/** Sentences about settings of earlier versions without which data would be kept or looked for elsewhere. */
function lostSettings(env: Env): string[] {
  const found = Object.entries(replacedSettings).filter(([name]) => env[name]);
  return found.map(([name, instead]) => `${name} is now ${instead}, for exports and backups: set that instead`);
}

/** Refuses settings that do nothing, since another one is missing: who set them relies on them. */
function refuseIgnored(env: Env, names: readonly string[], missing: string, whatToDo = "set both, or neither"): void {
  const given = names.find((name) => env[name]);
  if (given !== undefined) throw new InvalidSetting(given, `${given} does nothing without ${missing}: ${whatToDo}`);
}

/** Refuses one of two settings that go together without the other. */
function refuseHalf(env: Env, [first, second]: readonly [string, string], whatToDo = "set both, or neither"): void {
  if (Boolean(env[first]) === Boolean(env[second])) return;
  const given = env[first] ? first : second;
  throw new InvalidSetting(first, `${first} and ${second} go together: ${whatToDo}, not only ${given}`);
}

function text(env: Env, name: string, otherwise: string): string {
  return env[name] || otherwise;
}

/** The parts of a list, without empty ones. */
function list(env: Env, name: string, separator: "," | ";" = ","): readonly string[] {
  const parts = text(env, name, "").split(separator);
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** At least 32 characters: it must not be guessed from what it signs or encrypts. */
function secret(env: Env, name: string): string | undefined {
  const given = env[name] || undefined;
  if (given !== undefined && given.length < 32)
    throw new InvalidSetting(
      name,
      `${name} must have at least 32 characters, not ${given.length}; make one with: openssl rand -base64 32`,
    );
  return given;
}

export type S3Access = ReturnType<typeof s3Access>;

export type ExportBucket = NonNullable<Config["exports"]["bucket"]>;

/** The store of all buckets. */
function s3Access(env: Env) {
  if (!env["EXPORT_S3_BUCKET"] && !isBucket(env["BACKUP_TO"])) {
    const parts = ["S3_ENDPOINT", "S3_REGION", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"];
    const whatToDo =
      "set EXPORT_S3_BUCKET, or BACKUP_TO to s3://bucket/folder, or give S3_* to that command alone which names a bucket";
    refuseIgnored(env, parts, "a bucket", whatToDo);
  }
  return {
    /** Undefined for that of AWS. */
    endpoint: env["S3_ENDPOINT"] ? url(env, "S3_ENDPOINT", "https://s3.example.com") : undefined,
    region: text(env, "S3_REGION", "us-east-1"),
    keys: accessKeys(env),
  };
}

function isBucket(place: string | undefined): boolean {
  return place?.startsWith("s3://") === true;
}

/** The settings of a command whose argument names a place of backups: where it is a bucket, the settings S3_* are used. */
export function withBackupPlace(env: Env, place: string | undefined): Env {
  return isBucket(place) ? { ...env, BACKUP_TO: place } : env;
}

/** The keys of a bucket; without them those of the machine are used, as AWS defines them. */
function accessKeys(env: Env) {
  refuseHalf(env, ["S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"]);
  const accessKeyId = env["S3_ACCESS_KEY_ID"];
  const secretAccessKey = env["S3_SECRET_ACCESS_KEY"];
  return accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined;
}

/** Each as long as AUTH_SECRET. The whole counts too: a secret may hold a comma. */
function oldSecrets(env: Env): readonly string[] {
  const whole = text(env, "AUTH_SECRET_OLD", "").trim();
  if (whole === "") return [];
  const parts = whole.split(",").map((part) => part.trim());
  if (parts.length > 1 && parts.every((part) => part.length >= 32)) return [...parts, whole];
  if (whole.length < 32)
    throw new InvalidSetting(
      "AUTH_SECRET_OLD",
      "AUTH_SECRET_OLD must be former values of AUTH_SECRET, of at least 32 characters each, separated by commas",
    );
  return [whole];
}

/** Needed with further regions; the service and its probes have the same. */
function probeKey(env: Env): string | undefined {
  if (!env["UPTIME_PROBE_KEY"] && env["UPTIME_REGIONS"])
    throw new InvalidSetting(
      "UPTIME_REGIONS",
      `UPTIME_REGIONS (${env["UPTIME_REGIONS"]}) needs UPTIME_PROBE_KEY, the same for the service and its probes; make one with: openssl rand -base64 32`,
    );
  return secret(env, "UPTIME_PROBE_KEY");
}

/** Origins such as https://app.example.com, separated by commas. */
function origins(env: Env, name: string): ReadonlySet<string> {
  const given = list(env, name);
  const wrong = given.find((part) => !URL.canParse(part) || new URL(part).origin !== part);
  if (wrong !== undefined)
    throw new InvalidSetting(
      name,
      `${name} must be origins such as https://app.example.com, separated by commas, not "${wrong}"`,
    );
  return new Set(given);
}

/** All three settings, or none. */
function oidcProvider(env: Env) {
  const issuer = env["OIDC_ISSUER"] || undefined;
  const clientId = env["OIDC_CLIENT_ID"] || undefined;
  const clientSecret = env["OIDC_CLIENT_SECRET"] || undefined;
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return undefined;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined)
    throw new InvalidSetting(
      "OIDC_ISSUER",
      "OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together: set all three, or none",
    );
  return { issuer: url(env, "OIDC_ISSUER", "https://id.example.com"), clientId, clientSecret };
}

/** Both settings, or neither. */
function mailServer(env: Env): { url: string | undefined; from: string } {
  const given = env["SMTP_URL"] || undefined;
  const from = text(env, "SMTP_FROM", "");
  refuseHalf(env, ["SMTP_URL", "SMTP_FROM"]);
  if (given !== undefined && !isAddress(given, ["smtp:", "smtps:"]))
    throw new InvalidSetting(
      "SMTP_URL",
      `SMTP_URL must be an address such as smtps://user:password@mail.example.com:465, not "${maskedAddress(given)}"`,
    );
  return { url: given, from };
}

/** `host:port`, separated by commas; none without it. */
function brokers(env: Env): readonly string[] {
  const given = list(env, "KAFKA_BROKERS");
  const wrong = given.find((part) => !/^(?:[\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i.test(part));
  if (wrong !== undefined)
    throw new InvalidSetting(
      "KAFKA_BROKERS",
      `KAFKA_BROKERS must be addresses such as kafka-1:9092, separated by commas, not "${maskedAddress(wrong)}"`,
    );
  const hasShards = text(env, "SHARDS", "") !== "";
  if (given.length > 0 && !hasShards)
    throw new InvalidSetting(
      "KAFKA_BROKERS",
      "KAFKA_BROKERS needs SHARDS, which names the QuestDBs that the log is for",
    );
  if (given.length === 0 && hasShards)
    throw new InvalidSetting(
      "SHARDS",
      "SHARDS needs KAFKA_BROKERS, whose log fills the QuestDBs: set both, or for one QuestDB set QUESTDB_HTTP and QUESTDB_PG instead",
    );
  return given;
}

function kafkaTls(env: Env) {
  const isOn = oneOf(env, "KAFKA_TLS", "off", ["on", "off"]) === "on";
  if (!isOn) refuseIgnored(env, ["KAFKA_TLS_CA", "KAFKA_TLS_KEY", "KAFKA_TLS_CERT"], "KAFKA_TLS=on");
  else if (!env["KAFKA_BROKERS"]) refuseIgnored(env, ["KAFKA_TLS"], "KAFKA_BROKERS");
  refuseHalf(env, ["KAFKA_TLS_KEY", "KAFKA_TLS_CERT"]);
  return {
    isOn,
    caFile: env["KAFKA_TLS_CA"] || undefined,
    keyFile: env["KAFKA_TLS_KEY"] || undefined,
    certificateFile: env["KAFKA_TLS_CERT"] || undefined,
  };
}

function kafkaSasl(env: Env) {
  const username = env["KAFKA_SASL_USERNAME"];
  const password = env["KAFKA_SASL_PASSWORD"];
  const mechanism = oneOf(env, "KAFKA_SASL_MECHANISM", "SCRAM-SHA-512", ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"]);
  refuseHalf(env, ["KAFKA_SASL_USERNAME", "KAFKA_SASL_PASSWORD"]);
  if (!username) refuseIgnored(env, ["KAFKA_SASL_MECHANISM"], "KAFKA_SASL_USERNAME");
  else if (!env["KAFKA_BROKERS"]) refuseIgnored(env, ["KAFKA_SASL_USERNAME"], "KAFKA_BROKERS");
  return username && password ? { mechanism, username, password } : undefined;
}

function topicPrefix(env: Env): string {
  const given = text(env, "KAFKA_TOPIC_PREFIX", "lookout");
  if (!/^[A-Za-z0-9._-]{1,100}$/.test(given))
    throw new InvalidSetting(
      "KAFKA_TOPIC_PREFIX",
      `KAFKA_TOPIC_PREFIX must be of letters, digits, dots, underscores and dashes, not "${given}"`,
    );
  return given;
}

/** One QuestDB of a shard. */
export type ReplicaSettings = { readonly name: string; readonly http: string; readonly pg: string };

export type ShardSettings = { readonly name: string; readonly replicas: readonly ReplicaSettings[] };

/** The shards of SHARDS; none without it. The addresses may hold passwords, which no message shows. */
function shards(env: Env): readonly ShardSettings[] {
  const found = list(env, "SHARDS", ";").map((part): ShardSettings => {
    const [, name, addresses] = /^([a-z][a-z0-9-]{0,31})\s*=(.*)$/s.exec(part) ?? [];
    const replicas = (addresses ?? "").split(",").map((pair, index): ReplicaSettings | undefined => {
      const [http, pg, ...more] = pair.split("|").map((address) => address.trim().replace(/\/+$/, ""));
      const isPair = isAddress(http ?? "", ["http:", "https:"]) && isAddress(pg ?? "", ["postgres:", "postgresql:"]);
      const letter = replicaNames[index];
      if (!isPair || http === undefined || pg === undefined || more.length > 0 || !letter) return undefined;
      return { name: letter, http, pg };
    });
    const whole = replicas.filter((replica) => replica !== undefined);
    if (name === undefined || whole.length !== replicas.length)
      throw new InvalidSetting(
        "SHARDS",
        "SHARDS must be shards such as s1=http://host:9000|postgres://host:8812/qdb, separated by semicolons, each with up to " +
          `${replicaNames.length} replicas separated by commas; wrong is the one that begins with "${(name ?? part).slice(0, 32).replace(/[^a-z0-9-].*$/s, "")}"`,
      );
    return { name, replicas: whole };
  });
  const twice = found.find(({ name }, index) => found.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined) throw new InvalidSetting("SHARDS", `SHARDS has the shard ${twice.name} twice`);
  return found;
}

/** The replicas of a shard are named in the order of the setting. */
const replicaNames = [..."abcdefgh"];

/** Names of lower-case letters, digits and dashes, separated by commas. */
function names(env: Env, name: string): readonly string[] {
  const given = list(env, name);
  const wrong = given.find((part) => !/^[a-z0-9-]{1,64}$/.test(part));
  if (wrong !== undefined)
    throw new InvalidSetting(
      name,
      `${name} must be of lower-case letters, digits and dashes such as eu-1, not "${wrong}"`,
    );
  return given;
}

function integer(env: Env, name: string, otherwise: number, least: number, most: number): number {
  const given = env[name];
  if (given === undefined || given === "") return otherwise;
  const value = Number(given);
  if (!Number.isInteger(value) || value < least || value > most)
    throw new InvalidSetting(name, `${name} must be a whole number from ${least} to ${most}, not "${given}"`);
  return value;
}

function fraction(env: Env, name: string, otherwise: number): number {
  const given = env[name];
  if (given === undefined || given === "") return otherwise;
  const value = Number(given);
  if (!(value >= 0 && value <= 1))
    throw new InvalidSetting(name, `${name} must be a number from 0 to 1, not "${given}"`);
  return value;
}

/** Pairs `name=value`, separated by commas; values are percent-encoded. They may hold a token, so no message shows them. */
function headerPairs(env: Env, name: string): Readonly<Record<string, string>> {
  const pairs = list(env, name).map((part) => /^([\w.-]+)\s*=\s*(.*)$/.exec(part)?.slice(1) ?? []);
  try {
    return Object.fromEntries(
      pairs.map(([header, value]) => {
        if (header === undefined || value === undefined) throw new URIError("no pair");
        return [header.toLowerCase(), decodeURIComponent(value)];
      }),
    );
  } catch {
    throw new InvalidSetting(
      name,
      `${name} must be pairs such as authorization=Bearer%20token, separated by commas, with percent-encoded values`,
    );
  }
}

/** An address with the scheme of `otherwise`; http and https are each other's alternatives. */
function url(env: Env, name: string, otherwise: string): string {
  const given = env[name] || otherwise;
  const schemes = otherwise.startsWith("http") ? ["http:", "https:"] : ["postgres:", "postgresql:"];
  if (!isAddress(given, schemes))
    throw new InvalidSetting(name, `${name} must be an address such as ${otherwise}, not "${maskedAddress(given)}"`);
  return given.replace(/\/+$/, "");
}

function isAddress(text: string, schemes: readonly string[]): boolean {
  return URL.canParse(text) && schemes.includes(new URL(text).protocol);
}

/** What was given for an address, without what may be a password or token: before an @, in a query, and what looks like no host. */
function maskedAddress(text: string): string {
  const scheme = /^[a-z][a-z+]*:?\/\//i.exec(text)?.[0] ?? "";
  const rest = text.slice(scheme.length);
  const at = rest.lastIndexOf("@");
  const place = rest.slice(at + 1).replace(/[?#].*$/s, "?***");
  if (at >= 0) return `${scheme}***@${place}`;
  const isPlace = /^[\w.-]+(?::\d+)?(?:\/[^:]*)?$/.test(place) && /[.:/]/.test(scheme + place);
  return isPlace ? `${scheme}${place}` : `${scheme}***`;
}

function addressRanges(env: Env, name: string): BlockList {
  try {
    return parseAddressRanges(text(env, name, ""));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new InvalidSetting(
      name,
      `${name} must be addresses or CIDR ranges such as 10.0.0.0/8, separated by commas, not ${error.message}`,
    );
  }
}

function oneOf<const T extends string>(env: Env, name: string, otherwise: T, allowed: readonly T[]): T {
  const given = env[name] || otherwise;
  const found = allowed.find((value) => value === given);
  if (found === undefined)
    throw new InvalidSetting(name, `${name} must be one of ${allowed.join(", ")}, not "${given}"`);
  return found;
}
