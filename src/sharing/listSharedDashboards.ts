import type { ListSharedDashboardsReply } from "../gen/lookout/services.ts";
import type { ListSharedDashboardsRequest } from "../gen/lookout/v1/shared_dashboards_pb.ts";
import { findLiveWebsite } from "../websites/findWebsite.ts";
import { type ShareRow, shareColumns, shareMessage } from "./shareRow.ts";
import type { SharingCall } from "./sharingCall.ts";

/** GET /v1/shared-dashboards: those of a website, newest first, with those that have expired. Rejects with NOT_FOUND. */
export async function listSharedDashboards(
  { websiteId }: ListSharedDashboardsRequest,
  { app, caller }: SharingCall,
): Promise<ListSharedDashboardsReply> {
  const website = await findLiveWebsite(app.postgres, websiteId, caller);
  const { rows } = await app.postgres.query<ShareRow>(
    `SELECT ${shareColumns} FROM shared_dashboards WHERE website_id = $1 ORDER BY created_at DESC, id`,
    [website.id],
  );
  return { sharedDashboards: rows.map(shareMessage) };
}
