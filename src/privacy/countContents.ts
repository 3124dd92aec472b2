import type { ReadWebsite } from "./countRows.ts";
import { type ContentFacts, type EmailColumn, emailColumns, emailPattern } from "./facts.ts";

/** How many events of a website have a place, can be joined with a click, or hold what looks like an e-mail address. */
export async function countContents(readWebsite: ReadWebsite): Promise<ContentFacts> {
  const emails = emailColumns.map((column) => `sum(CASE WHEN ${holdsEmail(column)} THEN 1 ELSE 0 END) "${column}"`);
  const [row] = await readWebsite(
    `SELECT count() "rows", count(country) "country", count(region) "region", count(city) "city",
       count(click_visitor_key) "click", ${emails.join(", ")} FROM events WHERE website_id = $1`,
  );
  const count = (name: string) => Number(row?.[name] ?? 0);
  return {
    rows: count("rows"),
    withCountry: count("country"),
    withRegion: count("region"),
    withCity: count("city"),
    withClick: count("click"),
    withEmail: {
      anonymous_id: count("anonymous_id"),
      path: count("path"),
      title: count("title"),
      properties: count("properties"),
    },
  };
}

/** The pattern is looked for only beside its sign: it takes most of the time of a report. */
function holdsEmail(column: EmailColumn): string {
  return `(strpos(${column}, '@') > 0 OR strpos(${column}, '%40') > 0) AND ${column} ~ '${emailPattern}'`;
}

/** Events that were not stored because of Do Not Track or Global Privacy Control. */
export async function countObjections(readWebsite: ReadWebsite): Promise<number> {
  const [row] = await readWebsite(
    `SELECT sum(events) "events" FROM excluded_traffic WHERE website_id = $1 AND reason = 'do_not_track'`,
  );
  return Number(row?.["events"] ?? 0);
}
