import { audienceOnlyText } from "../../errors/errors.ts";
import { isNow } from "../catalogue/fixedPeriod.ts";
import type { QueryType } from "../catalogue/queryType.ts";
import { measuresOf } from "../catalogue/typeParts.ts";
import type { BucketUnit } from "../sql/buckets.ts";
import type { MeasureName } from "../sql/measures.ts";
import { type DailyKind, dailyKindsOf } from "./dailyKinds.ts";
import type { Figures } from "./dayFiguresSql.ts";

/** Websites that measure their audience only, with the fewest visitors of a group that is shown. */
export type AudienceWebsites = ReadonlyMap<string, number>;

/**
 * What rows are grouped by where only the audience is measured. No field divides the groups of another one, as versions divide browsers: a
 * small part of a group would be what remains of it.
 */
const audienceFields: ReadonlySet<DailyKind["field"]> = new Set([
  "total",
  "path",
  "referrer_source",
  "utm_campaign",
  "country",
  "language",
  "browser_name",
  "device_type",
]);

/** Counts of visits and page views. Others, such as the number of custom events, are null: they count only some of the visitors of a group. */
export const audienceCounts: Partial<Record<MeasureName, keyof Figures>> = {
  pageviews: "page_views",
  visitors: "visitors",
  session_visitors: "visitors",
  sessions: "sessions",
  active_sessions: "sessions",
};

/** Averages and rates of visits by what they divide by the number of sessions. */
export const audienceRates: Partial<Record<MeasureName, (figures: Figures) => number>> = {
  bounce_rate: ({ bounces }) => 100 * bounces,
  avg_session_duration: ({ seconds }) => seconds,
  pages_per_session: (figures) => figures.visit_page_views,
};

export function isOfAudience(name: MeasureName): boolean {
  return name in audienceCounts || name in audienceRates;
}

/** What a parameter asks, as far as it decides whether an audience answers it. */
type Asked = {
  readonly type: QueryType;
  readonly bucketUnit: BucketUnit;
  readonly filters: readonly unknown[];
  readonly goals?: readonly unknown[];
  readonly split?: unknown;
};

/** The daily figures that answer a question about an audience; undefined if there are none. */
export function audienceKindOf({ type, bucketUnit }: Pick<Asked, "type" | "bucketUnit">): DailyKind | undefined {
  const [kind] = dailyKindsOf({ type, bucketUnit, filters: [] });
  if (kind === undefined || !audienceFields.has(kind.field)) return undefined;
  // Visitors with page views, or with custom events, are a part of all visitors: subtraction would show the rest, which may be small.
  if (kind.counted !== "all" && kind.field !== "path") return undefined;
  return measuresOf(type).some(isOfAudience) ? kind : undefined;
}

/** Whether a type counts the visitors of these minutes, without any groups. */
export function isPresence({ shape, period, table, only }: QueryType): boolean {
  return shape.kind === "summary" && isNow(period) && table === "events" && only === undefined;
}

/** Whether a type has a row with visitors for each website, in place of groups of them. */
export function isOfEachWebsite({ name }: QueryType): boolean {
  return name === "websites_now" || name === "websites_today" || name === "websites_trend";
}

/** Checks, clicks on short links and events that were left out are not rows of visitors. */
export function concernsVisitors({ table }: Pick<QueryType, "table">): boolean {
  return table !== "uptime_checks" && table !== "link_clicks" && table !== "excluded_traffic";
}

/** Why a question is not answered where some of the websites measure their audience only; undefined if it is. */
export function refusedOfAudience(asked: Asked, websites: number, hasGoal: boolean): string | undefined {
  const { type, bucketUnit, filters, goals, split } = asked;
  if (!concernsVisitors(type)) return undefined;
  if (filters.length > 0 || hasGoal || goals !== undefined || split !== undefined)
    return audienceOnlyText(
      "Filters and goals are not answered, since a small group remains if all others are filtered out",
    );
  if (isOfEachWebsite(type)) return undefined;
  if (websites > 1)
    return audienceOnlyText(
      `${type.name} is not answered for several websites at once, since one website less would give its small groups`,
    );
  if (isPresence(type) || audienceKindOf(asked) !== undefined) return undefined;
  if (type.shape.kind === "series" && (bucketUnit === "hour" || bucketUnit === "minute"))
    return audienceOnlyText("Figures are those of whole UTC days, weeks and months, not of hours");
  return audienceOnlyText(`${type.name} is not answered, since it shows single visitors or small groups of them`);
}
