import { readdir } from "node:fs/promises";
import type pg from "pg";
import { ConfigError } from "../../config.ts";

/** The table in which node-pg-migrate records the migrations that were run. */
export const migrationsTable = "migrations";

/** Throws ConfigError when another version has run migrations that are not in `directory`. Nothing is changed. */
export async function refuseUnknownMigrations(client: pg.ClientBase, directory: string): Promise<void> {
  const known = new Set((await readdir(directory)).map((file) => file.replace(/\.sql$/, "")));
  const { rows: tables } = await client.query("SELECT FROM pg_tables WHERE tablename = $1", [migrationsTable]);
  if (tables.length === 0) return;
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${migrationsTable} ORDER BY id`);
  const unknown = rows.find(({ name }) => !known.has(name));
  if (unknown === undefined) return;
  throw new ConfigError(
    `The PostgreSQL database belongs to another version of Lookout, a newer one or one before 0.2.0: it has the migration ${unknown.name}. ` +
      "Nothing was changed. Start the version that made it, or set DATA_DIR (or DATABASE_URL) to an empty one",
  );
}
