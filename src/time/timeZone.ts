import { LRUCache } from "lru-cache";
import { renamedTimeZones } from "./renamedTimeZones.ts";

/**
 * The current IANA name of a time zone, for any of its names in any letter case; undefined for anything else. Only real
 * zones may be stored: that column's values are never erased, so it must not hold arbitrary text of senders.
 */
export function knownTimeZone(name: string | undefined): string | undefined {
  if (name === undefined || name.length > maxNameLength || !/^[a-z]/i.test(name)) return undefined;
  return cache.memo(name) || undefined;
}

/** The current names of all time zones, to suggest one. */
export function timeZoneNames(): string[] {
  return [...Intl.supportedValuesOf("timeZone").map(modernName), "UTC"];
}

/** Creating a DateTimeFormat takes tens of microseconds. There are about 600 names; "" stands for any other text. */
const cache = new LRUCache<string, string>({ max: 2_000, memoMethod: (name) => currentName(name) ?? "" });

/** The longest is America/Argentina/ComodRivadavia. */
const maxNameLength = 40;

function currentName(name: string): string | undefined {
  try {
    return modernName(new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone);
  } catch {
    return undefined;
  }
}

/** JavaScript engines follow the tz database's rules but keep the first name of a zone (CLDR's stable identifiers). */
function modernName(engineName: string): string {
  return renamedTimeZones.get(engineName) ?? engineName;
}
