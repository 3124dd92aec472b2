import type { JsonObject } from "@bufbuild/protobuf";
import type { PoolClient } from "pg";
import { changedFields } from "../../audit/changedFields.ts";
import { recordAudit } from "../../audit/recordAudit.ts";
import { intervalName, type OpenMonitor } from "../monitor/monitor.ts";
import type { UptimeCall } from "../uptimeCall.ts";

/** Actions on monitors, as the audit log names them. */
export type MonitorAction = "monitor.create" | "monitor.update" | "monitor.pause" | "monitor.resume" | "monitor.delete";

/**
 * Audits a change of a monitor, in the transaction that makes it. A new monitor has no `before`; a change without an
 * effect leaves no entry.
 */
export async function auditMonitor(
  client: PoolClient,
  call: UptimeCall,
  action: MonitorAction,
  before: OpenMonitor | undefined,
  after: OpenMonitor,
): Promise<void> {
  const fields = fieldsOf(action, before, after);
  if (fields === undefined) return;
  const { id, websiteId } = after;
  await recordAudit(client, call, { action, objectId: id, websiteId, ...fields });
}

function fieldsOf(
  action: MonitorAction,
  before: OpenMonitor | undefined,
  after: OpenMonitor,
): { readonly before: JsonObject | null; readonly after: JsonObject | null } | undefined {
  if (before === undefined) return { before: null, after: auditedFields(after) };
  if (action === "monitor.delete") return { before: auditedFields(before), after: null };
  return changedFields(auditedFields(before), auditedFields(after));
}

/**
 * With the secrets, so that their change leaves an entry: they are hidden by their names when the entry is written
 * (src/audit/withoutSecrets.ts).
 */
function auditedFields(monitor: OpenMonitor): JsonObject {
  const { intervalMs, timeoutMs, cacheBust, jsonParsingConfig, options, secrets, status } = monitor;
  const plain: JsonObject = JSON.parse(JSON.stringify({ ...secrets, ...options, jsonParsingConfig }));
  const headerNames = Object.keys(secrets.headers);
  return { ...plain, interval: intervalName(intervalMs), timeout: timeoutMs, cacheBust, status, headerNames };
}
