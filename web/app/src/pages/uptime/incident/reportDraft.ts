import type { StatusReport } from "../../../../../../packages/client-js/src/gen/lookout/v1/status_report_pb.ts";
import type { Incident } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";

export type DraftTexts = {
  readonly firstTitle: (monitor: string) => string;
  readonly firstText: (monitor: string, time: string) => string;
  readonly overText: (monitor: string, from: string, until: string) => string;
  readonly nextText: string;
};

/** What the form begins with. */
export type ReportDraft = { readonly title: string; readonly status: string; readonly text: string };

/** The report of a page about an incident that is to be continued: the last one. */
export function reportOn(reports: readonly StatusReport[], pageId: string): StatusReport | undefined {
  return reports.filter((report) => report.pageId === pageId).at(-1);
}

/** A sensible first text, or the next one of a report. Times are those of UTC, as on the page. */
export function reportDraft(
  monitor: string,
  { startedAt, resolvedAt }: Pick<Incident, "startedAt" | "resolvedAt">,
  before: Pick<StatusReport, "title" | "status"> | undefined,
  texts: DraftTexts,
): ReportDraft {
  const title = before?.title ?? texts.firstTitle(monitor);
  const from = utcTime(startedAt);
  // All is said; there may still be something to add.
  if (before?.status === "resolved") return { title, status: "resolved", text: "" };
  if (resolvedAt !== undefined)
    return { title, status: "resolved", text: texts.overText(monitor, from, utcTime(resolvedAt)) };
  if (before === undefined) return { title, status: "investigating", text: texts.firstText(monitor, from) };
  return { title, status: before.status === "investigating" ? "identified" : before.status, text: texts.nextText };
}

function utcTime(instant: string): string {
  return `${new Date(instant).toISOString().slice(11, 16)} UTC`;
}
