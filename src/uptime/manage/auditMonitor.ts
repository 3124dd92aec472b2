import type { JsonObject } from "@bufbuild/protobuf";
import type { PoolClient } from "pg";
import { changedFields } from "../../audit/changedFields.ts";
import { recordAudit } from "../../audit/recordAudit.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import { intervalName, type Monitor } from "./monitor.ts";
import { urlWithoutSecrets } from "./urlWithoutSecrets.ts";

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
  before: Monitor | undefined,
  after: Monitor,
): Promise<void> {
  const fields = fieldsOf(action, before, after);
  if (fields === undefined) return;
  const { id, websiteId } = after;
  const shown = { before: withShownUrl(fields.before), after: withShownUrl(fields.after) };
  await recordAudit(client, call, { action, objectId: id, websiteId, ...shown });
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

/** Values of headers and the body are hidden by their names when the entry is written. */
function auditedFields(monitor: Monitor): JsonObject {
  const { url, intervalMs, timeoutMs, cacheBust, jsonParsingConfig, options, status } = monitor;
  const plain: JsonObject = JSON.parse(JSON.stringify({ ...options, jsonParsingConfig }));
  const headerNames = Object.keys(options.headers);
  return { url, interval: intervalName(intervalMs), timeout: timeoutMs, cacheBust, status, ...plain, headerNames };
}

/** After the comparison, so that a change of the query alone leaves an entry too. */
function withShownUrl(fields: JsonObject | null): JsonObject | null {
  const url = fields?.["url"];
  if (fields === null || typeof url !== "string") return fields;
  return { ...fields, url: `${urlWithoutSecrets(url)}${new URL(url).search === "" ? "" : "?[hidden]"}` };
}
