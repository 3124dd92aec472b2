import type { Logger } from "pino";
import type { Metrics } from "../../observability/metrics.ts";
import type { Questdbs } from "./questdbs.ts";
import { TableHealth } from "./tableHealth.ts";

/** What is seen of the tables of all QuestDBs. */
export type TablesSeen = {
  /** Tables whose new rows are invisible to queries, with several QuestDBs such as `s1/a events`. */
  readonly suspendedTables: readonly string[];
  /** Tables to which nothing more is applied, named likewise. */
  readonly stuckTables: readonly string[];
  /** The longest time for which committed rows of a QuestDB have been waiting until queries see them. */
  readonly applyLagMs: number;
};

/** Watches the tables of all QuestDBs until `stop` aborts, and resumes suspended ones. */
export function watchTables(
  { nodes }: Pick<Questdbs, "nodes">,
  metrics: Pick<Metrics, "suspendedTables" | "unappliedTransactions">,
  log: Pick<Logger, "error" | "info">,
  stop: AbortSignal,
): TablesSeen {
  const watched = nodes.map(({ name, settings }) => ({ name, health: new TableHealth(settings, metrics, log, name) }));
  for (const { health } of watched) void health.watch(stop);
  return {
    get suspendedTables() {
      return watched.flatMap(({ name, health }) => named(name, health.suspendedTables));
    },
    get stuckTables() {
      return watched.flatMap(({ name, health }) => named(name, health.stuckTables));
    },
    get applyLagMs() {
      return Math.max(...watched.map(({ health }) => health.applyLagMs));
    },
  };
}

function named(node: string, tables: readonly string[]): readonly string[] {
  return node === "" ? tables : tables.map((table) => `${node} ${table}`);
}
