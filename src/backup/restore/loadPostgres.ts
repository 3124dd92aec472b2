import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Pool, PoolClient } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import type { Logger } from "pino";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import { migrate, migrationNames } from "../../store/postgres/postgres.ts";
import { BackupError } from "../backupError.ts";
import type { Manifest } from "../manifest.ts";

/**
 * Loads the tables of a backup, which are files of `directory`, into an empty PostgreSQL: makes them as the version
 * that wrote the backup did, fills them, and brings them to this version.
 */
export async function loadPostgres(
  pool: Pool,
  { migrations, postgres, sequences }: Pick<Manifest, "migrations" | "postgres" | "sequences">,
  directory: string,
  log: Pick<Logger, "debug" | "warn" | "error">,
  onProgress: (text: string) => void,
): Promise<void> {
  await refuseNewer(migrations);
  await migrateOn(pool, log, migrations.length);
  await inTransaction(pool, async (inside) => {
    const { rows: references } = await inside.query<Reference>(
      `SELECT conrelid::regclass::text AS "from", confrelid::regclass::text AS "to" FROM pg_constraint WHERE contype = 'f'`,
    );
    const { rows: made } = await inside.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    // An operator may have put tables of their own beside ours.
    const ours = Object.keys(postgres).filter((table) => made.some(({ name }) => name === table));
    const tables = inOrderOfReferences(ours, references);
    // Migrations put rows into some.
    await inside.query(`TRUNCATE ${tables.map((table) => `"${table}"`).join(", ")} CASCADE`);
    for (const table of tables) {
      onProgress(table);
      await loadTable(inside, table, join(directory, table));
    }
    // New rows get numbers after those that were loaded.
    for (const [name, last] of Object.entries(sequences))
      await inside.query("SELECT setval(quote_ident($1)::regclass, $2)", [name, last]);
  });
  await migrateOn(pool, log);
}

async function migrateOn(pool: Pool, log: Pick<Logger, "debug" | "warn" | "error">, count?: number): Promise<void> {
  const client = await pool.connect();
  try {
    await migrate(client, log, count);
  } finally {
    client.release();
  }
}

/** Throws BackupError when this version lacks a migration of a backup. */
export async function refuseNewer(migrations: readonly string[]): Promise<void> {
  const known = await migrationNames();
  const unknown = migrations.find((name, index) => known[index] !== name);
  if (unknown !== undefined)
    throw new BackupError(
      `The backup was written by a newer version of Lookout: it has the migration ${unknown}. Use that version or a later one.`,
    );
}

/** A table whose rows name rows of another. */
type Reference = { readonly from: string; readonly to: string };

/** The tables in an order in which each comes after those that its rows name. */
export function inOrderOfReferences(tables: readonly string[], references: readonly Reference[]): string[] {
  const ordered: string[] = [];
  const begun = new Set<string>();
  const add = (table: string): void => {
    if (begun.has(table) || !tables.includes(table)) return;
    begun.add(table);
    for (const { from, to } of references) if (from === table) add(to);
    ordered.push(table);
  };
  for (const table of tables) add(table);
  return ordered;
}

async function loadTable(client: PoolClient, table: string, file: string): Promise<void> {
  const columns = await firstLine(file);
  const start = Buffer.byteLength(columns) + 1;
  await pipeline(createReadStream(file, { start }), client.query(copyFrom(`COPY "${table}" (${columns}) FROM STDIN`)));
}

async function firstLine(file: string): Promise<string> {
  let text = "";
  for await (const piece of createReadStream(file, { encoding: "utf8", end: maxHeadingBytes })) text += piece;
  return text.slice(0, text.indexOf("\n"));
}

const maxHeadingBytes = 65_536;
