import type { QueryAnswer } from "../../../../../packages/client-js/src/query.ts";
import { type SiteState, siteState } from "./siteState.ts";

/** The figures of a website as its tile shows them. Null is what is not known. */
export type SiteFigures = {
  /** Visitors of the last 5 minutes. */
  readonly now: number | null;
  /** Visitors today until now. */
  readonly visitors: number | null;
  /** Visitors that the same weekday usually has had by this time of day. */
  readonly usual: number | null;
  /** The fewest and the most of the days whose median that is. Null where there are none. */
  readonly lowest: number | null;
  readonly highest: number | null;
  /** Visits today until now. */
  readonly visits: number | null;
  /** The start of the first day with events; undefined before the first event. */
  readonly since: string | undefined;
};

const parameters = ["websites_now", "websites_today", "websites_uptime"] as const;

export type HomeAnswer = Pick<QueryAnswer<typeof parameters>, "data">;

/** By the ids of websites; undefined is what could not be found out. */
export type HomeFigures = {
  readonly figures: ReadonlyMap<string, SiteFigures> | undefined;
  readonly states: ReadonlyMap<string, SiteState> | undefined;
};

/** All figures and states that the start page shows, of all websites that the person may see, in one question. */
export function homeQuestion(organizationId: string) {
  return { organizationId, preset: "today", limit: mostRows, parameters } as const;
}

/** Visitors of each of the last days that are over. The figures are there sooner without it. */
export function trendQuestion(organizationId: string) {
  return { organizationId, preset: "today", limit: mostRows, parameters: ["websites_trend"] } as const;
}

type TrendAnswer = Pick<QueryAnswer<readonly ["websites_trend"]>, "data">;

/** Visitors of days by the ids of websites. Null is unknown. */
export type Trend = ReadonlyMap<string, readonly (number | null)[]>;

export function readTrend({ data: [trend] }: TrendAnswer): Trend {
  const rows = trend.success ? trend.data : [];
  return new Map(rows.map((row) => [row.website_id, (row.visitors_by_day ?? []).map(countOf)]));
}

/** More rows are in no answer. */
const mostRows = 10_000;

/** Reads the answer. A part that failed leaves the others as they are. */
export function readHome({ data: [now, today, uptime] }: HomeAnswer): HomeFigures {
  const visitorsNow = now.success ? new Map(now.data.map((row) => [row.website_id, row.active_users])) : undefined;
  const figures = today.success
    ? today.data.map(({ website_id: id, visitors, usual_visitors: usual, sessions: visits, since, ...row }) => {
        // A website without visitors now has no row in websites_now.
        const found = {
          now: visitorsNow === undefined ? null : visitorsNow.has(id) ? (visitorsNow.get(id) ?? null) : 0,
          visitors,
          usual,
          lowest: row.usual_lowest,
          highest: row.usual_highest,
          visits,
        };
        return [id, { ...found, since: since ?? undefined }] as const;
      })
    : undefined;
  return {
    figures: figures === undefined ? undefined : new Map(figures),
    states: uptime.success ? new Map(uptime.data.map((row) => [row.website_id, siteState(row)])) : undefined,
  };
}

function countOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
