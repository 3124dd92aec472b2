import type { Stores } from "../main/compose.ts";
import { minuteMs } from "../time/utcDay.ts";
import type { DemoApi } from "./demoApi.ts";
import type { Outage } from "./uptimeHistory.ts";

/** The slugs of a page that was removed stay taken until its website is erased. */
const mostSlugs = 50;

/** Makes the status page, with a report about the outage that was written while it lasted. Resolves to its address. */
export async function makeStatusPage(
  api: DemoApi,
  { postgres }: Stores,
  { websiteId, monitorIds, outage }: { websiteId: string; monitorIds: readonly string[]; outage: Outage | undefined },
): Promise<string> {
  const page = await createPage(api, {
    websiteId,
    title: "Demo shop status",
    logoText: "Demo shop",
    description: "Made up, to try status pages.",
    published: true,
    groups: [
      { name: "Customers", monitorIds: monitorIds.slice(0, 2) },
      { name: "Partners", monitorIds: monitorIds.slice(2) },
    ],
  });
  if (outage === undefined) return page.url;
  const { incidentId, startedMs, resolvedMs } = outage;
  const updates = [
    { status: "investigating", text: "The shop answers with errors. We look into it.", atMs: startedMs + 4 * minuteMs },
    { status: "identified", text: "A disk of the database is full. We make room.", atMs: startedMs + 19 * minuteMs },
    { status: "resolved", text: "The shop is back. No orders were lost.", atMs: resolvedMs + 5 * minuteMs },
  ];
  const [first, ...others] = updates;
  const { id } = await api.post<{ id: string }>("/uptime/status-reports/create", {
    pageId: page.id,
    title: "The shop was not available",
    incidentId,
    monitorIds: monitorIds.slice(0, 2),
    status: first?.status,
    text: first?.text,
  });
  for (const { status, text } of others) await api.post("/uptime/status-reports/update", { id, status, text });
  // They were posted now; the report is about the past.
  for (const { status, atMs } of updates)
    await postgres.query(
      "UPDATE status_report_updates SET posted_at = to_timestamp($3::float8 / 1000) WHERE report_id = $1 AND status = $2",
      [id, status, atMs],
    );
  await postgres.query("UPDATE status_reports SET resolved_at = to_timestamp($2::float8 / 1000) WHERE id = $1", [
    id,
    resolvedMs,
  ]);
  return page.url;
}

async function createPage(api: DemoApi, page: object): Promise<{ readonly id: string; readonly url: string }> {
  for (let number = 1; number <= mostSlugs; number += 1) {
    const slug = number === 1 ? "demo-shop" : `demo-shop-${number}`;
    const answer = await api.tryPost<{ id: string; url: string }>("/uptime/status-pages/create", { ...page, slug });
    if ("body" in answer) return answer.body;
    if (answer.status !== 409) throw new Error(`The status page was answered ${answer.status}: ${answer.error}`);
  }
  throw new Error(`All slugs from demo-shop to demo-shop-${mostSlugs} are taken`);
}
