import type { RecordVitalsReply, ValidatedItem } from "../../gen/lookout/services.ts";
import type { Vital } from "../../gen/lookout/v1/vitals_pb.ts";
import type { IngestEvent } from "../event.ts";
import type { IngestCall } from "../ingestCall.ts";
import { normaliseTrack } from "../normalise.ts";
import type { NamesWebsite } from "../owners/namedWebsite.ts";
import { performanceRows } from "../rows/performanceRows.ts";
import { recordsOf, storeRecords } from "../rows/records.ts";
import { validateEach } from "../validateEach.ts";

/**
 * POST /vitals: stores up to 100 measurements of pages, one row per figure (specification part 2, performance metric
 * record).
 *
 * Throws INVALID_API_KEY, ACCESS_DENIED, MISSING_WEBSITE_ID, NOT_FOUND, RATE_LIMIT_EXCEEDED, VALIDATION_ERROR when none
 * is valid and, when they cannot be stored, SERVICE_UNAVAILABLE.
 */
export async function recordVitals(
  request: NamesWebsite & { readonly vitals: readonly ValidatedItem<Vital>[] },
  call: IngestCall,
): Promise<RecordVitalsReply> {
  const items = request.vitals.map(requireFigure);
  const validations = await validateEach(request, items, normaliseVital, call);
  const records = recordsOf("web_vitals", items, validations, (vital, event, websiteId) =>
    performanceRows(figuresOf(vital), event, websiteId),
  );
  return await storeRecords(call.app, "performance_metrics", "web_vitals", records);
}

/** A rule that the contract cannot express: a figure must have a name and value, or its own field. */
function requireFigure(item: ValidatedItem<Vital>): ValidatedItem<Vital> {
  if (item.value === undefined) return item;
  const { metricName, metricValue } = item.value;
  const missing = (field: string) => ({
    ...item,
    value: undefined,
    violations: [{ field, message: "is required", rule: "required" }],
  });
  if (metricName !== undefined && metricValue === undefined) return missing("metricValue");
  return figuresOf(item.value).length === 0 ? missing("metricName") : item;
}

/** Trackers may send all figures of a page with one id, so the name is part of a figure's identity. */
function normaliseVital(vital: Vital): IngestEvent {
  const { metricName, eventId, anonymousId, sessionId, timestamp, path } = vital;
  const id = eventId && metricName !== undefined ? `${eventId}\n${metricName}` : eventId;
  return normaliseTrack({ name: "web_vitals", eventId: id, anonymousId, sessionId, timestamp, path }, vital);
}

function figuresOf(vital: Vital): (readonly [metricType: string, value: number])[] {
  const figures = [
    [vital.metricName, vital.metricValue],
    ["LCP", vital.lcp],
    ["FID", vital.fid],
    ["CLS", vital.cls],
    ["TTFB", vital.ttfb],
    ["FCP", vital.fcp],
    ["INP", vital.inp],
    ["load_time", vital.loadTime],
    ["dom_ready_time", vital.domReadyTime],
    ["render_time", vital.renderTime],
    ["time_to_interactive", vital.timeToInteractive],
    ["resource_load_time", vital.resourceLoadTime],
  ] as const;
  return figures.flatMap(([metricType, value]) =>
    metricType === undefined || value === undefined ? [] : [[metricType, value] as const],
  );
}
