import type { JsonObject } from "@bufbuild/protobuf";
import type { TimeRange } from "../../time/dates.ts";
import type { OutputField } from "../catalogue/queryType.ts";
import { measuresOf } from "../catalogue/typeParts.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import { isKey, shapeRow, withoutFigures } from "../shapes/measuredAnswer.ts";
import { type Buckets, bucketsOf } from "../sql/buckets.ts";
import { findField } from "../sql/fields.ts";
import { type MeasureName, measureOf } from "../sql/measures.ts";
import { audienceMeasures } from "./audience.ts";
import { dailyZone } from "./planDaily.ts";
import { added, type DayGroups, type Figures, shownGroups } from "./smallGroups.ts";

/** What stands for all groups that are too small. */
export const otherGroups = "other";

/**
 * The rows of a page from the groups of days (their starts, Unix ms). Days with fewer than `smallest` visitors are left out: a total is null
 * if none is left. Undefined for a table without any row.
 */
export function audienceRows(
  plan: ParameterPlan,
  range: TimeRange,
  days: ReadonlyMap<number, DayGroups>,
  smallest: number,
): JsonObject[] | undefined {
  const shown = [...days].map(([startMs, day]) => ({ startMs, ...shownGroups(day, smallest) }));
  const { fields, shape } = plan.type;
  const page = (rows: readonly JsonObject[]) => rows.slice(plan.offset, plan.offset + plan.limit);
  if (shape.kind === "table") {
    const rows = tableRows(plan, shown);
    return rows.length === 0 ? undefined : page(rows);
  }
  const buckets = shape.kind === "series" ? bucketsOf(range, plan.bucketUnit, dailyZone) : undefined;
  const sums = new Map<number, Figures>();
  for (const { startMs, groups } of shown)
    for (const { figures } of groups) {
      const bucket = buckets === undefined ? 0 : bucketOf(buckets, startMs);
      sums.set(bucket, added(sums.get(bucket), figures));
    }
  const labels = buckets?.labels ?? [""];
  return page(
    labels.map((bucket, index) => {
      const figures = sums.get(index);
      return figures === undefined ? withoutFigures(fields, { date: bucket }) : rowOf(plan, { bucket, figures });
    }),
  );
}

type ShownDay = ReturnType<typeof shownGroups>;

/** Groups by their sums over days, most first, and what stands for the others last. */
function tableRows(plan: ParameterPlan, days: readonly ShownDay[]): JsonObject[] {
  const { shape, table } = plan.type;
  if (shape.kind !== "table") throw new Error("only tables have groups");
  const [dimension = "path"] = shape.dimensions;
  const whenEmpty = findField(table, dimension)?.whenEmpty ?? "";
  const sums = new Map<string, Figures>();
  let other: Figures | undefined;
  for (const day of days) {
    for (const { value, figures } of day.groups) sums.set(value, added(sums.get(value), figures));
    if (day.other !== undefined) other = added(other, day.other);
  }
  if (shape.withoutValue === "none") sums.delete("");
  const counts = measuresOf(plan.type).filter((name) => measureOf(name).format === "count");
  const groups = [...sums].sort(
    ([one, ones], [two, twos]) =>
      counts.map((name) => (figure(name, twos) ?? 0) - (figure(name, ones) ?? 0)).find((less) => less !== 0) ??
      (one < two ? -1 : 1),
  );
  const all = [...sums.values(), ...(other === undefined ? [] : [other])];
  const shared = plan.type.fields.flatMap(({ from }) => ("share" in from ? [from.share] : []))[0];
  const total = shared === undefined ? 0 : all.reduce((sum, figures) => sum + (figure(shared, figures) ?? 0), 0);
  const rows = groups.map(([value, figures]) =>
    rowOf(plan, { dimension: value === "" ? whenEmpty : value, figures, total }),
  );
  if (other === undefined) return rows;
  return [...rows, rowOf(plan, { dimension: otherGroups, figures: other, total, isOther: true })];
}

type Shown = {
  readonly bucket?: string;
  readonly dimension?: string;
  readonly figures: Figures;
  readonly total?: number;
  readonly isOther?: true;
};

function rowOf(
  { type }: Pick<ParameterPlan, "type">,
  { bucket = "", dimension, figures, total = 0, isOther }: Shown,
): JsonObject {
  const names = measuresOf(type);
  const row = shapeRow(type.fields, {
    bucket,
    dimensions: dimension === undefined ? [] : [dimension],
    measures: new Map(names.map((name) => [name, figure(name, figures)])),
    total,
  });
  const hidden = type.fields.filter((field) => !isShown(field, isOther === true));
  return { ...row, ...Object.fromEntries(hidden.map(({ name }) => [name, null])) };
}

/** Averages and rates of all small groups together say nothing about any of them. */
function isShown(field: OutputField, isOther: boolean): boolean {
  const { from } = field;
  if (isKey(field) || "share" in from) return true;
  if (!("measure" in from) || !audienceMeasures.has(from.measure)) return false;
  return !isOther || measureOf(from.measure).format === "count";
}

function figure(name: MeasureName, figures: Figures): number | null {
  switch (name) {
    case "pageviews":
      return figures.page_views;
    case "visitors":
    case "session_visitors":
      return figures.visitors;
    case "sessions":
    case "active_sessions":
      return figures.sessions;
    case "bounce_rate":
      return perSession(100 * figures.bounces, figures);
    case "avg_session_duration":
      return perSession(figures.seconds, figures);
    case "pages_per_session":
      return perSession(figures.visit_page_views, figures);
    default:
      return null;
  }
}

function perSession(sum: number, { sessions }: Figures): number | null {
  return sessions === 0 ? null : sum / sessions;
}

/** The index of the bucket of a time. */
function bucketOf({ segments, unitMs }: Buckets, timeMs: number): number {
  const segment = segments.find(({ untilMs }) => timeMs < untilMs);
  return segment === undefined ? -1 : Math.floor((timeMs + segment.shiftMs) / unitMs);
}
