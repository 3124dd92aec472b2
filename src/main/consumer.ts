/**
 * The consumer of the log for one replica: `npm run consumer -- --shard s1 --replica a`. It fills the replica's QuestDB from the
 * log of the brokers; each replica has one such process. With --snapshot-to or --rebuild-from it does that instead
 * (commands/replica.ts), and ends.
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { TouchedDays } from "../aggregation/touchedDays.ts";
import { repeat } from "../concurrency/poll.ts";
import { type Config, readConfig } from "../config.ts";
import { hasCode } from "../errors/errorCode.ts";
import { exitCodes, explainFileError, reportFailure, StartFailure } from "../errors/startFailure.ts";
import { brokerSource } from "../health/brokerSource.ts";
import { clockSource } from "../health/clockSource.ts";
import { diskSource } from "../health/diskSource.ts";
import { Health } from "../health/health.ts";
import { createHealthMetrics } from "../health/healthMetrics.ts";
import { logSource } from "../health/logSource.ts";
import { NotReadyError, storeSource } from "../health/storeSource.ts";
import { stuckSource } from "../health/stuckSource.ts";
import { LogReports } from "../lifecycle/erasure/disk/logReports.ts";
import { misspeltSettings } from "../misspeltSettings.ts";
import { createLog } from "../observability/log.ts";
import { startOperationsServer } from "../observability/operationsServer.ts";
import { operatorAnswers } from "../observability/operatorAnswers.ts";
import { startTraces, stopTraces } from "../observability/traces.ts";
import { EventIds } from "../scale/consume/eventIds.ts";
import { IdsPosition, offsetsOf } from "../scale/consume/idsPosition.ts";
import { LogPositions } from "../scale/consume/logPositions.ts";
import { RowConsumer } from "../scale/consume/rowConsumer.ts";
import { topicOf } from "../scale/kafka/kafkaClient.ts";
import { prepareTopics } from "../scale/kafka/logTopics.ts";
import { TopicReader } from "../scale/kafka/topicReader.ts";
import { MovedRowGuard } from "../scale/move/movedRowGuard.ts";
import {
  readReplica,
  recordShards,
  reportReplica,
  reportTime,
  setReplicaState,
} from "../scale/shards/storeReplicas.ts";
import { preparePostgres } from "../store/postgres/postgres.ts";
import type { ReplicaName } from "../store/questdb/questdbs.ts";
import { prepareQuestdbTables } from "../store/questdb/questdbTables.ts";
import { TableHealth } from "../store/questdb/tableHealth.ts";
import { prepareDataDir } from "../store/write/dataDir.ts";
import { DeadLetters } from "../store/write/deadLetters.ts";
import { encodeLoggedRows, type LoggedRow } from "../store/write/loggedRow.ts";
import { RowCommitter } from "../store/write/rowCommitter.ts";
import { VisibilityDelay } from "../store/write/visibilityDelay.ts";
import { rebuild, snapshot } from "./commands/replica.ts";
import { newGuard, openReplicaStores, type Stores } from "./compose.ts";

/** How often a replica reports its offsets and lag. */
const reportEveryMs = 1_000;

const { config, name, options } = readSettingsOrExit();
const log = createLog(config.log, "consumer").child(name);
for (const warning of misspeltSettings()) log.warn(warning);
const stop = new AbortController();

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort());
// If the supervisor is gone, nothing else would stop this process.
if (process.send) process.on("disconnect", () => stop.abort());

try {
  if (options["snapshot-to"] !== undefined) await snapshot(config, name, options["snapshot-to"], stop.signal);
  else if (options["rebuild-from"] !== undefined) await rebuild(config, name, options["rebuild-from"], stop.signal);
  else await run();
} catch (error) {
  if (!stop.signal.aborted) reportEnd(explainFileError(error, config.stack.dataDir));
  else if (isCommand()) {
    console.error("\nStopped before it was done. Run it again; nothing has to be cleaned up.");
    process.exitCode = exitCodes.failed;
  }
}
process.exit();

async function run(): Promise<void> {
  await startTraces(config, "consumer", log);
  const stores = openReplicaStores(config, log);
  const { metrics, postgres, questdb } = stores;
  const { reader: ownQuestdb } = questdb.only("The consumer of a replica");
  const directory = join(config.stack.dataDir, "consumer", `${name.shard}-${name.replica}`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const ids = await openIds(join(directory, "ids"));
  await preparePostgres(postgres, log, stop.signal, (client) => recordShards(client, config.questdb.shards));
  await prepareQuestdbTables(config.questdb, log, stop.signal);
  await prepareTopics(config.kafka, [name.shard], log, stop.signal);
  const topic = topicOf(config.kafka, name.shard);
  const reader = new TopicReader(config.kafka, `consumer-${name.shard}-${name.replica}`, topic);
  const erased = newGuard(stores, undefined, name.shard);
  const guard = new MovedRowGuard(erased, postgres, name.shard);
  const touchedDays = new TouchedDays(postgres);
  const visibility = new VisibilityDelay(questdb, metrics);
  const deadLettersPath = join(directory, "dead-letters.jsonl");
  const committer = new RowCommitter<LoggedRow>(
    config.questdb,
    metrics,
    log,
    {
      guard,
      steps: [touchedDays.beforeCommit],
      afterCommit: [touchedDays.afterCommit, visibility.afterCommit],
    },
    encodeLoggedRows,
  );
  const consumer = new RowConsumer({
    reader,
    ids,
    idsPosition: new IdsPosition(directory),
    positions: new LogPositions(config.questdb, name.shard),
    committer,
    deadLetters: new DeadLetters(deadLettersPath, metrics, log),
    metrics,
    log,
    wasRebuilding: (await readReplica(postgres, name))?.state === "rebuilding",
    acceptsLoss: options["accept-loss"] === true,
    maxLagMs: config.questdb.readMaxLagMs,
  });
  // An erasure waits for the commit under way, after which a row may become a dead letter. It does not wait for an unavailable
  // QuestDB.
  const source = {
    directory: { path: directory, takenOver: [] },
    get oldestMs() {
      return consumer.committingSinceMs;
    },
  };
  const reports = new LogReports([source], deadLettersPath, postgres, log);
  await reports.begin();
  const health = openConsumerHealth(consumer);
  const operations = await startOperationsServer(
    { host: config.operations.host, port: config.operations.consumerPort, setting: "CONSUMER_OPERATIONS_PORT" },
    operatorAnswers(metrics, () => health.readyz()),
    log,
  );
  void health.watch(stop.signal);
  const ended = new AbortController();
  const report = reporterOf(consumer, stores);
  const reporting = repeat(report, reportEveryMs, ended.signal, (error) =>
    log.warn({ err: error }, "the state of this replica could not be reported, trying again"),
  );
  log.info({ topic }, "the consumer is ready");
  process.send?.({ ready: {} });
  try {
    await consumer.run(stop.signal);
    log.info("the consumer is stopping");
  } finally {
    ended.abort();
    visibility.close();
    await reporting;
    await report().catch(() => undefined);
    await reports.end();
    await Promise.all([reader.close(), ids.close(), erased.close(), questdb.close()]);
    await postgres.end();
    await operations.close();
    await stopTraces();
  }

  function openConsumerHealth(lagging: RowConsumer): Health {
    const tableHealth = new TableHealth(config.questdb, metrics, log);
    void tableHealth.watch(stop.signal);
    const figures = createHealthMetrics(metrics.registry);
    const shown = storeSource({
      questdb: async () => {
        await ownQuestdb.read("SELECT 1", []);
        const suspended = tableHealth.suspendedTables;
        if (suspended.length > 0)
          throw new NotReadyError("table_suspended", `suspended: ${suspended.join(", ")}`, suspended);
      },
      postgres: async () => void (await postgres.query("SELECT 1")),
    });
    const paths = { dataDir: config.stack.dataDir, questdbRoot: config.questdb.root };
    const logHealth = {
      state: "ok" as const,
      get lagMs() {
        return lagging.lagMs ?? 0;
      },
    };
    const sources = [
      shown,
      stuckSource(tableHealth),
      brokerSource(() => lagging.isLogAway, "no rows are stored until they do"),
      logSource(logHealth, () => tableHealth.applyLagMs),
      diskSource(paths, config.health, figures),
      clockSource(postgres, figures),
    ];
    return new Health("consumer", sources, { log, metrics }, () => ({
      stores: shown.shown,
      replica: { ...name, isRebuilding: lagging.isRebuilding ?? true, lagMs: Math.round(lagging.lagMs ?? 0) },
    }));
  }
}

/** Reports the offsets and lag of the replica, and whether it lacks rows. */
function reporterOf(consumer: RowConsumer, { postgres, metrics }: Stores): () => Promise<void> {
  let reported: boolean | undefined;
  return async () => {
    const sinceMs = await reportTime(postgres);
    const { stored, lagMs, isRebuilding } = consumer;
    // The state comes first: a replica that lacks rows must not look complete in between.
    if (isRebuilding !== undefined && reported !== isRebuilding) {
      await setReplicaState(postgres, name, isRebuilding ? "rebuilding" : "serving");
      reported = isRebuilding;
    }
    // Without a lag keep the previous report: its growing age says more than a report without a position.
    if (lagMs === undefined) return;
    await reportReplica(postgres, name, { offsets: offsetsOf(stored), lagMs, sinceMs });
    metrics.consumerLagSeconds.set(lagMs / 1_000);
  };
}

async function openIds(directory: string): Promise<EventIds> {
  try {
    return await EventIds.open(directory);
  } catch (error) {
    if (error instanceof Error && hasCode(error.cause, "LEVEL_LOCKED"))
      throw new StartFailure(`Another process is the consumer of this replica: it uses ${directory}. Stop it first.`);
    throw error;
  }
}

/** Whether to run a command that ends, instead of the consumer. */
function isCommand(): boolean {
  return options["snapshot-to"] !== undefined || options["rebuild-from"] !== undefined;
}

function reportEnd(error: unknown): void {
  if (isCommand())
    reportFailure(
      error,
      (code) =>
        `The command failed${code}: a store did not answer, or this is a defect. Check DATABASE_URL and SHARDS.`,
    );
  else if (error instanceof StartFailure) console.error(error.message);
  else log.fatal({ err: error }, "the consumer stopped");
  process.exitCode = error instanceof StartFailure ? error.exitCode : exitCodes.failed;
}

function readSettingsOrExit(): { config: Config; name: ReplicaName; options: Options } {
  try {
    const read = readConfig();
    const options = readArguments();
    const { name, http, pg } = replicaOf(read, options);
    prepareDataDir(read.stack.dataDir);
    return { config: { ...read, questdb: { ...read.questdb, http, pg } }, name, options };
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    console.error(error.message);
    process.exit(error.exitCode);
  }
}

/** The replica that the arguments name, with its addresses from SHARDS. */
function replicaOf(
  { kafka, questdb }: Config,
  { shard = "", replica = "" }: Options,
): { name: ReplicaName; http: string; pg: string } {
  if (kafka.brokers.length === 0)
    throw new StartFailure("npm run consumer fills a QuestDB from the log of brokers: set KAFKA_BROKERS and SHARDS.");
  const known = questdb.shards.flatMap((each) => each.replicas.map((one) => ({ ...one, shard: each.name })));
  const found = known.find((each) => each.shard === shard && each.name === replica);
  if (found === undefined) {
    const examples = known.map((each) => `--shard ${each.shard} --replica ${each.name}`).join(", ");
    throw new StartFailure(`npm run consumer needs the replica of SHARDS that it is to fill, one of: ${examples}`);
  }
  return { name: { shard, replica }, http: found.http, pg: found.pg };
}

type Options = ReturnType<typeof readArguments>;

function readArguments() {
  const text = { type: "string" } as const;
  const options = {
    shard: text,
    replica: text,
    "snapshot-to": text,
    "rebuild-from": text,
    "accept-loss": { type: "boolean" },
  } as const;
  try {
    const { values } = parseArgs({ options });
    if (values["snapshot-to"] !== undefined && values["rebuild-from"] !== undefined)
      throw new StartFailure("Name either --snapshot-to or --rebuild-from.");
    return values;
  } catch (error) {
    throw new StartFailure(error instanceof Error ? error.message : String(error));
  }
}
