import { getOption, hasOption } from "@bufbuild/protobuf";
import { beforeAll, expect, test } from "vitest";
import { requirementOf } from "../../src/access/requirement.ts";
import { http } from "../../src/gen/google/api/annotations_pb.ts";
import { services } from "../../src/gen/lookout/services.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { strangers } from "./callers.ts";

/** A call that succeeds for the owner: RPC, verb, path, body. */
type Call = readonly [rpc: string, verb: string, path: string, body?: object];

type Objects = Record<
  | "website"
  | "organization"
  | "monitor"
  | "secondMonitor"
  | "channel"
  | "window"
  | "statusPage"
  | "statusReport"
  | "link"
  | "segment"
  | "shared"
  | "key"
  | "export"
  | "deletion",
  string
>;

let owner: TestWebsite;
let objects: Objects;
let foreign: Record<string, Record<string, string>>;

const days = { start_date: "2026-01-01", end_date: "2026-01-02" };
const filters = [{ field: "country", op: "eq", value: "DE" }];
const share = { name: "Customer", types: ["summary_metrics"] };
const range = { startDate: "2026-01-01", endDate: "2026-01-02" };

/** Every RPC that names an object, ordered so that the owner's own calls succeed one after the other. */
function calls({
  website,
  organization,
  monitor,
  secondMonitor,
  channel,
  window,
  statusPage,
  statusReport,
  link,
  segment,
  shared,
  key,
  export: exported,
  deletion,
}: Objects): Call[] {
  const query = { parameters: ["page_views"], preset: "today" };
  const monitorRange = { monitorId: monitor, dateFrom: "2026-01-01", dateTo: "2026-01-02" };
  return [
    ["WebsiteService.GetWebsite", "POST", "/websites/get", { id: website }],
    ["WebsiteService.GetPublicWebsite", "GET", `/v1/public-website?website_id=${website}`],
    ["WebsiteService.UpdateWebsite", "POST", "/websites/update", { id: website, name: "Taken" }],
    ["WebsiteService.SetRetention", "POST", "/websites/retention", { id: website, retention: { rawEventsDays: 30 } }],
    [
      "WebsiteService.PreviewRetention",
      "POST",
      "/websites/retention/preview",
      { id: website, retention: { rawEventsDays: 30 } },
    ],
    ["WebsiteService.PreviewRules", "POST", "/websites/rules/preview", { id: website, rules: { paths: ["/a"] } }],
    ["WebsiteService.CheckInstallation", "POST", "/websites/installation/check", { id: website }],
    ["WebsiteService.CancelRetention", "POST", "/websites/retention/cancel", { id: website }],
    ["WebsiteService.ListRetentionRuns", "POST", "/websites/retention/runs", { id: website }],
    ["WebsiteService.GetPrivacyReport", "GET", `/v1/websites/${website}/privacy-report`],
    ["SegmentService.ListSegments", "GET", `/v1/segments?website_id=${website}`],
    [
      "SegmentService.CreateSegment",
      "POST",
      "/v1/segments/create",
      { websiteId: website, name: "Second", filters, shared: true },
    ],
    ["SegmentService.UpdateSegment", "POST", "/v1/segments/update", { id: segment, name: "Taken" }],
    ["SegmentService.DeleteSegment", "POST", "/v1/segments/delete", { id: segment }],
    [
      "SharedDashboardService.CreateSharedDashboard",
      "POST",
      "/v1/shared-dashboards/create",
      { websiteId: website, ...share },
    ],
    ["SharedDashboardService.ListSharedDashboards", "GET", `/v1/shared-dashboards?website_id=${website}`],
    ["SharedDashboardService.UpdateSharedDashboard", "POST", "/v1/shared-dashboards/update", { id: shared, ...share }],
    ["SharedDashboardService.DeleteSharedDashboard", "POST", "/v1/shared-dashboards/delete", { id: shared }],
    ["QueryService.Query", "POST", `/v1/query?website_id=${website}`, query],
    ["QueryService.Query", "POST", `/v1/query?schedule_id=${monitor}`, { ...query, parameters: ["uptime_overview"] }],
    ["QueryService.Query", "POST", `/v1/query?link_id=${link}`, { ...query, parameters: ["link_total_clicks"] }],
    ["QueryService.Query", "POST", `/v1/query?organization_id=${organization}`, query],
    [
      "QueryService.CompileQuery",
      "POST",
      `/v1/query/compile?website_id=${website}`,
      { type: "pages", from: "2026-01-01", to: "2026-01-02" },
    ],
    [
      "QueryService.CustomQuery",
      "POST",
      `/v1/query/custom?website_id=${website}`,
      { query: { table: "events", selects: [{ field: "*", aggregate: "count", alias: "count" }] }, ...range },
    ],
    [
      "FunnelService.AnalyzeFunnel",
      "POST",
      `/v1/query/funnel?website_id=${website}`,
      {
        ...range,
        steps: [{ page: "/" }, { page: "/b" }],
      },
    ],
    [
      "FunnelService.AnalyzeGoals",
      "POST",
      `/v1/query/goals?website_id=${website}`,
      { ...range, goals: [{ page: "/" }] },
    ],
    ["FunnelService.AnalyzeJourneys", "POST", `/v1/query/journeys?website_id=${website}`, range],
    [
      "UptimeService.CreateMonitor",
      "POST",
      "/uptime/monitors/create",
      { websiteId: website, url: "https://example.com/", interval: "1h" },
    ],
    ["UptimeService.GetMonitor", "POST", "/uptime/monitors/get", { id: monitor }],
    ["UptimeService.UpdateMonitor", "POST", "/uptime/monitors/update", { id: monitor, interval: "6h" }],
    ["UptimeService.CheckNow", "POST", "/uptime/monitors/check", { id: monitor }],
    ["UptimeService.PauseMonitor", "POST", "/uptime/monitors/pause", { id: monitor }],
    ["UptimeService.ResumeMonitor", "POST", "/uptime/monitors/resume", { id: monitor }],
    ["UptimeService.ListMonitors", "POST", "/uptime/monitors/list", { websiteId: website }],
    ["UptimeService.GetHistory", "POST", "/uptime/history", { ...monitorRange, granularity: "1d" }],
    ["UptimeService.ListIncidents", "POST", "/uptime/incidents", monitorRange],
    ["UptimeService.GetStatus", "POST", "/uptime/status", { monitorId: monitor }],
    ["UptimeService.ListRecentChecks", "POST", "/uptime/checks/recent", { monitorId: monitor }],
    ["UptimeService.DeleteMonitor", "POST", "/uptime/monitors/delete", { id: secondMonitor }],
    ["StatusPageService.GetStatusPage", "GET", `/v1/status?website_id=${website}`],
    [
      "MaintenanceWindowService.CreateMaintenanceWindow",
      "POST",
      "/uptime/maintenance/create",
      { websiteId: website, title: "Move", startsAt: "2030-01-01T00:00:00Z", endsAt: "2030-01-01T01:00:00Z" },
    ],
    ["MaintenanceWindowService.ListMaintenanceWindows", "POST", "/uptime/maintenance/list", { websiteId: website }],
    ["MaintenanceWindowService.DeleteMaintenanceWindow", "POST", "/uptime/maintenance/delete", { id: window }],
    [
      "StatusPageService.CreateStatusPage",
      "POST",
      "/uptime/status-pages/create",
      { websiteId: website, slug: `second-${website}`, title: "Status" },
    ],
    ["StatusPageService.ListStatusPages", "POST", "/uptime/status-pages/list", { websiteId: website }],
    ["StatusPageService.UpdateStatusPage", "POST", "/uptime/status-pages/update", { id: statusPage, title: "Taken" }],
    ["StatusPageService.SetStatusPageLogo", "POST", "/uptime/status-pages/logo", { id: statusPage }],
    [
      "StatusPageService.PreviewStatusPage",
      "POST",
      "/uptime/status-pages/preview",
      { websiteId: website, pageId: statusPage, title: "Status" },
    ],
    [
      "StatusReportService.CreateStatusReport",
      "POST",
      "/uptime/status-reports/create",
      { pageId: statusPage, title: "Slow", status: "investigating", text: "We look." },
    ],
    [
      "StatusReportService.PostStatusReportUpdate",
      "POST",
      "/uptime/status-reports/update",
      { id: statusReport, status: "resolved", text: "Done." },
    ],
    ["StatusReportService.ListStatusReports", "POST", "/uptime/status-reports/list", { pageId: statusPage }],
    ["StatusReportService.DeleteStatusReport", "POST", "/uptime/status-reports/delete", { id: statusReport }],
    ["StatusPageService.DeleteStatusPage", "POST", "/uptime/status-pages/delete", { id: statusPage }],
    ["NotificationChannelService.ListDeliveries", "POST", "/uptime/deliveries/list", { monitorId: monitor }],
    ["NotificationChannelService.TestNotificationChannel", "POST", "/uptime/channels/test", { id: channel }],
    [
      "NotificationChannelService.UpdateNotificationChannel",
      "POST",
      "/uptime/channels/update",
      { id: channel, name: "B" },
    ],
    ["NotificationChannelService.DeleteNotificationChannel", "POST", "/uptime/channels/delete", { id: channel }],
    ["LinkService.CreateLink", "POST", "/links/create", { websiteId: website, targetUrl: "https://example.com/" }],
    ["LinkService.ListLinks", "POST", "/links/list", { websiteId: website }],
    ["LinkService.GetLink", "POST", "/links/get", { id: link }],
    ["LinkService.UpdateLink", "POST", "/links/update", { id: link, targetUrl: "https://example.com/b" }],
    [
      "LinkService.QueryLinkAnalytics",
      "POST",
      "/analytics/query",
      { websiteId: website, metric: "clicks", dateFrom: "2026-01-01", dateTo: "2026-01-02" },
    ],
    ["LinkService.DeleteLink", "POST", "/links/delete", { id: link }],
    [
      "DataService.CreateExport",
      "POST",
      `/v1/websites/${website}/export`,
      { ...days, format: "csv", data_types: ["events"] },
    ],
    ["DataService.ListExports", "GET", `/v1/websites/${website}/exports`],
    ["DataService.GetExport", "GET", `/v1/exports/${exported}`],
    ["DataService.CancelExport", "POST", `/v1/exports/${exported}/cancel`, {}],
    [
      "DataService.PreviewDeletion",
      "POST",
      `/v1/websites/${website}/data/preview`,
      { ...days, data_types: ["events"] },
    ],
    ["DataService.ListDeletions", "GET", `/v1/websites/${website}/deletions`],
    ["DataService.DeleteData", "DELETE", `/v1/websites/${website}/data`, { ...days, data_types: ["events"] }],
    ["DataService.GetDeletion", "GET", `/v1/deletions/${deletion}`],
    ["ApiKeyService.RotateApiKey", "POST", "/api-keys/rotate", { id: key }],
    ["ApiKeyService.RevokeApiKey", "POST", "/api-keys/revoke", { id: key }],
    ["AuditService.ListAuditLog", "POST", "/audit/list", { websiteId: website }],
    ["WebsiteService.DeleteWebsite", "POST", "/websites/delete", { id: website }],
    ["WebsiteService.RestoreWebsite", "POST", "/websites/restore", { id: website }],
  ];
}

/** Calls that may be answered with an empty list instead of a refusal, because they list the caller's own objects. */
const lists = ["AuditService.ListAuditLog", "NotificationChannelService.ListDeliveries", "LinkService.ListLinks"];

/** RPCs that name an object but are not above: no foreign object can be named, or the test is elsewhere. */
const elsewhere = [
  // test/accounts: people reach their own organization only.
  "AuthService.RevokeSession",
  "OrganizationService.SwitchOrganization",
  "OrganizationService.LeaveOrganization",
  "OrganizationService.ChangeMemberRole",
  "OrganizationService.RemoveMember",
  "OrganizationService.RevokeInvitation",
  // Names websites for a person: limitedPeople.http.test.ts.
  "OrganizationService.CreateInvitation",
  "OrganizationService.LimitMember",
  // Names websites for a new key: test/apiKeys.
  "ApiKeyService.CreateApiKey",
  // There is no incident without a check: test/uptime.
  "UptimeService.AcknowledgeIncident",
  "UptimeService.GetIncident",
  "UptimeService.CreateIncidentNote",
  "UptimeService.DeleteIncidentNote",
];

beforeAll(async () => {
  owner = await createWebsite();
  foreign = await strangers(owner);
  const make = async (path: string, body: object) => {
    const answer = await send("POST", path, { body, apiKey: owner.apiKey });
    expect(answer.status, path).toBe(200);
    return answer.body as Record<string, string> & {
      apiKey: { id: string };
      channel: { id: string };
      sharedDashboard: { id: string };
    };
  };
  const { websiteId: website, organizationId: organization } = owner;
  const monitor = await make("/uptime/monitors/create", {
    websiteId: website,
    url: "https://example.com/",
    interval: "1h",
  });
  const secondMonitor = await make("/uptime/monitors/create", {
    websiteId: website,
    url: "https://example.com/b",
    interval: "1h",
  });
  const channel = await make("/uptime/channels/create", {
    name: "Hook",
    kind: "webhook",
    target: "https://example.com/hook",
  });
  const window = await make("/uptime/maintenance/create", {
    websiteId: website,
    title: "Move",
    startsAt: "2030-01-01T00:00:00Z",
    endsAt: "2030-01-01T01:00:00Z",
  });
  const statusPage = await make("/uptime/status-pages/create", {
    websiteId: website,
    slug: `first-${website}`,
    title: "Status",
  });
  const statusReport = await make("/uptime/status-reports/create", {
    pageId: statusPage["id"],
    title: "Slow",
    status: "investigating",
    text: "We look.",
  });
  const link = await make("/links/create", { websiteId: website, targetUrl: "https://example.com/" });
  const segment = await make("/v1/segments/create", { websiteId: website, name: "First", filters, shared: true });
  const shared = await make("/v1/shared-dashboards/create", { websiteId: website, ...share });
  const key = await make("/api-keys/create", { name: "Other", scopes: ["read:data"] });
  const exported = await make(`/v1/websites/${website}/export`, { ...days, format: "csv", data_types: ["events"] });
  const deletion = await send("DELETE", `/v1/websites/${website}/data`, {
    body: { ...days, data_types: ["events"] },
    apiKey: owner.apiKey,
  });
  objects = {
    website,
    organization,
    monitor: String(monitor["id"]),
    secondMonitor: String(secondMonitor["id"]),
    channel: channel.channel.id,
    window: String(window["id"]),
    statusPage: String(statusPage["id"]),
    statusReport: String(statusReport["id"]),
    link: String(link["id"]),
    segment: String(segment["id"]),
    shared: shared.sharedDashboard.id,
    key: key.apiKey.id,
    export: String(exported["export_id"]),
    deletion: (deletion.body as { deletion_id: string }).deletion_id,
  };
});

test("part 5: no caller reaches objects of another organization or of a website outside the limits of a key or person", async () => {
  const ids = Object.values(objects);
  const reached: string[] = [];
  for (const [who, headers] of Object.entries(foreign))
    for (const [rpc, verb, path, body] of calls(objects)) {
      // A caller with any website of the organization may query these.
      if (who.endsWith("another website") && path.includes("organization_id")) continue;
      const answer = await send(verb, path, { headers, ...(body === undefined ? {} : { body }) });
      const text = JSON.stringify(answer.body);
      const isEmptyList = answer.status === 200 && lists.includes(rpc) && ids.every((id) => !text.includes(id));
      if (![403, 404].includes(answer.status) && !isEmptyList)
        reached.push(`${rpc} by ${who}: ${answer.status} ${text.slice(0, 200)}`);
    }
  expect(reached).toEqual([]);
});

test("the same calls succeed for the owner, so they were refused because of the caller", async () => {
  for (const [rpc, verb, path, body] of calls(objects)) {
    const answer = await send(verb, path, { apiKey: owner.apiKey, ...(body === undefined ? {} : { body }) });
    // A failure because an export is not finished or a hook is unreachable is no refusal.
    const isAnswered = answer.status === 200 || (answer.status === 409 && rpc === "DataService.CancelExport");
    expect(isAnswered, `${rpc}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`).toBe(true);
  }
});

test("every RPC that names an object is among these calls", () => {
  const covered = new Set([...calls(objects).map(([rpc]) => rpc), ...elsewhere]);
  const missing = services.flatMap((service) =>
    service.methods.flatMap((method) => {
      const rpc = `${service.name}.${method.name}`;
      const { open } = requirementOf(method);
      const namesObject = method.input.fields.some(({ name }) => /(^|_)ids?$/.test(name));
      const hasPath = hasOption(method, http) && getOption(method, http).pattern.case !== undefined;
      return !open && hasPath && namesObject && !covered.has(rpc) ? [rpc] : [];
    }),
  );
  expect(missing).toEqual([]);
});
