import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { insertRows, type SampleRow } from "../../kit/stores/sampleRows.ts";
import type { ExportedRow, Kinds } from "./exportedRows.ts";

const texts = [
  "/",
  "/päge/ünï-😀-日本語",
  'He said "hi", then left',
  "two\r\nlines\nand\ttab",
  "=HYPERLINK(1)",
  "+1",
  "-5",
  "@sum",
  "'=already",
  "'plain",
  "＝full",
  " spaces ",
  " ",
  "null",
  "\\N",
  "a;b,c|d",
];

const properties = [
  { plan: "pro", price: 9.99, seats: 3, trial: false, coupon: null },
  { nested: { a: [1, 2, { b: "ü" }], 'quo"te': "=1+1" }, list: [] },
  { big: 9_007_199_254_740_991, small: -0.000_001, text: "line\nbreak" },
];

/** Columns of events.* whose name in QuestDB differs. */
export const eventKinds: Kinds = {
  event_id: "text",
  event_type: "text",
  name: "text",
  website_id: "text",
  anonymous_id: "text",
  session_id: "text",
  timestamp: "timestamp",
  path: "text",
  title: "text",
  referrer: "text",
  referrer_source: "text",
  referrer_group: "text",
  screen_resolution: "text",
  viewport: "text",
  language: "text",
  timezone: "text",
  country: "text",
  region: "text",
  city: "text",
  browser_name: "text",
  browser_version: "text",
  os_name: "text",
  os_version: "text",
  device_type: "text",
  connection_type: "text",
  rtt_ms: "number",
  downlink_mbps: "number",
  utm_source: "text",
  utm_medium: "text",
  utm_campaign: "text",
  utm_term: "text",
  utm_content: "text",
  time_on_page_ms: "number",
  scroll_depth_percent: "number",
  interaction_count: "integer",
  page_count: "integer",
  properties: "json",
};

const storedNames: Readonly<Record<string, string>> = {
  screen_resolution: "screen",
  browser_name: "browser",
  os_name: "os",
  device_type: "device",
  connection_type: "connection",
};

/** Symbols are never erased, so only few values are in them. */
const symbols = new Set(["event_type", "referrer_group", "timezone", "country", "region", "city", "browser_name"]);

/** Events as an export must show them, in its order: two share a time each, and each column is null in some. */
export function sourceEvents(count: number, websiteId: string, fromMs: number, stepMs: number): ExportedRow[] {
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(
      Object.entries(eventKinds).map(([column, kind], place) => {
        const at = index * 7 + place;
        if (column === "website_id") return [column, websiteId];
        if (column === "event_id") return [column, `event-${index}`];
        if (kind === "timestamp") return [column, fromMs + Math.floor(index / 2) * stepMs];
        if (at % 5 === 0) return [column, null];
        if (kind === "json") return [column, properties[at % properties.length]];
        if (kind === "integer") return [column, at - 20];
        if (kind === "number") return [column, Math.round(at - 30) / 10];
        return [column, symbols.has(column) ? `${column} ${at % 3}` : texts[at % texts.length]];
      }),
    ),
  );
}

/** Writes events into QuestDB, the latest first. */
export async function insertEvents(
  questdb: QuestdbReader,
  events: readonly ExportedRow[],
  websiteId: string,
): Promise<void> {
  const rows = events.map((event, index): SampleRow => {
    const columns = Object.entries(event).filter(([name]) => name !== "timestamp");
    const stored = columns.map(([name, value]): [string, string | number | null] => [
      storedNames[name] ?? name,
      value === null || typeof value === "number" ? value : typeof value === "string" ? value : JSON.stringify(value),
    ]);
    return { tsMs: Number(event["timestamp"]), event_key: index + 1, ...Object.fromEntries(stored) };
  });
  await insertRows(questdb, "events", rows.toReversed(), websiteId);
}
