import type { EveryColumn, RowOf } from "../../store/questdb/tables.ts";
import type { IngestEvent } from "../event.ts";
import { storedFigure } from "../facts/storedFigure.ts";

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
