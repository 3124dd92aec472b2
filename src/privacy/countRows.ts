import { retentionKinds } from "../retention/kinds.ts";
import type { BoundValue, Row } from "../store/questdb/questdbReader.ts";
import type { TimeRange } from "../time/dates.ts";
import type { TableFacts } from "./facts.ts";

/** Reads rows of the website of a report, which is $1 of the statement; the values are those from $2 on. */
export type ReadWebsite = (sql: string, values?: readonly BoundValue[], range?: TimeRange) => Promise<Row[]>;

/** The rows of each kind of data and the time of the oldest; a table that cannot be read has neither. */
export async function countRows(readWebsite: ReadWebsite): Promise<TableFacts[]> {
  return await Promise.all(
    retentionKinds.map(async ({ name: kind, table, period, only, counted }): Promise<TableFacts> => {
      const conditions = ["website_id = $1", only, counted].filter((each) => each !== undefined).join(" AND ");
      // Where a session lies in its table is not when it began.
      const time = table === "sessions" ? "started" : "ts";
      const sql = `SELECT count() "rows", min(${time}) "oldest" FROM ${table} WHERE ${conditions}`;
      const row = (await readWebsite(sql).catch(() => undefined))?.[0];
      if (row === undefined) return { kind, table, period, rows: undefined, oldestMs: undefined };
      const oldest = row["oldest"];
      return { kind, table, period, rows: Number(row["rows"]), oldestMs: oldest == null ? undefined : Number(oldest) };
    }),
  );
}
