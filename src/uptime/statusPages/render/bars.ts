import { type Html, html } from "../../../text/html.ts";
import type { ShownMonitor } from "../../figures/shownMonitor.ts";
import { formatDay, formatPercent, type Writer } from "./format.ts";
import { knownStatus, statusText } from "./statusName.ts";

type Day = ShownMonitor["days"][number];

const heightPx = 28;

/**
 * A monitor's days as bars, in SVG, since the policy of the page allows no inline style. The part of a day that was not
 * checked is grey, whatever the rest was.
 */
export function barsSvg({ name, days, uptimePercent }: ShownMonitor, writer: Writer): Html {
  const { texts } = writer;
  const isChecked = days.some(({ coveragePercent }) => coveragePercent > 0);
  const summary = isChecked ? texts.uptime(formatPercent(uptimePercent, writer)) : texts.noChecks;
  return html`<svg class="bars" viewBox="0 0 ${days.length} ${heightPx}" preserveAspectRatio="none" role="img" aria-label="${texts.bars(name, days.length, summary)}">
    ${days.map((day, index) => bar(day, index, writer))}</svg>`;
}

function bar(day: Day, index: number, writer: Writer): Html {
  const { status, coveragePercent } = day;
  const grey = html`<rect class="fill-unknown" x="${index + 0.15}" width="0.7" height="${heightPx}"/>`;
  if (status === "unknown") return html`<g><title>${dayText(day, writer)}</title>${grey}</g>`;
  // A sliver is seen even if only a few checks were made.
  const height = Math.max(2, Math.round((heightPx * coveragePercent) / 100));
  const known = html`<rect class="fill-${knownStatus(status)}" x="${index + 0.15}" y="${heightPx - height}" width="0.7" height="${height}"/>`;
  return html`<g><title>${dayText(day, writer)}</title>${height < heightPx ? grey : ""}${known}</g>`;
}

function dayText(day: Day, writer: Writer): string {
  const { texts } = writer;
  const date = formatDay(day.date, writer);
  if (day.status === "unknown") return texts.dayUnknown(date);
  const percent = formatPercent(day.uptimePercent, writer);
  const coverage = formatPercent(day.coveragePercent, writer);
  return texts.day(date, statusText(day.status, texts), percent, coverage);
}

/** The days that were not good or not checked, newest first; days without checks in a row are one entry. */
export function notableDays({ days }: ShownMonitor, writer: Writer): string[] {
  const { texts } = writer;
  const lines: string[] = [];
  for (let index = days.length - 1; index >= 0; ) {
    const day = days[index];
    if (day === undefined) break;
    let first = index;
    if (day.status === "unknown") while (days[first - 1]?.status === "unknown") first -= 1;
    const from = days[first];
    if (from !== undefined && first < index) {
      const span = texts.fromTo(formatDay(from.date, writer), formatDay(day.date, writer));
      lines.push(texts.dayUnknown(span));
    } else if (day.status !== "up" || day.coveragePercent < 100) lines.push(dayText(day, writer));
    index = first - 1;
  }
  return lines;
}
