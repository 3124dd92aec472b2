import type { TimeRange } from "../../time/dates.ts";
import type { Bindings } from "../sql/bindings.ts";
import { findField } from "../sql/fields.ts";
import { type Filter, filterSql } from "../sql/filters.ts";
import { bounceSql } from "../sql/measures.ts";
import { accessTo, type RowScope, rowsOf } from "../sql/rowScope.ts";
import { liveVisitsSql } from "./liveVisits.ts";
import { visitFilters } from "./splitFilters.ts";
import { textsOf, type VisitText, visitFigures, visitorType } from "./visitColumns.ts";
import { allLive, type VisitSource, withReach } from "./visitSource.ts";

/** Which visits a question is about. */
export type VisitScope = RowScope & {
  readonly filters: readonly Filter[];
  /** Where visits are read; without it all are computed from events. */
  readonly visits?: VisitSource | undefined;
  /** All visits that are stored until the end of the range, among which those of a visitor are first or not; without it computed from events. */
  readonly kept?: OtherVisits | undefined;
  /** The visits whose sources count for an attribution, if one is asked. */
  readonly touches?: OtherVisits | undefined;
  /** Whether it is about what happened in the range, so also about visits that began before; else about the visits that began in it. */
  readonly isNow?: boolean;
};

/** Visits of another range than that of the question, and where they are read. */
export type OtherVisits = { readonly range: TimeRange; readonly visits?: VisitSource | undefined };

/** Only visits with at least one of these. */
export type VisitNeed = "pageViews" | "actions";

/** Columns of visits by what they hold: of those computed from events, and of stored sessions. */
const liveNames = { pageViews: "page_views", actions: "actions", clicks: "clicks", seconds: "seconds" } as const;
const storedNames = {
  pageViews: "page_count",
  actions: "action_count",
  clicks: "click_count",
  seconds: "duration_seconds",
} as const;

/** Where visits are read for a question. */
export function visitSourceOf({ visits, range }: VisitScope): VisitSource {
  return visits ?? allLive(range);
}

/**
 * The visits of a question that its filters on visit fields select, as a statement with the columns of visitFigures, `bounced`, and these
 * texts. Filters on event fields are left to the caller.
 */
export function visitsSql(
  scope: VisitScope,
  texts: readonly VisitText[],
  bindings: Bindings,
  need?: VisitNeed,
): string {
  const filters = visitFilters(scope.filters);
  const onType = filters.filter(({ field }) => field === visitorType);
  if (onType.length === 0 && !texts.includes(visitorType)) return plainVisitsSql(scope, filters, texts, bindings, need);
  const others = filters.filter(({ field }) => field !== visitorType);
  const otherTexts = texts.filter((text) => text !== visitorType);
  const plain = plainVisitsSql(scope, others, otherTexts, bindings, need);
  const selected = filterSql(onType, "events", bindings);
  return (
    `SELECT ${[...visitFigures, ...texts].join(", ")} FROM (${withVisitorType(scope, plain, bindings)})` +
    `${selected === undefined ? "" : ` WHERE ${selected}`}`
  );
}

/** Before any event of any website. */
export const everMs = Date.UTC(2000, 0, 1);

/** Visits with `visitor_type`. Two that began at the same moment are both the first. */
function withVisitorType(scope: VisitScope, visits: string, bindings: Bindings): string {
  const { range, visits: source } = scope.kept ?? {
    range: { startMs: everMs, endMs: scope.range.endMs },
    visits: undefined,
  };
  const kept = plainVisitsSql({ ...scope, range, visits: source, isNow: false }, [], [], bindings);
  return (
    "SELECT *, CASE WHEN visitor_key = null THEN null::string WHEN began <= first_began THEN 'first' ELSE 'returning' END AS visitor_type " +
    `FROM (${visits}) LEFT JOIN (SELECT visitor_key AS first_visitor_key, min(began) AS first_began FROM (${kept}) ` +
    "WHERE visitor_key != null GROUP BY visitor_key) ON visitor_key = first_visitor_key"
  );
}

function plainVisitsSql(
  scope: VisitScope,
  filters: readonly Filter[],
  texts: readonly VisitText[],
  bindings: Bindings,
  need?: VisitNeed,
): string {
  const source = visitSourceOf(scope);
  const begun = beganIn(scope);
  const filtered = filterSql(filters, "events", bindings);
  // Of stored visits and of live ones: the texts have the same names.
  const selected = filtered === undefined ? "" : ` AND ${filtered}`;
  const activeFromMs = scope.isNow === true ? scope.range.startMs : undefined;
  const columns = [
    ...visitFigures.map((name) => (name === "bounced" ? `${bounceSql(liveNames)} AS bounced` : name)),
    ...texts,
  ].join(", ");

  const apart = source.liveRanges.map(
    ({ startMs, endMs }) => ` AND (last_activity_ms < ${startMs} OR started >= ${endMs}000)`,
  );
  const settled =
    `SELECT session_key, started::long AS began, last_activity_ms * 1000 + 999 AS last, started, visitor_key, page_count AS page_views, ` +
    "action_count AS actions, click_count AS clicks, duration_seconds AS seconds, " +
    "round(duration_seconds * 1000000.0)::long / 1000 AS duration_ms, " +
    `${bounceSql(storedNames)} AS bounced` +
    texts.map((text) => `, ${text}::string AS ${text}`).join("") +
    ` FROM ${rowsOf("sessions", { ...scope, range: begun }, bindings, accessTo(scope, "grouped"))} AND last_activity_ms != null` +
    (activeFromMs === undefined ? "" : ` AND last_activity_ms >= ${activeFromMs}`) +
    (need === undefined ? "" : ` AND ${storedNames[need]} > 0`) +
    apart.join("") +
    selected;

  // Filters may compare texts that are not asked for.
  const compared = textsOf(filters.flatMap(({ field }) => findField("events", field) ?? []));
  const liveTexts = [...new Set([...texts, ...compared])];
  const touches = source.liveRanges.map(({ startMs, endMs }) => `(last >= ${startMs}000 AND started < ${endMs}000)`);
  const live = windowsOf(source, begun).map(
    (window) =>
      `SELECT ${columns} FROM (${liveVisitsSql(scope, window, liveTexts, bindings)}) WHERE (${touches.join(" OR ")}) ` +
      `AND started >= ${begun.startMs}000 AND started < ${begun.endMs}000` +
      (activeFromMs === undefined ? "" : ` AND last >= ${activeFromMs}000`) +
      (need === undefined ? "" : ` AND ${liveNames[need]} > 0`) +
      selected,
  );
  const isAllLive = source.liveRanges.some(({ startMs, endMs }) => startMs <= begun.startMs && endMs >= begun.endMs);
  return [...(isAllLive ? [] : [settled]), ...live].join(" UNION ALL ");
}

/** When the events of a question happened that count: those of visits until the last of these has ended. */
export function eventRange(scope: VisitScope): TimeRange {
  const { startMs, endMs } = scope.range;
  return { startMs, endMs: scope.isNow === true ? endMs : visitSourceOf(scope).tailEndMs };
}

/** When the visits of a question began. */
function beganIn({ range, isNow }: VisitScope): TimeRange {
  return isNow === true ? { startMs: withReach(range).startMs, endMs: range.endMs } : range;
}

/** The windows that can hold a visit that began in a range. */
function windowsOf({ windows }: VisitSource, { startMs, endMs }: TimeRange): readonly TimeRange[] {
  return windows.filter((window) => window.endMs > startMs && window.startMs < endMs);
}
