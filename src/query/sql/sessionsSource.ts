import { withSessionsSql } from "../../aggregation/sessionSql.ts";
import { inactivityMs } from "../../aggregation/sessions.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { Bindings } from "./bindings.ts";
import type { Field } from "./fields.ts";
import { filterSql } from "./filters.ts";
import { bounceSql, eventKinds } from "./measures.ts";
import { accessTo, rowsOf } from "./rowScope.ts";
import { isOneSession, longKeysSql } from "./sessionKeys.ts";

/**
 * Sessions built from the rows of events and outgoing links, as the text after FROM: session_key, began and last (its
 * first and last activity), visitor_key, started, page_views, actions, clicks, seconds, duration_ms, bounced and, for
 * the dimensions, g0, g1 … (null without a value). `condition` selects the events for all figures from `started` on.
 * Sessions without such an event, or without an event that the filters select, are left out.
 *
 * Most keys have no links and one session, which plain grouping finds on all cores. The others need window functions.
 */
export function sessionsSource(
  plan: ParameterPlan,
  dimensions: readonly Field[],
  condition: string | undefined,
  bindings: Bindings,
): string {
  const { shape } = plan.type;
  const end = (shape.kind === "table" && shape.sessionEnd) || "first";
  // On all cores QuestDB 9.3.4 returns null as the last value of a key whose later rows have none.
  const access = end === "last" ? "index" : accessTo(plan, "grouped");
  const events = rowsOf("events", plan, bindings, access);
  const links = rowsOf("outgoing_links", plan, bindings, access);
  const chosen = filterSql(plan.filters, "events", bindings);
  const linkedKeys = `SELECT DISTINCT session_key FROM ${links} AND session_key != null`;
  const groups = dimensions.map((_, index) => `, g${index}`).join("");

  const values = dimensions.map(({ column }) => `${column}::string`);
  const plain =
    `SELECT e.session_key AS session_key, ${figures}${groups} FROM ` +
    `(SELECT session_key, ${aggregates({ values, chosen, condition, clicks: "0", end })} ` +
    `FROM ${events} AND session_key != null GROUP BY session_key) e LEFT JOIN (${linkedKeys}) l ON e.session_key = l.session_key ` +
    `WHERE l.session_key = null AND ${isOneSession("began", "last")}`;

  const kept = dimensions.map((_, index) => `v${index}`);
  const found = values.map((value, index) => `, ${value} AS v${index}`).join("");
  const noValues = kept.map((name) => `, null::string AS ${name}`).join("");
  const keys = `${longKeysSql(events)} UNION ${linkedKeys}`;
  const activities =
    "SELECT e.* FROM " +
    `(SELECT session_key, ts, event_type::varchar AS event_type, visitor_key, time_on_page_ms${found}, ` +
    `CASE WHEN ${chosen ?? "true"} THEN 1 ELSE 0 END AS chosen FROM ${events}) e JOIN (${keys}) k ON e.session_key = k.session_key UNION ALL ` +
    `SELECT session_key, ts, 'link'::varchar AS event_type, visitor_key, null::double AS time_on_page_ms${noValues}, 0 AS chosen ` +
    `FROM ${links} AND session_key != null`;
  // A click meets no condition on events.
  const clicks = condition === undefined ? "sum(CASE WHEN event_type = 'link' THEN 1 ELSE 0 END)" : "0";
  const windowed =
    `SELECT session_key, ${figures}${groups} FROM (SELECT session_key, session_began, ` +
    `${aggregates({ values: kept, chosen: chosen === undefined ? undefined : "chosen = 1", condition, clicks, end })} ` +
    `FROM (${withSessionsSql(activities)}) GROUP BY session_key, session_began)`;

  const timed =
    "SELECT *, greatest((ended - started) / 1000000.0, coalesce(longest_ms, 0) / 1000.0) AS seconds, " +
    "greatest((ended - started) / 1000, coalesce(longest_ms, 0)::long) AS duration_ms " +
    `FROM (${plain} UNION ALL ${windowed}) WHERE page_views + actions + clicks > 0${chosen === undefined ? "" : " AND chosen > 0"}`;
  return `(SELECT *, (${bounceSql}) AS bounced FROM (${timed}))`;
}

const figures = "began, last, started, ended, visitor_key, longest_ms, page_views, actions, clicks, chosen";

type Aggregates = {
  /** SQL of the dimensions' values. */
  readonly values: readonly string[];
  readonly chosen: string | undefined;
  readonly condition: string | undefined;
  readonly clicks: string;
  readonly end: "first" | "last";
};

/**
 * The times and the visitor of a session, and its figures and dimension values, from the rows that meet the condition.
 */
function aggregates({ values, chosen, condition, clicks, end }: Aggregates): string {
  const of = (value: string) =>
    condition === undefined ? value : `CASE WHEN ${condition} THEN ${value} ELSE null END`;
  const count = (what: string) =>
    `sum(CASE WHEN ${condition === undefined || condition === what ? what : `${condition} AND ${what}`} THEN 1 ELSE 0 END)`;
  return [
    "min(ts) AS began",
    "max(ts) AS last",
    `min(${of("ts")}) AS started`,
    `max(${of("ts")}) AS ended`,
    "max(visitor_key) AS visitor_key",
    `max(CASE WHEN ${condition === undefined ? "" : `${condition} AND `}time_on_page_ms < ${inactivityMs} THEN time_on_page_ms ELSE null END) AS longest_ms`,
    `${count(eventKinds.page_view)} AS page_views`,
    `${count(eventKinds.custom)} AS actions`,
    `${clicks} AS clicks`,
    `${chosen === undefined ? "1" : count(`(${chosen})`)} AS chosen`,
    // first and last of a VARCHAR return wrong bytes when they are grouped again (QuestDB 9.3.4); STRING is right.
    ...values.map((value, index) => `${end}_not_null(${of(value)}) AS g${index}`),
  ].join(", ");
}
