import type uPlot from "uplot";
import { formatBucket } from "../../texts/format.ts";
import { t } from "../../texts/texts.ts";
import type { PlacedMark } from "./chartMarks.ts";
import { currentBucket, fullBuckets } from "./fullBuckets.ts";
import { lonePoints } from "./lonePoints.ts";
import { type ColourOf, type Drawing, type Plot, startPlot } from "./startPlot.ts";
import { type TooltipText, tooltip } from "./tooltip.ts";
import { bucketLabels, endPadding, isOfYears } from "./xAxis.ts";

export type ChartData = {
  /** Names of the buckets, as the service sends them. */
  readonly buckets: readonly string[];
  /** Null if nothing was measured: the line has a gap there. */
  readonly values: readonly (number | null)[];
  /** The bucket that is not over yet, -1 if all are over. Buckets after it are not drawn. */
  readonly current: number;
  /** Values of the buckets to compare with; there may be fewer or more. */
  readonly before: readonly (number | null)[];
  readonly name: string;
  readonly beforeName: string;
  readonly format: (value: number) => string;
  /** Marks that explain figures, drawn behind them. */
  readonly marks: readonly PlacedMark[];
  /** Whether values are whole numbers, so that the axis has no fractions. */
  readonly isCount: boolean;
};

/** Draws lines into an element, whose height stays the same. */
export function drawChart(into: HTMLElement, data: ChartData): Drawing {
  return startPlot(into, (colour, font) => ({ options: optionsOf(data, colour, font), data: dataOf(data) }));
}

/** The x values are indexes of buckets: where clocks change, days have 23 or 25 hours. */
function dataOf({ buckets, values, before, current }: ChartData): uPlot.AlignedData {
  return [
    buckets.map((_, index) => index),
    [...fullBuckets(values, current)],
    buckets.map((_, index) => before[index] ?? null),
    [...currentBucket(values, current)],
  ];
}

function optionsOf(data: ChartData, colour: ColourOf, font: string): Plot["options"] {
  const { buckets, name, beforeName, format, isCount } = data;
  // A value between two gaps would not be seen, because a line needs two.
  const points: uPlot.Series.Points = { show: true, filter: (plot, index) => lonePoints(plot.data[index] ?? []) };
  const axis = { stroke: colour("--ink-soft"), font, ticks: { show: false } };
  return {
    // We draw the legend, above the cursor.
    legend: { show: false },
    padding: [8, endPadding(bucketLabels(buckets, [buckets.length - 1])[0] ?? "", font), 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    plugins: [markBands(data.marks, colour), tooltip((index) => tooltipText(data, index))],
    scales: { x: { time: false }, y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: isOfYears(buckets) ? 96 : 70,
        incrs: [1, 2, 3, 6, 7, 12, 14, 24, 28, 48, 72, 96, 120, 168],
        values: (_, splits) => bucketLabels(buckets, splits),
      },
      {
        ...axis,
        grid: { stroke: colour("--chart-grid"), width: 1 },
        size: 56,
        space: 44,
        ...(isCount ? { incrs: wholeSteps } : {}),
        values: (_, splits) => splits.map((value) => format(value)),
      },
    ],
    series: [
      {},
      {
        label: name,
        stroke: colour("--series-1"),
        width: 2,
        fill: `color-mix(in srgb, ${colour("--series-1")} 14%, transparent)`,
        points,
      },
      { label: beforeName, stroke: colour("--ink-soft"), width: 1.5, dash: [4, 4], points },
      { label: name, stroke: colour("--series-1"), width: 2, points },
    ],
  };
}

/** 1, 2, 5, 10, 20 … up to 5 billion. */
const wholeSteps = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

function tooltipText(data: ChartData, index: number): TooltipText | undefined {
  const { buckets, values, before, name, beforeName, format, marks } = data;
  const bucket = buckets[index];
  if (bucket === undefined) return undefined;
  const isFuture = data.current >= 0 && index > data.current;
  const rowsOf = (label: string, value: number | null | undefined) =>
    value === undefined ? [] : [[label, value === null ? "–" : format(value)] as const];
  return {
    title: formatBucket(bucket),
    rows: [
      ...marks
        .filter(({ first, last }) => first <= index && index <= last)
        .map((mark) => [markText(mark), ""] as const),
      ...rowsOf(index === data.current ? t().dashboard.soFar(name) : name, isFuture ? undefined : values[index]),
      ...rowsOf(beforeName, before[index]),
    ],
  };
}

/** A mark in words. */
export function markText({ kind, name }: Pick<PlacedMark, "kind" | "name">): string {
  const { more } = t();
  return kind === "incident" ? more.incident(name) : more.maintenance(name);
}

/** Bands behind the lines, each with a bar at its upper end. */
function markBands(marks: readonly PlacedMark[], colour: ColourOf): uPlot.Plugin {
  return {
    hooks: {
      drawClear: ({ ctx, bbox, valToPos }) => {
        ctx.save();
        for (const { kind, first, last } of marks) {
          const start = Math.max(bbox.left, valToPos(first - 0.5, "x", true));
          const end = Math.min(bbox.left + bbox.width, valToPos(last + 0.5, "x", true));
          ctx.fillStyle = colour(kind === "incident" ? "--bad" : "--accent");
          ctx.globalAlpha = 0.12;
          ctx.fillRect(start, bbox.top, end - start, bbox.height);
          ctx.globalAlpha = 1;
          ctx.fillRect(start, bbox.top, end - start, 4);
        }
        ctx.restore();
      },
    },
  };
}
