import type { JsonObject } from "@bufbuild/protobuf";
import { mapInSlices } from "../../concurrency/timeSlices.ts";
import type { Row } from "../../store/questdb/questdbReader.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { PreparedAnswer } from "../plan/preparedAnswer.ts";
import { Bindings } from "../sql/bindings.ts";
import { countWhere, eventKinds } from "../sql/measures.ts";
import { activitiesSql, visitRowsSql } from "../visits/activities.ts";
import { linkValueOf } from "../visits/liveVisits.ts";
import { sessionNumber } from "../visits/sessionKeys.ts";
import { selectedVisits } from "../visits/visitEvents.ts";
import { visitsSql } from "../visits/visitsSql.ts";
import { columnAnswer, columnRow } from "./columnRows.ts";
import { durationText } from "./durationText.ts";
import { rowsOfSessions, sessionEventsStatement, shownEvent } from "./sessionEvents.ts";

const profileTexts = ["anonymous_id", "country", "region", "browser", "os", "device", "referrer"] as const;
const sessionTexts = ["session_id", ...profileTexts] as const;

/** A visitor's attributes come from the latest activity that has them; the referrer from the first one. */
const profileTextsSql = profileTexts
  .map((text) => `${text === "referrer" ? "first" : "last"}_not_null(${text}) AS ${text}`)
  .join(", ");

/**
 * Visitors with an anonymous id and an event that matches the filters, latest first, each with all activity in the
 * range and the latest session.
 */
export function prepareProfileList(plan: ParameterPlan): PreparedAnswer {
  const bindings = new Bindings();
  const profiles =
    `SELECT visitor_key, ${profileTextsSql}, min(ts) AS first_visit, max(ts) AS last_visit, ` +
    `${countWhere(`${eventKinds.page_view} OR ${eventKinds.custom}`)} AS total_events, ${countWhere(eventKinds.custom)} AS custom_event_count, ` +
    `count_distinct(CASE WHEN ${eventKinds.page_view} THEN path END) AS unique_pages, ` +
    `count_distinct(CASE WHEN ${eventKinds.custom} THEN name END) AS unique_event_names, ` +
    `count_distinct(CASE WHEN event_type != 'page_exit' THEN ${sessionNumber("session_key", "session_began")} END) AS session_count ` +
    `FROM (${activitiesOfProfiles(plan, bindings)}) WHERE visitor_key != null GROUP BY visitor_key`;
  const sql =
    `SELECT * FROM (${profiles}) WHERE session_count > 0 AND anonymous_id != null ` +
    `ORDER BY last_visit DESC, visitor_key ${bindings.bindPage(plan)}`;
  return {
    statements: [{ sql, values: bindings.values }],
    rows: ([found = []]) => (found.length === 0 ? [] : withLatestSessions(plan, found)),
  };
}

/** What the visitors of the selected visits did in all of their visits. */
function activitiesOfProfiles(plan: ParameterPlan, bindings: Bindings): string {
  const all = visitsSql({ ...plan, filters: [] }, [], bindings);
  const visits =
    plan.filters.length === 0
      ? all
      : `SELECT * FROM (${all}) JOIN (SELECT DISTINCT visitor_key AS chosen_visitor FROM (${selectedVisits(plan, [], bindings)})) ON visitor_key = chosen_visitor`;
  const texts = profileTexts.map((text) => [text, [`nullif(${text}, '')::string`, linkValueOf(text)]] as const);
  const values = { name: ["name", "null::varchar"], path: ["path", "path"], ...Object.fromEntries(texts) } as const;
  return activitiesSql(plan, visits, values, [], bindings);
}

function withLatestSessions(plan: ParameterPlan, profiles: readonly Row[]): PreparedAnswer {
  const bindings = new Bindings();
  const visitors = profiles.map((profile) => Number(profile["visitor_key"]));
  const numbered =
    "SELECT *, started::long AS start_us, ended::long AS end_us, " +
    "row_number() OVER (PARTITION BY visitor_key ORDER BY started DESC, session_key) AS place " +
    `FROM (${visitRowsSql(plan, sessionTexts, bindings, visitors)})`;
  const sql = `SELECT * FROM (${numbered}) WHERE place = 1`;
  return {
    statements: [{ sql, values: bindings.values }],
    rows: ([sessions = []]) => ({
      statements: [sessionEventsStatement(plan, sessions)],
      rows: ([eventRows = []]) => profileRows(plan, profiles, sessions, eventRows),
    }),
  };
}

async function profileRows(
  plan: ParameterPlan,
  profiles: readonly Row[],
  sessions: readonly Row[],
  eventRows: readonly Row[],
): Promise<JsonObject[]> {
  const events = await rowsOfSessions(sessions, eventRows, "events");
  const sessionOf = new Map(sessions.map((session) => [session["visitor_key"], session]));
  return mapInSlices(profiles, (profile) => {
    const session = sessionOf.get(profile["visitor_key"] ?? null) ?? {};
    const ofSession = Object.fromEntries(Object.entries(session).map(([name, value]) => [`session.${name}`, value]));
    const row = columnRow(plan.type.fields, { ...profile, ...ofSession });
    return { ...row, events: (events.get(session) ?? []).map(shownEvent) };
  });
}

/** The activity in the range of the visitors that the filters name, one row each. */
export function prepareProfileDetail(plan: ParameterPlan): PreparedAnswer {
  const bindings = new Bindings();
  const sessions = `SELECT *, last::timestamp AS ended FROM (${selectedVisits(plan, profileTexts, bindings)}) ORDER BY started`;
  const profiles =
    `SELECT visitor_key, ${profileTextsSql}, min(started) AS first_visit, max(ended) AS last_visit, count() AS total_sessions, ` +
    `sum(page_views) AS total_pageviews, sum(seconds) AS total_duration FROM (${sessions}) GROUP BY visitor_key`;
  const sql = `SELECT * FROM (${profiles}) ORDER BY last_visit DESC, visitor_key ${bindings.bindPage(plan)}`;
  return columnAnswer(plan, sql, bindings, (found) =>
    found.map((row) => ({ ...row, total_duration_formatted: durationText(Number(row["total_duration"])) })),
  );
}
