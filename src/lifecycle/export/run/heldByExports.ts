import { dayMs } from "../../../time/utcDay.ts";
import { datasets } from "../datasets.ts";

/** A time range, Unix ms; `toMs` is exclusive. */
export type Span = { readonly fromMs: number; readonly toMs: number };

/** A data type of exports and the time range in which it may hold erased data. */
export type Held = Span & { readonly dataType: string };

/**
 * Which data of exports an erasure in a range affects, by the tables whose rows it erases or computes again (specification 4.17). A session
 * lasts less than two days, since it is cut when it has filled a UTC day; so a session that began before the range may contain erased
 * events. Ranges of sessions and incidents are about their beginning, those of daily records about the midnights of their UTC days.
 */
export function heldByExports(span: Span, tables: ReadonlySet<string>): readonly Held[] {
  const affected = datasets.filter(({ table }) => tables.has(table));
  return [...new Set(affected.map(({ dataType }) => dataType))].map((dataType) => ({
    dataType,
    ...spanOf(dataType, span, tables),
  }));
}

function spanOf(dataType: string, { fromMs, toMs }: Span, tables: ReadonlySet<string>): Span {
  const hasEvents = tables.has("events") || tables.has("outgoing_links");
  if (dataType === "sessions" && hasEvents) return { fromMs: fromMs - 2 * dayMs, toMs };
  if (dataType === "aggregated")
    return { fromMs: Math.floor(fromMs / dayMs) * dayMs, toMs: Math.ceil(toMs / dayMs) * dayMs };
  return { fromMs, toMs };
}
