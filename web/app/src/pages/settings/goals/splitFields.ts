import { formatCountry } from "../../../texts/format.ts";
import type { Texts } from "../../../texts/texts.ts";

/** Fields of visits that funnels are broken down by. */
export const splitFields = [
  "referrer_group",
  "referrer",
  "utm_campaign",
  "country",
  "device_type",
  "entry_page",
] as const;

type SplitField = (typeof splitFields)[number];

/** A value in the current language. The service says Unknown and Direct where there is none. */
export function splitValueName(
  field: SplitField,
  value: string,
  { panels, channels, deviceNames }: Pick<Texts, "panels" | "channels" | "deviceNames">,
): string {
  const names: Readonly<Record<string, string>> =
    field === "referrer_group" ? channels : field === "device_type" ? deviceNames : {};
  if (Object.hasOwn(names, value)) return names[value] ?? value;
  if (value === "Unknown") return panels.unknown;
  if (field === "referrer" && value === "Direct") return panels.direct;
  return field === "country" ? formatCountry(value) : value;
}
