import type { JsonObject } from "@bufbuild/protobuf";
import type { TimeRange } from "../../time/dates.ts";
import type { OutputField } from "../catalogue/queryType.ts";
import { measuresOf } from "../catalogue/typeParts.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import { isKey, shapeRow, withoutFigures } from "../shapes/measuredAnswer.ts";
import { type Buckets, bucketsOf } from "../sql/buckets.ts";
import { findField } from "../sql/fields.ts";
import { type MeasureName, measureOf } from "../sql/measures.ts";
import { audienceCounts, audienceRates, isOfAudience } from "./audience.ts";
import type { Figures } from "./dayFiguresSql.ts";
import { dailyZone } from "./planDaily.ts";
import { added, type DayGroups, shownGroups, unfinishedTotals } from "./smallGroups.ts";

/** What stands for all groups that are too small. */
export const otherGroups = "other";

/** The groups of days (their starts, Unix ms), of which those that begin before `unfinishedFromMs` are over. */
type Days = {
  readonly groups: ReadonlyMap<number, DayGroups>;
  readonly unfinishedFromMs: number;
  /** The fewest visitors of a group that is shown. */
  readonly smallest: number;
};

/**
 * The rows of a page from the groups of days. Days with too few visitors are left out: a total is null if none is left. A table has groups of days
 * that are over only; totals of others are rounded. Undefined for a table without any row.
 */
export function audienceRows(
  plan: ParameterPlan,
  range: TimeRange,
  { groups: days, unfinishedFromMs, smallest }: Days,
): JsonObject[] | undefined {
  const { fields, shape } = plan.type;
  const page = (rows: readonly JsonObject[]) => rows.slice(plan.offset, plan.offset + plan.limit);
  const over = [...days].filter(([startMs]) => startMs < unfinishedFromMs);
  const shown = over.map(([startMs, day]) => ({ startMs, ...shownGroups(day, smallest) }));
  if (shape.kind === "table") {
    const rows = tableRows(plan, shown);
    return rows.length === 0 ? undefined : page(rows);
  }
  const buckets = shape.kind === "series" ? bucketsOf(range, plan.bucketUnit, dailyZone) : undefined;
  const bucketAt = (startMs: number) => (buckets === undefined ? 0 : bucketOf(buckets, startMs));
  const sums = new Map<number, Figures>();
  for (const { startMs, groups } of shown)
    for (const { figures } of groups) sums.set(bucketAt(startMs), added(sums.get(bucketAt(startMs)), figures));
  // Rates are those of days that are over.
  const rated = new Map(sums);
  for (const [startMs, { large }] of days) {
    const [total] = startMs < unfinishedFromMs ? [] : large;
    const figures = total && unfinishedTotals(total.figures, smallest);
    if (figures !== undefined) sums.set(bucketAt(startMs), added(sums.get(bucketAt(startMs)), figures));
  }
  const labels = buckets?.labels ?? [""];
  return page(
    labels.map((bucket, index) => {
      const figures = sums.get(index);
      return figures === undefined
        ? withoutFigures(fields, { date: bucket })
        : rowOf(plan, { bucket, figures, rated: rated.get(index) });
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
      counts
        .map((name) => (figure(name, twos, twos) ?? 0) - (figure(name, ones, ones) ?? 0))
        .find((less) => less !== 0) ?? (one < two ? -1 : 1),
  );
  const all = [...sums.values(), ...(other === undefined ? [] : [other])];
  const shared = plan.type.fields.flatMap(({ from }) => ("share" in from ? [from.share] : []))[0];
  const total =
    shared === undefined ? 0 : all.reduce((sum, figures) => sum + (figure(shared, figures, figures) ?? 0), 0);
  const rows = groups.map(([value, figures]) =>
    rowOf(plan, { dimension: value === "" ? whenEmpty : value, figures, rated: figures, total }),
  );
  if (other === undefined) return rows;
  return [...rows, rowOf(plan, { dimension: otherGroups, figures: other, rated: other, total, isOther: true })];
}

type Shown = {
  readonly bucket?: string;
  readonly dimension?: string;
  readonly figures: Figures;
  /** What rates and averages are computed from; undefined if they are not known. */
  readonly rated: Figures | undefined;
  readonly total?: number;
  readonly isOther?: true;
};

function rowOf(
  { type }: Pick<ParameterPlan, "type">,
  { bucket = "", dimension, figures, rated, total = 0, isOther }: Shown,
): JsonObject {
  const measures = new Map(measuresOf(type).map((name) => [name, figure(name, figures, rated)]));
  const row = shapeRow(type.fields, {
    bucket,
    dimensions: dimension === undefined ? [] : [dimension],
    measures,
    total,
  });
  const isUnknown = ({ from }: OutputField) => "measure" in from && measures.get(from.measure) === null;
  const hidden = type.fields.filter((field) => isUnknown(field) || !isShown(field, isOther === true));
  return { ...row, ...Object.fromEntries(hidden.map(({ name }) => [name, null])) };
}

/** Averages and rates of all small groups together say nothing about any of them. */
function isShown(field: OutputField, isOther: boolean): boolean {
  const { from } = field;
  if (isKey(field) || "share" in from) return true;
  if (!("measure" in from) || !isOfAudience(from.measure)) return false;
  return !isOther || measureOf(from.measure).format === "count";
}

/** Null is not known: a rate of today, and a count of today alone that is smaller than the step of its rounding. */
function figure(name: MeasureName, figures: Figures, rated: Figures | undefined): number | null {
  const counted = audienceCounts[name];
  if (counted !== undefined) return figures[counted] === 0 && rated === undefined ? null : figures[counted];
  const sumOf = audienceRates[name];
  return sumOf === undefined || rated === undefined || rated.sessions === 0 ? null : sumOf(rated) / rated.sessions;
}

/** The index of the bucket of a time. */
function bucketOf({ segments, unitMs }: Buckets, timeMs: number): number {
  const segment = segments.find(({ untilMs }) => timeMs < untilMs);
  return segment === undefined ? -1 : Math.floor((timeMs + segment.shiftMs) / unitMs);
}
