/** Zones to choose from: one for each time that many people live by. The address takes any other IANA zone too. */
export const offeredZones = [
  "UTC",
  "Pacific/Honolulu",
  "America/Anchorage",
  "America/Los_Angeles",
  "America/Phoenix",
  "America/Denver",
  "America/Chicago",
  "America/Mexico_City",
  "America/New_York",
  "America/Bogota",
  "America/Halifax",
  "America/Santiago",
  "America/Sao_Paulo",
  "America/St_Johns",
  "Atlantic/Azores",
  "Europe/London",
  "Africa/Lagos",
  "Europe/Berlin",
  "Europe/Athens",
  "Africa/Cairo",
  "Africa/Johannesburg",
  "Africa/Nairobi",
  "Europe/Istanbul",
  "Europe/Moscow",
  "Asia/Tehran",
  "Asia/Dubai",
  "Asia/Karachi",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Asia/Dhaka",
  "Asia/Yangon",
  "Asia/Bangkok",
  "Asia/Shanghai",
  "Asia/Tokyo",
  "Australia/Perth",
  "Australia/Adelaide",
  "Australia/Brisbane",
  "Australia/Sydney",
  "Pacific/Auckland",
] as const;

/** An IANA zone by its name in any letter case; undefined for anything else, such as an offset. */
export function knownZone(name: string | null): string | undefined {
  if (name === null || !/^[a-z][\w+-]*(?:\/[\w+-]+){0,2}$/i.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** ECMA-402 has it; the compiler's library does not yet. */
type LocaleWithZones = Intl.Locale & { getTimeZones?(): readonly string[] };

const guesses = new Map<string, string | undefined>();

/** The time zone of a language's region, if all of the region has the same time; undefined for a region with several, such as the United States. */
export function guessedZone(locale: Intl.Locale | undefined): string | undefined {
  const region = locale?.region;
  if (region === undefined) return undefined;
  if (!guesses.has(region)) guesses.set(region, zoneOfRegion(region));
  return guesses.get(region);
}

function zoneOfRegion(region: string): string | undefined {
  const zones = (new Intl.Locale("und", { region }) as LocaleWithZones).getTimeZones?.() ?? [];
  const [first] = zones;
  if (first === undefined) return undefined;
  const times = new Set(zones.map((zone) => clocks(zone)));
  return times.size === 1 ? first : undefined;
}

/** What clocks of a zone show in winter and in summer. */
function clocks(timeZone: string): string {
  const year = new Date().getUTCFullYear();
  const format = new Intl.DateTimeFormat("en", { timeZone, dateStyle: "short", timeStyle: "short" });
  return [0, 6].map((month) => format.format(Date.UTC(year, month, 15))).join();
}
