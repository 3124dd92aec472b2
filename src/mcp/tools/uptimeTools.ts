import { rangeSchema, requiredRange } from "./answeredRange.ts";
import {
  dateRange,
  dateSynonyms,
  integer,
  type JsonObject,
  listOf,
  objects,
  pick,
  type Tool,
  text,
  websiteId,
} from "./tool.ts";

const monitorId = text("Id of a monitor, from uptime_status.");

const monitorHints = { NOT_FOUND: "uptime_status lists the monitors of a website with their ids." };

const websiteHint = "list_websites lists the websites that this key reaches.";

const incidentList = objects(
  "Newest first: {id, monitorId, startedAt, resolvedAt (null while it lasts), durationMs, status …}",
);

export const uptimeStatus: Tool = {
  name: "uptime_status",
  title: "Uptime status",
  description:
    "Answers whether a website is up: its monitors, their uptime, and their incidents. What an outage cost: goals with its startedAt and resolvedAt as startDate and endDate, and compare usual.",
  input: {
    type: "object",
    properties: {
      websiteId,
      days: integer(1, 90, "Days to show, today included. Default: 7."),
    },
    required: ["websiteId"],
  },
  output: {
    type: "object",
    properties: {
      name: { type: "string" },
      status: text("Of all monitors together."),
      monitors: objects(
        "{id, name, status, uptimePercent, days: [{date, status, uptimePercent, coveragePercent}]}. Days that are not listed were up all the time; null is unknown.",
      ),
      incidents: incidentList,
      maintenance: { type: "array", items: { type: "object" } },
      days: { type: "integer", description: "Days looked at, today included." },
      timezone: text("Of the days."),
    },
    required: ["status", "monitors", "incidents", "days", "timezone"],
  },
  howToGetMore: "Ask for fewer days, or a larger maxCharacters.",
  fieldNames: { website_id: "websiteId" },
  hints: { NOT_FOUND: websiteHint, ACCESS_DENIED: websiteHint },
  run: async ({ websiteId: website_id, days = 7 }, call) => {
    const answer = await call("StatusPageService.GetStatusPage", { website_id, days });
    const monitors = listOf(answer["monitors"]).map(shortMonitor);
    return { ...pick(answer, "name", "status", "incidents", "maintenance"), monitors, days, timezone: "UTC" };
  },
};

/** Days without an interruption say nothing more than their absence. */
function shortMonitor({ days, ...monitor }: JsonObject): JsonObject {
  const eventful = listOf(days).filter(
    ({ uptimePercent, coveragePercent }) => uptimePercent !== 100 || coveragePercent === 0,
  );
  return { ...monitor, days: eventful.map(withUnknown) };
}

/** A day without checks has no uptime: not 0. */
function withUnknown(day: JsonObject): JsonObject {
  return day["coveragePercent"] === 0 ? { ...day, uptimePercent: null } : day;
}

export const incidents: Tool = {
  name: "incidents",
  title: "Incidents of a monitor",
  description: "Lists the incidents of a monitor within some days, with their first errors and how long they lasted.",
  input: { type: "object", properties: { monitorId, ...dateRange }, required: ["monitorId"] },
  output: {
    type: "object",
    properties: { incidents: incidentList, range: rangeSchema },
    required: ["incidents", "range"],
  },
  howToGetMore: "Ask for fewer days at once, or a larger maxCharacters.",
  synonyms: { ...dateSynonyms, id: "monitorId" },
  hints: monitorHints,
  run: async (given, call) => {
    const range = requiredRange(given, "last_30d");
    const answer = await call("UptimeService.ListIncidents", {
      monitorId: given["monitorId"],
      dateFrom: range.from,
      dateTo: range.until,
    });
    return { incidents: answer["incidents"], range };
  },
};

export const pauseMonitor: Tool = {
  name: "pause_monitor",
  title: "Pause or resume a monitor",
  description: "Pauses a monitor, so that it makes no checks, or resumes it.",
  input: {
    type: "object",
    properties: { monitorId, paused: { type: "boolean", description: "false resumes it. Default: true." } },
    required: ["monitorId"],
  },
  output: {
    type: "object",
    properties: { id: { type: "string" }, name: { type: "string" }, status: { type: "string" } },
    required: ["id", "status"],
  },
  scopeToChange: "write:uptime",
  howToGetMore: "Nothing is left out that matters.",
  synonyms: { id: "monitorId" },
  fieldNames: { id: "monitorId" },
  hints: monitorHints,
  run: ({ monitorId: id, paused = true }, call) =>
    call(paused === false ? "UptimeService.ResumeMonitor" : "UptimeService.PauseMonitor", { id }),
};
