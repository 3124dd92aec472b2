import { dayMs } from "../../time/utcDay.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { QueryCall } from "../queryCall.ts";
import type { Bindings } from "../sql/bindings.ts";
import { rowsOf } from "../sql/rowScope.ts";
import type { FindVisits } from "../visits/findVisits.ts";
import type { VisitSource } from "../visits/visitSource.ts";
import { dayFiguresSql, figureColumns } from "./dayFiguresSql.ts";
import type { DayReader } from "./daysWithRows.ts";
import type { DailyPlan } from "./planDaily.ts";
import { findRawDays } from "./rawDays.ts";

/** A UTC day (its start, Unix ms) whose figures are counted from events. */
export type RawDay = { readonly startMs: number; readonly visits: VisitSource };

/** The days of a plan without figures, such as today, with their visits. Rejects with the driver's error. */
export async function findRawVisits(
  plan: ParameterPlan,
  { range, untilMs, rawRecord }: DailyPlan,
  reader: DayReader,
  findVisits: FindVisits,
  app: Pick<QueryCall["app"], "postgres" | "config" | "log">,
): Promise<RawDay[]> {
  const [websiteId = ""] = plan.websiteIds;
  const days = await findRawDays(websiteId, { startMs: range.startMs, endMs: untilMs }, rawRecord, reader, app);
  const raw: RawDay[] = [];
  for (const startMs of days) {
    const scope = { ...plan, filters: [], range: { startMs, endMs: startMs + dayMs } };
    raw.push({ startMs, visits: await findVisits(scope, reader, true) });
  }
  return raw;
}

/**
 * The figures of a plan's kinds, of days with figures and of raw days: a statement with the columns `ts` (of the day), `counted`, `value`
 * and figureColumns.
 */
export function dailyRowsSql(
  plan: ParameterPlan,
  { kinds, range }: DailyPlan,
  raw: readonly RawDay[],
  bindings: Bindings,
): string {
  const columns = figureColumns.join(", ");
  const made = [
    rowsOf("daily_figures", { ...plan, range }, bindings),
    `(${kinds.map(({ counted, field }) => `(counted = '${counted}' AND field = '${field}')`).join(" OR ")})`,
    ...raw.map(({ startMs }) => `ts != ${bindings.bindTime(startMs)}`),
  ].join(" AND ");
  const counted = `CASE kind ${kinds.map((kind, index) => `WHEN ${index} THEN '${kind.counted}'`).join(" ")} END`;
  const parts = raw.map(({ startMs, visits }) => {
    const scope = { ...plan, filters: [], visits, range: { startMs, endMs: startMs + dayMs } };
    // Where the range reaches until now, today may be a day later in UTC than in the zone.
    const dayUs = Math.min(startMs, range.endMs - dayMs) * 1_000;
    const figures = dayFiguresSql(scope, kinds, bindings);
    return `SELECT ${dayUs}::timestamp AS ts, ${counted} AS counted, value, ${columns} FROM (${figures})`;
  });
  return [`SELECT ts, counted::string AS counted, value, ${columns} FROM ${made}`, ...parts].join(" UNION ALL ");
}
