import type { Pool } from "pg";
import { validationError } from "../errors/errors.ts";

/** What a request says about the page of a list. Without any of it the answer is the whole list. */
export type PageRequest = { readonly limit?: number | undefined; readonly cursor?: string | undefined };

/** What a list holds, as SQL: the rows of a table with `where`, whose first value is the `owner`. */
type Listed = {
  readonly table: "websites" | "api_keys" | "monitors";
  readonly owner: "organization_id" | "website_id";
  readonly where: string;
  readonly values: readonly unknown[];
};

/** How many rows to read for a page: one more than it holds, which tells whether there is another page. Null for all. */
export function rowsToRead({ limit }: PageRequest): number | null {
  return limit === undefined ? null : limit + 1;
}

/**
 * The rows of a page, how many rows all pages have, and the cursor of the next page if there is one: the id of the last row.
 * Rejects with VALIDATION_ERROR for a cursor that is none, which would be answered with an empty page. The row of a cursor may
 * have been deleted since, but is still in the table.
 */
export async function pageOf<Row extends { readonly id: string }>(
  rows: readonly Row[],
  { limit, cursor }: PageRequest,
  { table, owner, where, values }: Listed,
  postgres: Pick<Pool, "query">,
): Promise<{ readonly page: readonly Row[]; readonly total: number; readonly next: { readonly nextCursor?: string } }> {
  if (limit === undefined && cursor === undefined) return { page: rows, total: rows.length, next: {} };
  const cursorAt = `$${values.length + 1}::text`;
  const counted = await postgres.query<{ total: number; isKnown: boolean }>(
    `SELECT (SELECT count(*)::integer FROM ${table} WHERE ${where}) AS total,
       ${cursorAt} IS NULL OR EXISTS (SELECT 1 FROM ${table} WHERE id = ${cursorAt} AND ${owner} = $1) AS "isKnown"`,
    [...values, cursor ?? null],
  );
  const { total = 0, isKnown = false } = counted.rows[0] ?? {};
  if (!isKnown)
    throw validationError([
      { field: "cursor", message: "must be the nextCursor of another page; leave it out to begin with the first" },
    ]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, total, next: rows.length > page.length && last !== undefined ? { nextCursor: last.id } : {} };
}
