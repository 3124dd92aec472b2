import type { PoolClient } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { type BackupPart, places } from "../manifest.ts";
import { packPart, type Writing } from "./packPart.ts";

/** Tables of PostgreSQL as they were at one moment, one part for each table. */
export type PostgresDump = {
  readonly parts: readonly BackupPart[];
  readonly rows: Readonly<Record<string, number>>;
  /** The last number of each sequence. */
  readonly sequences: Readonly<Record<string, number>>;
};

/** Tables that no backup has: the migrations create their own table. */
const leftOut = ["migrations"];

/** Begins a transaction in which everything read is of the same moment. The caller ends it. */
export async function beginSnapshot(client: PoolClient): Promise<void> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  // The first statement fixes the moment.
  await client.query("SELECT 1");
}

/**
 * Copies every table in PostgreSQL's text form. Unlogged tables are left out: the day's salt must be in no backup, and the rate
 * limiter's counts are worth nothing later.
 */
export async function dumpPostgres(client: PoolClient, writing: Writing): Promise<PostgresDump> {
  const { rows: tables } = await client.query<{ name: string; columns: string }>(
    `SELECT relname AS name, string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns
     FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relpersistence = 'p' AND NOT relname = ANY($1)
       AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
     GROUP BY relname ORDER BY relname`,
    [leftOut],
  );
  const parts: BackupPart[] = [];
  const rows: Record<string, number> = {};
  for (const { name, columns } of tables) {
    const stream = client.query(copyTo(`COPY "${name}" (${columns}) TO STDOUT`));
    // The first line lists the columns, so that a later version with more columns can read it.
    const open = async () => withHeading(columns, stream);
    parts.push(await packPart(writing, `postgres/${name}`, [{ path: `${places.postgres}${name}`, open }]));
    rows[name] = stream.rowCount;
  }
  const { rows: sequences } = await client.query<{ name: string; last: string }>(
    `SELECT sequencename AS name, last_value AS last FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL`,
  );
  return { parts, rows, sequences: Object.fromEntries(sequences.map(({ name, last }) => [name, Number(last)])) };
}

async function* withHeading(columns: string, stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${columns}\n`);
  for await (const piece of stream) yield piece;
}
