import { validationError } from "../../errors/errors.ts";
import type { GetHistoryReply, HistoryPointInit, HistorySummaryInit } from "../../gen/lookout/services.ts";
import type { GetHistoryRequest } from "../../gen/lookout/v1/uptime_pb.ts";
import { rounded } from "../../text/rounded.ts";
import type { TimeRange } from "../../time/dates.ts";
import { findMonitor } from "../monitor/findMonitor.ts";
import { incidentsIn } from "../state/incident.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import {
  coveragePercent,
  dueSlots,
  noSlots,
  type ScheduledTime,
  settledUntilMs,
  statusOfSlots,
  uptimePercent,
} from "./figures.ts";
import { readFigures, readLastDueMs, type SpanFigures, together } from "./readFigures.ts";
import { readUptimeRange } from "./readUptimeRange.ts";
import { scheduledTimes } from "./scheduledTimes.ts";

/** The granularities of specification 4.10, ms. */
const granularitiesMs: ReadonlyMap<string, number> = new Map([
  ["5m", 300_000],
  ["15m", 900_000],
  ["1h", 3_600_000],
  ["6h", 21_600_000],
  ["1d", 86_400_000],
]);

/** As many as the answer to a query may have (specification part 8). */
const maxPoints = 10_000;

/**
 * POST /uptime/history (specification 4.10): a point for each span of the granularity, including spans without data.
 * Spans begin at whole multiples of the granularity in UTC; only checks within the requested time count. Durations are
 * those of answered checks.
 *
 * Rejects with VALIDATION_ERROR and NOT_FOUND.
 */
export async function getHistory(request: GetHistoryRequest, call: UptimeCall): Promise<GetHistoryReply> {
  const range = readUptimeRange(request);
  const spans = spansOf(range, request.granularity ?? "1h");
  const monitor = await findMonitor(request.monitorId, call);
  const { id, websiteId, timeoutMs } = monitor;
  const { questdb, postgres } = call.app;
  const reader = { questdb: questdb.of(websiteId), options: { owner: websiteId, signal: call.signal } };
  const time = { monitorId: id, ...range };
  const nowMs = Date.now();
  // Slots before this time are over, whatever is known.
  const settledMs = settledUntilMs(nowMs, timeoutMs, undefined);
  const [figures, lastDueMs, times, incidents] = await Promise.all([
    readFigures(reader, time, spans),
    range.endMs <= settledMs ? undefined : readLastDueMs(reader, { ...time, startMs: settledMs }),
    scheduledTimes(postgres, [id], range.startMs, range.endMs),
    incidentsIn(postgres, [id], range),
  ]);
  const untilMs = Math.min(range.endMs, settledUntilMs(nowMs, timeoutMs, lastDueMs));
  const scheduled = times.get(id) ?? [];
  const bySpan = new Map(figures.map((figure) => [figure.span, figure]));
  return {
    dataPoints: Array.from({ length: spans.count }, (_, index) =>
      pointOf(spans, index, bySpan.get(index), { startMs: range.startMs, endMs: untilMs }, scheduled),
    ),
    summary: summaryOf(figures, dueSlots(scheduled, range.startMs, untilMs), incidents.length),
  };
}

/** Spans of a range: `count` of them from `firstMs` on, each `stepMs` long. */
type Spans = { readonly firstMs: number; readonly stepMs: number; readonly count: number };

function spansOf({ startMs, endMs }: TimeRange, granularity: string): Spans {
  const stepMs = granularitiesMs.get(granularity) ?? 0;
  const firstMs = Math.floor(startMs / stepMs) * stepMs;
  const countOf = (ms: number) => Math.ceil(endMs / ms) - Math.floor(startMs / ms);
  const count = countOf(stepMs);
  if (count <= maxPoints) return { firstMs, stepMs, count };
  const suggestion = [...granularitiesMs].find(([, ms]) => countOf(ms) <= maxPoints)?.[0];
  const message = `makes ${count} points of this time, more than the limit of ${maxPoints}; make it coarser or the time shorter`;
  throw validationError([{ field: "granularity", message, ...(suggestion === undefined ? {} : { suggestion }) }]);
}

function pointOf(
  { firstMs, stepMs }: Spans,
  index: number,
  figures: SpanFigures | undefined,
  range: TimeRange,
  scheduled: readonly ScheduledTime[],
): HistoryPointInit {
  const beginsMs = firstMs + index * stepMs;
  const slots = figures?.slots ?? noSlots;
  const due = dueSlots(scheduled, Math.max(beginsMs, range.startMs), Math.min(beginsMs + stepMs, range.endMs));
  return {
    timestamp: new Date(beginsMs).toISOString(),
    status: statusOfSlots(slots),
    uptimePercent: uptimePercent(slots),
    coveragePercent: coveragePercent(slots, due),
    ...(figures === undefined ? {} : timesOf(figures)),
    checks: figures?.checks ?? 0,
    failures: figures?.failures ?? 0,
  };
}

function summaryOf(figures: readonly SpanFigures[], due: number, incidents: number): HistorySummaryInit {
  const all = together(figures);
  return {
    totalChecks: all.checks,
    totalFailures: all.failures,
    uptimePercent: uptimePercent(all.slots),
    coveragePercent: coveragePercent(all.slots, due),
    ...timesOf(all),
    minTtfbMs: rounded(all.minTtfbMs ?? 0),
    maxTtfbMs: rounded(all.maxTtfbMs ?? 0),
    incidents,
  };
}

/** Means over the answered checks; 0 without any. */
function timesOf({ answered, ttfbSumMs, totalSumMs }: SpanFigures): { avgTtfbMs: number; avgTotalMs: number } {
  const meanOf = (sum: number) => (answered === 0 ? 0 : rounded(sum / answered));
  return { avgTtfbMs: meanOf(ttfbSumMs), avgTotalMs: meanOf(totalSumMs) };
}
