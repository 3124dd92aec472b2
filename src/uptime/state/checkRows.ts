import type { RowOf } from "../../store/questdb/tables.ts";
import type { RegionOutcome } from "./quorum.ts";
import type { DueSlot } from "./slots.ts";
import type { SlotResult } from "./state.ts";

/**
 * The rows of a slot, one per region that answered. Storing a slot again replaces it: time, monitor and region are the
 * key.
 */
export function checkRows(
  { monitorId, websiteId, dueMs, untilMs }: DueSlot,
  answers: readonly RegionOutcome[],
  slotStatus: SlotResult["status"],
): RowOf<"uptime_checks">[] {
  const first = answers.map(({ region }) => region).sort()[0];
  return answers.map(({ region, outcome }) => ({
    table: "uptime_checks",
    tsUs: dueMs * 1_000,
    values: {
      website_id: websiteId,
      monitor_id: monitorId,
      region,
      status: outcome.status,
      slot_status: slotStatus,
      slot_count: region === first ? 1 : 0,
      interval_ms: untilMs - dueMs,
      http_code: outcome.httpCode,
      dns_ms: outcome.dnsMs,
      connect_ms: outcome.connectMs,
      tls_ms: outcome.tlsMs,
      ttfb_ms: outcome.ttfbMs,
      total_ms: outcome.totalMs,
      response_bytes: outcome.responseBytes,
      ssl_valid: outcome.sslValid === undefined ? undefined : Number(outcome.sslValid),
      ssl_expiry_ms: outcome.sslExpiryMs,
      attempts: outcome.attempts,
      started_ms: outcome.startedMs,
      finished_ms: outcome.finishedMs,
      error: outcome.error,
    },
  }));
}
