import { recomputableOf } from "../../aggregation/recomputableOf.ts";
import { holdDays, isQueued } from "../../aggregation/touchedDayQueue.ts";
import { sessionKindsSql } from "../../retention/kinds.ts";
import type { NodeStores, RecordStores } from "../../store/write/storesOfWebsites.ts";
import { startOfUtcDay, utcDayOf } from "../../time/utcDay.ts";
import { daysWithRows } from "./daysWithRows.ts";
import type { FigureApp } from "./makeDailyFigures.ts";
import { makeRecordsOfDay } from "./makeRecordsAround.ts";

/** Website-days per run, each minute; the rest waits for the next run. Queries wait beside them. */
const daysPerRun = 20;

/** Most of them have no days to make. */
const websitesPerRun = 200;

/** The days of a website without figures, YYYY-MM-DD; `until` has some, or is today. */
type Due = { readonly websiteId: string; readonly from: string; readonly until: string };

/**
 * Makes the daily figures of days before those that have some, as after an update: from yesterday back to the first day whose events are
 * all kept. Days that will be corrected are left to their correction, which makes their figures too. Resolves to the number of website-days
 * done. A website goes on where it stopped.
 */
export async function backfillFigures(
  app: FigureApp & { readonly records: RecordStores },
  onProgress: (days: number) => void,
  signal: AbortSignal,
): Promise<number> {
  let made = 0;
  for (const due of await readDue(app, websitesPerRun)) {
    const nodes = [await app.records.of(due.websiteId)];
    const days = await daysToMake(app, nodes, due);
    for (const day of days) {
      if (made >= daysPerRun) return made;
      signal.throwIfAborted();
      const one = { websiteId: due.websiteId, day };
      // While it is held the day is not corrected.
      await holdDays(app.postgres, [one], async () => {
        if (!(await isQueued(app.postgres, one))) {
          // Records of a release before counted a visit on each of its days.
          for (const node of nodes) await makeRecordsOfDay(app, node, one.websiteId, day, signal);
          made += 1;
        }
        await noteFiguresFrom(app, due.websiteId, day);
      });
      onProgress(made);
    }
    await noteFiguresFrom(app, due.websiteId, due.from);
  }
  return made;
}

/** What is due of websites with events before today: back to their first event, what is kept, and what has lost no events. */
async function readDue({ postgres, config }: FigureApp, limit: number): Promise<readonly Due[]> {
  const { rawEventDays, customEventDays } = config.retention;
  const { rows } = await postgres.query<Due>(
    `SELECT id AS "websiteId", to_char(from_day, 'YYYY-MM-DD') AS "from", to_char(until_day, 'YYYY-MM-DD') AS until FROM (
       SELECT id, coalesce(figures_from, today) AS until_day,
         greatest((first_event_at AT TIME ZONE 'UTC')::date, today - least(coalesce(raw_events_days, $1::int), coalesce(custom_events_days, $2::int)) + 1, thinned.until_day) AS from_day
       FROM websites CROSS JOIN (SELECT (now() AT TIME ZONE 'UTC')::date AS today) AS dates
       CROSS JOIN LATERAL (
         SELECT max(day) + 1 AS until_day FROM retention_erased
         WHERE website_id = websites.id AND kind = ANY(${sessionKindsSql}) AND day < coalesce(figures_from, today)
       ) AS thinned
       WHERE first_event_at IS NOT NULL
     ) AS due
     WHERE from_day < until_day ORDER BY until_day DESC, id LIMIT $3`,
    [rawEventDays, customEventDays, limit],
  );
  return rows;
}

/** The UTC days with events or outgoing links, newest first, as far as all of their events are kept. */
async function daysToMake(
  app: FigureApp,
  nodes: readonly Pick<NodeStores, "questdb">[],
  { websiteId, from, until }: Due,
): Promise<string[]> {
  const range = { startMs: startOfUtcDay(from), endMs: startOfUtcDay(until) };
  const found = await Promise.all(
    nodes.map(({ questdb }) => daysWithRows(["events", "outgoing_links"], websiteId, [range], questdb)),
  );
  const days = [...new Set(found.flat())]
    .sort((a, b) => b - a)
    .map((startMs) => ({ websiteId, day: utcDayOf(startMs) }));
  const recomputable = await recomputableOf(app, days, Date.now());
  return days.filter((each) => recomputable.get(each) === "all").map(({ day }) => day);
}

/** Whether figures are kept since this day or before; else they are not made yet, and the backfill makes them. */
export async function hasFiguresSince(
  { postgres }: Pick<FigureApp, "postgres">,
  websiteId: string,
  day: string,
): Promise<boolean> {
  const { rows } = await postgres.query("SELECT 1 FROM websites WHERE id = $1 AND figures_from <= $2", [
    websiteId,
    day,
  ]);
  return rows.length > 0;
}

/** Days are made newest first, so there is no gap from this one on. */
async function noteFiguresFrom({ postgres }: FigureApp, websiteId: string, day: string): Promise<void> {
  await postgres.query(
    "UPDATE websites SET figures_from = $2 WHERE id = $1 AND (figures_from IS NULL OR figures_from > $2)",
    [websiteId, day],
  );
}
