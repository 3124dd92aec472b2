import { type ContextColumn, contextBit } from "../../aggregation/sessionContext.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { Bindings } from "../sql/bindings.ts";
import type { Field } from "../sql/fields.ts";
import { countWhere } from "../sql/measures.ts";
import { accessTo } from "../sql/rowScope.ts";
import { ambiguityOfFields, bitSql, isContextColumn } from "./ambiguousSessions.ts";
import { type StoredSessions, storedRowsOf } from "./storedSessions.ts";

/**
 * Unambiguous stored sessions, grouped by their own columns. A session with a value counts in the group of that value;
 * a session that has a page view without a value counts in the group of none (some sessions count in both). Statements
 * with g0, g1 … and `sessions`; their rows add up.
 */
export function sessionsByColumns(
  plan: ParameterPlan,
  { liveRanges }: StoredSessions,
  dimensions: readonly Field[],
  bindings: Bindings,
): string[] {
  const [first] = dimensions;
  if (first === undefined || !isContextColumn(first.column))
    throw new Error("sessions are counted by one of their columns at least");
  const { shape } = plan.type;
  const columns: Columns = {
    first: first.column,
    keys: dimensions.map((_, index) => `g${index}`).join(", "),
    values: dimensions.map(({ column }, index) => `${column} AS g${index}`).join(", "),
    isOnlyWithValue: shape.kind === "table" && shape.withoutValue === "none",
    isAlone: dimensions.length === 1,
  };
  const { isUnambiguous } = ambiguityOfFields(dimensions);
  const rows = () => storedRowsOf(plan, liveRanges, bindings, [isUnambiguous]);
  return accessTo(plan, "taken") === "scan" ? byScans(columns, rows) : [inOnePass(columns, rows())];
}

type Columns = {
  readonly first: ContextColumn;
  readonly keys: string;
  readonly values: string;
  /** Whether sessions without a value are left out. */
  readonly isOnlyWithValue: boolean;
  /**
   * Whether there is just one column. With several, sessions with a page view that lacks a value are ambiguous and
   * computed from events.
   */
  readonly isAlone: boolean;
};

/**
 * Every condition compiles and rows are only counted: half the time of sums with conditions when there are many rows.
 */
function byScans({ first, keys, values, isOnlyWithValue, isAlone }: Columns, rows: () => string): string[] {
  const counted = (count: string, conditions: readonly string[]) =>
    `SELECT ${values}, ${count} AS sessions FROM ${[rows(), ...conditions].join(" AND ")} GROUP BY ${keys}`;
  if (isOnlyWithValue) return [counted("count()", [`${first} IS NOT NULL`])];
  const all = counted("count()", []);
  const withoutViews = counted("-count()", [`${first} IS NULL`, "page_count = 0"]);
  const counting = `SELECT ${keys}, sum(sessions) AS sessions FROM (${all} UNION ALL ${withoutViews}) GROUP BY ${keys}`;
  if (!isAlone) return [counting];
  const lacking = `SELECT null::varchar AS g0, count() AS sessions FROM ${rows()} AND ${bitSql(first, "viewsWithout")} = 1`;
  return [counting, lacking];
}

/** Finding few rows by their index costs more than computing with them, so they are read once. */
function inOnePass({ first, keys, values, isOnlyWithValue, isAlone }: Columns, rows: string): string {
  if (isOnlyWithValue)
    return `SELECT ${values}, count() AS sessions FROM ${rows} AND ${first} IS NOT NULL GROUP BY ${keys}`;
  const counts = `${countWhere(`${first} IS NOT NULL OR page_count > 0`)} AS counted`;
  if (!isAlone)
    return `SELECT ${keys}, counted AS sessions FROM (SELECT ${values}, ${counts} FROM ${rows} GROUP BY ${keys})`;
  const lacking = `${countWhere(`(context_bits & ${contextBit(first, "viewsWithout")}) != 0`)} AS lacking`;
  // Each group is output twice, once for its value and once for none.
  return (
    "SELECT CASE WHEN x = 1 THEN g0 ELSE null END AS g0, CASE WHEN x = 1 THEN counted ELSE lacking END AS sessions " +
    `FROM (SELECT ${values}, ${counts}, ${lacking} FROM ${rows} GROUP BY ${keys}) CROSS JOIN long_sequence(2)`
  );
}
