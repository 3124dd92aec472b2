import type { JsonObject } from "@bufbuild/protobuf";
import { mapInSlices } from "../../concurrency/timeSlices.ts";
import type { Row } from "../../store/questdb/questdbReader.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { PreparedAnswer } from "../plan/preparedAnswer.ts";
import { Bindings } from "../sql/bindings.ts";
import { visitRowsSql } from "../visits/activities.ts";
import { columnRow } from "./columnRows.ts";
import { durationText } from "./durationText.ts";
import {
  rowsOfSessions,
  sessionEventsStatement,
  sessionVitalsStatement,
  shownEvent,
  shownVital,
} from "./sessionEvents.ts";

/** The answer of a type whose rows are sessions, latest first, with their events and, where its fields name them, measurements. */
export function prepareSessionList(plan: ParameterPlan): PreparedAnswer {
  const bindings = new Bindings();
  const texts = ["session_id", "anonymous_id", "country", "region", "browser", "os", "device", "referrer"] as const;
  const numbered =
    "SELECT *, started::long AS start_us, ended::long AS end_us, " +
    "row_number() OVER (PARTITION BY visitor_key ORDER BY started, session_key) AS number " +
    `FROM (${visitRowsSql(plan, texts, bindings)})`;
  const sql = `SELECT * FROM (${numbered}) ORDER BY started DESC, session_key ${bindings.bindPage(plan)}`;
  return {
    statements: [{ sql, values: bindings.values }],
    rows: ([sessions = []]) => (sessions.length === 0 ? [] : withEvents(plan, sessions)),
  };
}

function withEvents(plan: ParameterPlan, sessions: readonly Row[]): PreparedAnswer {
  const withVitals = plan.type.fields.some(({ name }) => name === "web_vitals");
  return {
    statements: [
      sessionEventsStatement(plan, sessions),
      ...(withVitals ? [sessionVitalsStatement(plan, sessions)] : []),
    ],
    rows: async ([eventRows = [], vitalRows = []]) => {
      const events = await rowsOfSessions(sessions, eventRows, "events");
      const vitals = await rowsOfSessions(sessions, vitalRows, "measurements");
      return mapInSlices(sessions, (session): JsonObject => {
        const row = columnRow(plan.type.fields, named(session));
        const shownEvents = { events: (events.get(session) ?? []).map(shownEvent) };
        return withVitals
          ? { ...row, ...shownEvents, web_vitals: (vitals.get(session) ?? []).map(shownVital) }
          : { ...row, ...shownEvents };
      });
    },
  };
}

function named(session: Row): Row {
  return {
    ...session,
    session_name: `Session ${Number(session["number"])}`,
    duration_formatted: durationText(Number(session["seconds"])),
  };
}
