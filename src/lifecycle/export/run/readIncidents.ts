import pg from "pg";
import type { ColumnKind, IncidentFile } from "../dataset.ts";
import type { RowsRequest } from "./rowsRequest.ts";

/** Where the incidents are. */
export type PostgresAddress = { readonly url: string };

/** Limits the wait for a connection. */
const connectTimeoutMs = 5_000;

/** Incidents that began in the range $2 to $3, microseconds since 1970, of the monitors that the website $1 has or had. */
export const incidentsSql = `FROM incidents JOIN monitors ON monitors.id = monitor_id
  WHERE website_id = $1 AND started_at >= to_timestamp($2::float8 / 1000000) AND started_at < to_timestamp($3::float8 / 1000000)`;

const startedUs = "(extract(epoch FROM started_at) * 1000000)::bigint";

/** Incidents as bytes of CSV like QuestDB's (src/store/questdb/readCsv.ts), in a single piece. Rejects when PostgreSQL is unavailable. */
export async function* readIncidents(
  { url }: PostgresAddress,
  { columns }: IncidentFile,
  { websiteId, range, after, limit }: RowsRequest,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted();
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  // A connection that breaks between statements would end the process; the next statement rejects.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const values = columns.map(({ sql }) => `(${sql})::text`).join(", ");
    const { rows } = await client.query<(string | null)[]>({
      text: `SELECT ${values}, ${startedUs}::text, incidents.id ${incidentsSql}
        ${after === null ? "" : `AND (${startedUs}, incidents.id COLLATE "C") > ($4::bigint, $5)`}
        ORDER BY started_at, incidents.id COLLATE "C" LIMIT ${limit}`,
      values: [websiteId, range.fromUs, range.toUs, ...(after === null ? [] : [after.us, after.key])],
      rowMode: "array",
    });
    const kinds: readonly ColumnKind[] = [...columns.map(({ kind }) => kind), "integer", "text"];
    if (rows.length > 0) yield Buffer.from(rows.map((row) => csvLine(kinds, row)).join(""));
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Text has quotes, each of its own is written twice, and backslashes and control characters are as in JSON. */
function csvLine(kinds: readonly ColumnKind[], row: readonly (string | null)[]): string {
  const fields = kinds.map((kind, index) => {
    const value = row[index] ?? null;
    if (value === null) return "";
    return kind === "text" || kind === "json"
      ? `"${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '""')}"`
      : value;
  });
  return `${fields.join(",")}\r\n`;
}
