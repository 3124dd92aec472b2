import type { JsonObject } from "@bufbuild/protobuf";
import { audienceDetail, audienceOnlyText } from "../../errors/errors.ts";
import type { Row } from "../../store/questdb/questdbReader.ts";
import { dayMs, startOfUtcDay, utcDayOf } from "../../time/utcDay.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { QueryCall } from "../queryCall.ts";
import { AnswerRefusal } from "../shapes/answerRefusal.ts";
import { Bindings } from "../sql/bindings.ts";
import type { EventRecord } from "../unknown/unknownTimes.ts";
import type { FindVisits } from "../visits/findVisits.ts";
import { audienceRows } from "./audienceRows.ts";
import type { DailyKind } from "./dailyKinds.ts";
import { dailyRowsSql, findRawVisits } from "./dailyRows.ts";
import { type Figures, figureColumns, figuresOf } from "./dayFiguresSql.ts";
import type { DayReader } from "./daysWithRows.ts";
import { type DailyPlan, planWholeDays } from "./planDaily.ts";
import { type DayGroups, shownGroups } from "./smallGroups.ts";

/** A parameter about a website that measures its audience only, the daily figures that answer it, and what they are read with. */
type AudienceQuestion = {
  readonly plan: ParameterPlan;
  readonly kind: DailyKind;
  /** The fewest visitors of a group that is shown. */
  readonly smallest: number;
  readonly record: EventRecord;
  readonly reader: DayReader;
  readonly findVisits: FindVisits;
  readonly app: Pick<QueryCall["app"], "postgres" | "config" | "log">;
};

/**
 * Answers a parameter about a website that measures its audience only, from the figures of whole UTC days: whatever ranges are asked for, they are made of
 * the same days, so that no range less another one is a part of a day. Groups are those of days that are over, since what a table gains within a
 * minute is a visitor; for the same reason totals of today are rounded. Rejects with AnswerRefusal if no group can be shown, and with the driver's error.
 */
export async function runAudience(question: AudienceQuestion): Promise<JsonObject[]> {
  const { plan, kind, smallest, record } = question;
  const isTable = plan.type.shape.kind === "table";
  const daily = isTable ? daysThatAreOver(question) : planWholeDays(plan, [kind], record);
  if (daily.range.endMs <= daily.range.startMs)
    throw new AnswerRefusal(
      audienceOnlyText(
        "Groups of visitors are shown once their day is over in UTC. Ask for a range with an earlier day",
      ),
      audienceDetail,
    );
  const groups = await readDayGroups(question, daily);
  const rows = audienceRows(plan, daily.range, { groups, unfinishedFromMs: todayOf(record), smallest });
  if (rows === undefined)
    throw new AnswerRefusal(
      audienceOnlyText(`No day of the range has a group of at least ${smallest} visitors beside another one`),
      audienceDetail,
    );
  return rows;
}

/** The fewest visitors of a group that answers about a range show of a day that is over; undefined if they show none. Rejects with the driver's error. */
export async function smallestShown(question: AudienceQuestion): Promise<number | undefined> {
  const days = await readDayGroups(question, daysThatAreOver(question));
  const groups = [...days.values()].flatMap((day) => shownGroups(day, question.smallest).groups);
  return groups.reduce<number | undefined>(
    (least, { figures: { visitors } }) => (least === undefined || visitors < least ? visitors : least),
    undefined,
  );
}

/** The groups of each day (its start, Unix ms) of a plan by one kind, as far as the day has any visitors. Rejects with the driver's error. */
async function readDayGroups(
  { plan, kind, smallest, reader, findVisits, app }: AudienceQuestion,
  daily: DailyPlan,
): Promise<Map<number, DayGroups>> {
  const raw = await findRawVisits(plan, daily, reader, findVisits, app);
  const read = async (kinds: readonly DailyKind[]) => {
    const bindings = new Bindings();
    const figures = dailyRowsSql(plan, { ...daily, kinds }, raw, bindings);
    return await reader.read(groupsSql(figures, smallest), bindings.values);
  };
  const totals: DailyKind = { counted: kind.counted, field: "total" };
  const [groups, days] = await Promise.all([read([kind]), kind.field === "total" ? [] : read([totals])]);
  return daysOf(groups, days);
}

/** The whole UTC days of a question without today. */
function daysThatAreOver({ plan, kind, record }: AudienceQuestion): DailyPlan {
  const daily = planWholeDays(plan, [kind], record);
  const endMs = Math.min(daily.range.endMs, todayOf(record));
  return { ...daily, range: { ...daily.range, endMs }, untilMs: endMs };
}

/** The start of the first UTC day that is not over, Unix ms. */
function todayOf({ readMs }: EventRecord): number {
  return startOfUtcDay(utcDayOf(readMs));
}

/** The rows of days by value: those with enough visitors each, and the others of a day as one. */
function groupsSql(figures: string, smallest: number): string {
  const sums = figureColumns.map((column) => `sum(${column}) AS ${column}`).join(", ");
  const columns = figureColumns.join(", ");
  return (
    `SELECT day, large, value, ${sums} FROM (SELECT ts::long / ${dayMs * 1_000} AS day, CASE WHEN visitors >= ${smallest} THEN 1 ELSE 0 END AS large, ` +
    `CASE WHEN visitors >= ${smallest} THEN value ELSE ''::varchar END AS value, ${columns} FROM (${figures}) ` +
    "WHERE page_views > 0 OR sessions > 0 OR visitors > 0) GROUP BY day, large, value"
  );
}

/** The groups of each day (its start, Unix ms). Without rows of totals the groups are the totals. */
function daysOf(groups: readonly Row[], totals: readonly Row[]): Map<number, DayGroups> {
  const visitors = Map.groupBy(totals.length === 0 ? groups : totals, dayOf);
  return new Map(
    [...Map.groupBy(groups, dayOf)].map(([day, rows]) => {
      const [small] = rows.filter(({ large }) => Number(large) === 0).map(figuresIn);
      const large = rows.filter((row) => Number(row["large"]) === 1);
      return [
        day,
        {
          visitors: (visitors.get(day) ?? []).map(figuresIn).reduce((sum, one) => sum + one.visitors, 0),
          large: large.map((row) => ({ value: String(row["value"] ?? ""), figures: figuresIn(row) })),
          small,
        },
      ];
    }),
  );
}

function dayOf(row: Row): number {
  return Number(row["day"]) * dayMs;
}

function figuresIn(row: Row): Figures {
  return figuresOf((column) => Number(row[column] ?? 0));
}
