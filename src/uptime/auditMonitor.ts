import type { JsonObject } from "@bufbuild/protobuf";
import type { PoolClient } from "pg";
import { changedFields } from "../audit/changedFields.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { CallContext } from "../gateway/callContext.ts";
import { intervalName, type Monitor } from "./monitor.ts";

/** What is done to a monitor, as the audit log names it. */
export type MonitorAction = "monitor.create" | "monitor.update" | "monitor.pause" | "monitor.resume" | "monitor.delete";

/** Notes a change of a monitor in the transaction that makes it. What is made has no `before`; what changes nothing leaves no entry. */
export async function auditMonitor(
  client: PoolClient,
  call: CallContext,
  action: MonitorAction,
  before: Monitor | undefined,
  after: Monitor,
): Promise<void> {
  const fields = fieldsOf(action, before, after);
  if (fields === undefined) return;
  const { id, websiteId } = after;
  await recordAudit(client, call, { action, objectType: "monitor", objectId: id, websiteId, ...fields });
}

function fieldsOf(
  action: MonitorAction,
  before: Monitor | undefined,
  after: Monitor,
): { readonly before: JsonObject | null; readonly after: JsonObject | null } | undefined {
  if (before === undefined) return { before: null, after: auditedFields(after) };
  if (action === "monitor.delete") return { before: auditedFields(before), after: null };
  return changedFields(auditedFields(before), auditedFields(after));
}

/** Headers and body are hidden by their names. */
function auditedFields(monitor: Monitor): JsonObject {
  const { url, intervalMs, timeoutMs, cacheBust, jsonParsingConfig, options, status } = monitor;
  const plain: JsonObject = JSON.parse(JSON.stringify({ ...options, jsonParsingConfig }));
  return { url, interval: intervalName(intervalMs), timeout: timeoutMs, cacheBust, status, ...plain };
}
