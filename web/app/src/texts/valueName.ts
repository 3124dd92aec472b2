import { formatCountry, formatLanguage } from "./format.ts";
import type { Texts } from "./texts.ts";

type NameTexts = Pick<Texts, "panels" | "channels" | "deviceNames">;

/** The readable name of a field's value: for codes, and for the service's words for rows without a value. */
export function valueName(field: string, value: string, { panels, channels, deviceNames }: NameTexts): string {
  // Senders choose the values of properties themselves.
  if (value === "Unknown" && !field.startsWith("properties.")) return panels.unknown;
  if (value === "other" && fieldsWithoutOther.has(field)) return panels.smallGroups;
  switch (field) {
    case "referrer_group":
      return nameIn(channels, value) ?? value;
    case "country":
      return formatCountry(value);
    case "language":
      return formatLanguage(value);
    case "device_type":
      return nameIn(deviceNames, value) ?? value;
    case "referrer":
    case "referrer_source":
    case "referrer_url":
      return value === "Direct" ? panels.direct : value;
    default:
      return value;
  }
}

/** Fields whose own values never are "other", so that it stands for all groups that are too small to be shown. */
const fieldsWithoutOther: ReadonlySet<string> = new Set([
  "path",
  "country",
  "language",
  "browser_name",
  "device_type",
  "referrer",
  "referrer_source",
]);

function nameIn(names: Readonly<Record<string, string>>, value: string): string | undefined {
  return Object.hasOwn(names, value) ? names[value] : undefined;
}
