import { formatCountry, formatLanguage } from "../../texts/format.ts";
import type { Texts } from "../../texts/texts.ts";

/** The readable name of a field's value: for codes, and for the service's words for rows without a value. */
export function valueName(field: string, value: string, { panels, channels, deviceNames }: Texts): string {
  if (field === "referrer_group") return nameIn(channels, value) ?? value;
  if (value === "Unknown") return panels.unknown;
  switch (field) {
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

function nameIn(names: Readonly<Record<string, string>>, value: string): string | undefined {
  return Object.hasOwn(names, value) ? names[value] : undefined;
}
