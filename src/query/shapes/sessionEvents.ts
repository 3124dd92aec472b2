import type { JsonObject } from "@bufbuild/protobuf";
import { inactivityMs } from "../../aggregation/sessions.ts";
import { eachInSlices } from "../../concurrency/timeSlices.ts";
import type { Row } from "../../store/questdb/questdbReader.ts";
import type { PreparedStatement } from "../plan/preparedAnswer.ts";
import { Bindings } from "../sql/bindings.ts";
import { columnValue } from "../sql/columnValue.ts";
import { rowsOf } from "../sql/rowScope.ts";
import { AnswerRefusal } from "./answerRefusal.ts";
import { eventColumn } from "./eventList.ts";

/** The most events and measurements that the sessions of one answer may show together: some tens of MB. */
const maxEvents = 50_000;

type Scope = Parameters<typeof rowsOf>[1];

const inactivityUs = inactivityMs * 1_000;

/**
 * The statement that reads the events and outgoing links of sessions, which are rows with session_key, start_us, end_us
 * and stored_events.
 *
 * Throws an AnswerRefusal when they have more events than one answer may hold.
 */
export function sessionEventsStatement(plan: Scope, sessions: readonly Row[]): PreparedStatement {
  const count = sessions.reduce((sum, session) => sum + Number(session["stored_events"]), 0);
  if (count > maxEvents)
    throw new AnswerRefusal(
      `These ${sessions.length} sessions have ${count} events, and an answer shows at most ${maxEvents}. Lower limit or use session_events`,
    );
  const bindings = new Bindings();
  const keys = keysSql(sessions, bindings);
  const whole = { ...plan, range: rangeOf(plan, sessions) };
  const rows = (["events", "outgoing_links"] as const).map((table) => {
    const values = shownColumns.map((column) => `${eventColumn(table, column)} AS ${column}`).join(", ");
    return `SELECT session_key, ts::long AS us, ts, event_key, ${values} FROM ${rowsOf(table, whole, bindings)} AND session_key IN (${keys})`;
  });
  const sql = `SELECT * FROM (${rows.join(" UNION ALL ")}) ORDER BY ts, event_key, event_type`;
  return { sql, values: bindings.values };
}

/** The columns that `shownEvent` shows besides the time. */
const shownColumns = ["event_id", "event_type", "name", "path", "href", "text", "properties"];

/** The web vitals that were measured in sessions. */
export function sessionVitalsStatement(plan: Scope, sessions: readonly Row[]): PreparedStatement {
  const bindings = new Bindings();
  const sql =
    "SELECT session_key, ts::long AS us, ts, metric_type::varchar AS metric_type, value, path " +
    `FROM ${rowsOf("performance_metrics", { ...plan, range: rangeOf(plan, sessions) }, bindings)} AND session_key IN (${keysSql(sessions, bindings)}) ` +
    `ORDER BY ts, event_key, metric_type LIMIT ${bindings.bind(maxEvents + 1)}`;
  return { sql, values: bindings.values };
}

/**
 * The rows of each session, in order of time. Measurements of a page may arrive after the session's last event, but not
 * after the session's end.
 *
 * Throws an AnswerRefusal for more rows than one answer may hold.
 */
export async function rowsOfSessions(
  sessions: readonly Row[],
  rows: readonly Row[],
  kind: "events" | "measurements",
): Promise<Map<Row, Row[]>> {
  if (kind === "measurements" && rows.length > maxEvents)
    throw new AnswerRefusal(
      `These ${sessions.length} sessions have more than ${maxEvents} measurements, and an answer shows no more. Lower limit`,
    );
  const ofKey = Map.groupBy(sessions, (session) => session["session_key"]);
  for (const list of ofKey.values()) list.sort((a, b) => Number(a["start_us"]) - Number(b["start_us"]));
  const found = new Map<Row, Row[]>(sessions.map((session) => [session, []]));
  const afterUs = kind === "measurements" ? inactivityUs - 1 : 0;
  await eachInSlices(rows, (row) => {
    const us = Number(row["us"]);
    const session = ofKey.get(row["session_key"] ?? null)?.findLast((one) => Number(one["start_us"]) <= us);
    if (session !== undefined && us <= Number(session["end_us"]) + afterUs) found.get(session)?.push(row);
  });
  return found;
}

/** An event as lists of sessions show it. */
export function shownEvent(row: Row): JsonObject {
  return {
    event_id: columnValue(row["event_id"] ?? null, "text"),
    time: columnValue(row["ts"] ?? null, "time"),
    event_type: columnValue(row["event_type"] ?? null, "text"),
    event_name: columnValue(row["name"] ?? null, "text"),
    path: columnValue(row["path"] ?? null, "text"),
    href: columnValue(row["href"] ?? null, "text"),
    text: columnValue(row["text"] ?? null, "text"),
    properties: columnValue(row["properties"] ?? null, "json"),
  };
}

/** A measurement as lists of sessions show it. */
export function shownVital(row: Row): JsonObject {
  return {
    metric_name: columnValue(row["metric_type"] ?? null, "text"),
    value: columnValue(row["value"] ?? null, "figure"),
    path: columnValue(row["path"] ?? null, "text"),
    time: columnValue(row["ts"] ?? null, "time"),
  };
}

/** Sessions that began in the range may end after it, and what is measured on their last page arrives later still. */
function rangeOf({ range }: Scope, sessions: readonly Row[]): Scope["range"] {
  const lastMs = sessions.reduce((latest, session) => Math.max(latest, Number(session["end_us"]) / 1_000), 0);
  return { startMs: range.startMs, endMs: Math.max(range.endMs, Math.floor(lastMs) + inactivityMs) };
}

function keysSql(sessions: readonly Row[], bindings: Bindings): string {
  const keys = new Set(sessions.map((session) => Number(session["session_key"])));
  return bindings.bindAll([...keys]);
}
