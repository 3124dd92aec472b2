/**
 * Opens the stores and logs of a process: of the API and the worker, and of the servers of tests and benchmarks. Handlers do not
 * import this file; each domain declares in its own call type, such as LinkCall, what it needs of an App.
 */

import { join } from "node:path";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { KeyDirectory } from "../access/keyDirectory.ts";
import { PasswordAttempts } from "../access/passwordAttempts.ts";
import { RateLimits } from "../access/rateLimit/rateLimits.ts";
import { SharedDashboards } from "../access/sharedDashboards.ts";
import { WebsiteDirectory } from "../access/websiteDirectory.ts";
import { Accounts } from "../accounts/accounts.ts";
import { TouchedDays } from "../aggregation/touchedDays.ts";
import type { Config } from "../config.ts";
import { FileLog } from "../durableLog/fileLog.ts";
import { ExcludedCounts } from "../ingest/excluded/excludedCounts.ts";
import { LogReports } from "../lifecycle/erasure/disk/logReports.ts";
import { ErasedRowGuard } from "../lifecycle/erasure/guard/erasedRowGuard.ts";
import { RowCounts } from "../lifecycle/rowCounts.ts";
import { LinkDirectory } from "../links/follow/linkDirectory.ts";
import { findClickedLink } from "../links/manage/findLink.ts";
import { createMetrics, type Metrics } from "../observability/metrics.ts";
import type { FindClickedLink } from "../query/queryCall.ts";
import { LargeWebsites } from "../query/sql/largeWebsites.ts";
import { EventChanges } from "../query/watch/eventChanges.ts";
import type { Brokers } from "../scale/openBrokers.ts";
import { ShardedQuestdbs } from "../scale/shards/shardedQuestdbs.ts";
import { Keyring } from "../secrets/keyring.ts";
import { openPostgres } from "../store/postgres/postgres.ts";
import { mappingCauses, onFailedMapping } from "../store/questdb/failedMappings.ts";
import type { KeyedRow } from "../store/questdb/keyedRow.ts";
import type { Questdbs } from "../store/questdb/questdbs.ts";
import { SingleQuestdb } from "../store/questdb/singleQuestdb.ts";
import { TemporalConnection } from "../store/temporal/temporalConnection.ts";
import type { AcceptedRows } from "../store/write/acceptedRows.ts";
import { DeadLetters } from "../store/write/deadLetters.ts";
import { EventClaims } from "../store/write/eventClaims.ts";
import { RowLog, type RowLogOptions } from "../store/write/rowLog.ts";
import { VisibilityDelay } from "../store/write/visibilityDelay.ts";
import { PublicStatusPages } from "../uptime/statusPages/read/publicStatusPages.ts";
import { DailySalt } from "../visitors/dailySalt.ts";
import { TrackingStatuses } from "../websites/trackingStatuses.ts";

/** What every process of the service has. */
export type Stores = {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly postgres: Pool;
  readonly questdb: Questdbs;
  /** The same with SHARDS; undefined with one QuestDB. */
  readonly sharded: ShardedQuestdbs | undefined;
  /** Encrypts and decrypts the secrets in PostgreSQL. */
  readonly keyring: Keyring;
};

/** What one API process works with. */
export type App = Stores & {
  readonly rows: AcceptedRows;
  readonly excluded: ExcludedCounts;
  readonly temporal: TemporalConnection;
  readonly changes: EventChanges;
  readonly largeWebsites: LargeWebsites;
  readonly findClickedLink: FindClickedLink;
  readonly websites: WebsiteDirectory;
  readonly keys: KeyDirectory;
  readonly accounts: Accounts;
  readonly rateLimits: RateLimits;
  readonly rowCounts: RowCounts;
  readonly trackingStatuses: TrackingStatuses;
  readonly salt: DailySalt;
  readonly links: LinkDirectory;
  readonly linkPasswords: PasswordAttempts;
  readonly statusPages: PublicStatusPages;
  readonly sharedDashboards: SharedDashboards;
};

/** Connects on first use. `queryTimeoutMs` limits how long a process that answers calls waits for PostgreSQL. */
export function openStores(config: Config, log: Logger, queryTimeoutMs?: number): Stores {
  const base = openBase(config, log, queryTimeoutMs);
  if (config.questdb.shards.length === 0)
    return { ...base, questdb: new SingleQuestdb(config.questdb), sharded: undefined };
  const sharded = new ShardedQuestdbs(config.questdb, base.postgres, log, config.postgres.lookUpTimeoutMs);
  return { ...base, questdb: sharded, sharded };
}

/** The stores of a process that works on one replica alone: QUESTDB_HTTP and QUESTDB_PG of `config` are its addresses. */
export function openReplicaStores(config: Config, log: Logger): Stores {
  return { ...openBase(config, log), questdb: new SingleQuestdb(config.questdb), sharded: undefined };
}

/** Runs a command on stores, and closes them. */
export async function withStores<T>(stores: Stores, work: (stores: Stores) => Promise<T>): Promise<T> {
  try {
    return await work(stores);
  } finally {
    await Promise.all([stores.postgres.end(), stores.questdb.close()]);
  }
}

function openBase(config: Config, log: Logger, queryTimeoutMs?: number): Omit<Stores, "questdb" | "sharded"> {
  const { url, poolSize } = config.postgres;
  const postgres = openPostgres({ url, poolSize, ...(queryTimeoutMs === undefined ? {} : { queryTimeoutMs }) }, log);
  const metrics = createMetrics();
  // A series that begins with its first failure would hide it from a rate.
  for (const cause of mappingCauses) metrics.failedMappings.inc({ cause }, 0);
  onFailedMapping(({ cause, reason, at }) => {
    metrics.failedMappings.inc({ cause });
    log.warn({ cause, reason, questdb: at }, "QuestDB could not map a file into memory");
  });
  return { config, log, metrics, postgres, keyring: new Keyring(config) };
}

/** Keeps erased rows from being committed again to a shard, or to the only QuestDB. */
export function newGuard({ config, log, metrics }: Stores, claims?: EventClaims, shard = ""): ErasedRowGuard {
  return new ErasedRowGuard(config.postgres.url, config.questdb.commitTimeoutMs, metrics, log, claims, shard);
}

/** A durable log with its reports to erasures, which the process begins and ends. */
export type OpenRowLog = { readonly rows: AcceptedRows; readonly files: FileLog; readonly reports: LogReports };

/** The log of the brokers; undefined with one QuestDB, where the brokers' client is not even loaded. */
export async function openBrokersOf(stores: Stores, clientId: string): Promise<Brokers | undefined> {
  if (stores.sharded === undefined) return undefined;
  const { openBrokers } = await import("../scale/openBrokers.ts");
  return openBrokers({ ...stores, sharded: stores.sharded }, clientId);
}

/**
 * Opens the log below a directory. Rows that an ended process left there are stored first. With brokers the log only has the rows
 * that they did not take, and the consumers of their log do what `options` say.
 */
export async function openRowLog(
  { config, log, metrics, postgres, sharded }: Stores,
  directory: string,
  options: Omit<RowLogOptions, "files" | "deadLetters">,
  brokers?: Brokers,
): Promise<OpenRowLog> {
  const files = await FileLog.open({ ...config.durableLog, directory }, metrics, log);
  const deadLettersPath = join(directory, "dead-letters.jsonl");
  const deadLetters = new DeadLetters(deadLettersPath, metrics, log);
  const rows = brokers?.openRows(files) ?? new RowLog(config.questdb, metrics, log, { ...options, files, deadLetters });
  const source = {
    directory: files.directory,
    get oldestMs() {
      return rows.oldestMs;
    },
  };
  const reports = new LogReports(source, deadLettersPath, postgres, log, () => sharded?.followedPlacements);
  return { rows, files, reports };
}

/** An App with its log. `close` stores what it can of the log, then closes the stores. */
export type OpenApp = Omit<OpenRowLog, "rows"> & {
  readonly app: App;
  readonly brokers: Brokers | undefined;
  close(): Promise<void>;
};

/** `areTablesReady` says whether rows may be stored: QuestDB would create a missing table with columns of its own. */
export async function openApp(config: Config, log: Logger, areTablesReady: () => boolean): Promise<OpenApp> {
  const { answerTimeoutMs, lookUpTimeoutMs } = config.postgres;
  const stores = openStores(config, log, answerTimeoutMs);
  const { postgres, questdb, metrics, keyring } = stores;
  const { caches } = metrics;
  const claims = new EventClaims(config.postgres.url, config.questdb.commitTimeoutMs, log);
  const guard = newGuard(stores, claims);
  const touchedDays = new TouchedDays(postgres);
  const changes = new EventChanges(questdb, config.watch.intervalMs, log);
  const visibility = new VisibilityDelay(questdb, metrics);
  const brokers = await openBrokersOf(stores, "api");
  const path = {
    guard,
    isReady: areTablesReady,
    // Marking touched days comes last, since a mark only holds for a limited time until the commit.
    steps: [<Row extends KeyedRow>(given: readonly Row[]) => claims.claim(given), touchedDays.beforeCommit],
    afterCommit: [touchedDays.afterCommit, changes.afterCommit, visibility.afterCommit],
  };
  const { rows, files, reports } = await openRowLog(stores, config.durableLog.eventsDirectory, path, brokers);
  const temporal = new TemporalConnection(config.temporal);
  const { websiteCacheMs, keyCacheMs, cachedWebsites, cachedKeys } = config.access;
  const accounts = new Accounts(config, postgres, keyring, log, metrics);
  const app: App = {
    ...stores,
    rows,
    excluded: new ExcludedCounts(log),
    temporal,
    changes,
    largeWebsites: new LargeWebsites(questdb, log),
    findClickedLink: (id, caller) => findClickedLink(postgres, id, caller),
    websites: new WebsiteDirectory(
      postgres,
      { cacheMs: websiteCacheMs, maxCached: cachedWebsites },
      caches.websites,
      lookUpTimeoutMs,
    ),
    keys: new KeyDirectory(postgres, { cacheMs: keyCacheMs, maxCached: cachedKeys }, caches.keys),
    accounts,
    rateLimits: new RateLimits(postgres, config.rateLimits.windowMs),
    rowCounts: new RowCounts(questdb),
    trackingStatuses: new TrackingStatuses(questdb, cachedWebsites, log),
    salt: new DailySalt(postgres),
    links: new LinkDirectory(postgres, config.links, caches.links, lookUpTimeoutMs),
    linkPasswords: new PasswordAttempts(postgres),
    statusPages: new PublicStatusPages(stores, config.uptime),
    sharedDashboards: new SharedDashboards(postgres, () => accounts.secrets()),
  };
  return {
    app,
    brokers,
    files,
    reports,
    close: async () => {
      visibility.close();
      await rows.close();
      await reports.end();
      await brokers?.close();
      await Promise.all([postgres.end(), claims.close(), guard.close(), questdb.close(), temporal.close()]);
    },
  };
}
