import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { QueryType } from "../catalogue/queryType.ts";
import { withoutFigures } from "../shapes/measuredAnswer.ts";
import type { AudienceWebsites } from "./audience.ts";

/** The row of those who are on a website now; without its figures if they are too few. */
export function shownPresence({ fields }: QueryType, rows: readonly JsonObject[], smallest: number): JsonObject[] {
  const visitors = fields.find(({ from }) => "measure" in from && from.measure === "visitors")?.name ?? "";
  return rows.map((row) => (isLarge(row[visitors], smallest) ? row : withoutFigures(fields, row)));
}

/** Rows of websites: those that measure their audience only without figures of too few visitors. */
export function shownWebsites(rows: readonly JsonObject[], audience: AudienceWebsites): JsonObject[] {
  return rows.map((row) => {
    const smallest = audience.get(String(row["website_id"]));
    if (smallest === undefined) return row;
    const { visitors_by_day: days } = row;
    const hidden: JsonObject = {
      ...("active_users" in row ? { active_users: shown(row["active_users"], smallest) } : {}),
      // What is usual until this time of day is about parts of days.
      ...("usual_visitors" in row ? { usual_visitors: null, usual_days: 0 } : {}),
      ...(Array.isArray(days) ? { visitors_by_day: days.map((visitors) => shown(visitors, smallest)) } : {}),
    };
    if ("visitors" in row && !isLarge(row["visitors"], smallest))
      return { ...row, ...hidden, visitors: null, sessions: null };
    return { ...row, ...hidden };
  });
}

function shown(visitors: JsonValue | undefined, smallest: number): JsonValue {
  return isLarge(visitors, smallest) ? (visitors ?? null) : null;
}

function isLarge(visitors: JsonValue | undefined, smallest: number): boolean {
  return typeof visitors === "number" && visitors >= smallest;
}
