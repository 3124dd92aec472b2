/**
 * Every setting and every default of the service. Nothing else reads the environment.
 *
 * A number's name has its unit: `Ms` milliseconds, `Bytes` bytes.
 */
import type { BlockList } from "node:net";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { parseAddressRanges } from "./outbound/addressRanges.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** An invalid setting. The message names the variable and its valid values. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

export type Config = ReturnType<typeof readConfig>;

export function readConfig(env: Env = process.env) {
  const port = integer(env, "PORT", 8080, 0, 65_535);
  const host = text(env, "HOST", "127.0.0.1");
  const tlsKeyFile = env["TLS_KEY"] || undefined;
  const tlsCertificateFile = env["TLS_CERT"] || undefined;
  if ((tlsKeyFile === undefined) !== (tlsCertificateFile === undefined))
    throw new ConfigError("TLS_KEY and TLS_CERT go together: set both to the paths of PEM files, or neither");
  const scheme = tlsKeyFile ? "https" : "http";
  const headersTimeoutMs = integer(env, "HEADERS_TIMEOUT_MS", 10_000, 100, 600_000);
  const requestTimeoutMs = integer(env, "REQUEST_TIMEOUT_MS", 30_000, 100, 600_000);
  // Node does not start a server whose timeout for requests is shorter than that for headers.
  if (requestTimeoutMs < headersTimeoutMs)
    throw new ConfigError(
      `REQUEST_TIMEOUT_MS (${requestTimeoutMs}) must not be less than HEADERS_TIMEOUT_MS (${headersTimeoutMs})`,
    );
  const region = names(env, "UPTIME_REGION")[0] ?? "local";
  const dataDir = resolve(text(env, "DATA_DIR", ".data"));
  const smtp = mailServer(env);
  return Object.freeze({
    server: {
      host,
      port,
      /** What credentials.json and links in answers start with. */
      baseUrl: text(env, "BASE_URL", `${scheme}://${host}:${port}`).replace(/\/+$/, ""),
      tlsKeyFile,
      tlsCertificateFile,
      /** How long browsers use https only (HSTS), if BASE_URL is https; 0: no such header. */
      hstsMs: integer(env, "HSTS_MS", 31_536_000_000, 0, 63_072_000_000),
      /** A JSON body or one gRPC message; more is answered 413 (RESOURCE_EXHAUSTED). */
      maxBodyBytes: integer(env, "MAX_BODY_BYTES", 1_048_576, 1_024, 67_108_864),
      /** Request line and headers together; more is answered 431. */
      maxHeaderBytes: integer(env, "MAX_HEADER_BYTES", 16_384, 4_096, 1_048_576),
      /** How long a client may take to send its headers. */
      headersTimeoutMs,
      /** How long a client may take to send a whole request. */
      requestTimeoutMs,
      /** How long an idle connection is kept. Above the 60 s that common load balancers keep theirs. */
      keepAliveTimeoutMs: integer(env, "KEEP_ALIVE_TIMEOUT_MS", 65_000, 100, 3_600_000),
      /** How long a stop waits for the requests it has accepted. */
      shutdownTimeoutMs: integer(env, "SHUTDOWN_TIMEOUT_MS", 20_000, 0, 600_000),
    },
    log: { level: oneOf(env, "LOG_LEVEL", "info", ["trace", "debug", "info", "warn", "error", "fatal", "silent"]) },
    stack: {
      /** The data of the service: stores of the local stack, credentials.json. */
      dataDir,
      /** Servers that were provisioned once; outside node_modules, so that a new clone starts in seconds. */
      cacheDir: resolve(text(env, "CACHE_DIR", join(env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "lookout"))),
      /** Free disk space under which nothing is started. */
      minFreeBytes: 1_073_741_824,
      /** How long a server may take until it answers. */
      readyTimeoutMs: integer(env, "STACK_READY_TIMEOUT_MS", 60_000, 100, 600_000),
      /** The QuestDB jar to run instead of the provisioned one. */
      questdbJar: env["QUESTDB_JAR"] || undefined,
      /**
       * What an answer of 10,000 rows leaves behind is garbage at once: with room for 64 MiB of it between collections it is rarely
       * copied, and costs a tenth less CPU (bench/gateway).
       */
      apiNodeFlags: ["--max-semi-space-size=64"],
      javaHome: env["JAVA_HOME"] || undefined,
      /** Where programs are looked up. */
      path: env["PATH"] || "",
      /** Stores whose address is given are used as they are, neither provisioned nor started. */
      given: {
        questdbHttp: Boolean(env["QUESTDB_HTTP"]),
        questdbPg: Boolean(env["QUESTDB_PG"]),
        temporal: Boolean(env["TEMPORAL_ADDRESS"]),
        temporalUi: Boolean(env["TEMPORAL_UI"]),
        postgres: Boolean(env["DATABASE_URL"]),
        baseUrl: Boolean(env["BASE_URL"]),
      },
      /** What child processes inherit. */
      environment: env,
    },
    questdb: {
      /** HTTP address for writing (ILP) and statements, http://host:port */
      http: url(env, "QUESTDB_HTTP", "http://127.0.0.1:9000"),
      /** PostgreSQL wire address for reading, postgres://user:password@host:port/qdb */
      pg: url(env, "QUESTDB_PG", "postgres://admin:quest@127.0.0.1:8812/qdb"),
      /** QuestDB's data root, where erasures see when bytes are gone; without it they wait as long as QuestDB's settings may need. */
      root: env["QUESTDB_ROOT"] ? resolve(env["QUESTDB_ROOT"]) : undefined,
      /** Connections a process holds for reading. */
      poolSize: integer(env, "QUESTDB_POOL_SIZE", 8, 1, 256),
      /** Rows of one group commit, about. QuestDB takes 5,000 at once with a third less work for each than 1,000. */
      flushRows: integer(env, "QUESTDB_FLUSH_ROWS", 5_000, 1, 100_000),
      /** How long one attempt to commit may take. Rows that can be made again, such as aggregates, fail after it. */
      commitTimeoutMs: integer(env, "QUESTDB_COMMIT_TIMEOUT_MS", 10_000, 100, 600_000),
      /** How long one query may take before it fails. */
      queryTimeoutMs: integer(env, "QUESTDB_QUERY_TIMEOUT_MS", 30_000, 100, 600_000),
      /** Statements of one website, or of one organization's queries, that run at once, so that others find a free connection. */
      readsPerWebsite: integer(env, "QUESTDB_READS_PER_WEBSITE", 4, 1, 256),
      /** Statements of all websites that wait for a connection; past it queries are answered 503. */
      maxWaitingReads: integer(env, "QUESTDB_MAX_WAITING_READS", 10_000, 0, 1_000_000),
      /** Those of one website; past it its queries are answered 429. */
      maxWaitingReadsPerWebsite: integer(env, "QUESTDB_MAX_WAITING_READS_PER_WEBSITE", 1_000, 0, 1_000_000),
      /** Rows that a funnel or a journey may read. */
      maxRowsRead: integer(env, "QUESTDB_MAX_ROWS_READ", 5_000_000, 1_000, 1_000_000_000),
    },
    query: {
      /** How long one request may take, with all of its parameters; those that are not answered by then fail. */
      timeoutMs: integer(env, "QUERY_TIMEOUT_MS", 30_000, 100, 600_000),
      /** Values that the filters of a request may compare with, counted for each parameter; past it requests are refused. */
      maxFilterValues: integer(env, "QUERY_MAX_FILTER_VALUES", 20_000, 1_000, 10_000_000),
    },
    watch: {
      /** How often watched queries look for new events, and so how often one may be answered. */
      intervalMs: integer(env, "WATCH_INTERVAL_MS", 1_000, 50, 60_000),
      /** Watched queries of a process; past it new ones are answered 503. */
      maxStreams: integer(env, "WATCH_MAX_STREAMS", 1_000, 0, 1_000_000),
      /** Those of one website; past it new ones are answered 429. */
      maxStreamsPerWebsite: integer(env, "WATCH_MAX_STREAMS_PER_WEBSITE", 50, 0, 1_000_000),
    },
    durableLog: {
      /** Below it each API process keeps the log of its events and clicks, from which they are stored. */
      eventsDirectory: join(dataDir, "log", "events"),
      /** Below it each worker process keeps the log of its checks. */
      checksDirectory: join(dataDir, "log", "checks"),
      /** Size of a process's log; past it new events are answered 503 and checks are lost. */
      maxBytes: integer(env, "LOG_MAX_BYTES", 1_073_741_824, 4_096, 1_099_511_627_776),
      /** Whether each write to the log is also forced to the disk, against power loss. */
      fsync: oneOf(env, "LOG_FSYNC", "off", ["on", "off"]) === "on",
    },
    postgres: {
      url: url(env, "DATABASE_URL", "postgres://lookout@127.0.0.1:5432/lookout"),
      poolSize: integer(env, "DATABASE_POOL_SIZE", 8, 1, 256),
    },
    temporal: {
      address: text(env, "TEMPORAL_ADDRESS", "127.0.0.1:7233"),
      namespace: text(env, "TEMPORAL_NAMESPACE", "default"),
      taskQueue: text(env, "TEMPORAL_TASK_QUEUE", "lookout"),
      /** Web UI, for credentials.json and the ready line. */
      uiUrl: url(env, "TEMPORAL_UI", "http://127.0.0.1:8233"),
    },
    access: {
      /** How long a key is cached, so how long a revoked key may still work in another process. */
      keyCacheMs: integer(env, "KEY_CACHE_MS", 1_000, 0, 60_000),
      /** How often the last use of keys is recorded, and so its precision. */
      keyUseMs: integer(env, "KEY_USE_MS", 60_000, 100, 3_600_000),
      /** How long a website is cached. */
      websiteCacheMs: integer(env, "WEBSITE_CACHE_MS", 1_000, 0, 60_000),
    },
    accounts: {
      /** Signs cookies and links and encrypts second factors. Without one a random one is made and kept in PostgreSQL. */
      secret: authSecret(env),
      /** How long a session lasts that is not used. */
      sessionMs: integer(env, "SESSION_MS", 604_800_000, 1_000, 31_536_000_000),
      /** How long an invitation can be accepted. */
      invitationMs: integer(env, "INVITATION_MS", 604_800_000, 1_000, 31_536_000_000),
      /** How long the link to a new password works. */
      passwordResetMs: integer(env, "PASSWORD_RESET_MS", 3_600_000, 1_000, 86_400_000),
      /** Failed sign-ins of one account, and from one address, within the window; past them further ones are answered 429. */
      signInsPerAccount: integer(env, "SIGN_IN_ATTEMPTS_PER_ACCOUNT", 10, 1, 1_000_000),
      signInsPerAddress: integer(env, "SIGN_IN_ATTEMPTS_PER_ADDRESS", 100, 1, 1_000_000),
      signInWindowMs: integer(env, "SIGN_IN_WINDOW_MS", 900_000, 1_000, 86_400_000),
      /** Pages elsewhere that may act for the people who are signed in. */
      trustedOrigins: origins(env, "TRUSTED_ORIGINS"),
      /** The OpenID Connect provider that people may sign in with. */
      oidc: oidcProvider(env),
    },
    /** Calls of a minute, counted over a sliding window; past it they are answered 429. 0 is no limit. */
    rateLimits: {
      windowMs: integer(env, "RATE_LIMIT_WINDOW_MS", 60_000, 1_000, 3_600_000),
      /** Questions of a key or a person; far above what a dashboard asks, below what one runaway loop does. */
      query: integer(env, "RATE_LIMIT_QUERY", 60_000, 0, 1_000_000_000),
      /** Questions that the caller composes, which may be expensive. */
      custom: integer(env, "RATE_LIMIT_CUSTOM", 6_000, 0, 1_000_000_000),
      /** All other calls of a key or a person, but for events. */
      manage: integer(env, "RATE_LIMIT_MANAGE", 12_000, 0, 1_000_000_000),
      /** Questions of an address without credentials, about public websites, and QR codes that it has drawn. */
      anonymous: integer(env, "RATE_LIMIT_ANONYMOUS", 600, 0, 1_000_000_000),
      /** Look-ups of an address that find no short link, and of those that find no website to store events of. */
      misses: integer(env, "RATE_LIMIT_MISSES", 300, 0, 1_000_000_000),
    },
    retention: {
      /** Days for which raw events are kept where a website says nothing else (specification part 8). */
      rawEventDays: integer(env, "RETENTION_RAW_EVENT_DAYS", 90, 1, 3_650),
      /** Those for daily aggregates: 24 months. */
      aggregatedDays: integer(env, "RETENTION_AGGREGATED_DAYS", 730, 1, 3_650),
      performanceDays: integer(env, "RETENTION_PERFORMANCE_DAYS", 90, 1, 3_650),
      customEventDays: integer(env, "RETENTION_CUSTOM_EVENT_DAYS", 90, 1, 3_650),
      /** How long a website's shorter periods can be cancelled before they hold and older data is erased. */
      cancellableMs: integer(env, "RETENTION_CANCELLABLE_MS", 86_400_000, 100, 86_400_000),
    },
    uptime: {
      /** The probe region of the service's own worker. */
      region,
      /** Every region that monitors may name: the service's own and those of the probes that run elsewhere. */
      regions: [...new Set([region, ...names(env, "UPTIME_REGIONS")])].sort(),
      /** Encrypts what checks send, such as headers, on its way to the probes of other regions. */
      probeKey: probeKey(env),
      /** Ranges that checks and webhooks may reach although they are not public. */
      allowedRanges: addressRanges(env, "UPTIME_ALLOW_CIDRS"),
      /** Checks that a worker or a probe makes at once. Above what hangs at a time, else the others wait for those. */
      checksAtOnce: integer(env, "UPTIME_CHECKS_AT_ONCE", 1_000, 1, 10_000),
      /** Monitors that a worker keeps in memory; the others it reads from Temporal at each of their checks. About 0.5 MB each. */
      cachedMonitors: integer(env, "UPTIME_CACHED_MONITORS", 2_000, 10, 100_000),
      /** Of an answer to a check no more is read. */
      maxBodyBytes: integer(env, "UPTIME_MAX_BODY_BYTES", 5_242_880, 1_024, 104_857_600),
    },
    notices: {
      /** The mail server of e-mail channels; without one there are none. */
      smtpUrl: smtp.url,
      /** Whom e-mails come from. */
      smtpFrom: smtp.from,
      /** How long a message that did not arrive waits for its second attempt; each further wait is twice as long, up to an hour. */
      firstRetryMs: integer(env, "NOTICE_RETRY_MS", 5_000, 10, 3_600_000),
    },
    exports: {
      /** Where exports are kept when no bucket is set. All processes must reach it. */
      directory: join(dataDir, "exports"),
      /** The bucket of an S3-compatible store to keep them in instead. */
      bucket: exportBucket(env),
      /** How long a finished export is kept and its address is valid (specification part 8). */
      validMs: integer(env, "EXPORT_VALID_MS", 604_800_000, 1_000, 31_536_000_000),
      /** Exports of one organization that run at once; past it new ones are answered 429. */
      maxRunning: integer(env, "EXPORT_MAX_RUNNING", 3, 1, 1_000),
      /** Rows of a part. What a crash interrupts is at most one part and begins again there. */
      partRows: integer(env, "EXPORT_PART_ROWS", 100_000, 100, 10_000_000),
    },
    links: {
      /** How long a link is cached, so how long a changed or deleted link may still redirect in another process. */
      cacheMs: integer(env, "LINK_CACHE_MS", 1_000, 0, 60_000),
    },
    ingest: {
      /** How far ahead of our clock an event's own timestamp may be; further is set to our clock. */
      maxClockAheadMs: integer(env, "INGEST_MAX_CLOCK_AHEAD_MS", 3_600_000, 0, 86_400_000),
      /**
       * How old an event may be. Far above the retention, since it is for the daily run to erase what is past that, and history is brought
       * in with its own times; yet bounded, since each day with events is a partition.
       */
      maxEventAgeDays: integer(env, "INGEST_MAX_EVENT_AGE_DAYS", 3_650, 1, 9_600),
      /** Proxies whose headers are trusted for a visitor's address. */
      trustedProxies: addressRanges(env, "TRUSTED_PROXIES"),
      /** Whether visitors who send Do Not Track or Global Privacy Control are left out. */
      honorDoNotTrack: oneOf(env, "HONOR_DO_NOT_TRACK", "true", ["true", "false"]) === "true",
    },
  });
}

function text(env: Env, name: string, otherwise: string): string {
  return env[name] || otherwise;
}

export type ExportBucket = NonNullable<ReturnType<typeof exportBucket>>;

/** The bucket of exports; undefined without a name. Without keys those of the machine are used, as AWS defines them. */
function exportBucket(env: Env) {
  const name = env["EXPORT_S3_BUCKET"] || undefined;
  if (name === undefined) return undefined;
  const accessKeyId = env["EXPORT_S3_ACCESS_KEY_ID"] || undefined;
  const secretAccessKey = env["EXPORT_S3_SECRET_ACCESS_KEY"] || undefined;
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined))
    throw new ConfigError("EXPORT_S3_ACCESS_KEY_ID and EXPORT_S3_SECRET_ACCESS_KEY go together: set both, or neither");
  return {
    name,
    /** Undefined for that of AWS. */
    endpoint: env["EXPORT_S3_ENDPOINT"] ? url(env, "EXPORT_S3_ENDPOINT", "https://s3.example.com") : undefined,
    region: text(env, "EXPORT_S3_REGION", "us-east-1"),
    keys: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
  };
}

/** At least 32 characters: it must not be guessed from what it signs. */
function authSecret(env: Env): string | undefined {
  const given = env["AUTH_SECRET"] || undefined;
  if (given !== undefined && given.length < 32)
    throw new ConfigError("AUTH_SECRET must have at least 32 characters; make one with: openssl rand -base64 32");
  return given;
}

/** Needed where there are other regions; the service and its probes have the same. */
function probeKey(env: Env): string | undefined {
  const given = env["UPTIME_PROBE_KEY"] || undefined;
  if (given === undefined && text(env, "UPTIME_REGIONS", "") !== "")
    throw new ConfigError(
      "UPTIME_REGIONS needs UPTIME_PROBE_KEY, the same for the service and its probes; make one with: openssl rand -base64 32",
    );
  if (given !== undefined && given.length < 32)
    throw new ConfigError("UPTIME_PROBE_KEY must have at least 32 characters; make one with: openssl rand -base64 32");
  return given;
}

/** Origins such as https://app.example.com, separated by commas. */
function origins(env: Env, name: string): ReadonlySet<string> {
  const given = text(env, name, "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const wrong = given.find((part) => !URL.canParse(part) || new URL(part).origin !== part);
  if (wrong !== undefined)
    throw new ConfigError(
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
    throw new ConfigError("OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together: set all three, or none");
  return { issuer: url(env, "OIDC_ISSUER", "https://id.example.com"), clientId, clientSecret };
}

/** Both settings, or neither. */
function mailServer(env: Env): { url: string | undefined; from: string } {
  const given = env["SMTP_URL"] || undefined;
  const from = text(env, "SMTP_FROM", "");
  if ((given === undefined) !== (from === ""))
    throw new ConfigError("SMTP_URL and SMTP_FROM go together: set both, or neither");
  // The value itself stays out of the message: it may hold a password.
  if (given !== undefined && (!/^smtps?:\/\//.test(given) || !URL.canParse(given)))
    throw new ConfigError("SMTP_URL must be an address such as smtps://user:password@mail.example.com:465");
  return { url: given, from };
}

/** Names of lower-case letters, digits and dashes, separated by commas. */
function names(env: Env, name: string): string[] {
  const given = text(env, name, "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const wrong = given.find((part) => !/^[a-z0-9-]{1,64}$/.test(part));
  if (wrong !== undefined)
    throw new ConfigError(`${name} must be of lower-case letters, digits and dashes such as eu-1, not "${wrong}"`);
  return given;
}

function integer(env: Env, name: string, otherwise: number, least: number, most: number): number {
  const given = env[name];
  if (given === undefined || given === "") return otherwise;
  const value = Number(given);
  if (!Number.isInteger(value) || value < least || value > most)
    throw new ConfigError(`${name} must be a whole number from ${least} to ${most}, not "${given}"`);
  return value;
}

function url(env: Env, name: string, otherwise: string): string {
  const given = env[name] || otherwise;
  if (!URL.canParse(given)) throw new ConfigError(`${name} must be an address such as ${otherwise}, not "${given}"`);
  return given.replace(/\/+$/, "");
}

function addressRanges(env: Env, name: string): BlockList {
  try {
    return parseAddressRanges(text(env, name, ""));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ConfigError(
      `${name} must be addresses or CIDR ranges such as 10.0.0.0/8, separated by commas, not ${error.message}`,
    );
  }
}

function oneOf<const T extends string>(env: Env, name: string, otherwise: T, allowed: readonly T[]): T {
  const given = env[name] || otherwise;
  const found = allowed.find((value) => value === given);
  if (found === undefined) throw new ConfigError(`${name} must be one of ${allowed.join(", ")}, not "${given}"`);
  return found;
}
