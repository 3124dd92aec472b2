import { readFileSync } from "node:fs";
import type { Pool, PoolClient } from "pg";
import { BackupError } from "../backupError.ts";

/** The version of Lookout. */
export const { version: programVersion }: { version: string } = JSON.parse(
  readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
);

/** The id of this installation in its manifests: backups of different installations must not mix. */
export async function installationOf(postgres: Pick<Pool, "query">): Promise<string> {
  const { rows } = await postgres.query<{ id: string }>("SELECT id FROM installation");
  return rows[0]?.id ?? "";
}

/** The applied migrations of PostgreSQL, in order. */
export async function migrationsOf(client: Pick<PoolClient, "query">): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>("SELECT name FROM migrations ORDER BY id");
  return rows.map(({ name }) => name);
}

/** Rejects with BackupError when this version has not been started on this PostgreSQL yet. */
export async function refuseOldTables(postgres: Pick<Pool, "query">): Promise<void> {
  const { rowCount } = await postgres.query(
    "SELECT FROM pg_attribute WHERE attrelid = to_regclass('backups') AND attname = 'installation'",
  );
  if (rowCount === 0)
    throw new BackupError(
      "PostgreSQL has the tables of an earlier version. Start this version once (npm start), then try again.",
    );
}
