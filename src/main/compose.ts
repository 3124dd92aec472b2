/**
 * The one place that puts a process together: the API and the worker, and the servers of tests and benchmarks, open
 * their stores and logs here. Handlers do not import this file; each domain declares in its own call type, such as
 * LinkCall, what it needs of an App.
 */
import { join } from "node:path";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { KeyDirectory } from "../access/keyDirectory.ts";
import { RateLimits } from "../access/rateLimit/rateLimits.ts";
import { WebsiteDirectory } from "../access/websiteDirectory.ts";
import { Accounts } from "../accounts/accounts.ts";
import { TouchedDays } from "../aggregation/touchedDays.ts";
import type { Config } from "../config.ts";
import { FileLog } from "../durableLog/fileLog.ts";
import type { BrokerLog } from "../durableLog/kafka/brokerLog.ts";
import type { TopicReader } from "../durableLog/kafka/topicReader.ts";
import { LogReports } from "../lifecycle/erasure/disk/logReports.ts";
import { ErasedRowGuard, type ShardsOfRows } from "../lifecycle/erasure/guard/erasedRowGuard.ts";
import { LinkDirectory } from "../links/follow/linkDirectory.ts";
import { PasswordAttempts } from "../links/follow/passwordAttempts.ts";
import { findClickedLink } from "../links/manage/findLink.ts";
import { createMetrics, type Metrics } from "../observability/metrics.ts";
import type { FindClickedLink } from "../query/queryCall.ts";
import { LargeWebsites } from "../query/sql/largeWebsites.ts";
import { EventChanges } from "../query/watch/eventChanges.ts";
import { Keyring } from "../secrets/keyring.ts";
import { openPostgres } from "../store/postgres/postgres.ts";
import { mappingCauses, onFailedMapping } from "../store/questdb/failedMappings.ts";
import { commitTargetsOf } from "../store/shards/commitTargets.ts";
import { QuestdbNodes } from "../store/shards/questdbNodes.ts";
import { TemporalConnection } from "../store/temporal/temporalConnection.ts";
import type { AcceptedRows } from "../store/write/acceptedRows.ts";
import { DeadLetters } from "../store/write/deadLetters.ts";
import { EventClaims } from "../store/write/eventClaims.ts";
import type { KeyedRow } from "../store/write/keyedRow.ts";
import { RowLog, type RowLogOptions } from "../store/write/rowLog.ts";
import { ownerOfRow } from "../store/write/rowOwner.ts";
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
  readonly questdb: QuestdbNodes;
  /** Encrypts and decrypts what PostgreSQL holds of secrets. */
  readonly keyring: Keyring;
};

/** What one API process works with. */
export type App = Stores & {
  readonly rows: AcceptedRows;
  readonly temporal: TemporalConnection;
  readonly changes: EventChanges;
  readonly largeWebsites: LargeWebsites;
  readonly findClickedLink: FindClickedLink;
  readonly websites: WebsiteDirectory;
  readonly keys: KeyDirectory;
  readonly accounts: Accounts;
  readonly rateLimits: RateLimits;
  readonly trackingStatuses: TrackingStatuses;
  readonly salt: DailySalt;
  readonly links: LinkDirectory;
  readonly linkPasswords: PasswordAttempts;
  readonly statusPages: PublicStatusPages;
};

/** Connections are made on first use. `queryTimeoutMs` limits the wait for an answer of PostgreSQL in processes that answer calls. */
export function openStores(config: Config, log: Logger, queryTimeoutMs?: number): Stores {
  const { url, poolSize } = config.postgres;
  const postgres = openPostgres({ url, poolSize, ...(queryTimeoutMs === undefined ? {} : { queryTimeoutMs }) }, log);
  const metrics = createMetrics();
  // Series that begin with their first failure would hide it from a rate.
  for (const cause of mappingCauses) metrics.failedMappings.inc({ cause }, 0);
  onFailedMapping(({ cause, reason, at }) => {
    metrics.failedMappings.inc({ cause });
    log.warn({ cause, reason, questdb: at }, "QuestDB could not map a file into memory");
  });
  return {
    config,
    log,
    metrics,
    postgres,
    questdb: new QuestdbNodes(config.questdb, postgres, log, config.postgres.lookUpTimeoutMs),
    keyring: new Keyring(config),
  };
}

/** Keeps rows that an erasure has deleted from being committed again. */
export function newGuard(
  { config, log, metrics, questdb }: Stores,
  claims?: EventClaims,
  shardsOf = questdb.shards.length === 0 ? undefined : shardsOfRows(questdb),
): ErasedRowGuard {
  return new ErasedRowGuard(config.postgres.url, config.questdb.commitTimeoutMs, metrics, log, claims, shardsOf);
}

function shardsOfRows(questdb: QuestdbNodes): ShardsOfRows {
  return async (rows) => {
    const owners = new Set(rows.map(ownerOfRow));
    const shards = await Promise.all([...owners].map((owner) => questdb.shardsToWrite(owner)));
    return [...new Set(shards.flat())];
  };
}

/** A durable log with its reports to erasures, which the process begins and ends. */
export type OpenRowLog = { readonly rows: AcceptedRows; readonly files: FileLog; readonly reports: LogReports };

/** The log of the brokers, with a topic for each shard. */
export type Brokers = {
  readonly log: BrokerLog;
  readonly topicOf: (shard: string) => string;
  /** Reads the log of a shard. The caller closes it. */
  readonly newReader: (shard: string) => TopicReader;
  close(): Promise<void>;
};

/** Undefined without KAFKA_BROKERS: the client is then not even loaded. Topics are created in the background. */
export async function openBrokers(stores: Stores, clientId: string): Promise<Brokers | undefined> {
  const { config, log, metrics } = stores;
  const { kafka, questdb } = config;
  const shards = questdb.shards.map(({ name }) => name);
  if (kafka.brokers.length === 0 || shards.length === 0) return undefined;
  const [{ BrokerLog }, { LogEnds }, { prepareTopics }, { TopicReader }, { topicOf }] = await Promise.all([
    import("../durableLog/kafka/brokerLog.ts"),
    import("../durableLog/kafka/logEnds.ts"),
    import("../durableLog/kafka/logTopics.ts"),
    import("../durableLog/kafka/topicReader.ts"),
    import("../durableLog/kafka/kafkaClient.ts"),
  ]);
  const brokers = new BrokerLog(kafka, clientId, metrics, log);
  prepareTopics(kafka, shards, log, brokers.closing).catch(() => undefined);
  const newReader = (shard: string) => new TopicReader(kafka, `${clientId}-${shard}`, topicOf(kafka, shard));
  const ends = new LogEnds(newReader);
  stores.questdb.useLog((shard) => ends.of(shard));
  const close = async () => void (await Promise.all([brokers.close(), ends.close()]));
  return { log: brokers, topicOf: (shard) => topicOf(kafka, shard), newReader, close };
}

/**
 * Opens the log below a directory. Rows that an ended process left there are stored first. With brokers it only has what they do not
 * take, and what `options` say is done by the consumers of their log.
 */
export async function openRowLog(
  { config, log, metrics, postgres, questdb }: Stores,
  directory: string,
  options: Omit<RowLogOptions, "files" | "deadLetters" | "targets">,
  brokers?: Brokers,
): Promise<OpenRowLog> {
  const files = await FileLog.open({ ...config.durableLog, directory }, metrics, log);
  const deadLettersPath = join(directory, "dead-letters.jsonl");
  const deadLetters = new DeadLetters(deadLettersPath, metrics, log);
  let rows: AcceptedRows;
  if (brokers === undefined) {
    const targets = commitTargetsOf(questdb);
    rows = new RowLog(config.questdb, metrics, log, { ...options, files, deadLetters, targets });
  } else {
    const { whenUnavailable } = config.kafka;
    const { BrokeredRows } = await import("../store/write/brokeredRows.ts");
    const topicsOf = async (owner: string) => (await questdb.shardsToWrite(owner)).map(brokers.topicOf);
    rows = new BrokeredRows({ brokers: brokers.log, files, topicsOf, whenUnavailable }, log);
  }
  const source = {
    directory: files.directory,
    get oldestMs() {
      return rows.oldestMs;
    },
  };
  const reports = new LogReports([source], deadLettersPath, postgres, log, () => questdb.followedPlacements);
  return { rows, files, reports };
}

/** An App with its log. `close` stores what it can of the log, and closes the stores. */
export type OpenApp = Omit<OpenRowLog, "rows"> & {
  readonly app: App;
  readonly brokers: Brokers | undefined;
  close(): Promise<void>;
};

/** `areTablesReady` says whether rows may be stored: for rows of a missing table QuestDB would create one of its own. */
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
  const brokers = await openBrokers(stores, "api");
  const path = {
    guard,
    isReady: areTablesReady,
    // Marking comes last, since a mark counts for a limited time until the commit.
    steps: [<Row extends KeyedRow>(given: readonly Row[]) => claims.claim(given), touchedDays.beforeCommit],
    afterCommit: [touchedDays.afterCommit, changes.afterCommit, visibility.afterCommit],
  };
  const { rows, files, reports } = await openRowLog(stores, config.durableLog.eventsDirectory, path, brokers);
  const temporal = new TemporalConnection(config.temporal);
  const { websiteCacheMs, keyCacheMs, cachedWebsites, cachedKeys } = config.access;
  const app: App = {
    ...stores,
    rows,
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
    accounts: new Accounts(config, postgres, keyring, log, metrics),
    rateLimits: new RateLimits(postgres, config.rateLimits.windowMs),
    trackingStatuses: new TrackingStatuses(questdb, cachedWebsites, log),
    salt: new DailySalt(postgres),
    links: new LinkDirectory(postgres, config.links, caches.links, lookUpTimeoutMs),
    linkPasswords: new PasswordAttempts(postgres),
    statusPages: new PublicStatusPages(stores, config.uptime),
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
