/**
 * The IANA time zone in its usual spelling, or undefined for anything else. Only real zones may be stored: that column's values are never
 * erased, so it must not hold what a sender makes up.
 */
export function knownTimeZone(name: string | undefined): string | undefined {
  if (name === undefined || name.length > maxNameLength || !/^[a-z]/i.test(name)) return undefined;
  if (zones.has(name)) return zones.get(name);
  if (zones.size >= maxKept) zones.clear();
  const zone = canonicalZone(name);
  zones.set(name, zone);
  return zone;
}

/** Making a DateTimeFormat takes tens of microseconds. */
const zones = new Map<string, string | undefined>();

/** There are about 600 names. */
const maxKept = 2_000;

/** The longest is America/Argentina/ComodRivadavia. */
const maxNameLength = 40;

function canonicalZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
