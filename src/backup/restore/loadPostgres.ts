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
 * Loads the tables of a backup (files of `directory`) into an empty PostgreSQL: creates them as the version that wrote the backup
 * did, fills them, and migrates them to this version.
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
    // An operator may have added tables beside ours.
    const ours = Object.keys(postgres).filter((table) => made.some(({ name }) => name === table));
    const tables = inOrderOfReferences(ours, references);
    // Migrations insert rows into some tables.
    await inside.query(`TRUNCATE ${tables.map((table) => `"${table}"`).join(", ")} CASCADE`);
    await asLoader(inside, async () => {
      for (const table of tables) {
        onProgress(table);
        await loadTable(inside, table, join(directory, table));
      }
    });
    const { rows: known } = await inside.query<{ name: string }>(
      "SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public'",
    );
    // New rows get higher numbers than the loaded ones.
    for (const { name } of known)
      if (sequences[name] !== undefined)
        await inside.query("SELECT setval(quote_ident($1)::regclass, $2)", [name, sequences[name]]);
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

/** A foreign key: a table whose rows refer to rows of another. */
type Reference = { readonly from: string; readonly to: string };

/** Sorts tables so that each comes after those that its rows refer to. */
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

/**
 * Runs `work` with the right to add rows to our tables and no other rights: the service's own role may start programs, and a
 * backup must be no more than data. The role exists only within this transaction.
 */
async function asLoader(client: PoolClient, work: () => Promise<void>): Promise<void> {
  await client.query("CREATE ROLE lookout_loader NOLOGIN NOSUPERUSER");
  await client.query("GRANT INSERT ON ALL TABLES IN SCHEMA public TO lookout_loader");
  await client.query("SET LOCAL ROLE lookout_loader");
  await work();
  await client.query("RESET ROLE");
  await client.query("DROP OWNED BY lookout_loader");
  await client.query("DROP ROLE lookout_loader");
}

async function loadTable(client: PoolClient, table: string, file: string): Promise<void> {
  const heading = await firstLine(file);
  const { rows } = await client.query<{ name: string }>(
    "SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''",
    [`public."${table}"`],
  );
  const columns = readHeading(
    heading,
    rows.map(({ name }) => name),
  );
  if (columns === undefined)
    throw new BackupError(
      `The backup's table ${table} has columns that the table does not have, so it is damaged or was changed. Restore another one.`,
    );
  const start = Buffer.byteLength(heading) + 1;
  const statement = `COPY "${table}" (${columns.map((name) => `"${name}"`).join(", ")}) FROM STDIN`;
  await pipeline(createReadStream(file, { start }), client.query(copyFrom(statement))).catch((error: unknown) => {
    if (!isRefusedRow(error)) throw error;
    throw new BackupError(
      `The backup's table ${table} has rows that PostgreSQL refuses (${error.message}). Restore another one.`,
    );
  });
}

/** The columns that the first line of a table's file lists; undefined unless each is one of `known`, once. */
export function readHeading(heading: string, known: readonly string[]): string[] | undefined {
  // quote_ident puts quotes around some, such as "from".
  const columns = heading.split(", ").map((name) => name.replace(/^"([^"]+)"$/, "$1"));
  const isOurs = columns.every((name) => known.includes(name)) && new Set(columns).size === columns.length;
  return isOurs ? columns : undefined;
}

/** SQLSTATE classes 22 (data), 23 (constraint) and 42 (a text that is no value of its column's type). */
function isRefusedRow(error: unknown): error is Error {
  return error instanceof Error && "code" in error && typeof error.code === "string" && /^(22|23|42)/.test(error.code);
}

async function firstLine(file: string): Promise<string> {
  let text = "";
  for await (const piece of createReadStream(file, { encoding: "utf8", end: maxHeadingBytes })) text += piece;
  return text.slice(0, text.indexOf("\n"));
}

const maxHeadingBytes = 65_536;
