import { type Tool, websiteId } from "./tool.ts";

const monitorId = { type: "string", description: "Id of a monitor, from uptime_status." };

const monitorHints = { NOT_FOUND: "uptime_status lists the monitors of a website with their ids." };

export const uptimeStatus: Tool = {
  name: "uptime_status",
  title: "Uptime status",
  description:
    "Answers the present state of a website's monitors, their uptime by day, and their incidents. A monitor's id is what incidents takes.",
  input: {
    type: "object",
    properties: {
      websiteId,
      days: {
        type: "integer",
        minimum: 1,
        maximum: 90,
        description: "Days to show, today included. The default value is 7.",
      },
    },
    required: ["websiteId"],
  },
  output: { answerOf: "getStatusPage" },
  howToGetMore: "Ask for fewer days.",
  hints: {
    NOT_FOUND: "list_websites lists the websites that this key reaches.",
    ACCESS_DENIED: "list_websites lists the websites that this key reaches.",
  },
  run: ({ websiteId: website_id, days = 7 }, call) => call("StatusPageService.GetStatusPage", { website_id, days }),
};

export const incidents: Tool = {
  name: "incidents",
  title: "Incidents of a monitor",
  description: "Lists the incidents of a monitor within some days, with their first errors and how long they lasted.",
  input: {
    type: "object",
    properties: {
      monitorId,
      dateFrom: { type: "string", description: "First day, YYYY-MM-DD." },
      dateTo: { type: "string", description: "Last day, included, YYYY-MM-DD." },
    },
    required: ["monitorId", "dateFrom", "dateTo"],
  },
  output: { answerOf: "listIncidents" },
  howToGetMore: "Ask for fewer days at once.",
  hints: monitorHints,
  run: (given, call) => call("UptimeService.ListIncidents", given),
};

export const pauseMonitor: Tool = {
  name: "pause_monitor",
  title: "Pause or resume a monitor",
  description: "Pauses a monitor, so that it makes no checks, or resumes it.",
  input: {
    type: "object",
    properties: { monitorId, paused: { type: "boolean", description: "false resumes it. The default value is true." } },
    required: ["monitorId"],
  },
  output: { answerOf: "pauseMonitor" },
  scopeToChange: "write:uptime",
  howToGetMore: "Nothing is left out that matters.",
  hints: monitorHints,
  run: ({ monitorId: id, paused = true }, call) =>
    call(paused === false ? "UptimeService.ResumeMonitor" : "UptimeService.PauseMonitor", { id }),
};
