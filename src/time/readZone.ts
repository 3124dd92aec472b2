import { IANAZone } from "luxon";
import { detail, type Problems, quoted } from "../errors/problems.ts";
import { nearest } from "../text/nearest.ts";
import { timeZoneOf } from "./dates.ts";
import { timeZoneNames } from "./timeZone.ts";

/** The time zone of a request, UTC by default. An unknown one is reported at `where`. */
export function readZone(name: string, problems: Problems, where = "timezone"): IANAZone {
  const zone = timeZoneOf(name === "" ? "UTC" : name);
  if (zone !== undefined) return zone;
  const message = `must be an IANA time zone such as Europe/Berlin, not ${quoted(name)}`;
  problems.add(detail(where, message, nearest(name, timeZoneNames())));
  return IANAZone.create("UTC");
}
