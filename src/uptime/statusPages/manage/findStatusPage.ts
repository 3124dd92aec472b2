import type { Pool } from "pg";
import { mayUse } from "../../../access/authorize.ts";
import { notFound } from "../../monitor/findMonitor.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import { type StatusPage, statusPageColumns } from "./statusPage.ts";

/**
 * A page of a live website that the caller may use. Rejects with NOT_FOUND, with the same text for what does not exist
 * and what belongs to another organization. `forChange` locks it until the transaction of `client` ends.
 */
export async function findStatusPage(
  client: Pick<Pool, "query">,
  id: string,
  { app, caller }: UptimeCall,
  forChange = false,
): Promise<StatusPage> {
  const { rows } = await client.query<StatusPage>(
    `SELECT ${statusPageColumns} FROM status_pages WHERE id = $1 ${forChange ? "FOR UPDATE" : ""}`,
    [id],
  );
  const [page] = rows;
  const website = page === undefined ? undefined : await app.websites.find(page.websiteId);
  if (page === undefined || website === undefined || website.deletedAtMs !== null) throw missing();
  if (caller === undefined || !mayUse(caller, website)) throw missing();
  return page;
}

function missing(): Error {
  return notFound("status page", "POST /uptime/status-pages/list lists a website's");
}
