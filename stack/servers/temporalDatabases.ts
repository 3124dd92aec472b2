import { StackError } from "../error.ts";
import { step } from "../progress.ts";
import type { Provisioning } from "../provision/install.ts";
import { runTool } from "../tool.ts";
import { query } from "./postgres.ts";

/** The databases of a Temporal server: its workflows, and the index to find them. The tool contains the schemas. */
export const temporalDatabases = { workflows: "temporal", visibility: "temporal_visibility" } as const;

const schemas = { workflows: "postgresql/v12/temporal", visibility: "postgresql/v12/visibility" } as const;

/**
 * Creates missing databases, and migrates their tables to the version of the tool. A new database gets its name when it is
 * complete: the tool cannot continue a half-made one.
 */
export async function prepareTemporalDatabases(
  provisioning: Provisioning,
  sqlTool: string,
  postgresUrl: string,
): Promise<void> {
  const server = { connectionString: postgresUrl };
  for (const kind of ["workflows", "visibility"] as const) {
    const name = temporalDatabases[kind];
    const run = (database: string, ...args: readonly string[]) =>
      runSqlTool(provisioning, sqlTool, postgresUrl, database, args);
    const update = (database: string) => run(database, "update-schema", "--schema-name", schemas[kind]);
    const found = await query(server, "SELECT FROM pg_database WHERE datname = $1", [name]);
    if (found.rowCount !== 0) {
      await update(name);
      continue;
    }
    const part = `${name}_part`;
    await step(provisioning.log, `Making Temporal's database ${name}`, async () => {
      await query(server, `DROP DATABASE IF EXISTS ${part} WITH (FORCE)`);
      await query(server, `CREATE DATABASE ${part}`);
      await run(part, "setup-schema", "--version", "0.0");
      await update(part);
      // The server looks up its version by the name of the database.
      await query(inDatabase(postgresUrl, part), "UPDATE schema_version SET db_name = $1", [name]);
      await query(server, `ALTER DATABASE ${part} RENAME TO ${name}`);
    });
  }
  // Forget processes of a killed stack: a server would try to join them for up to a minute. No other server uses this database.
  await query(inDatabase(postgresUrl, temporalDatabases.workflows), "DELETE FROM cluster_membership");
}

function inDatabase(postgresUrl: string, database: string): { connectionString: string } {
  const url = new URL(postgresUrl);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

async function runSqlTool(
  { config, signal }: Provisioning,
  sqlTool: string,
  postgresUrl: string,
  database: string,
  args: readonly string[],
): Promise<void> {
  const { hostname, port, username, password } = new URL(postgresUrl);
  const env = {
    ...config.stack.environment,
    SQL_PLUGIN: "postgres12",
    SQL_HOST: hostname,
    SQL_PORT: port,
    SQL_USER: decodeURIComponent(username),
    // Not an argument: every user of the machine could read it.
    SQL_PASSWORD: decodeURIComponent(password),
    SQL_DATABASE: database,
  };
  const { code, output } = await runTool(sqlTool, args, { env, cwd: config.stack.dataDir, signal });
  if (code !== 0)
    throw new StackError(
      `Temporal's tables in the database ${database} could not be brought to the version of this Temporal server:\n${output}\n` +
        "If they are of a newer one, start the version of Lookout that made them. Otherwise drop the databases temporal and " +
        "temporal_visibility: Lookout then starts its workflows again from its own database.",
    );
}
