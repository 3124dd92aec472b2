import { type Html, html } from "../../../text/html.ts";
import type { ShownMonitor } from "../../figures/shownMonitor.ts";
import { formatDay, formatPercent, type Writer } from "./format.ts";
import { knownStatus, statusText } from "./statusName.ts";

type Day = ShownMonitor["days"][number];

const heightPx = 28;
/** A shorter part of a bar is not seen. */
const leastPx = 6;

/**
 * A monitor's days as bars, in SVG, since the policy of the page allows no inline style. Of each bar the part that was down is red, and the part that was
 * not checked is grey, whatever the rest was.
 */
export function barsSvg({ name, days, uptimePercent }: ShownMonitor, writer: Writer): Html {
  const { texts } = writer;
  const isChecked = days.some(({ coveragePercent }) => coveragePercent > 0);
  const summary = isChecked ? texts.uptime(formatPercent(uptimePercent, writer)) : texts.noChecks;
  return html`<svg class="bars" viewBox="0 0 ${days.length} ${heightPx}" preserveAspectRatio="none" role="img" aria-label="${texts.bars(name, days.length, summary)}">
    ${days.map((day, index) => bar(day, index, writer))}</svg>`;
}

function bar(day: Day, index: number, writer: Writer): Html {
  const parts = partsOf(day);
  let y = heightPx;
  const rects = parts.map(({ fill, px }) => {
    y -= px;
    return html`<rect class="fill-${fill}" x="${index + 0.14}" y="${y}" width=".72" height="${px}"/>`;
  });
  return html`<g><title>${dayText(day, writer)}</title>${rects}</g>`;
}

type BarPart = {
  readonly fill: "up" | "degraded" | "down" | "maintenance" | "paused" | "unknown";
  readonly px: number;
};

/** The parts of a day's bar from its foot up: what was down, what was not, and what was not checked. */
export function partsOf({ status, uptimePercent, coveragePercent }: Day): BarPart[] {
  if (status === "unknown") return [{ fill: "unknown", px: heightPx }];
  const knownPx = Math.min(heightPx, Math.max(leastPx, Math.round((heightPx * coveragePercent) / 100)));
  const isAnyDown = uptimePercent < 100;
  const isAnyGood = uptimePercent > 0;
  const downPx = isAnyDown ? Math.max(leastPx, Math.round((knownPx * (100 - uptimePercent)) / 100)) : 0;
  // A day that was only partly down is never red from top to bottom.
  const shownDownPx = isAnyGood ? Math.min(downPx, Math.max(knownPx - leastPx, knownPx / 2)) : knownPx;
  const parts: BarPart[] = [
    { fill: "down", px: shownDownPx },
    { fill: isAnyDown ? "up" : knownStatus(status), px: knownPx - shownDownPx },
    { fill: "unknown", px: heightPx - knownPx },
  ];
  return parts.filter(({ px }) => px > 0);
}

function dayText(day: Day, writer: Writer): string {
  const { texts } = writer;
  const date = formatDay(day.date, writer);
  if (day.status === "unknown") return texts.dayUnknown(date);
  const percent = formatPercent(day.uptimePercent, writer);
  const coverage = formatPercent(day.coveragePercent, writer);
  const isPartlyDown = day.uptimePercent > 0 && day.uptimePercent < 100;
  return texts.day(date, isPartlyDown ? texts.partlyDown : statusText(day.status, texts), percent, coverage);
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
