import { effect } from "@preact/signals";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { colourChanges } from "../../../preferences/theme.ts";
import { formatBucket } from "../../../texts/format.ts";

export type ChartData = {
  /** Names of the buckets, as the service sends them. */
  readonly buckets: readonly string[];
  readonly values: readonly number[];
  /** The bucket that is not over yet, -1 if all are over. What comes after it is not drawn. */
  readonly current: number;
  /** Values of the buckets that it is compared with; may be shorter or longer. */
  readonly before: readonly number[];
  readonly name: string;
  readonly beforeName: string;
  readonly format: (value: number) => string;
  /** Whether values have no fractions, so that the axis has none. */
  readonly isCount: boolean;
};

export type Drawing = { remove(): void };

/** Draws lines into an element, which keeps its height. Follows its width and the theme. */
export function drawChart(into: HTMLElement, data: ChartData): Drawing {
  let plot: uPlot | undefined;
  const stopTheme = effect(() => {
    void colourChanges.value;
    plot?.destroy();
    plot = new uPlot(optionsOf(into, data), dataOf(data), into);
  });
  const resizes = new ResizeObserver(() => plot?.setSize(sizeOf(into)));
  resizes.observe(into);
  return {
    remove: () => {
      stopTheme();
      resizes.disconnect();
      plot?.destroy();
      plot = undefined;
    },
  };
}

/** Buckets are at whole numbers: where clocks change, days have 23 or 25 hours. */
function dataOf({ buckets, values, before, current }: ChartData): uPlot.AlignedData {
  const over = current < 0 ? buckets.length : current;
  return [
    buckets.map((_, index) => index),
    values.map((value, index) => (index < over ? value : null)),
    buckets.map((_, index) => before[index] ?? null),
    // From the last one that is over to the one that is not.
    values.map((value, index) => (index === current || index === current - 1 ? value : null)),
  ];
}

function sizeOf(into: HTMLElement): { width: number; height: number } {
  return { width: into.clientWidth, height: into.clientHeight };
}

function optionsOf(into: HTMLElement, { buckets, name, beforeName, format, isCount }: ChartData): uPlot.Options {
  const colour = coloursOf(into);
  const font = `12px ${getComputedStyle(into).fontFamily}`;
  const isHourly = buckets[0]?.includes("T") ?? false;
  const axis = { stroke: colour("--ink-soft"), font, ticks: { show: false } };
  const size = sizeOf(into);
  return {
    ...size,
    // The legend is drawn by us, above the cursor.
    legend: { show: false },
    padding: [8, 8, 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    plugins: [tooltip({ name, beforeName, format, buckets, colour })],
    scales: { x: { time: false }, y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 70,
        incrs: [1, 2, 3, 6, 7, 12, 14, 24, 28, 48, 72, 96, 120, 168],
        values: (_, splits) =>
          splits.map((at) => {
            const bucket = Number.isInteger(at) ? buckets[at] : undefined;
            if (bucket === undefined) return "";
            const isMidnight = isHourly && buckets.length > 25 && bucket.includes("T00:00");
            return formatBucket(isMidnight ? bucket.slice(0, 10) : bucket, { short: true });
          }),
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
        points: { show: buckets.length < 3 },
      },
      { label: beforeName, stroke: colour("--ink-soft"), width: 1.5, dash: [4, 4], points: { show: false } },
      { label: name, stroke: colour("--series-1"), width: 2, dash: [3, 3], points: { show: buckets.length < 3 } },
    ],
  };
}

/** 1, 2, 5, 10, 20 … up to 5 billion. */
const wholeSteps = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

type TooltipOptions = Pick<ChartData, "name" | "beforeName" | "format" | "buckets"> & {
  readonly colour: (token: string) => string;
};

/** A box next to the cursor with the bucket and both values. */
function tooltip({ name, beforeName, format, buckets }: TooltipOptions): uPlot.Plugin {
  const box = document.createElement("div");
  box.className = "chart-tooltip";
  box.hidden = true;
  const show = (plot: uPlot): void => {
    const index = plot.cursor.idx;
    const bucket = typeof index === "number" ? buckets[index] : undefined;
    box.hidden = bucket === undefined;
    if (bucket === undefined || typeof index !== "number") return;
    const [, past, before, present] = plot.data;
    const value = past?.[index] ?? present?.[index];
    const title = document.createElement("p");
    title.textContent = formatBucket(bucket);
    box.replaceChildren(title, line(name, value), line(beforeName, before?.[index]));
    const left = plot.cursor.left ?? 0;
    const isRight = left > plot.over.clientWidth / 2;
    box.style.insetBlockStart = "4px";
    box.style.left = isRight ? "auto" : `${left + 12}px`;
    box.style.right = isRight ? `${plot.over.clientWidth - left + 12}px` : "auto";
  };
  const line = (label: string, value: number | null | undefined): HTMLElement | string => {
    if (value === null || value === undefined) return "";
    const row = document.createElement("p");
    row.className = "chart-tooltip-row";
    const [term, figure] = [document.createElement("span"), document.createElement("b")];
    term.textContent = label;
    figure.textContent = format(value);
    row.append(term, figure);
    return row;
  };
  return { hooks: { init: (plot) => plot.over.append(box), setCursor: show } };
}

/** Resolves a token to the colour that the theme gives it: a custom property itself is not resolved. */
function coloursOf(into: HTMLElement): (token: string) => string {
  return (token) => {
    const probe = document.createElement("span");
    probe.style.color = `var(${token})`;
    into.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
}
