import uPlot from "uplot";
import { formatCount } from "../../../texts/format.ts";
import { formatInstant, formatMs } from "../../../texts/formatTime.ts";
import { region } from "../../../texts/texts.ts";
import { unlike } from "../../../ui/plot/axisTexts.ts";
import { type Drawing, startPlot } from "../../../ui/plot/startPlot.ts";
import { type TooltipText, tooltip } from "../../../ui/plot/tooltip.ts";
import { endPadding } from "../../../ui/plot/xAxis.ts";
import { dayMs } from "../../../ui/uptime/shownDay.ts";
import type { TimePoint } from "./timesDrawn.ts";

export type Times = {
  readonly points: readonly TimePoint[];
  readonly lineName: string;
  readonly bandName: string;
  readonly failedName: string;
  /** Names of the phases of a single check. */
  readonly phaseNames: readonly string[];
  readonly zone: string;
};

/** Draws a line of medians, or of single checks, a light band up to p95, and dots above where something failed. */
export function drawTimes(into: HTMLElement, times: Times): Drawing {
  return startPlot(into, (colour, font) => {
    const { points, zone } = times;
    const axis = { stroke: colour("--ink-soft"), font, ticks: { show: false } };
    const unseen = { stroke: "transparent", width: 0, points: { show: false } };
    return {
      data: [points.map(({ atMs }) => atMs / 1_000), points.map(({ p95 }) => p95), points.map(({ p50 }) => p50)],
      options: {
        legend: { show: false },
        // The dots of failures are above the highest line.
        padding: [14, endPadding(axisText(points.at(-1)?.atMs ?? 0, true, zone), font), 0, 0],
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), zone),
        cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
        plugins: [tooltip((index) => tooltipText(times, index)), failureDots(points, colour("--bad"))],
        scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] } },
        bands: [{ series: [1, 2], fill: `color-mix(in srgb, ${colour("--series-1")} 18%, transparent)` }],
        axes: [
          {
            ...axis,
            grid: { show: false },
            size: 28,
            space: 80,
            values: (_, splits, ___, ____, stepSeconds) =>
              unlike(splits.map((seconds) => axisText(seconds * 1_000, stepSeconds * 1_000 >= dayMs, zone))),
          },
          {
            ...axis,
            grid: { stroke: colour("--chart-grid"), width: 1 },
            size: 60,
            space: 44,
            values: (_, splits) => splits.map(formatMs),
          },
        ],
        series: [
          {},
          { ...unseen, label: times.bandName },
          { label: times.lineName, stroke: colour("--series-1"), width: 2, points: { show: points.length < 3 } },
        ],
      },
    };
  });
}

/** The label of a time on the axis: its day if a day begins there. */
function axisText(ms: number, isDaily: boolean, zone: string): string {
  const time = new Intl.DateTimeFormat(region.value, {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(ms);
  if (!isDaily && time !== "00:00") return time;
  return new Intl.DateTimeFormat(region.value, { timeZone: zone, day: "numeric", month: "short" }).format(ms);
}

function tooltipText(
  { points, lineName, bandName, failedName, phaseNames, zone }: Times,
  index: number,
): TooltipText | undefined {
  const point = points[index];
  if (point === undefined) return undefined;
  const { atMs, p50, p95, failures, phases } = point;
  return {
    title: formatInstant(atMs, zone),
    rows: [
      ...(failures > 0 ? [[failedName, formatCount(failures)] as const] : []),
      [lineName, p50 === null ? "–" : formatMs(p50)] as const,
      ...(p95 === null ? [] : [[bandName, formatMs(p95)] as const]),
      ...phases.map((ms, at) => [phaseNames[at] ?? "", formatMs(ms)] as const),
    ],
  };
}

/** A dot above each place where something failed. */
function failureDots(points: readonly TimePoint[], colour: string): uPlot.Plugin {
  return {
    hooks: {
      draw: ({ ctx, bbox, valToPos }) => {
        const radius = 3 * devicePixelRatio;
        ctx.save();
        ctx.fillStyle = colour;
        for (const { atMs, failures } of points) {
          if (failures === 0) continue;
          ctx.beginPath();
          ctx.arc(valToPos(atMs / 1_000, "x", true), Math.max(radius, bbox.top - radius), radius, 0, 2 * Math.PI);
          ctx.fill();
        }
        ctx.restore();
      },
    },
  };
}
