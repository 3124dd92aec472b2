import { dayMs } from "../time/utcDay.ts";
import { shownCount, shownRows } from "../visitors/shownRows.ts";
import { emailColumns, type PrivacyFacts } from "./facts.ts";
import { daysOf } from "./points/point.ts";

/**
 * Facts as a report states them. Where only the audience is measured counts of rows and ids are rounded up and times are those of days: two reports
 * would otherwise tell what one visitor did between them. What is 0 stays 0, so that no verdict changes.
 */
export function shownFacts(facts: PrivacyFacts): PrivacyFacts {
  const { privacy } = facts.settings;
  if (!privacy.audienceOnly) return facts;
  const { ids, spread, contents, objections } = facts;
  const count = (rows: number) => shownCount(rows, privacy);
  return {
    ...facts,
    tables: facts.tables.map((table) => ({
      ...table,
      rows: table.rows === undefined ? undefined : shownRows(table.rows, table.table, privacy),
      oldestMs: table.oldestMs === undefined ? undefined : Math.floor(table.oldestMs / dayMs) * dayMs,
    })),
    ids: ids && { ids: count(ids.ids), sent: count(ids.sent), longestMs: daysOf(ids.longestMs) * dayMs },
    spread: spread && { ...spread, shared: count(spread.shared) },
    contents: contents && {
      rows: count(contents.rows),
      withCountry: count(contents.withCountry),
      withRegion: count(contents.withRegion),
      withCity: count(contents.withCity),
      withClick: count(contents.withClick),
      withEmail: {
        ...contents.withEmail,
        ...Object.fromEntries(emailColumns.map((column) => [column, count(contents.withEmail[column])])),
      },
    },
    objections: objections && count(objections),
  };
}
