import type { Client } from "@temporalio/client";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { Questdbs } from "../store/questdb/questdbs.ts";
import type { TablesSeen } from "../store/questdb/watchTables.ts";
import { backupCheckSource } from "./backupCheckSource.ts";
import { backupSource } from "./backupSource.ts";
import { brokerSource } from "./brokerSource.ts";
import { clockSource } from "./clockSource.ts";
import { diskSource } from "./diskSource.ts";
import { Health } from "./health.ts";
import { addRefusalsMetric, createHealthMetrics } from "./healthMetrics.ts";
import { type LogHealth, logSource } from "./logSource.ts";
import { mapsSource } from "./mapsSource.ts";
import { pollerSource } from "./pollerSource.ts";
import { scheduleSource } from "./scheduleSource.ts";
import { NotReadyError, type ReadinessCheck, storeSource } from "./storeSource.ts";
import { stuckSource } from "./stuckSource.ts";

/** What a process has opened. */
type Opened = {
  readonly config: Config;
  readonly log: Pick<Logger, "info" | "warn">;
  readonly metrics: Pick<Metrics, "registry">;
  readonly postgres: Pick<Pool, "query">;
  readonly questdb: Pick<Questdbs, "nodeOfEach" | "nodes" | "notServing">;
};

/** What /readyz of a process checks, apart from its stores. */
export type HealthParts = {
  /** Whether the tables of QuestDB were prepared. */
  readonly areTablesReady: () => boolean;
  readonly tableHealth: TablesSeen;
  readonly checkTemporal: ReadinessCheck;
  readonly temporal: Client;
  /** Creates Schedules that were deleted. */
  readonly makeMissingSchedules?: () => Promise<void>;
  readonly log: LogHealth;
  /** The log of the brokers; undefined without KAFKA_BROKERS. */
  readonly brokers?: { readonly isDown: boolean } | undefined;
};

/** The states of an API or a worker process: its stores, disks and clock, and what both report about each other. */
export function openHealth(kind: "api" | "worker", opened: Opened, parts: HealthParts): Health {
  const { config, metrics, postgres, questdb } = opened;
  const { uptime, stack, temporal } = config;
  const { log, tableHealth } = parts;
  const stores = storeSource({
    questdb: async () => {
      if (!parts.areTablesReady()) throw new Error("QuestDB's tables are not prepared yet");
      await Promise.all((await questdb.nodeOfEach()).map(({ reader }) => reader.read("SELECT 1", [])));
      const suspended = tableHealth.suspendedTables;
      if (suspended.length > 0)
        throw new NotReadyError("table_suspended", `suspended: ${suspended.join(", ")}`, suspended);
      const away = questdb.notServing;
      if (away.length > 0)
        throw new NotReadyError(
          "replica_away",
          away.map(({ name, reason }) => `${name} ${reason}`).join(", "),
          away.map(({ name }) => name),
        );
    },
    postgres: async () => void (await postgres.query("SELECT 1")),
    temporal: parts.checkTemporal,
  });
  const figures = createHealthMetrics(metrics.registry);
  const paths = { dataDir: stack.dataDir, questdbRoot: config.questdb.root };
  const disks = diskSource(paths, config.health, figures);
  const maps = mapsSource(questdb.nodes, figures);
  addRefusalsMetric(metrics.registry, () => questdb.nodes.reduce((sum, { reader }) => sum + reader.maps.refusals, 0));
  const { brokers } = parts;
  const whatThen =
    config.kafka.whenUnavailable === "refuse" ? "rows are refused" : "rows are kept on this machine until they do";
  const sources = [
    ...(brokers === undefined ? [] : [brokerSource(() => brokers.isDown, whatThen)]),
    stores,
    stuckSource(tableHealth),
    disks,
    maps,
    logSource(log, () => tableHealth.applyLagMs),
    clockSource(postgres, figures),
    pollerSource(
      parts.temporal.workflowService,
      temporal,
      uptime.regions.filter((region) => region !== uptime.region),
    ),
    scheduleSource(parts.temporal, parts.makeMissingSchedules),
    backupSource(postgres, config.backup),
    backupCheckSource(postgres, config.backup),
  ];
  return new Health(kind, sources, opened, () => ({
    stores: stores.shown,
    log: { state: log.state, lagMs: Math.round(log.lagMs) },
    disks: disks.shown,
    questdbMaps: maps.shown,
  }));
}
