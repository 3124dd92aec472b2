import type { PrivacyRules } from "./privacyRules.ts";

type Audience = Pick<PrivacyRules, "audienceOnly" | "smallestGroup">;

/** Rows of no visitor of a website. */
const withoutVisitors: ReadonlySet<string> = new Set(["uptime_checks", "link_clicks"]);

/** Rows are rounded as if a visitor left so many. */
const rowsOfVisitor = 10;

/** What counts of rows are rounded up to a multiple of; 1 unless a website measures its audience only. */
export function rowStep({ audienceOnly, smallestGroup }: Audience): number {
  return audienceOnly ? rowsOfVisitor * smallestGroup : 1;
}

/** A count of rows as answers state it: where only the audience is measured rounded up, so that no single visitor is in it, and 0 is none. */
export function shownCount(rows: number, privacy: Audience): number {
  const step = rowStep(privacy);
  return Math.ceil(rows / step) * step;
}

/** The same for rows of a table. */
export function shownRows(rows: number, table: string, privacy: Audience): number {
  return withoutVisitors.has(table) ? rows : shownCount(rows, privacy);
}
