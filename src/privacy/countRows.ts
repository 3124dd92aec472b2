import { retentionKinds } from "../retention/kinds.ts";
import type { ReadOptions } from "../store/questdb/questdbReader.ts";
import type { OwnerReader } from "../store/questdb/questdbs.ts";
import type { TableFacts } from "./facts.ts";

/** What counts are read from: the rows of one website. */
export type CountSource = {
  readonly questdb: OwnerReader;
  readonly websiteId: string;
  readonly options: ReadOptions;
};

/** The rows of each kind of data and the time of the oldest; a table that cannot be read has neither. */
export async function countRows({ questdb, websiteId, options }: CountSource): Promise<TableFacts[]> {
  return await Promise.all(
    retentionKinds.map(async ({ name: kind, table, period, only, counted }): Promise<TableFacts> => {
      const conditions = ["website_id = $1", only, counted].filter((each) => each !== undefined).join(" AND ");
      // Where a session lies in its table is not when it began.
      const time = table === "sessions" ? "started" : "ts";
      const read = questdb.read(
        `SELECT count() "rows", min(${time}) "oldest" FROM ${table} WHERE ${conditions}`,
        [websiteId],
        options,
      );
      const row = (await read.catch(() => undefined))?.[0];
      if (row === undefined) return { kind, table, period, rows: undefined, oldestMs: undefined };
      const oldest = row["oldest"];
      return { kind, table, period, rows: Number(row["rows"]), oldestMs: oldest == null ? undefined : Number(oldest) };
    }),
  );
}
