import type { ExportStatus } from "../../src/lifecycle/export/exportRow.ts";
import { granularities } from "../../src/query/plan/granularity.ts";
import type { UnknownReason } from "../../src/query/unknown/unknownTimes.ts";
import { comparedPeriods } from "../../src/time/comparedRange.ts";
import { presetNames } from "../../src/time/dates.ts";
import type { CheckStatus } from "../../src/uptime/check/checkTypes.ts";
import type { NotificationEvent } from "../../src/uptime/notifications/message/notificationMessage.ts";
import type { SlotResult } from "../../src/uptime/state/state.ts";
import type { TrackingStatus } from "../../src/websites/trackingStatuses.ts";

/**
 * The name of a list of values. `values` is a field of a request, whose validation rule holds the list, or the list itself where only the
 * code knows it. Requests whose fields have the same list are found by it; `alsoIn` are fields without a rule, mostly of answers.
 */
export type NamedValues = {
  readonly name: string;
  readonly comment: string;
  readonly values: string | readonly string[];
  readonly alsoIn?: readonly string[];
};

/** Every list of values that the contract restricts a text to, by its name in the clients. Fields are `<message>.<name in the proto>`. */
export const namedValues: readonly NamedValues[] = [
  {
    name: "ApiKeyScope",
    comment: "What an API key or a person may do.",
    values: "CreateApiKeyRequest.scopes",
    alsoIn: ["ApiKey.scopes", "Session.scopes", "Member.scopes", "Invitation.scopes"],
  },
  {
    name: "Attribution",
    comment:
      "Which source a visit has: its own, or that of the visitor's latest visit of the last 30 days that has one.",
    values: "GoalsQuery.attribution",
  },
  {
    name: "ChannelKind",
    comment: "A kind of notification channel.",
    values: "CreateNotificationChannelRequest.kind",
    alsoIn: ["NotificationChannel.kind"],
  },
  {
    name: "CheckMethod",
    comment: "The HTTP method of a monitor's checks.",
    values: "CreateMonitorRequest.method",
    alsoIn: ["Monitor.method"],
  },
  {
    name: "CheckStatus",
    comment: "The result of one check.",
    values: Object.keys({ up: 1, down: 1, degraded: 1 } satisfies Record<CheckStatus, 1>),
    alsoIn: ["CheckResult.status", "Check.status", "LatestCheck.status"],
  },
  {
    name: "ClearedMonitorField",
    comment: "A field of a monitor that a change can empty.",
    values: "UpdateMonitorRequest.clear",
  },
  {
    name: "ClearedWebsiteField",
    comment: "A field of a website that a change can empty.",
    values: "UpdateWebsiteRequest.clear",
  },
  {
    name: "ComparedPeriod",
    comment:
      "A period to compare with: as many days before, the closest days before that are the same days of the week, or the same dates of the year before.",
    values: comparedPeriods,
    alsoIn: ["Comparison.period"],
  },
  { name: "ConnectionType", comment: "How a visitor is connected.", values: "TrackPayload.connection_type" },
  {
    name: "DatePreset",
    comment: "A range of days that ends today or before.",
    values: presetNames,
    alsoIn: ["Query.preset", "Funnel.preset", "GoalsQuery.preset", "JourneysQuery.preset"],
  },
  {
    name: "DeliveryEvent",
    comment: "What a notification is about.",
    values: Object.keys({
      "incident.opened": 1,
      "incident.resolved": 1,
      "incident.escalated": 1,
      "certificate.expiring": 1,
      test: 1,
    } satisfies Record<NotificationEvent, 1>),
    alsoIn: ["Delivery.event"],
  },
  {
    name: "ErasedData",
    comment: "A kind of data that can be erased.",
    values: "DeleteDataRequest.data_types",
    alsoIn: ["GetDeletionResponse.data_types"],
  },
  { name: "EventKind", comment: "A kind of event.", values: "FlatEvent.type" },
  {
    name: "ExportedData",
    comment: "A kind of data that can be exported.",
    values: "CreateExportRequest.data_types",
    alsoIn: ["GetExportResponse.data_types", "Export.data_types"],
  },
  {
    name: "ExportFormat",
    comment: "A format of exported files.",
    values: "CreateExportRequest.format",
    alsoIn: ["GetExportResponse.format", "Export.format"],
  },
  {
    name: "ExportStatus",
    comment: "The state of an export.",
    values: Object.keys({ processing: 1, completed: 1, failed: 1, cancelled: 1, expired: 1 } satisfies Record<
      ExportStatus,
      1
    >),
    alsoIn: ["CreateExportResponse.status", "GetExportResponse.status", "CancelExportResponse.status", "Export.status"],
  },
  { name: "FilterOperator", comment: "How a filter compares.", values: "QueryFilter.op", alsoIn: ["SegmentFilter.op"] },
  { name: "GoalKind", comment: "What a goal is: a page that is viewed, or an event.", values: "WebsiteGoal.kind" },
  {
    name: "Granularity",
    comment: "The length of the buckets of a series. Weeks begin on Monday.",
    values: [...granularities.keys()],
    alsoIn: ["Query.granularity", "QueryParameter.granularity", "GoalsQuery.granularity", "CustomQuery.granularity"],
  },
  {
    name: "HistoryGranularity",
    comment: "The length of a point of a monitor's history.",
    values: "GetHistoryRequest.granularity",
  },
  {
    name: "HttpVersion",
    comment: "The version of HTTP that checks use.",
    values: "CreateMonitorRequest.http_version",
    alsoIn: ["Monitor.http_version"],
  },
  {
    name: "IncidentStatus",
    comment: "Whether an incident lasts.",
    values: ["ongoing", "resolved"],
    alsoIn: ["Incident.status", "StatusPageIncident.status"],
  },
  {
    name: "Interval",
    comment: "How often a monitor checks.",
    values: "CreateMonitorRequest.interval",
    alsoIn: ["Monitor.interval"],
  },
  {
    name: "IpVersion",
    comment: "The version of IP that checks use.",
    values: "CreateMonitorRequest.ip_version",
    alsoIn: ["Monitor.ip_version"],
  },
  {
    name: "LinkDimension",
    comment: "What the clicks of a link are grouped by.",
    values: "QueryLinkAnalyticsRequest.dimension",
  },
  { name: "LinkMetric", comment: "What is counted of a link.", values: "QueryLinkAnalyticsRequest.metric" },
  {
    name: "MonitorState",
    comment: "What is known of a monitor's address at a time.",
    values: Object.keys({ up: 1, down: 1, degraded: 1, unknown: 1 } satisfies Record<SlotResult["status"], 1>),
    alsoIn: ["HistoryPoint.status", "GetStatusResponse.status", "StatusPageDay.status"],
  },
  {
    name: "MonitorStatus",
    comment: "Whether a monitor checks.",
    values: "UpdateMonitorRequest.status",
    alsoIn: ["Monitor.status"],
  },
  { name: "PageOperator", comment: "How the path of a page is compared.", values: "PageCondition.op" },
  { name: "PlaceDetail", comment: "The finest place that is stored.", values: "WebsitePrivacy.place" },
  { name: "PrivacyLanguage", comment: "The language of a privacy report.", values: "GetPrivacyReportRequest.language" },
  {
    name: "PrivacyState",
    comment: "What is known of a point of a privacy report.",
    values: ["fulfilled", "broken", "unknown"],
    alsoIn: ["PrivacyPoint.state"],
  },
  { name: "QrFormat", comment: "A format of QR codes.", values: "GetLinkQrRequest.format" },
  { name: "ReportFormat", comment: "A form of a privacy report.", values: "GetPrivacyReportRequest.format" },
  {
    name: "ReportStatus",
    comment: "What a report on a status page says about a problem.",
    values: "CreateStatusReportRequest.status",
    alsoIn: ["StatusReport.status", "StatusReportUpdate.status"],
  },
  {
    name: "Role",
    comment: "What a person may do in an organization.",
    values: "ChangeMemberRoleRequest.role",
    alsoIn: ["Member.role", "Invitation.role", "Organization.role"],
  },
  {
    name: "TrackingStatus",
    comment: "Whether a website sends events. pending: it has sent none yet.",
    values: Object.keys({ active: 1, inactive: 1, pending: 1, unknown: 1 } satisfies Record<TrackingStatus, 1>),
    alsoIn: ["Website.tracking_status"],
  },
  { name: "TrailingSlash", comment: "Whether `/a` and `/a/` are two pages.", values: "WebsitePaths.trailing_slash" },
  {
    name: "UnknownReason",
    comment:
      "Why the events of a time are unknown: it is before the first event, past the retention of raw events, erased, in the future, or nothing was recorded.",
    values: Object.keys({ not_started: 1, retention: 1, erased: 1, not_recorded: 1, future: 1 } satisfies Record<
      UnknownReason,
      1
    >),
    alsoIn: ["UnknownTime.reason"],
  },
  { name: "VisitorIds", comment: "How long ids of visitors stay the same.", values: "WebsitePrivacy.ids" },
  { name: "VitalMetric", comment: "What a measurement measures.", values: "Vital.metric_name" },
];
