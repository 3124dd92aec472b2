import { planGoProgram } from "./go.ts";
import type { Provisioning } from "./install.ts";

/** The version of the server and of its database schema. */
export const serverVersion = "v1.31.2";
const otherWays = "or set TEMPORAL=dev, or TEMPORAL_ADDRESS to a running server";

/** Paths of the programs of a Temporal server as in production. */
export type TemporalPrograms = {
  readonly server: string;
  /** Creates and upgrades the tables of the server. */
  readonly sqlTool: string;
  readonly ui: string;
};

/**
 * The Temporal server, the tool for its database, and its Web UI: from the cache, or built with Go. Throws a StackError if Go is
 * needed and missing.
 */
export function planTemporalServer(provisioning: Provisioning): () => Promise<TemporalPrograms> {
  const server = planGoProgram(provisioning, {
    name: "temporal-server",
    file: "server",
    label: "the Temporal server",
    package: "go.temporal.io/server/cmd/server",
    version: serverVersion,
    buildSeconds: 420,
    otherWays,
  });
  const sqlTool = planGoProgram(provisioning, {
    name: "temporal-sql-tool",
    file: "sql",
    label: "the tool for Temporal's database",
    package: "go.temporal.io/server/cmd/tools/sql",
    version: serverVersion,
    buildSeconds: 60,
    otherWays,
  });
  const ui = planGoProgram(provisioning, {
    name: "temporal-ui",
    file: "server",
    label: "the Temporal Web UI",
    package: "github.com/temporalio/ui-server/v2/cmd/server",
    // Later versions need a newer Go than the server needs.
    version: "v2.55.0",
    buildSeconds: 60,
    otherWays,
  });
  // One after the other: they share most packages, which Go then compiles only once.
  return async () => ({ server: await server(), sqlTool: await sqlTool(), ui: await ui() });
}
