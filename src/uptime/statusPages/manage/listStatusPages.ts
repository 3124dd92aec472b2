import type { ListStatusPagesReply } from "../../../gen/lookout/services.ts";
import type { ListStatusPagesRequest } from "../../../gen/lookout/v1/status_page_pb.ts";
import { findMonitoredWebsite } from "../../monitor/findMonitor.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import { type StatusPage, statusPageColumns, statusPageMessage } from "./statusPage.ts";

/** POST /uptime/status-pages/list: a website's pages by title, drafts included. Rejects with NOT_FOUND (the website). */
export async function listStatusPages(
  { websiteId }: ListStatusPagesRequest,
  call: UptimeCall,
): Promise<ListStatusPagesReply> {
  const { postgres, config } = call.app;
  const website = await findMonitoredWebsite(websiteId, call);
  const { rows } = await postgres.query<StatusPage>(
    `SELECT ${statusPageColumns} FROM status_pages WHERE website_id = $1 ORDER BY title, id`,
    [website.id],
  );
  return { pages: rows.map((page) => statusPageMessage(page, config.server.baseUrl)) };
}
