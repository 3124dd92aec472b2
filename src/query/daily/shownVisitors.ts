import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { QueryType } from "../catalogue/queryType.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import { withoutFigures } from "../shapes/measuredAnswer.ts";
import type { Filter } from "../sql/filters.ts";
import type { AudienceWebsites } from "./audience.ts";
import { roundedDown } from "./smallGroups.ts";

/** The row of those who are on a website now, rounded down; without its figures if they are too few. */
export function shownPresence({ fields }: QueryType, rows: readonly JsonObject[], smallest: number): JsonObject[] {
  const visitors = fields.find(({ from }) => "measure" in from && from.measure === "visitors")?.name ?? "";
  const counts = fields.flatMap(({ name, from }) => ("measure" in from ? [name] : []));
  return rows.map((row) => {
    if (shown(row[visitors], smallest) === null) return withoutFigures(fields, row);
    return { ...row, ...Object.fromEntries(counts.map((name) => [name, shown(row[name], smallest)])) };
  });
}

const noUsual = { usual_visitors: null, usual_lowest: null, usual_highest: null, usual_days: 0 };

/** Rows of websites: those that measure their audience only without figures of too few visitors, and rounded down until a day is over. */
export function shownWebsites(rows: readonly JsonObject[], audience: AudienceWebsites): JsonObject[] {
  return rows.map((row) => {
    const smallest = audience.get(String(row["website_id"]));
    if (smallest === undefined) return row;
    const { visitors_by_day: days } = row;
    const visitors = shown(row["visitors"], smallest);
    return {
      ...row,
      ...("active_users" in row ? { active_users: shown(row["active_users"], smallest) } : {}),
      ...("visitors" in row ? { visitors, sessions: visitors && shown(row["sessions"], smallest) } : {}),
      // What is usual until this time of day is about parts of days.
      ...("usual_visitors" in row ? noUsual : {}),
      ...(Array.isArray(days) ? { visitors_by_day: days.map((each) => (isLarge(each, smallest) ? each : null)) } : {}),
    };
  });
}

/**
 * The rows of a page of websites_now, from those of all pages. Each website that measures its audience only has a row, so that its absence tells nothing,
 * and the order tells no more than the rounded figures.
 */
export function shownPresenceOfEach(
  rows: readonly JsonObject[],
  audience: AudienceWebsites,
  { offset, limit }: Pick<ParameterPlan, "offset" | "limit">,
): JsonObject[] {
  const visitors = (row: JsonObject) => Number(row["active_users"] ?? -1);
  const found = new Set(rows.map((row) => row["website_id"]));
  const without = [...audience.keys()].filter((id) => !found.has(id));
  return shownWebsites([...rows, ...without.map((id) => ({ website_id: id, active_users: null }))], audience)
    .toSorted(
      (one, other) =>
        visitors(other) - visitors(one) || (String(one["website_id"]) < String(other["website_id"]) ? -1 : 1),
    )
    .slice(offset, offset + limit);
}

/**
 * What leaves out the events of people among those that were not stored: a rule that excludes one network would otherwise show when its people visit.
 */
export const excludedProgramsOnly: Filter = {
  field: "reason",
  comparison: "equals",
  negated: true,
  values: ["blocked_by_rule", "do_not_track"],
};

/** Rows of what was left out, without the figures of such events. */
export function shownExcluded({ fields }: QueryType, rows: readonly JsonObject[]): JsonObject[] {
  const hidden = fields.filter(
    ({ from }) => "measure" in from && (from.measure === "excluded_rules" || from.measure === "excluded_objections"),
  );
  return rows.map((row) => ({ ...row, ...Object.fromEntries(hidden.map(({ name }) => [name, null])) }));
}

/** A count that changes while one looks; null if it is too small. */
function shown(count: JsonValue | undefined, smallest: number): JsonValue {
  return isLarge(count, smallest) ? roundedDown(count, smallest) : null;
}

function isLarge(count: JsonValue | undefined, smallest: number): count is number {
  return typeof count === "number" && count >= smallest;
}
