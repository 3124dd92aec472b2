import type {
  GetStatusPageResponse,
  StatusPageMonitor,
} from "../../../../../../../packages/client-js/src/gen/lookout/v1/status_page_pb.ts";
import { formatCount } from "../../../../texts/format.ts";
import { formatSpan } from "../../../../texts/formatTime.ts";
import type { Texts } from "../../../../texts/texts.ts";
import { isBeforeMonitor, isKnown, type ShownDay } from "../../../../ui/uptime/shownDay.ts";
import { type Checking, formatUptime } from "../../../../ui/uptime/uptimeText.ts";
import { checksOfMonitor } from "../checksOfMonitor.ts";
import type { Fact } from "./fact.ts";

/** What is known of a monitor besides its days. */
export type KnownMonitor = { readonly id: string; readonly createdAt: string };

type Incident = Pick<GetStatusPageResponse["incidents"][number], "startedAt" | "durationMs">;

type Page = {
  readonly monitors: readonly Pick<StatusPageMonitor, "id" | "status" | "uptimePercent" | "days">[];
  readonly incidents: readonly Incident[];
};

/** How many monitors are up, how much of what was checked was good, how much was checked, and the incidents. */
export function uptimeFacts(
  { monitors, incidents }: Page,
  known: readonly (KnownMonitor & Checking)[],
  { lines }: Texts,
  nowMs: number,
): Fact[] {
  const up = monitors.filter(({ status }) => status === "up").length;
  const { uptime, coverage } = uptimeOf(monitors, known);
  const checks = monitors.reduce<number | undefined>((sum, monitor) => {
    const own = checksOfMonitor(
      monitor,
      known.find(({ id }) => id === monitor.id),
      nowMs,
    );
    return sum === undefined || own === undefined ? undefined : sum + own;
  }, 0);
  const count = incidents.length;
  return [
    { key: "up", figure: lines.of(formatCount(up), formatCount(monitors.length)), after: lines.up },
    uptime === undefined
      ? { key: "uptime", figure: lines.notChecked }
      : {
          key: "uptime",
          figure: formatUptime(uptime, checks),
          after: lines.ofChecked(formatUptime(coverage, checks)),
          value: uptime,
        },
    {
      key: "incidents",
      figure: formatCount(count),
      after: lines.incidents(count, count === 0 ? undefined : formatSpan(unitedMs(incidents))),
      value: count,
    },
  ];
}

/**
 * Uptime and checked part of all monitors, percent. Days before a monitor existed do not count. A monitor weighs as much as it was checked, so that of
 * one monitor the figure is its own.
 */
export function uptimeOf(
  monitors: readonly Pick<StatusPageMonitor, "id" | "uptimePercent" | "days">[],
  known: readonly KnownMonitor[],
): { readonly uptime: number | undefined; readonly coverage: number } {
  const parts = monitors.map((monitor) => {
    const days = ownDays(monitor, known);
    const checked = days.reduce((sum, { coveragePercent }) => sum + coveragePercent, 0);
    return { uptimePercent: monitor.uptimePercent ?? 0, days: days.length, checked };
  });
  const sumOf = (figure: (part: (typeof parts)[number]) => number) =>
    parts.reduce((sum, part) => sum + figure(part), 0);
  const [checked, days] = [sumOf((part) => part.checked), sumOf((part) => part.days)];
  return {
    uptime: checked === 0 ? undefined : sumOf((part) => part.uptimePercent * part.checked) / checked,
    coverage: days === 0 ? 0 : checked / days,
  };
}

/** The days since a monitor exists, and earlier ones that have checks. */
function ownDays({ id, days }: Pick<StatusPageMonitor, "id" | "days">, known: readonly KnownMonitor[]) {
  const createdAt = known.find((monitor) => monitor.id === id)?.createdAt;
  return days.filter((day) => isKnown(day) || !isBeforeMonitor(day.date, createdAt));
}

/** How long something was down, ms. Two incidents at the same time count once. */
export function unitedMs(incidents: readonly Incident[]): number {
  const spans = incidents
    .map(({ startedAt, durationMs }) => ({ start: Date.parse(startedAt), end: Date.parse(startedAt) + durationMs }))
    .sort((one, other) => one.start - other.start);
  let [total, reached] = [0, Number.NEGATIVE_INFINITY];
  for (const { start, end } of spans) {
    total += Math.max(0, end - Math.max(start, reached));
    reached = Math.max(reached, end);
  }
  return total;
}

/** A bar for each day: the worst of all monitors, and how much of the day was checked. */
export function daysOfAll(
  monitors: readonly Pick<StatusPageMonitor, "id" | "days">[],
  known: readonly KnownMonitor[],
): ShownDay[] {
  const own = monitors.map((monitor) => ownDays(monitor, known));
  const dates = monitors[0]?.days.map(({ date }) => date) ?? [];
  return dates.map((date) => {
    const days = own.flatMap((all) => all.filter((day) => day.date === date));
    const checked = days.filter(isKnown);
    const [worst] = checked.toSorted((one, other) => (one.uptimePercent ?? 0) - (other.uptimePercent ?? 0));
    return {
      timestamp: date,
      status: worst?.status ?? "unknown",
      uptimePercent: worst?.uptimePercent ?? 0,
      coveragePercent: days.reduce((sum, day) => sum + day.coveragePercent, 0) / Math.max(1, days.length),
      isBefore: days.length === 0,
    };
  });
}
