import type uPlot from "uplot";
import { formatBucket, formatWeekday } from "../../texts/format.ts";
import { t } from "../../texts/texts.ts";
import type { PlacedMark } from "./chartMarks.ts";
import { gapHatching, markSigns, tellBox } from "./chartPlugins.ts";
import { currentBucket, fullBuckets, runningLine } from "./fullBuckets.ts";
import { lonePoints } from "./lonePoints.ts";
import type { PlotBox } from "./markGroups.ts";
import { type ColourOf, type Drawing, type Plot, startPlot } from "./startPlot.ts";
import { type TooltipText, tooltip } from "./tooltip.ts";
import type { Run } from "./unknownRuns.ts";
import { bucketLabels, endPadding, isOfYears } from "./xAxis.ts";

export type ChartData = {
  /** Names of the buckets, as the service sends them. */
  readonly buckets: readonly string[];
  /** Null if nothing was measured: the line has a gap there. */
  readonly values: readonly (number | null)[];
  /** The bucket that is not over yet, -1 if all are over. Buckets after it are not drawn. */
  readonly current: number;
  /** What that bucket will have reached at its end if it goes on so; undefined if nothing can be said of it. */
  readonly projection?: number | undefined;
  /** Values of the buckets to compare with; there may be fewer or more. */
  readonly before: readonly (number | null)[];
  /** Their names, if they differ. */
  readonly beforeBuckets?: readonly (string | null)[];
  readonly name: string;
  readonly beforeName: string;
  readonly format: (value: number) => string;
  /** Marks that explain figures, drawn behind them. */
  readonly marks: readonly PlacedMark[];
  /** Times of which nothing is known. */
  readonly gaps?: readonly Run[];
  /** Why nothing is known of the first of them. */
  readonly gapText?: string | undefined;
  /** Is told where the lines are. */
  readonly onBox?: ((box: PlotBox) => void) | undefined;
  /** Whether values are whole numbers, so that the axis has no fractions. */
  readonly isCount: boolean;
};

/** Draws lines into an element, whose height stays the same. */
export function drawChart(into: HTMLElement, data: ChartData): Drawing {
  return startPlot(into, (colour, font) => ({ options: optionsOf(data, colour, font), data: dataOf(data) }));
}

/** The x values are indexes of buckets: where clocks change, days have 23 or 25 hours. */
function dataOf({ buckets, values, before, current, projection }: ChartData): uPlot.AlignedData {
  return [
    buckets.map((_, index) => index),
    [...fullBuckets(values, current)],
    buckets.map((_, index) => before[index] ?? null),
    [...currentBucket(values, current)],
    [...runningLine(values, current, projection)],
  ];
}

function optionsOf(data: ChartData, colour: ColourOf, font: string): Plot["options"] {
  const { buckets, name, beforeName, format, isCount, marks, gaps = [], gapText, onBox } = data;
  // A value between two gaps would not be seen, because a line needs two.
  const points: uPlot.Series.Points = { show: true, filter: (plot, index) => lonePoints(plot.data[index] ?? []) };
  const axis = { stroke: colour("--ink-soft"), font, ticks: { show: false } };
  return {
    // We draw the legend, above the cursor.
    legend: { show: false },
    padding: [8, endPadding(bucketLabels(buckets, [buckets.length - 1])[0] ?? "", font), 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    plugins: [
      gapHatching(gaps, gapText, colour, font),
      markSigns(marks, buckets[0]?.includes("T") === true, colour),
      ...(onBox === undefined ? [] : [tellBox(onBox)]),
      tooltip((index) => tooltipText(data, index)),
    ],
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
      { label: name, stroke: colour("--series-1"), width: 2, dash: [2, 4], points: { show: false } },
    ],
  };
}

/** 1, 2, 5, 10, 20 … up to 5 billion. */
const wholeSteps = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

function tooltipText(data: ChartData, index: number): TooltipText | undefined {
  const { buckets, values, before, beforeBuckets = [], name, beforeName, format, marks, current, projection } = data;
  const bucket = buckets[index];
  if (bucket === undefined) return undefined;
  const isFuture = current >= 0 && index > current;
  const isRunning = index === current;
  const { dashboard } = t();
  const rowsOf = (label: string, value: number | null | undefined) =>
    value === undefined ? [] : [[label, value === null ? "–" : format(value)] as const];
  const day = dayText(bucket);
  const other = beforeBuckets[index];
  return {
    title: name,
    rows: [
      ...marks
        .filter(({ first, last }) => first <= index && index <= last)
        .map((mark) => [markText(mark), ""] as const),
      ...rowsOf(isRunning ? dashboard.soFar(day) : day, isFuture ? undefined : values[index]),
      ...(isRunning && projection !== undefined ? rowsOf(dashboard.projected, projection) : []),
      ...rowsOf(typeof other === "string" ? dayText(other) : beforeName, before[index]),
    ],
  };
}

/** A bucket with its day of the week, by which days differ. */
function dayText(bucket: string): string {
  return bucket.includes("T") ? formatBucket(bucket) : formatWeekday(bucket);
}

/** A mark in words. */
export function markText({ kind, name }: Pick<PlacedMark, "kind" | "name">): string {
  const { more } = t();
  return kind === "incident" ? more.incident(name) : more.maintenance(name);
}
