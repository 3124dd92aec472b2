import type { QuestdbReader, Row } from "../../store/questdb/questdbReader.ts";
import type { TimeRange } from "../../time/dates.ts";
import { merged } from "../../time/timeRanges.ts";
import { hourMs } from "../../time/utcDay.ts";
import { Bindings } from "../sql/bindings.ts";
import { accessTo, rowsOf } from "../sql/rowScope.ts";
import type { FindUnsettledRanges } from "./unsettledRanges.ts";
import { allLive, type CutVisit, liveRangesOf, type VisitSource, withReach } from "./visitSource.ts";
import { type VisitScope, visitsSql } from "./visitsSql.ts";

type Reader = Pick<QuestdbReader, "read">;

/**
 * A stored session this long may be one of several that were cut at a UTC midnight, and where it is cut depends on how
 * long before the range it began. Servers have such sessions; they are computed from events.
 */
const longSessionMs = 23 * hourMs;

/** With more visits at an edge, joining the events with all visits costs no more than looking each event up. */
const maxCutVisits = 2_000;

/** Finds where the visits of a question are read. `withCut` also reads which visits the edges of its range cut. */
export type FindVisits = (scope: VisitScope, questdb: Reader, withCut: boolean) => Promise<VisitSource>;

/**
 * For the questions of one request, which mostly have the same range: reads what they share once. All of them must be about the same websites.
 */
export function visitFinder(findUnsettledRanges: FindUnsettledRanges): FindVisits {
  const found = new Map<string, Promise<Found>>();
  const cuts = new Map<string, Promise<VisitSource["cut"]>>();
  return async (scope, questdb, withCut) => {
    const key = `${scope.range.startMs} ${scope.range.endMs}`;
    const { source, isAllLive } = await once(found, key, () => findSource(scope, questdb, findUnsettledRanges));
    // To know them, all visits would have to be computed once more.
    if (!withCut || scope.isNow === true || isAllLive) return source;
    return { ...source, cut: await once(cuts, key, () => readCut(scope, source, questdb)) };
  };
}

function once<T>(found: Map<string, Promise<T>>, key: string, find: () => Promise<T>): Promise<T> {
  const one = found.get(key) ?? find();
  found.set(key, one);
  return one;
}

type Found = { readonly source: VisitSource; readonly isAllLive: boolean };

async function findSource(
  scope: VisitScope,
  questdb: Reader,
  findUnsettledRanges: FindUnsettledRanges,
): Promise<Found> {
  const wide = withReach(scope.range);
  const unsettled = await findUnsettledRanges(scope.websiteIds, wide);
  if (unsettled === undefined) return { source: allLive(scope.range), isAllLive: true };
  const liveRanges = liveRangesOf(wide, unsettled);
  const { startMs, endMs } = scope.range;
  const [bounds, ends] = await Promise.all([readBounds(scope, liveRanges, questdb), readLastEnd(scope, questdb)]);
  if (bounds.some((row) => Number(row["longest_ms"]) >= longSessionMs))
    return { source: allLive(scope.range), isAllLive: true };
  const windows = merged(bounds.map((row) => ({ startMs: Number(row["start_ms"]), endMs: Number(row["end_ms"]) })));
  const reaching = windows.filter((window) => window.startMs < endMs && window.endMs > startMs);
  const tailEndMs = Math.max(endMs, ends, ...reaching.map((window) => window.endMs));
  return { source: { liveRanges, windows, tailEndMs }, isAllLive: false };
}

/**
 * For each live range, from the start of the first to the end of the last session or idle time that touches it, and the
 * longest one around. An event that is not stored yet can make an idle time a session.
 */
async function readBounds(
  scope: VisitScope,
  liveRanges: readonly TimeRange[],
  questdb: Reader,
): Promise<readonly Row[]> {
  if (liveRanges.length === 0) return [];
  const bindings = new Bindings();
  const lastMs = "coalesce(last_activity_ms, idle_until_ms)";
  const parts = liveRanges.map(({ startMs, endMs }) => {
    const range = { startMs: withReach({ startMs, endMs }).startMs, endMs };
    const rows = rowsOf("sessions", { ...scope, range }, bindings, accessTo(scope, "taken"));
    return (
      `SELECT least(${startMs}, coalesce(min(CASE WHEN last_ms >= ${startMs} THEN began_ms END), ${startMs})) AS start_ms, ` +
      `greatest(${endMs}, coalesce(max(last_ms) + 1, ${endMs})) AS end_ms, max(last_ms - began_ms) AS longest_ms ` +
      `FROM (SELECT started::long / 1000 AS began_ms, ${lastMs} AS last_ms FROM ${rows})`
    );
  });
  return questdb.read(parts.join(" UNION ALL "), bindings.values);
}

/** When the last stored session that began in the range ends. */
async function readLastEnd(scope: VisitScope, questdb: Reader): Promise<number> {
  const { startMs, endMs } = scope.range;
  const bindings = new Bindings();
  const range = { startMs: Math.max(startMs, withReach({ startMs: endMs, endMs }).startMs), endMs };
  const rows = rowsOf("sessions", { ...scope, range }, bindings, accessTo(scope, "taken"));
  const [row] = await questdb.read(`SELECT max(last_activity_ms) AS last FROM ${rows}`, bindings.values);
  return Number(row?.["last"] ?? 0) + 1;
}

/** The visits that an edge of the range cuts; undefined if there are too many. */
async function readCut(scope: VisitScope, source: VisitSource, questdb: Reader): Promise<VisitSource["cut"]> {
  const { startMs, endMs } = scope.range;
  const [atStart, atEnd] = await Promise.all(
    [startMs, endMs].map(async (ms) => {
      const bindings = new Bindings();
      const range = { startMs: ms, endMs: ms };
      const around = { ...scope, range, filters: [], isNow: true, visits: source };
      const sql = `SELECT session_key, began, last FROM (${visitsSql(around, [], bindings)}) WHERE last >= ${ms}000`;
      return await questdb.read(`${sql} LIMIT ${maxCutVisits + 1}`, bindings.values);
    }),
  );
  if (atStart === undefined || atEnd === undefined) return undefined;
  if (atStart.length > maxCutVisits || atEnd.length > maxCutVisits) return undefined;
  // At the end only visits of the range have rows that count.
  return {
    atStart: atStart.map(cutVisit),
    atEnd: atEnd.map(cutVisit).filter(({ beganUs }) => beganUs >= startMs * 1_000),
  };
}

function cutVisit(row: Row): CutVisit {
  return { sessionKey: Number(row["session_key"]), beganUs: Number(row["began"]), lastUs: Number(row["last"]) };
}
