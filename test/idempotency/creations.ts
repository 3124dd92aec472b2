import { type Browser, createPerson, signedIn } from "../kit/calls/person.ts";
import { send } from "../kit/calls/request.ts";
import type { TestWebsite } from "../kit/calls/website.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";
import { insertMonitor } from "../kit/stores/monitorFixture.ts";

/** A call that takes an idempotency key: its RPC, verb, path and body, and whether people make it instead of programs. */
export type Creation = {
  readonly rpc: string;
  readonly verb: string;
  readonly path: string;
  readonly body: object;
  readonly byPerson?: boolean;
};

const days = { start_date: "2026-01-01", end_date: "2026-01-02" };

/** Every call that takes an idempotency key. Makes the objects that they name. */
export async function creations(website: TestWebsite): Promise<Creation[]> {
  const { websiteId, apiKey } = website;
  const make = async (path: string, body: object) => {
    const answer = await send("POST", path, { body, apiKey });
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body as { readonly id: string; readonly apiKey: { readonly id: string } };
  };
  const page = await make("/uptime/status-pages/create", { websiteId, slug: `first-${websiteId}`, title: "Status" });
  const report = { pageId: page.id, title: "Slow", status: "investigating", text: "We look." };
  const firstReport = await make("/uptime/status-reports/create", report);
  const key = await make("/api-keys/create", { name: "Other", scopes: ["read:data"] });
  const monitor = await insertMonitor(website, { name: "Shop" });
  const incidentId = `${monitor.id}/1`;
  await inDatabase((database) =>
    database.query(
      `INSERT INTO incidents (id, monitor_id, started_at, first_error, checks_affected, regions)
       VALUES ($1, $2, to_timestamp(1), 'HTTP 503', 1, '{local}')`,
      [incidentId, monitor.id],
    ),
  );
  const posts: [string, string, object][] = [
    ["WebsiteService.CreateWebsite", "/websites/create", { name: "Shop", domain: "shop.example.com" }],
    [
      "UptimeService.CreateMonitor",
      "/uptime/monitors/create",
      { websiteId, url: "https://example.com/", interval: "1h", headers: { b: "2", a: "1" } },
    ],
    ["UptimeService.CreateIncidentNote", "/uptime/incidents/notes/create", { incidentId, text: "A disk is full." }],
    [
      "MaintenanceWindowService.CreateMaintenanceWindow",
      "/uptime/maintenance/create",
      { websiteId, title: "Move", startsAt: "2030-01-01T00:00:00Z", endsAt: "2030-01-01T01:00:00Z" },
    ],
    [
      "NotificationChannelService.CreateNotificationChannel",
      "/uptime/channels/create",
      { name: "Hook", kind: "webhook", target: "https://example.com/hook" },
    ],
    [
      "SharedDashboardService.CreateSharedDashboard",
      "/v1/shared-dashboards/create",
      { websiteId, name: "Customer", types: ["summary_metrics"] },
    ],
    [
      "SegmentService.CreateSegment",
      "/v1/segments/create",
      { websiteId, name: "Germany", filters: [{ field: "country", op: "eq", value: "DE" }], shared: true },
    ],
    [
      "StatusPageService.CreateStatusPage",
      "/uptime/status-pages/create",
      { websiteId, slug: `s-${websiteId}`, title: "S" },
    ],
    ["StatusReportService.CreateStatusReport", "/uptime/status-reports/create", report],
    [
      "StatusReportService.PostStatusReportUpdate",
      "/uptime/status-reports/update",
      { id: firstReport.id, status: "resolved", text: "Done." },
    ],
    [
      "LinkService.CreateLink",
      "/links/create",
      { websiteId, targetUrl: "https://example.com/", password: "a password" },
    ],
    ["ApiKeyService.CreateApiKey", "/api-keys/create", { name: "Program", scopes: ["read:data"] }],
    ["ApiKeyService.RotateApiKey", "/api-keys/rotate", { id: key.apiKey.id }],
    [
      "DataService.CreateExport",
      `/v1/websites/${websiteId}/export`,
      { ...days, format: "csv", data_types: ["events"] },
    ],
  ];
  return [
    ...posts.map(([rpc, path, body]): Creation => ({ rpc, verb: "POST", path, body })),
    {
      rpc: "DataService.DeleteData",
      verb: "DELETE",
      path: `/v1/websites/${websiteId}/data`,
      body: { ...days, data_types: ["events"] },
    },
    {
      rpc: "OrganizationService.CreateInvitation",
      verb: "POST",
      path: "/auth/invitations/create",
      body: { email: `${websiteId}@example.com`, role: "member" },
      byPerson: true,
    },
    {
      rpc: "OrganizationService.CreateOrganization",
      verb: "POST",
      path: "/auth/organization/create",
      body: { name: "Another" },
      byPerson: true,
    },
  ];
}

/** An owner of the website's organization. */
export async function ownerOf({ organizationId }: TestWebsite): Promise<Browser> {
  return await signedIn(await createPerson({ organizationId, role: "owner" }));
}
