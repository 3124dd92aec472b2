import uPlot from "uplot";
import { formatInstant, formatMs } from "../../../texts/formatTime.ts";
import { region } from "../../../texts/texts.ts";
import { unlike } from "../../../ui/plot/axisTexts.ts";
import { type Drawing, startPlot } from "../../../ui/plot/startPlot.ts";
import { tooltip } from "../../../ui/plot/tooltip.ts";
import { endPadding } from "../../../ui/plot/xAxis.ts";
import { dayMs } from "../../../ui/uptime/shownDay.ts";

/** A phase of a check, or of the checks of a time span. It is drawn on top of the phases before it. */
export type Phase = {
  readonly name: string;
  readonly colour: `--series-${number}`;
  /** Milliseconds; null without an answer. */
  readonly values: readonly (number | null)[];
};

export type Times = {
  /** Unix ms, ascending. */
  readonly times: readonly number[];
  readonly phases: readonly Phase[];
  readonly totalName: string;
  /** Where something failed. */
  readonly isDown: readonly boolean[];
  readonly downName: string;
  readonly zone: string;
};

/** Draws the phases as areas on top of each other, and a mark below where something failed. */
export function drawTimes(into: HTMLElement, times: Times): Drawing {
  return startPlot(into, (colour, font) => {
    const { phases, zone } = times;
    const axis = { stroke: colour("--ink-soft"), font, ticks: { show: false } };
    const stacked = phases.map((_, last) =>
      times.times.map((_, index) => sumOf(phases.slice(0, last + 1).map(({ values }) => values[index] ?? null))),
    );
    const isSparse = times.times.length < 3;
    // Draw the uppermost area first, so that those below it stay visible.
    const drawn = phases.map((phase, index) => ({ phase, values: stacked[index] ?? [] })).toReversed();
    return {
      data: [times.times.map((ms) => ms / 1_000), ...drawn.map(({ values }) => values)],
      options: {
        legend: { show: false },
        padding: [8, endPadding(axisText(times.times.at(-1) ?? 0, true, zone), font), 0, 0],
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), zone),
        cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
        plugins: [tooltip((index) => tooltipText(times, index)), marks(times, colour("--bad"))],
        scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] } },
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
          ...drawn.map(({ phase }) => ({
            label: phase.name,
            stroke: colour(phase.colour),
            width: 1,
            fill: colour(phase.colour),
            points: { show: isSparse },
          })),
        ],
      },
    };
  });
}

function sumOf(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0);
}

/** The label of a time on the axis: its day if a day begins there. */
function axisText(ms: number, isDaily: boolean, zone: string): string {
  const time = clock(ms, zone);
  if (!isDaily && time !== "00:00") return time;
  return new Intl.DateTimeFormat(region.value, { timeZone: zone, day: "numeric", month: "short" }).format(ms);
}

function clock(ms: number, zone: string): string {
  return new Intl.DateTimeFormat(region.value, {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(ms);
}

function tooltipText({ times, phases, totalName, isDown, downName, zone }: Times, index: number) {
  const ms = times[index];
  if (ms === undefined) return undefined;
  const values = phases.map(({ values: of }) => of[index] ?? null);
  const total = sumOf(values);
  return {
    title: formatInstant(ms, zone),
    rows: [
      ...(isDown[index] ? [[downName, ""] as const] : []),
      ...phases.flatMap(({ name }, at) => {
        const value = values[at] ?? null;
        return value === null ? [] : [[name, formatMs(value)] as const];
      }),
      ...(total === null || phases.length < 2 ? [] : [[totalName, formatMs(total)] as const]),
    ],
  };
}

/** Failures, as marks at the lower end. */
function marks({ times, isDown }: Times, colour: string): uPlot.Plugin {
  return {
    hooks: {
      draw: ({ ctx, bbox, valToPos }) => {
        ctx.save();
        ctx.fillStyle = colour;
        times.forEach((ms, index) => {
          if (isDown[index]) ctx.fillRect(valToPos(ms / 1_000, "x", true) - 1.5, bbox.top + bbox.height - 10, 3, 10);
        });
        ctx.restore();
      },
    },
  };
}
