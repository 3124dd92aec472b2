import type { PoolClient } from "pg";
import { changedFields } from "../../../audit/changedFields.ts";
import { recordAudit } from "../../../audit/recordAudit.ts";
import { updateLockedRow } from "../../../store/postgres/updateLockedRow.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import { auditedPage, type StatusPage, statusPageColumns } from "./statusPage.ts";

/**
 * Writes columns of a status page that the transaction has locked, and audits what has changed. Undefined columns stay. Resolves to the page
 * afterwards.
 */
export async function updateLockedPage(
  client: PoolClient,
  before: StatusPage,
  columns: Readonly<Record<string, unknown>>,
  call: UptimeCall,
): Promise<StatusPage> {
  const after = await updateLockedRow<StatusPage>(client, "status_pages", before.id, columns, statusPageColumns);
  const fields = changedFields(auditedPage(before), auditedPage(after));
  if (fields !== undefined)
    await recordAudit(client, call, {
      action: "status_page.update",
      objectId: after.id,
      websiteId: after.websiteId,
      ...fields,
    });
  return after;
}
