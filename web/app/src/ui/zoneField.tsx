import { allTexts } from "../texts/settings/settingsTexts.ts";
import { Select } from "./fields.tsx";

/** The choice of an IANA time zone. Includes the current one even if the browser does not know it. */
export function ZoneField({ zone }: { readonly zone: string }) {
  const { timezone, timezoneHint } = allTexts().websiteSettings;
  const zones = [...new Set(["UTC", zone, ...Intl.supportedValuesOf("timeZone")])].sort();
  return (
    <Select
      name="timezone"
      label={timezone}
      hint={timezoneHint}
      value={zone}
      choices={Object.fromEntries(zones.map((name) => [name, name.replaceAll("_", " ")]))}
    />
  );
}
