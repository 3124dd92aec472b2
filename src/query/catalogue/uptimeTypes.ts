import { define, type Group, series, summary, table } from "./define.ts";
import { figures, grouped, measured, notKept, type QueryType, share, shown } from "./queryType.ts";

const uptime = { category: "uptime", isPublic: false, table: "uptime_checks" } as const satisfies Group;
const shownToAll = { ...uptime, isPublic: true } as const;

const certificate = figures("ssl_expiry", "ssl_valid");
const ms = { unit: "ms" };

type ResponseFigure = "avg" | "min" | "max" | "p50" | "p75" | "p90" | "p95" | "p99";

const responseTimes = (...asked: readonly ResponseFigure[]) =>
  asked.map((figure) => measured(`${figure}_response`, `${figure}_response_time`));

/** Checks of monitors: those of `schedule_id`, or of all monitors of a website. */
export const uptimeTypes: readonly QueryType[] = [
  summary(
    shownToAll,
    "uptime_overview",
    "Uptime overview",
    "Uptime, response times of the checks that were answered, and the certificate that was seen last. Null without checks, and without a certificate.",
    [
      measured("uptime_percentage"),
      ...responseTimes("avg", "p50", "p75", "p95", "p99", "max", "min"),
      measured("avg_check_ttfb", "avg_ttfb"),
      ...certificate,
    ],
    { defaultLimit: 1 },
  ),
  series(
    shownToAll,
    "uptime_time_series",
    "Uptime over time",
    "Uptime, checks and response times by day or hour. Uptime is null where nothing was checked. Downtime is that of the slots that were down.",
    [
      measured("uptime_percentage"),
      measured("checks", "total_checks"),
      measured("good_checks", "successful_checks"),
      measured("downtime", "downtime_seconds"),
      ...responseTimes("avg", "p50", "p95", "max"),
      measured("avg_check_ttfb", "avg_ttfb"),
      measured("p50_check_ttfb", "p50_ttfb"),
      measured("p95_check_ttfb", "p95_ttfb"),
    ],
  ),
  series(
    uptime,
    "uptime_response_time_trends",
    "Response times over time",
    "Response times of the checks that were answered, by day or hour.",
    [...responseTimes("avg", "p50", "p75", "p90", "p95", "p99", "min", "max"), measured("avg_check_ttfb", "avg_ttfb")],
  ),
  table(
    uptime,
    "uptime_status_breakdown",
    "Checks by status",
    "Checks by their status and the HTTP status of the answer, 0 without one; most checks first.",
    ["status", "http_code"],
    [grouped("status", "Status"), grouped("http_code", "HTTP status", 1), measured("checks", "count"), share("checks")],
  ),
  table(
    uptime,
    "uptime_by_region",
    "Uptime by region",
    "Uptime as measured by each region alone, and its response times, by the region's name.",
    ["region"],
    [grouped("region", "Region"), measured("check_uptime", "uptime_percentage"), ...responseTimes("avg", "p95")],
  ),
  summary(
    uptime,
    "uptime_ssl_status",
    "Certificate",
    "The certificate that was seen last, and the checks that found an invalid one. Null where no check saw one.",
    [...certificate, measured("invalid_ssl_checks")],
    { defaultLimit: 1 },
  ),
  define(
    uptime,
    "uptime_recent_checks",
    "Recent checks",
    "The checks, newest first, without URLs and addresses of probes.",
    { kind: "list", key: ["monitor_id", "region"] },
    [
      shown("timestamp", "Made", "time", { column: "started_ms" }),
      shown("scheduled_at", "Due", "time", { column: "ts" }),
      notKept("url", "URL"),
      shown("status", "Status", "text"),
      shown("http_code", "HTTP status", "count"),
      shown("ttfb_ms", "Time to first byte", "figure", ms),
      shown("total_ms", "Response time", "figure", ms),
      shown("probe_region", "Region", "text", { column: "region" }),
      notKept("probe_ip", "Address of the probe"),
      shown("ssl_valid", "Certificate holds", "booleanOrNull"),
      shown("error", "Error", "text"),
    ],
  ),
];
