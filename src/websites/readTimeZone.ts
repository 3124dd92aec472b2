import { type ErrorDetail, validationError } from "../errors/errors.ts";
import { quoted } from "../errors/problems.ts";
import { nearest } from "../text/nearest.ts";
import { knownTimeZone, timeZoneNames } from "../time/timeZone.ts";

/**
 * The current name of an IANA time zone given by any of its names. Throws VALIDATION_ERROR with the zone that was
 * probably meant.
 */
export function readTimeZone(given: string): string {
  const known = knownTimeZone(given);
  if (known === undefined) throw validationError([unknownZone(given)]);
  return known;
}

function unknownZone(given: string): ErrorDetail {
  const suggestion = nearestZone(given);
  const next = suggestion === undefined ? "" : `; did you mean "${suggestion}"?`;
  return {
    field: "timezone",
    message: `must be an IANA time zone such as Europe/Berlin, not ${quoted(given)}${next}`,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** By the whole name, else by its city: people write Berlin, or America/Berlin. */
function nearestZone(given: string): string | undefined {
  const zones = timeZoneNames();
  const byCity = new Map(zones.map((zone) => [zone.slice(zone.lastIndexOf("/") + 1), zone]));
  const city = nearest(given.slice(given.lastIndexOf("/") + 1), byCity.keys());
  return nearest(given, zones) ?? (city === undefined ? undefined : byCity.get(city));
}
