import type { Parameter, UnknownTime } from "../../../../../../packages/client-js/src/query.ts";
import { query } from "../../../api/client.ts";
import { mostWeeks, type Span, shownSpan, stepsOf, weeksBefore } from "./usual.ts";

/** Figures of one week: visitors in all of the incident, and in each step of the chart. Null is unknown. */
export type WeekVisitors = {
  readonly total: number | null;
  readonly conversions: number | null;
  readonly steps: readonly (number | null)[];
};

export type MeantimeVisitors = {
  readonly span: Span & { readonly stepMs: number };
  readonly now: WeekVisitors;
  /** The same weekdays before, the latest first. */
  readonly before: readonly WeekVisitors[];
};

export type VisitorQuestion = {
  readonly websiteId: string;
  readonly timezone: string;
  readonly incident: Span;
  /** Whether the website has a goal, whose first one is asked for. */
  readonly hasGoal: boolean;
};

/** Visitors around an incident and at the same times of the same weekdays before, a request for each of them. */
export async function askVisitors(question: VisitorQuestion, signal: AbortSignal): Promise<MeantimeVisitors> {
  const span = shownSpan(question.incident, Date.now());
  const [now, ...before] = await Promise.all(
    Array.from({ length: mostWeeks + 1 }, (_, weeks) => askWeek(question, span, weeks, signal)),
  );
  if (now === undefined) throw new Error("the time of the incident was not asked for");
  return { span, now, before };
}

async function askWeek(
  { websiteId, timezone, incident, hasGoal }: VisitorQuestion,
  span: Span & { readonly stepMs: number },
  weeks: number,
  signal: AbortSignal,
): Promise<WeekVisitors> {
  const rangeOf = ({ fromMs, untilMs }: Span) => ({
    startDate: new Date(weeksBefore(fromMs, weeks, timezone)).toISOString(),
    endDate: new Date(weeksBefore(untilMs, weeks, timezone)).toISOString(),
  });
  const parts = stepsOf(span);
  const parameters: Parameter[] = [
    { name: "summary_metrics", ...rangeOf(incident) },
    ...(hasGoal ? [{ name: "goal_conversions" as const, ...rangeOf(incident), limit: 1 }] : []),
    ...parts.map((part) => ({ name: "visitors" as const, ...rangeOf(part) })),
  ];
  const { data, unknown } = await query({ websiteId, timezone, ...rangeOf(span), parameters }, { signal });
  const answers = data as readonly { readonly success: boolean; readonly data?: readonly Figures[] }[];
  const rowsOf = (index: number): readonly Figures[] => answers[index]?.data ?? [];
  const whole = rangeOf(incident);
  const isKnown = !overlaps(unknown, Date.parse(whole.startDate), Date.parse(whole.endDate));
  const firstStep = hasGoal ? 2 : 1;
  return {
    total: isKnown ? (rowsOf(0)[0]?.unique_visitors ?? null) : null,
    conversions: isKnown && hasGoal ? (rowsOf(1)[0]?.conversions ?? null) : null,
    steps: parts.map((part, index) => {
      const range = rangeOf(part);
      if (overlaps(unknown, Date.parse(range.startDate), Date.parse(range.endDate))) return null;
      return sumOf(rowsOf(firstStep + index));
    }),
  };
}

type Figures = {
  readonly unique_visitors?: number | null;
  readonly conversions?: number | null;
  readonly value?: number | null;
};

/** A step within a day has one row. Visitors of several days would count on each, which a step of a day at most does not have. */
function sumOf(rows: readonly Figures[]): number | null {
  return rows.reduce<number | null>(
    (sum, { value = null }) => (sum === null || value === null ? null : sum + value),
    rows.length === 0 ? null : 0,
  );
}

function overlaps(unknown: readonly UnknownTime[], fromMs: number, untilMs: number): boolean {
  return unknown.some(({ from, until }) => Date.parse(from) < untilMs && Date.parse(until) > fromMs);
}
