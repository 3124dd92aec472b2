import { type ContextColumn, type ContextFlag, contextBit, contextColumns } from "../../aggregation/sessionContext.ts";
import type { QuestdbReader } from "../../store/questdb/questdbReader.ts";
import type { TimeRange } from "../../time/dates.ts";
import { merged } from "../../time/timeRanges.ts";
import type { QueryType } from "../catalogue/queryType.ts";
import { dimensionsOf } from "../catalogue/typeParts.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import { Bindings } from "../sql/bindings.ts";
import { timesSql } from "../sql/timesSql.ts";
import { eventsOfSessions, sessionSpans } from "./eventsOfSessions.ts";
import type { SessionCount } from "./severalSessions.ts";
import { type StoredSessions, storedRows } from "./storedSessions.ts";

/**
 * Sessions by columns of their events. A session with one value of the column is counted by the session's own column,
 * one with several values by its events: a visitor who came back from another source, or whose address moved to another
 * country. These are ambiguous; they are few, and QuestDB finds events by time a hundred times faster than by session
 * key.
 */

/** If more are ambiguous, all events are read. With the live ranges they stay below `maxTimes`. */
const maxAmbiguous = 900;

/** Whether the sessions of a type can be counted by their own columns. */
export function isByColumn(type: QueryType): boolean {
  const { only, shape } = type;
  return only === undefined && shape.kind === "table" && shape.withoutValue !== undefined && columnsOf(type).length > 0;
}

/** The sessions of each group. Their sum is the group's figure. */
export function sessionsByColumn(
  plan: ParameterPlan,
  stored: StoredSessions,
  conditions: readonly string[],
  bindings: Bindings,
): SessionCount[] {
  const columns = columnsOf(plan.type);
  const rows = () => `${storedRows(plan, stored.liveRanges, bindings)} AND ${ambiguities(columns)} = 0`;
  const values = columns.map((column, index) => `${column} AS g${index}`).join(", ");
  const groups = columns.map((_, index) => `g${index}`).join(", ");
  const [first] = columns;
  const { shape } = plan.type;
  const isOnlyWithValue = shape.kind === "table" && shape.withoutValue === "none";
  const counts = isOnlyWithValue ? `${first} IS NOT NULL` : `(${first} IS NOT NULL OR page_count > 0)`;
  const settled = [`SELECT ${values}, count() AS n FROM ${rows()} AND ${counts} GROUP BY ${groups}`];
  // A session with a value and a page view without one counts in both groups. With several columns it is ambiguous.
  if (first !== undefined && columns.length === 1 && !isOnlyWithValue)
    settled.push(`SELECT null::varchar AS g0, count() AS n FROM ${rows()} AND ${bitSql(first, "viewsWithout")} = 1`);
  const times = merged([...stored.windows, ...stored.ambiguousRanges]);
  const spans = sessionSpans(plan, stored, `${ambiguities(columns)} > 0`, bindings);
  const ofEvents = eventsOfSessions(plan, spans, dimensionsOf(plan.type), [...conditions, timesSql(times)], bindings);
  return [
    { count: "sum(n)", from: `(${settled.join(" UNION ALL ")}) WHERE n > 0` },
    { count: "count_distinct(session)", from: ofEvents },
  ];
}

/** When the ambiguous stored sessions of a plan were active, sorted and disjoint; its range if there are too many. */
export async function readAmbiguousRanges(
  plan: ParameterPlan,
  liveRanges: readonly TimeRange[],
  questdb: Pick<QuestdbReader, "read">,
): Promise<readonly TimeRange[]> {
  const bindings = new Bindings();
  const rows = `${storedRows(plan, liveRanges, bindings)} AND ${ambiguities(columnsOf(plan.type))} > 0`;
  const ranges = `SELECT started::long / 1000 AS start_ms, last_activity_ms + 1 AS end_ms FROM ${rows}`;
  const found = await questdb.read(`${ranges} LIMIT ${maxAmbiguous + 1}`, bindings.values);
  if (found.length > maxAmbiguous) return [plan.range];
  return merged(found.map((row) => ({ startMs: Number(row["start_ms"]), endMs: Number(row["end_ms"]) })));
}

/** The columns of a type's groups; none where stored sessions lack one of them. */
function columnsOf(type: QueryType): ContextColumn[] {
  const dimensions = dimensionsOf(type);
  const columns = dimensions.flatMap(({ column }) => contextColumns.filter((name) => name === column));
  return columns.length === dimensions.length ? columns : [];
}

/**
 * For how many reasons a stored session is ambiguous. For one column it is enough that no event has a second value; for
 * several, every event must have all of them.
 */
function ambiguities(columns: readonly ContextColumn[]): string {
  const flags: readonly ContextFlag[] = columns.length === 1 ? ["varied"] : ["varied", "partly"];
  return columns.flatMap((column) => flags.map((flag) => bitSql(column, flag))).join(" + ");
}

/** 1 where a stored session has a bit, else 0. QuestDB 9.3.4 compiles conditions with divisions, not with bit operators. */
function bitSql(column: ContextColumn, flag: ContextFlag): string {
  const bit = contextBit(column, flag);
  return `context_bits / ${bit} - context_bits / ${bit * 2} * 2`;
}
