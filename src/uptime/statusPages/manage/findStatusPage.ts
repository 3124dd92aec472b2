import type { Pool } from "pg";
import { findOwned, notFound } from "../../monitor/findMonitor.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import { type StatusPage, statusPageColumns } from "./statusPage.ts";

/**
 * A page of a live website that the caller may use. Rejects with NOT_FOUND, with the same text for what does not exist
 * and what belongs to another organization; with `missing` where the page is only a part of what is looked for.
 * `forChange` locks it until the transaction of `client` ends.
 */
export async function findStatusPage(
  client: Pick<Pool, "query">,
  id: string,
  call: UptimeCall,
  forChange = false,
  missing = notFound("status page", "POST /uptime/status-pages/list lists a website's"),
): Promise<StatusPage> {
  const sql = `SELECT ${statusPageColumns} FROM status_pages WHERE id = $1 ${forChange ? "FOR UPDATE" : ""}`;
  const { row, website } = await findOwned<StatusPage>(client, sql, id, call, missing);
  if (website.deletedAtMs !== null) throw missing;
  return row;
}
