import pg from "pg";
import { type OwnQuestdb, whenAllApplied } from "./ownQuestdb.ts";

/** Like the product's tables of events. */
export const tables = ["ev", "links", "sess"] as const;
/** Columns of type SYMBOL, apart from the website. */
export const columns = ["country", "region", "city", "browser", "os", "device", "referrer"] as const;

const website = "11111111-1111-4111-8111-111111111111";
const rows = 5_000;

/** Makes the tables, with rows of one website that never change, four minutes from each other. */
export async function makeFixedRows(questdb: OwnQuestdb): Promise<void> {
  for (const table of tables) {
    await questdb.exec(
      `CREATE TABLE ${table} (ts TIMESTAMP, website_id SYMBOL INDEX, event_key LONG, event_type SYMBOL, session_key LONG, visitor_key LONG, path VARCHAR, ` +
        `${columns.map((name) => `${name} SYMBOL`).join(", ")}) TIMESTAMP(ts) PARTITION BY DAY WAL DEDUP UPSERT KEYS(ts, website_id, event_key)`,
    );
    await questdb.exec(
      `INSERT INTO ${table} SELECT dateadd('s', (x * 240)::int, '2025-09-01T00:00:00Z'::timestamp), '${website}', x, ` +
        `CASE WHEN x % 3 = 0 THEN 'custom' ELSE 'page_view' END, x % 1500, x % 700, 'path-' || (x % 50) || '-some-more-text', ` +
        `${columns.map((name, index) => `'${name}' || (x % ${7 + index})`).join(", ")} FROM long_sequence(${rows})`,
    );
  }
  await whenAllApplied(questdb);
}

const range = "ts >= $2 AND ts < $3";
const values = [website, "2025-09-02T03:00:00.000Z", "2025-09-12T21:00:00.000Z"];
const grouped = (table: string) =>
  `SELECT session_key, min(ts) AS started, max(ts) AS ended, count(CASE WHEN event_type = 'page_view' THEN 1 END) AS views ` +
  `FROM ${table} WHERE website_id IN ($1) AND ${range} GROUP BY session_key`;

/** Statements like those of the product's answers, about the fixed rows only. */
export const statements: readonly string[] = [
  ...columns.flatMap((name) =>
    tables.map(
      (table) =>
        `SELECT ${name}, count() AS n, count_distinct(session_key) AS s FROM ${table} WHERE website_id IN ($1) AND ${range} ORDER BY n DESC, ${name}`,
    ),
  ),
  ...tables.map(
    (table) =>
      `SELECT count() AS n, sum(views) AS views, avg(CASE WHEN views = 1 THEN 100.0 ELSE 0.0 END) AS bounce_rate FROM (${grouped(table)})`,
  ),
  `SELECT count() AS n, sum(views) AS v FROM (${tables.map(grouped).join(" UNION ALL ")})`,
  `SELECT path, count() AS n FROM ev WHERE (website_id = $1 OR website_id = $1) AND ${range} ORDER BY n DESC, path`,
  `SELECT count() AS n, count_distinct(session_key) AS s FROM sess WHERE (website_id = $1 OR website_id = $1) AND ${range} ` +
    `AND ts IN '[2025-09-03T00:00:00.000;36000s,2025-09-05T01:00:00.000;86400s,2025-09-09T00:00:00.000;7200s]'`,
];

/** Asks over connections as the product keeps them. */
export function openAsking(questdb: OwnQuestdb, connections: number) {
  const pool = new pg.Pool({ connectionString: questdb.pg, max: connections });
  pool.on("error", () => undefined);
  return {
    ask: async (text: string): Promise<string> => {
      const query: pg.QueryConfig & { queryMode: "extended" } = { text, values, queryMode: "extended" };
      return JSON.stringify((await pool.query(query)).rows);
    },
    close: () => pool.end(),
  };
}
