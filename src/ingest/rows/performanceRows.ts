import type { EveryColumn, RowOf } from "../../store/questdb/tables.ts";
import type { IngestEvent } from "../event.ts";

/** A figure of a page by its name; undefined when it was not measured. */
export type Figure = readonly [metricType: string, value: number | undefined];

/** One row per measured figure (specification part 2, performance metric record), all with the key of one event. */
export function performanceRows(
  figures: readonly Figure[],
  event: IngestEvent,
  websiteId: string,
): RowOf<"performance_metrics">[] {
  const rows: RowOf<"performance_metrics">[] = [];
  for (const [metricType, value] of figures) {
    if (value === undefined) continue;
    rows.push({
      table: "performance_metrics",
      tsUs: Math.trunc(event.atMs ?? 0) * 1_000,
      values: {
        website_id: websiteId,
        event_key: event.eventKey,
        metric_type: metricType,
        value: storedFigure(value),
        visitor_key: event.visitorKey,
        session_key: event.sessionKey,
        session_id: event.sessionId,
        path: event.path,
        country: event.country,
        region: event.region,
        city: event.city,
        browser: event.browser,
        os: event.os,
        device: event.device,
      } satisfies EveryColumn<"performance_metrics">,
    });
  }
  return rows;
}

/**
 * A figure in stored form: with 4 decimal places and at most an hour in milliseconds. QuestDB's percentiles fail on a
 * set whose largest and smallest figures are further apart than its histogram covers (approx_percentile, QuestDB
 * 9.3.4), and a single visitor must not be able to break a website's answers.
 */
function storedFigure(value: number): number {
  return Math.min(Math.round(value * places) / places, most);
}

const places = 10_000;
const most = 3_600_000;
