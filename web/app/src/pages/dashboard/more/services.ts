import { FunnelService } from "../../../../../../packages/client-js/src/gen/lookout/v1/funnels_pb.ts";
import { LinkService } from "../../../../../../packages/client-js/src/gen/lookout/v1/links_pb.ts";
import { MaintenanceWindowService } from "../../../../../../packages/client-js/src/gen/lookout/v1/maintenance_pb.ts";
import { StatusPageService } from "../../../../../../packages/client-js/src/gen/lookout/v1/status_page_pb.ts";
import { UptimeService } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import { WebsiteService } from "../../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { clientOf } from "../../../api/client.ts";

export const funnels = clientOf(FunnelService);
export const links = clientOf(LinkService);
export const maintenanceWindows = clientOf(MaintenanceWindowService);
export const statusPages = clientOf(StatusPageService);
export const uptime = clientOf(UptimeService);
export const websites = clientOf(WebsiteService);
