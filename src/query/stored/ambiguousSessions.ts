import { type ContextColumn, type ContextFlag, contextBit, contextColumns } from "../../aggregation/sessionContext.ts";
import type { Row } from "../../store/questdb/questdbReader.ts";
import type { TimeRange } from "../../time/dates.ts";
import type { PreparedStatement } from "../answer/preparedAnswer.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import { Bindings } from "../sql/bindings.ts";
import type { Field } from "../sql/fields.ts";
import { maxTimes } from "../sql/timesSql.ts";
import { merged } from "./liveRanges.ts";
import { storedRowsOf } from "./storedSessions.ts";

/**
 * Most stored sessions have one value per column, so their columns say in which groups they count. The others are
 * ambiguous and computed from events: a visitor who came back from another source, or whose address moved to another
 * country. They are few, and QuestDB finds events by time a hundred times faster than by session key.
 */

/** SQL conditions on columns of stored sessions, in a form that QuestDB compiles. */
export type Ambiguity = {
  readonly isAmbiguous: string;
  readonly isUnambiguous: string;
};

/** The conditions that mark a session as ambiguous for any of these dimensions. */
export function ambiguityOfFields(dimensions: readonly Field[]): Ambiguity {
  // For one column it is enough that no second value exists; for several, every event must have all of them.
  const signs: readonly ContextFlag[] = dimensions.length === 1 ? ["varied"] : ["varied", "partly"];
  const bits = dimensions.flatMap(({ column }) =>
    isContextColumn(column) ? signs.map((sign) => bitSql(column, sign)) : [],
  );
  return {
    isAmbiguous: `(${bits.map((bit) => `${bit} = 1`).join(" OR ")})`,
    isUnambiguous: bits.map((bit) => `${bit} = 0`).join(" AND "),
  };
}

/** Whether stored sessions have this column of events. */
export function isContextColumn(column: string): column is ContextColumn {
  return contextColumns.some((name) => name === column);
}

/**
 * 1 where stored sessions have a bit, else 0. QuestDB 9.3.4 compiles conditions with divisions but not with bit
 * operators.
 */
export function bitSql(column: ContextColumn, sign: ContextFlag): string {
  const bit = contextBit(column, sign);
  return `context_bits / ${bit} - context_bits / ${bit * 2} * 2`;
}

/**
 * The statement that reads the start (`began_us`, microseconds) and the last activity (`ended_ms`) of the ambiguous
 * stored sessions, as many as ambiguousRangesOf accepts and one more.
 */
export function ambiguousRangesStatement(
  plan: ParameterPlan,
  liveRanges: readonly TimeRange[],
  { isAmbiguous }: Ambiguity,
): PreparedStatement {
  const bindings = new Bindings();
  const rows = storedRowsOf(plan, liveRanges, bindings, [isAmbiguous]);
  return {
    sql: `SELECT started::long AS began_us, last_activity_ms AS ended_ms FROM ${rows} LIMIT ${maxTimes + 1}`,
    values: bindings.values,
  };
}

/** The ranges of that statement's rows, sorted and disjoint; the whole range when there are too many rows. */
export function ambiguousRangesOf(rows: readonly Row[], range: TimeRange): readonly TimeRange[] {
  if (rows.length > maxTimes) return [range];
  return merged(
    rows.map((row) => ({
      startMs: Math.floor(Number(row["began_us"]) / 1_000),
      endMs: Number(row["ended_ms"]) + 1,
    })),
  );
}
