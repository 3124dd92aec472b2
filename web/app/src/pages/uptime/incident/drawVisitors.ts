import uPlot from "uplot";
import { formatCount, formatTenths } from "../../../texts/format.ts";
import { formatInstant } from "../../../texts/formatTime.ts";
import { type Drawing, startPlot } from "../../../ui/plot/startPlot.ts";
import { tooltip } from "../../../ui/plot/tooltip.ts";
import { endPadding } from "../../../ui/plot/xAxis.ts";
import { clock } from "./incidentTime.ts";
import type { VisitorRow } from "./visitorRow.ts";

export type DrawnVisitors = {
  readonly rows: readonly VisitorRow[];
  /** The incident, Unix ms. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly nowName: string;
  readonly usualName: string;
  readonly incidentName: string;
  readonly zone: string;
};

/** A line of visitors on a grey band of what is usual. The time of the incident is shaded. */
export function drawVisitors(into: HTMLElement, drawn: DrawnVisitors): Drawing {
  const { rows, zone } = drawn;
  return startPlot(into, (colour, font) => {
    const axis = { stroke: colour("--ink-soft"), font, ticks: { show: false } };
    const unseen = { stroke: "transparent", width: 0, points: { show: false } };
    return {
      data: [
        rows.map(({ fromMs }) => fromMs / 1_000),
        rows.map(({ high }) => high ?? null),
        rows.map(({ low }) => low ?? null),
        rows.map(({ now }) => now),
      ],
      options: {
        legend: { show: false },
        padding: [8, endPadding(clock(rows.at(-1)?.fromMs ?? 0, zone), font), 0, 0],
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), zone),
        cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
        plugins: [shade(drawn, colour("--bad")), tooltip((index) => textOf(drawn, index))],
        scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] } },
        bands: [{ series: [1, 2], fill: `color-mix(in srgb, ${colour("--unknown")} 28%, transparent)` }],
        axes: [
          {
            ...axis,
            grid: { show: false },
            size: 28,
            space: 64,
            values: (_, splits) => splits.map((seconds) => clock(seconds * 1_000, zone)),
          },
          {
            ...axis,
            grid: { stroke: colour("--chart-grid"), width: 1 },
            size: 44,
            space: 36,
            values: (_, splits) => splits.map((value) => (Number.isInteger(value) ? formatCount(value) : "")),
          },
        ],
        series: [
          {},
          unseen,
          unseen,
          { label: drawn.nowName, stroke: colour("--series-1"), width: 2, points: { show: rows.length < 3 } },
        ],
      },
    };
  });
}

function textOf({ rows, nowName, usualName, incidentName, fromMs, untilMs, zone }: DrawnVisitors, index: number) {
  const row = rows[index];
  if (row === undefined) return undefined;
  return {
    title: formatInstant(row.fromMs, zone),
    rows: [
      ...(row.fromMs >= fromMs && row.fromMs < untilMs ? [[incidentName, ""] as const] : []),
      [nowName, row.now === null ? "–" : formatCount(row.now)] as const,
      [usualName, row.usual === undefined ? "–" : formatTenths(row.usual)] as const,
    ],
  };
}

/** The time of the incident. */
function shade({ fromMs, untilMs }: DrawnVisitors, colour: string): uPlot.Plugin {
  return {
    hooks: {
      drawClear: ({ ctx, bbox, valToPos }) => {
        const start = Math.max(bbox.left, valToPos(fromMs / 1_000, "x", true));
        const end = Math.min(bbox.left + bbox.width, valToPos(untilMs / 1_000, "x", true));
        ctx.save();
        ctx.fillStyle = colour;
        ctx.globalAlpha = 0.09;
        ctx.fillRect(start, bbox.top, Math.max(0, end - start), bbox.height);
        ctx.restore();
      },
    },
  };
}
