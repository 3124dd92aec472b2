import { isDeepStrictEqual } from "node:util";
import { recomputableOf } from "../../aggregation/recomputableOf.ts";
import type { Row } from "../../store/questdb/questdbReader.ts";
import { DisagreeingReadsError, type RowSource, secondRead } from "../../store/questdb/secondRead.ts";
import type { RowOf } from "../../store/questdb/tables.ts";
import { appliedSoonMs, whenApplied } from "../../store/questdb/whenApplied.ts";
import type { NodeStores } from "../../store/write/storesOfWebsites.ts";
import { dayMs, startOfUtcDay, utcDayOf } from "../../time/utcDay.ts";
import type { QueryCall } from "../queryCall.ts";
import { Bindings } from "../sql/bindings.ts";
import { visitFinder } from "../visits/findVisits.ts";
import { unsettledRangesIn } from "../visits/unsettledRanges.ts";
import { type DailyKind, dailyKinds } from "./dailyKinds.ts";
import { dayFiguresSql, type Figures, figureColumns, figuresOf } from "./dayFiguresSql.ts";

/** What daily figures are made with: the QuestDB that has the website, and what tells which stored sessions may be used. */
export type FigureStores = Pick<NodeStores, "questdb" | "rows">;

export type FigureApp = Pick<QueryCall["app"], "postgres" | "config" | "log">;

/** Rows per write, so that one website does not fill the writer's queue. */
const rowsPerWrite = 1_000;

/**
 * Stores the daily figures of a website for a UTC day (YYYY-MM-DD) that is over, from which queries answer once the raw events are past
 * their retention. All events of the day must be there. Resolves to the number of rows written.
 *
 * Running it again gives the same rows. Figures stay as they are once the events of the day before are past their retention: visits that
 * began there would be counted again. A value that the day no longer has gets a row of zeros, because QuestDB cannot delete rows. What
 * takes something away is only written if a second read on another connection finds the same; else it rejects with DisagreeingReadsError.
 * Rejects with AbortError when `signal` aborts.
 */
export async function makeDailyFigures(
  app: FigureApp,
  { questdb, rows }: FigureStores,
  websiteId: string,
  day: string,
  signal: AbortSignal,
): Promise<number> {
  await whenApplied(questdb, ["events", "outgoing_links", "sessions", "daily_figures"], signal, appliedSoonMs);
  const stored = await readStored(questdb, websiteId, day);
  if (stored.size > 0 && !(await isDayBeforeKept(app, websiteId, day))) return 0;
  const made = await readDay(app, questdb, websiteId, day);
  const takesAway = [...stored].some(([key, figures]) => isLess(made.get(key), figures));
  if (takesAway && !isDeepStrictEqual(await readDay(app, secondRead(questdb), websiteId, day), made))
    throw new DisagreeingReadsError(`the daily figures of ${websiteId} on ${day} were kept: two reads disagree`);
  const gone = [...stored.keys()].filter((key) => !made.has(key)).map((key): [string, Figures] => [key, zeros]);
  const changed = [...made, ...gone].filter(([key, figures]) => !isDeepStrictEqual(stored.get(key), figures));
  const written = changed.map(([key, figures]) => figuresRow(websiteId, day, key, figures));
  for (let from = 0; from < written.length; from += rowsPerWrite) {
    signal.throwIfAborted();
    await rows.write(written.slice(from, from + rowsPerWrite));
  }
  return written.length;
}

async function isDayBeforeKept(app: FigureApp, websiteId: string, day: string): Promise<boolean> {
  const before = { websiteId, day: utcDayOf(startOfUtcDay(day) - dayMs) };
  return (await recomputableOf(app, [before], Date.now())).get(before) === "all";
}

/** Of more visits, a statement for each kind takes less time than all kinds in one. */
const visitsAtOnce = 30_000;

/** The figures of a day by kind and value, as its events give them. The totals are always there: they say that the day was made. */
async function readDay(
  app: FigureApp,
  questdb: RowSource,
  websiteId: string,
  day: string,
): Promise<Map<string, Figures>> {
  const startMs = startOfUtcDay(day);
  const scope = { websiteIds: [websiteId], range: { startMs, endMs: startMs + dayMs }, filters: [] };
  const visits = await visitFinder(unsettledRangesIn(app))(scope, questdb, true);
  const totals = dailyKinds.filter(({ field }) => field === "total");
  const found = new Map(totals.map((kind) => [keyOf(kind, ""), zeros]));
  const read = async (kinds: readonly DailyKind[]) => {
    const bindings = new Bindings();
    const sql = dayFiguresSql({ ...scope, visits }, kinds, bindings);
    for (const row of await questdb.read(sql, bindings.values)) {
      const kind = kinds[Number(row["kind"])];
      if (kind !== undefined) found.set(keyOf(kind, row["value"]), figuresIn(row));
    }
  };
  const [ofAll, ...others] = dailyKinds;
  await read([ofAll]);
  const isLarge = (found.get(keyOf(ofAll, ""))?.sessions ?? 0) > visitsAtOnce;
  for (const kinds of isLarge ? others.map((kind) => [kind]) : [others]) await read(kinds);
  return found;
}

async function readStored(questdb: RowSource, websiteId: string, day: string): Promise<Map<string, Figures>> {
  const rows = await questdb.read(
    `SELECT counted, field, value, ${figureColumns.join(", ")} FROM daily_figures WHERE website_id = $1 AND ts IN $2`,
    [websiteId, day],
  );
  return new Map(
    rows.map((row) => [keyOf({ counted: row["counted"], field: row["field"] }, row["value"]), figuresIn(row)]),
  );
}

function keyOf({ counted, field }: { readonly [name in keyof DailyKind]: unknown }, value: unknown): string {
  return JSON.stringify([counted, field, String(value ?? "")]);
}

/** Seconds are rounded: the last digits of a sum depend on the order in which QuestDB's threads add. */
function figuresIn(row: Row): Figures {
  return figuresOf((column) => {
    const figure = Number(row[column] ?? 0);
    return column === "seconds" ? Math.round(figure * 1_000) / 1_000 : figure;
  });
}

const zeros = figuresOf(() => 0);

/** Whether figures lack something that the stored ones have, as when events were not read. */
function isLess(made: Figures = zeros, stored: Figures): boolean {
  return (["page_views", "custom_events", "visitors", "sessions"] as const).some(
    (column) => made[column] < stored[column],
  );
}

/** The row of some figures; its time is 00:00 of the UTC day. */
function figuresRow(websiteId: string, day: string, key: string, figures: Figures): RowOf<"daily_figures"> {
  const [counted, field, value]: [string, string, string] = JSON.parse(key);
  return {
    table: "daily_figures",
    tsUs: startOfUtcDay(day) * 1_000,
    values: { website_id: websiteId, counted, field, value, ...figures },
  };
}
