import { setTimeout as pause } from "node:timers/promises";
import { type Config, readConfig } from "../../../src/config.ts";
import { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";

/** Page views on paths of their own, ten to a session, and custom events with ten properties of their own: what anyone can send. */
export async function insertManyEvents(
  addresses: Pick<Config["questdb"], "http" | "pg">,
  websiteId: string,
  pageViews: number,
  customEvents: number,
): Promise<void> {
  const reader = new QuestdbReader(readConfig({ QUESTDB_PG: addresses.pg, QUESTDB_HTTP: addresses.http }).questdb);
  const properties = Array.from({ length: 10 }, (_, key) => `"key_${key}":"' || x || '-${key}"`).join(",");
  const columns = (apartSeconds: number, firstKey: number) =>
    `dateadd('s', -(x / 10 * ${apartSeconds} + x % 10)::int, date_trunc('day', now())), $1, x + ${firstKey}, x / 10, x / 10, ` +
    "'visitor-' || x / 10, 'session-' || x / 10, 'DE', 'Chrome', 'Europe/Berlin'";
  const names =
    "ts, website_id, event_key, visitor_key, session_key, anonymous_id, session_id, country, browser, timezone";
  const secondsApart = (rows: number) => Math.max(1, Math.floor((60 * 86_400) / (rows / 10)));
  await reader.change(
    `INSERT INTO events (${names}, event_type, name, path, title) SELECT ${columns(secondsApart(pageViews), 0)}, ` +
      `'page_view', 'screen_view', '/page/' || x, 'Page ' || x FROM long_sequence(${pageViews})`,
    [websiteId],
  );
  await reader.change(
    `INSERT INTO events (${names}, event_type, name, path, properties) SELECT ${columns(secondsApart(customEvents), pageViews)}, ` +
      `'custom', 'event-' || x % 1000, '/page/' || x, '{${properties}}' FROM long_sequence(${customEvents})`,
    [websiteId],
  );
  const count = async () => {
    const [row] = await reader.read("SELECT count() AS n FROM events WHERE website_id = $1", [websiteId]);
    return row?.["n"];
  };
  while ((await count()) !== pageViews + customEvents) await pause(200);
  await reader.close();
}
