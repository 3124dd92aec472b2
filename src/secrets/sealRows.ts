import type { Pool } from "pg";
import { inTransaction } from "../store/postgres/inTransaction.ts";
import { envelopePattern } from "./envelope.ts";
import type { Keyring } from "./keyring.ts";
import { type SealedColumn, sealedColumns } from "./sealedColumns.ts";

/** Rows of one transaction. */
const batchRows = 200;

type Queryable = Pick<Pool, "query">;

/** Which secrets are encrypted: a condition on their column. */
type Which = (column: SealedColumn) => string;

/** Those that earlier versions stored in the clear. */
export const inTheClear: Which = ({ column }) => `${column} !~ '${envelopePattern}'`;

/** Those that were encrypted with another data key. */
export function notUnder(keyId: string): Which {
  return ({ column }) => `${column} NOT LIKE 'lk1.${keyId}.%'`;
}

/**
 * Encrypts secrets with the newest data key, in transactions of some rows each: whatever ends it, the next call does
 * the rest. Resolves to how many there were.
 */
export async function sealRows(postgres: Pick<Pool, "connect">, keyring: Keyring, which: Which): Promise<number> {
  let total = 0;
  for (const column of sealedColumns)
    for (let sealed = batchRows; sealed === batchRows; total += sealed)
      sealed = await inTransaction(postgres, (client) => sealBatch(client, keyring, column, which));
  return total;
}

/** Like sealRows, within a transaction. */
export async function sealRowsWithin(client: Queryable, keyring: Keyring, which: Which): Promise<void> {
  for (const column of sealedColumns)
    for (let sealed = batchRows; sealed === batchRows; ) sealed = await sealBatch(client, keyring, column, which);
}

async function sealBatch(client: Queryable, keyring: Keyring, given: SealedColumn, which: Which): Promise<number> {
  const { place, table, key, column } = given;
  const { rows } = await client.query<{ id: string; text: string }>(
    `SELECT ${key}::text AS id, ${column} AS text FROM ${table} WHERE ${column} <> '' AND ${which(given)}
     ORDER BY ${key} LIMIT ${batchRows} FOR UPDATE`,
  );
  for (const { id, text } of rows) {
    const sealed = await keyring.seal(client, place, id, await keyring.open(client, place, id, text));
    await client.query(`UPDATE ${table} SET ${column} = $2 WHERE ${key}::text = $1`, [id, sealed]);
  }
  return rows.length;
}
