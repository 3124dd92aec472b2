import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { TouchedDays } from "../aggregation/touchedDays.ts";
import { repeat } from "../concurrency/poll.ts";
import { hasCode } from "../errors/errorCode.ts";
import { StartFailure } from "../errors/startFailure.ts";
import { brokerSource } from "../health/brokerSource.ts";
import { clockSource } from "../health/clockSource.ts";
import { diskSource } from "../health/diskSource.ts";
import { Health } from "../health/health.ts";
import { createHealthMetrics } from "../health/healthMetrics.ts";
import { logSource } from "../health/logSource.ts";
import { NotReadyError, storeSource } from "../health/storeSource.ts";
import { stuckSource } from "../health/stuckSource.ts";
import { LogReports } from "../lifecycle/erasure/disk/logReports.ts";
import { startOperationsServer } from "../observability/operationsServer.ts";
import { operatorAnswers } from "../observability/operatorAnswers.ts";
import { EventIds } from "../scale/consume/eventIds.ts";
import { IdsPosition } from "../scale/consume/idsPosition.ts";
import { LogPositions } from "../scale/consume/logPositions.ts";
import { RowConsumer } from "../scale/consume/rowConsumer.ts";
import { topicOf } from "../scale/kafka/kafkaClient.ts";
import { prepareTopics } from "../scale/kafka/logTopics.ts";
import { offsetsOf } from "../scale/kafka/positions.ts";
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
import { DeadLetters } from "../store/write/deadLetters.ts";
import { encodeLoggedRows, type LoggedRow } from "../store/write/loggedRow.ts";
import { RowCommitter } from "../store/write/rowCommitter.ts";
import { VisibilityDelay } from "../store/write/visibilityDelay.ts";
import { newGuard, openReplicaStores, type Stores } from "./compose.ts";
import type { RunningService } from "./runService.ts";

/** How often a replica says how far it is. */
const reportEveryMs = 1_000;

/** Which replica is filled, and whether its consumer may go on where the log lacks rows. */
export type ConsumerTask = { readonly name: ReplicaName; readonly acceptsLoss: boolean };

/** Fills the QuestDB of a replica from the log of the brokers until the process stops. */
export async function runConsumer(
  { config, log, stop }: RunningService,
  { name, acceptsLoss }: ConsumerTask,
): Promise<void> {
  const stores = openReplicaStores(config, log);
  const { metrics, postgres, questdb } = stores;
  const { reader: ownQuestdb } = questdb.only("The consumer of a replica");
  const directory = join(config.stack.dataDir, "consumer", `${name.shard}-${name.replica}`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const ids = await openIds(join(directory, "ids"));
  await preparePostgres(postgres, log, stop, (client) => recordShards(client, config.questdb.shards));
  await prepareQuestdbTables(config.questdb, log, stop);
  await prepareTopics(config.kafka, [name.shard], log, stop);
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
    acceptsLoss,
    maxLagMs: config.questdb.readMaxLagMs,
  });
  // An erasure waits for the commit under way, after which a row may become a dead letter, but not until a QuestDB that is away is back.
  const source = {
    directory: { path: directory, takenOver: [] },
    get oldestMs() {
      return consumer.committingSinceMs;
    },
  };
  const reports = new LogReports(source, deadLettersPath, postgres, log);
  await reports.begin();
  const health = openConsumerHealth(consumer);
  const operations = await startOperationsServer(
    { host: config.operations.host, port: config.operations.consumerPort, setting: "CONSUMER_OPERATIONS_PORT" },
    operatorAnswers(metrics, () => health.readyz()),
    log,
  );
  void health.watch(stop);
  const ended = new AbortController();
  const report = reporterOf(name, consumer, stores);
  const reporting = repeat(report, reportEveryMs, ended.signal, (error) =>
    log.warn({ err: error }, "the state of this replica could not be reported, trying again"),
  );
  log.info({ topic }, "the consumer is ready");
  process.send?.({ ready: {} });
  try {
    await consumer.run(stop);
  } finally {
    ended.abort();
    visibility.close();
    await reporting;
    await report().catch(() => undefined);
    await reports.end();
    await Promise.all([reader.close(), ids.close(), erased.close(), questdb.close()]);
    await postgres.end();
    await operations.close();
  }

  function openConsumerHealth(lagging: RowConsumer): Health {
    const tableHealth = new TableHealth(config.questdb, metrics, log);
    void tableHealth.watch(stop);
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

/** Reports how far the replica is, and when it begins and ends to lack rows. */
function reporterOf(name: ReplicaName, consumer: RowConsumer, { postgres, metrics }: Stores): () => Promise<void> {
  let reported: boolean | undefined;
  return async () => {
    const sinceMs = await reportTime(postgres);
    const { stored, lagMs, isRebuilding } = consumer;
    // First the state: a replica that lacks rows must not look complete in between.
    if (isRebuilding !== undefined && reported !== isRebuilding) {
      await setReplicaState(postgres, name, isRebuilding ? "rebuilding" : "serving");
      reported = isRebuilding;
    }
    // The report before, which grows older, says more than one without a position.
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
