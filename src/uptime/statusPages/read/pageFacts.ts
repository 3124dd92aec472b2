import type { Pool } from "pg";
import type { ScheduledTime } from "../../figures/figures.ts";
import { scheduledTimes } from "../../figures/scheduledTimes.ts";
import { firstDayMs, monitorsOf } from "../../figures/shownMonitor.ts";
import { type MaintenanceWindow, readWindows } from "../../maintenance/window.ts";
import type { Monitor } from "../../monitor/monitor.ts";
import { type Incident, incidentsIn } from "../../state/incident.ts";
import { previewHash, previewToken } from "../manage/previewToken.ts";
import { type StatusPage, statusPageColumns } from "../manage/statusPage.ts";
import { type StatusReport, statusReportColumns, type WholeReport, withUpdates } from "../manage/statusReport.ts";

/** Days of bars, today included. */
export const shownDays = 90;
/** Incidents and reports of a page: the newest ones. */
const mostReports = 100;
const mostIncidents = 100;

/** What PostgreSQL knows for a page. */
export type PageFacts = {
  readonly page: StatusPage;
  /** Those of the page, in its groups. */
  readonly groups: readonly { readonly name: string; readonly monitors: readonly Monitor[] }[];
  readonly schedules: ReadonlyMap<string, readonly ScheduledTime[]>;
  /** Newest first. */
  readonly incidents: readonly Incident[];
  readonly reports: readonly WholeReport[];
  /** Windows of its monitors that are not over. */
  readonly windows: readonly MaintenanceWindow[];
  /** When this was read, Unix ms. */
  readonly readMs: number;
};

/** A published page of a live website by its slug; undefined for anything else, such as a draft. */
export async function readPageFacts(postgres: Pool, slug: string, nowMs: number): Promise<PageFacts | undefined> {
  const { rows } = await postgres.query<StatusPage>(
    `SELECT ${statusPageColumns} FROM status_pages JOIN websites ON websites.id = status_pages.website_id
     WHERE slug = $1 AND published AND websites.deleted_at IS NULL`,
    [slug],
  );
  const [page] = rows;
  return page === undefined ? undefined : await factsOf(postgres, page, nowMs);
}

/** What a preview shows, by the last part of its address; undefined for one that there is not or that has ended. */
export async function readPreviewFacts(postgres: Pool, slug: string, nowMs: number): Promise<PageFacts | undefined> {
  const token = previewToken(slug);
  if (token === undefined) return undefined;
  const { rows } = await postgres.query<{ page: StatusPage }>(
    `SELECT page FROM status_page_previews JOIN websites ON websites.id = status_page_previews.website_id
     WHERE token_hash = $1 AND expires_at > now() AND websites.deleted_at IS NULL`,
    [previewHash(token)],
  );
  const [row] = rows;
  return row === undefined ? undefined : await factsOf(postgres, row.page, nowMs);
}

/** What is shown of a page with the given settings. */
async function factsOf(postgres: Pool, page: StatusPage, nowMs: number): Promise<PageFacts> {
  const groups = grouped(page, await monitorsOf([page.websiteId], postgres));
  const monitorIds = groups.flatMap(({ monitors }) => monitors.map(({ id }) => id));
  const range = { startMs: firstDayMs({ days: shownDays, nowMs }), endMs: nowMs + 1 };
  const [schedules, incidents, reports, windows] = await Promise.all([
    scheduledTimes(postgres, monitorIds, range.startMs, range.endMs),
    incidentsIn(postgres, monitorIds, range, mostIncidents),
    reportsOf(postgres, page.id, range.startMs),
    readWindows(postgres, { websiteIds: [page.websiteId], fromMs: nowMs }),
  ]);
  const shown = new Set(monitorIds);
  const ofPage = windows.filter(({ monitorIds: ids }) => ids.length === 0 || ids.some((id) => shown.has(id)));
  return { page, groups, schedules, incidents, reports, windows: ofPage, readMs: nowMs };
}

/** A monitor that was deleted or stopped since is left out, and so is a group without any. */
function grouped(page: StatusPage, monitors: readonly Monitor[]): PageFacts["groups"] {
  if (page.groups.length === 0) return [{ name: "", monitors }];
  const byId = new Map(monitors.map((monitor) => [monitor.id, monitor]));
  return page.groups
    .map(({ name, monitorIds }) => ({ name, monitors: monitorIds.flatMap((id) => byId.get(id) ?? []) }))
    .filter((group) => group.monitors.length > 0);
}

async function reportsOf(postgres: Pool, pageId: string, fromMs: number): Promise<WholeReport[]> {
  const { rows } = await postgres.query<StatusReport>(
    `SELECT ${statusReportColumns} FROM status_reports
     WHERE page_id = $1 AND (resolved_at IS NULL OR resolved_at > to_timestamp($2::float8 / 1000))
     ORDER BY started_at DESC, id LIMIT ${mostReports}`,
    [pageId, fromMs],
  );
  return await withUpdates(postgres, rows);
}
