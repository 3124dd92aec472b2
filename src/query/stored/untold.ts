import { type ContextColumn, type ContextSign, contextBit, contextColumns } from "../../aggregation/sessionContext.ts";
import type { Row } from "../../store/questdb/questdbReader.ts";
import type { PreparedStatement } from "../answer/preparedAnswer.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { TimeRange } from "../request/dates.ts";
import { Bindings } from "../sql/bindings.ts";
import type { Field } from "../sql/fields.ts";
import { mostTimes } from "../sql/timesSql.ts";
import { merged } from "./liveTimes.ts";
import { lastActiveMs, storedRowsOf } from "./storedSessions.ts";

/**
 * Most stored sessions tell, by their own columns, the groups in which they count. Of the others events must be asked: a visitor who came
 * again by another way, or whose address was first of one country and then of another. There are few, and by their times QuestDB finds
 * the events near them a hundred times faster than by their keys.
 */

/** Conditions on stored sessions that QuestDB compiles: whether their columns do not tell the groups of their events, and whether they do. */
export type Untold = {
  readonly isUntold: string;
  readonly isTold: string;
  /** Whether idle times count as well. */
  readonly withIdleTimes?: true;
};

/** The conditions for a set of dimensions. */
export function untoldOfFields(dimensions: readonly Field[]): Untold {
  // Of one column it is enough to know which value there is besides none; of several, which go together.
  const signs: readonly ContextSign[] = dimensions.length === 1 ? ["varied"] : ["varied", "partly"];
  const bits = dimensions.flatMap(({ column }) =>
    isContextColumn(column) ? signs.map((sign) => bitSql(column, sign)) : [],
  );
  return {
    isUntold: `(${bits.map((bit) => `${bit} = 1`).join(" OR ")})`,
    isTold: bits.map((bit) => `${bit} = 0`).join(" AND "),
  };
}

/** Whether stored sessions tell of a column of events. */
export function isContextColumn(column: string): column is ContextColumn {
  return contextColumns.some((name) => name === column);
}

/** 1 where stored sessions have a bit, else 0. QuestDB 9.3.4 compiles conditions with divisions and none with operators on bits. */
export function bitSql(column: ContextColumn, sign: ContextSign): string {
  const bit = contextBit(column, sign);
  return bitAtSql(bit);
}

/** 1 where the bit of this value is set, else 0. */
export function bitAtSql(bit: number): string {
  return `context_bits / ${bit} - context_bits / ${bit * 2} * 2`;
}

/** Reads when the stored sessions are whose columns do not tell what is asked. */
export function untoldStatement(
  plan: ParameterPlan,
  liveTimes: readonly TimeRange[],
  { isUntold, withIdleTimes }: Untold,
): PreparedStatement {
  const bindings = new Bindings();
  const rows = storedRowsOf(plan, liveTimes, bindings, [isUntold], withIdleTimes);
  return {
    sql: `SELECT started::long AS began_us, ${lastActiveMs} AS ended_ms FROM ${rows} LIMIT ${mostTimes + 1}`,
    values: bindings.values,
  };
}

/** The times that its rows tell, in order and apart: the whole range, all of whose events are then looked at, where there are too many. */
export function untoldTimes(rows: readonly Row[], range: TimeRange): readonly TimeRange[] {
  if (rows.length > mostTimes) return [range];
  return merged(
    rows.map((row) => ({
      startMs: Math.floor(Number(row["began_us"]) / 1_000),
      endMs: Number(row["ended_ms"]) + 1,
    })),
  );
}
