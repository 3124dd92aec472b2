import { conditionOf, fieldIn } from "./oracleFilters.ts";
import type { OracleTables } from "./oracleTables.ts";
import type { RandomQuery } from "./randomQuery.ts";
import { attributedColumn, visitColumn } from "./visitTables.ts";

/** A goal as a request has it, and as DuckDB's SQL over events says it. */
export type OracleGoal = { readonly sent: object; readonly sql: string };

/** What was counted of a goal for one combination of values. */
export type GoalFacts = {
  readonly values: readonly string[];
  readonly visitors: number;
  readonly conversions: number;
  readonly completions: number;
};

export const oracleGoals: readonly OracleGoal[] = [
  { sent: { event: "buy" }, sql: "event_type = 'custom' AND name = 'buy'" },
  { sent: { page: { path: "/pricing" } }, sql: "event_type = 'page_view' AND path = '/pricing'" },
  {
    sent: { page: { path: "/a", op: "starts_with" } },
    sql: "event_type = 'page_view' AND starts_with(path, '/a')",
  },
  {
    sent: { event: "sign_up", filters: [{ field: "properties.plan", op: "eq", value: "pro" }] },
    sql: `event_type = 'custom' AND name = 'sign_up' AND json_extract_string(properties, '$."plan"') = 'pro'`,
  },
];

/**
 * Visitors of the visits that a query selects, how many of them reached a goal in one of these visits, and how often, by fields of visits. All
 * filters select visits; events that stand for themselves count as completions where they match all of them.
 */
export async function goalFacts(
  { sql: goal }: OracleGoal,
  query: Pick<RandomQuery, "filters" | "type">,
  fields: readonly string[],
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
  tables: OracleTables,
  isAttributed = false,
): Promise<GoalFacts[]> {
  const { only } = query.type;
  const ofEvents = conditionOf(query, "events", "events");
  const ofVisits = conditionOf(query, "sessions", "visits");
  const inRange = `started >= ${startMs} AND started < ${endMs}`;
  const selected = [
    inRange,
    ...ofVisits,
    ...(only === "page_view" ? ["page_views > 0"] : []),
    ...(ofEvents.length === 0
      ? []
      : [
          `visit IN (SELECT visit FROM placed_events WHERE ${["event_type <> 'page_exit'", ...ofEvents].join(" AND ")})`,
        ]),
  ];
  const keysOf = (column: (name: string) => string) =>
    fields.map((name, index) => {
      const { sql, empty = "Unknown" } = fieldIn("sessions", name);
      return `, coalesce(nullif(${column(sql.replace(/^v_/, ""))}, ''), '${empty}') AS k${index}`;
    });
  const keys = keysOf(isAttributed ? attributedColumn : visitColumn).join("");
  const names = fields.map((_, index) => `k${index}`);
  const chosen = `SELECT visit, visitor_key${keys} FROM ${isAttributed ? "attributed_visits" : "visits"} WHERE ${selected.join(" AND ")}`;
  const lone = `SELECT NULL AS visitor_key, 1 AS times${keysOf(visitColumn).join("")} FROM placed_events
    WHERE ${["visit IS NULL", inRange, goal, ...ofEvents, ...ofVisits].join(" AND ")}`;
  const found = await tables.rows(`
    WITH chosen AS (${chosen}),
      reached AS (SELECT visit, count(*) AS times FROM placed_events WHERE visit IS NOT NULL AND ${goal} GROUP BY visit),
      counted AS (SELECT chosen.* EXCLUDE visit, coalesce(times, 0) AS times FROM chosen LEFT JOIN reached USING (visit) UNION ALL BY NAME ${lone})
    SELECT ${[...names, ""].join(", ")} count(DISTINCT visitor_key) AS visitors,
      count(DISTINCT visitor_key) FILTER (times > 0) AS conversions, sum(times)::INT AS completions
    FROM counted${names.length === 0 ? "" : ` GROUP BY ${names.join(", ")}`}`);
  return found.map((row) => factsOf(row, names));
}

/** The kinds of events of types that count some only. */
const kinds: Readonly<Record<string, string>> = {
  page_view: "event_type = 'page_view'",
  custom: "event_type = 'custom'",
  not_found: `event_type = 'page_view' AND json_extract_string(properties, '$."notFound"') = 'true'`,
};

/**
 * Visitors of the events that a query selects, and how many of them did so in a visit that reached a goal, by fields of events.
 */
export async function goalFactsOfEvents(
  { sql: goal }: OracleGoal,
  query: Pick<RandomQuery, "filters" | "type">,
  fields: readonly string[],
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
  tables: OracleTables,
): Promise<GoalFacts[]> {
  const selected = [
    `started >= ${startMs} AND started < ${endMs}`,
    kinds[query.type.only ?? ""] ?? "event_type <> 'page_exit'",
    ...conditionOf(query, "events", "events"),
    ...conditionOf(query, "events", "visits"),
  ];
  const keys = fields.map((name, index) => {
    const { sql, empty = "Unknown" } = fieldIn("events", name);
    return `coalesce(nullif(${sql}, ''), '${empty}') AS k${index}`;
  });
  const names = fields.map((_, index) => `k${index}`);
  const found = await tables.rows(`
    WITH reached AS (SELECT DISTINCT visit FROM placed_events WHERE visit IS NOT NULL AND ${goal})
    SELECT ${keys.join(", ")}, count(DISTINCT visitor_key) AS visitors,
      count(DISTINCT visitor_key) FILTER (visit IN (SELECT visit FROM reached)) AS conversions
    FROM placed_events WHERE ${selected.join(" AND ")} GROUP BY ${names.join(", ")}`);
  return found.map((row) => factsOf(row, names));
}

function factsOf(row: Readonly<Record<string, unknown>>, names: readonly string[]): GoalFacts {
  return {
    values: names.map((name) => String(row[name])),
    visitors: Number(row["visitors"]),
    conversions: Number(row["conversions"]),
    completions: Number(row["completions"] ?? 0),
  };
}
