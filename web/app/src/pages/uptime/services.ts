import { MaintenanceWindowService } from "../../../../../packages/client-js/src/gen/lookout/v1/maintenance_pb.ts";
import { NotificationChannelService } from "../../../../../packages/client-js/src/gen/lookout/v1/notification_channels_pb.ts";
import { StatusPageService } from "../../../../../packages/client-js/src/gen/lookout/v1/status_page_pb.ts";
import { UptimeService } from "../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import { clientOf } from "../../api/client.ts";

export const uptime = clientOf(UptimeService);
export const statusPages = clientOf(StatusPageService);
export const channels = clientOf(NotificationChannelService);
export const maintenanceWindows = clientOf(MaintenanceWindowService);

/** How often pages about uptime ask again. */
export const refreshMs = 30_000;
