import pg from "pg";
import { StackError } from "../error.ts";
import { step } from "../progress.ts";
import type { Provisioning } from "../provision/install.ts";
import { runTool } from "../tool.ts";

/** The databases of a Temporal server: its workflows, and what it finds them by. The schemas are in the tool. */
export const temporalDatabases = { workflows: "temporal", visibility: "temporal_visibility" } as const;

const schemas = { workflows: "postgresql/v12/temporal", visibility: "postgresql/v12/visibility" } as const;

/**
 * Makes the databases where they are missing, and brings their tables to the version of the tool. A new database gets its name when
 * it is complete: the tool cannot continue one that it left half-made.
 */
export async function prepareTemporalDatabases(
  provisioning: Provisioning,
  sqlTool: string,
  postgresUrl: string,
): Promise<void> {
  for (const kind of ["workflows", "visibility"] as const) {
    const name = temporalDatabases[kind];
    const run = (database: string, ...args: readonly string[]) =>
      runSqlTool(provisioning, sqlTool, postgresUrl, database, args);
    const update = (database: string) => run(database, "update-schema", "--schema-name", schemas[kind]);
    const found = await query(postgresUrl, "SELECT FROM pg_database WHERE datname = $1", [name]);
    if (found.rowCount !== 0) {
      await update(name);
      continue;
    }
    const part = `${name}_part`;
    await step(provisioning.log, `Making Temporal's database ${name}`, async () => {
      await query(postgresUrl, `DROP DATABASE IF EXISTS ${part} WITH (FORCE)`);
      await query(postgresUrl, `CREATE DATABASE ${part}`);
      await run(part, "setup-schema", "--version", "0.0");
      await update(part);
      // The server looks its version up by the name of the database.
      await query(databaseUrl(postgresUrl, part), "UPDATE schema_version SET db_name = $1", [name]);
      await query(postgresUrl, `ALTER DATABASE ${part} RENAME TO ${name}`);
    });
  }
  // Processes of a stack that was killed: a server would try to join them for up to a minute. No other server has this database.
  await query(databaseUrl(postgresUrl, temporalDatabases.workflows), "DELETE FROM cluster_membership");
}

async function query(url: string, text: string, values: readonly string[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  // Without a listener an error after the answer would end this process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await client.query(text, [...values]);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function databaseUrl(postgresUrl: string, database: string): string {
  const url = new URL(postgresUrl);
  url.pathname = `/${database}`;
  return url.href;
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
    // Not an argument, which every user of the machine could read.
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
