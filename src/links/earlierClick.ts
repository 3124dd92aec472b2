import type { ClickRow } from "./click.ts";
import { keyOfHalves } from "./keptClick.ts";

/**
 * How processes of earlier versions kept a click: as the row that it becomes or as values, Unix time in seconds and the milliseconds of the second, either
 * key in halves, then the texts of `columns`.
 */
export type EarlierClick = ClickRow | readonly (string | number | null)[];

export function isEarlier(kept: EarlierClick | readonly unknown[]): kept is EarlierClick {
  return "table" in kept || kept.length === firstText + columns.length;
}

export function earlierRow(kept: EarlierClick): ClickRow {
  if ("table" in kept) return kept;
  const [seconds = 0, milliseconds = 0, eventKeyHigh = 0, eventKeyLow = 0, visitorKeyHigh = 0, visitorKeyLow = 0] =
    kept.map(Number);
  const texts = columns.map((column, index) => [column, kept[firstText + index] ?? undefined]);
  return {
    table: "link_clicks",
    tsUs: (seconds * 1_000 + milliseconds) * 1_000,
    values: {
      event_key: keyOfHalves(eventKeyHigh, eventKeyLow),
      visitor_key: keyOfHalves(visitorKeyHigh, visitorKeyLow),
      ...Object.fromEntries(texts),
    },
  };
}

const firstText = 6;

const columns = [
  "organization_id",
  "link_id",
  "website_id",
  "country",
  "region",
  "city",
  "browser",
  "os",
  "device",
  "language",
  "referrer_source",
  "target_website_id",
  "target_path",
] as const satisfies readonly (keyof ClickRow["values"])[];
