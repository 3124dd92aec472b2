import type { LookoutServices } from "./calls.ts";
import { createService, type ServiceOptions } from "./createService.ts";
import { ApiKeyService } from "./gen/lookout/v1/api_keys_pb.ts";
import { AuditService } from "./gen/lookout/v1/audit_log_pb.ts";
import { DataService } from "./gen/lookout/v1/data_pb.ts";
import { FunnelService } from "./gen/lookout/v1/funnels_pb.ts";
import { IngestService } from "./gen/lookout/v1/ingest_pb.ts";
import { LinkService } from "./gen/lookout/v1/links_pb.ts";
import { LlmCallService } from "./gen/lookout/v1/llm_calls_pb.ts";
import { MaintenanceWindowService } from "./gen/lookout/v1/maintenance_pb.ts";
import { NotificationChannelService } from "./gen/lookout/v1/notification_channels_pb.ts";
import { QueryService } from "./gen/lookout/v1/query_pb.ts";
import { ScriptErrorService } from "./gen/lookout/v1/script_errors_pb.ts";
import { SegmentService } from "./gen/lookout/v1/segments_pb.ts";
import { SharedDashboardService } from "./gen/lookout/v1/shared_dashboards_pb.ts";
import { StatusPageService } from "./gen/lookout/v1/status_page_pb.ts";
import { StatusReportService } from "./gen/lookout/v1/status_report_pb.ts";
import { UptimeService } from "./gen/lookout/v1/uptime_pb.ts";
import { VitalService } from "./gen/lookout/v1/vitals_pb.ts";
import { WebsiteService } from "./gen/lookout/v1/websites_pb.ts";

/** The descriptions of all services that take an API key, by their names in LookoutServices. */
export const serviceDescriptors = {
  apiKeys: ApiKeyService,
  auditLog: AuditService,
  data: DataService,
  funnels: FunnelService,
  ingest: IngestService,
  links: LinkService,
  llmCalls: LlmCallService,
  maintenanceWindows: MaintenanceWindowService,
  notificationChannels: NotificationChannelService,
  queries: QueryService,
  scriptErrors: ScriptErrorService,
  segments: SegmentService,
  sharedDashboards: SharedDashboardService,
  statusPage: StatusPageService,
  statusReports: StatusReportService,
  uptime: UptimeService,
  vitals: VitalService,
  websites: WebsiteService,
} as const;

export type ServiceDescriptors = typeof serviceDescriptors;

export function createServices(options: ServiceOptions): LookoutServices {
  const clients = Object.entries(serviceDescriptors).map(([name, service]) => [name, createService(service, options)]);
  // Object.fromEntries forgets the names of the keys.
  return Object.fromEntries(clients) as LookoutServices;
}
