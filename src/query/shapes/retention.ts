import type { JsonObject } from "@bufbuild/protobuf";
import type { Row } from "../../store/questdb/questdbReader.ts";
import { dayMs, utcDayOf } from "../../time/utcDay.ts";
import type { OutputField } from "../catalogue/queryType.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { PreparedAnswer } from "../plan/preparedAnswer.ts";
import { Bindings } from "../sql/bindings.ts";
import { bucketSql } from "../sql/bucketSql.ts";
import { type Buckets, bucketsOf } from "../sql/buckets.ts";
import { isBucketWithin } from "../sql/bucketTimes.ts";
import { selectedVisits } from "../visits/visitEvents.ts";
import { columnAnswer, columnRow } from "./columnRows.ts";

/** Weeks that a cohort is followed, including its first. */
const cohortWeeks = 6;

/**
 * Visitors by the week of their first visit in the range, and the share of them that returned in each later week. Weeks
 * begin on Monday in the request's zone; a week that begins after the range is null.
 */
export function prepareRetentionCohorts(plan: ParameterPlan): PreparedAnswer {
  const days = bucketsOf(plan.range, "day", plan.zone);
  const firstDayMs = Date.parse(days.labels[0] ?? "");
  // Days by which the first week starts before the range.
  const lead = (new Date(firstDayMs).getUTCDay() + 6) % 7;
  const weeks = Math.ceil((lead + days.labels.length) / 7);
  const bindings = new Bindings();
  const sql = presencesSql(plan, bindings, `(${bucketSql(days, "started")} + ${lead}) / 7`);
  return columnAnswer(plan, sql, bindings, (found) =>
    [...countsByFirst(found)]
      .sort(([a], [b]) => a - b)
      .slice(plan.offset, plan.offset + plan.limit)
      .map(([week, counts]) => {
        const users = counts.get(week) ?? 0;
        const retention = Array.from({ length: cohortWeeks }, (_, later): [string, number | null] => [
          `week_${later}_retention`,
          week + later >= weeks || users === 0 ? null : (100 * (counts.get(week + later) ?? 0)) / users,
        ]);
        const cohort = utcDayOf(firstDayMs + (week * 7 - lead) * dayMs);
        return { cohort, users, ...Object.fromEntries(retention) };
      }),
  );
}

/** Visitors of each day or hour: those seen for the first time in the range, and those seen in an earlier one. */
export function prepareRetentionRate(plan: ParameterPlan): PreparedAnswer {
  const buckets: Buckets = bucketsOf(plan.range, plan.bucketUnit, plan.zone);
  const bindings = new Bindings();
  const sql = presencesSql(plan, bindings, bucketSql(buckets, "started"));
  return {
    statements: [{ sql, values: bindings.values }],
    rows: ([rows = []]) => {
      const cohorts = countsByFirst(rows);
      const all = new Map<number, number>();
      for (const counts of cohorts.values())
        for (const [bucket, count] of counts) all.set(bucket, (all.get(bucket) ?? 0) + count);
      const shown = buckets.labels.map((date, bucket) => {
        const users = all.get(bucket) ?? 0;
        const newUsers = cohorts.get(bucket)?.get(bucket) ?? 0;
        const returning = users - newUsers;
        const rate = users === 0 ? 0 : (100 * returning) / users;
        return { date, new_users: newUsers, returning_users: returning, retention_rate: rate };
      });
      const { fields } = plan.type;
      return shown.slice(plan.offset, plan.offset + plan.limit).map((row, index) => {
        const isUnknown =
          all.get(plan.offset + index) === undefined &&
          isBucketWithin(buckets, plan.offset + index, plan.range, plan.unknown ?? []);
        return isUnknown ? nothingOn(fields, row.date) : columnRow(fields, row);
      });
    },
  };
}

/** A day or hour of which nothing is known. */
function nothingOn(fields: readonly OutputField[], date: string): JsonObject {
  return Object.fromEntries(fields.map(({ name }) => [name, name === "date" ? date : null]));
}

/** How many visitors were first seen in one bucket and also seen in another: first_bucket, bucket, visitors. */
function presencesSql(plan: ParameterPlan, bindings: Bindings, bucket: string): string {
  const visits = selectedVisits(plan, [], bindings);
  const seen = `SELECT DISTINCT visitor_key, ${bucket} AS bucket FROM (${visits}) WHERE visitor_key != null`;
  return (
    "SELECT first_bucket, bucket, count() AS visitors FROM " +
    `(SELECT bucket, min(bucket) OVER (PARTITION BY visitor_key) AS first_bucket FROM (${seen})) GROUP BY first_bucket, bucket`
  );
}

function countsByFirst(rows: readonly Row[]): Map<number, Map<number, number>> {
  const byFirst = new Map<number, Map<number, number>>();
  for (const row of rows) {
    const first = Number(row["first_bucket"]);
    const counts = byFirst.get(first) ?? new Map<number, number>();
    byFirst.set(first, counts.set(Number(row["bucket"]), Number(row["visitors"])));
  }
  return byFirst;
}
