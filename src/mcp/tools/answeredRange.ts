import { DateTime, IANAZone } from "luxon";
import { type ErrorDetail, validationError } from "../../errors/errors.ts";
import { nearest } from "../../text/nearest.ts";
import { nearestPreset, parseDate, presetNames, presetRange, timeZoneOf } from "../../time/dates.ts";
import { timeZoneNames } from "../../time/timeZone.ts";
import { type JsonObject, toolPresets } from "./tool.ts";

/** The range that an answer is about; times are ISO 8601 in its zone. */
export type AnsweredRange = {
  readonly from: string;
  readonly until: string;
  readonly timezone: string;
  /** Only of a range that has not ended. */
  readonly now?: string;
};

export const rangeSchema = {
  type: "object",
  description: "What the answer is about; until is not included. now: only where it has not ended; figures end then.",
  properties: {
    from: { type: "string" },
    until: { type: "string" },
    timezone: { type: "string" },
    now: { type: "string" },
  },
  required: ["from", "until", "timezone"],
};

/**
 * The range that the arguments name. Undefined where they name none, or a wrong one, which the call refuses.
 */
export function answeredRange(
  { preset, startDate, endDate, timezone }: JsonObject,
  nowMs: number,
): AnsweredRange | undefined {
  const zone = typeof timezone === "string" ? timeZoneOf(timezone) : IANAZone.create("UTC");
  if (zone === undefined) return undefined;
  const startMs = typeof startDate === "string" ? parseDate(startDate, "start", zone) : undefined;
  const endMs = typeof endDate === "string" ? parseDate(endDate, "end", zone) : undefined;
  const range =
    typeof preset === "string"
      ? presetRange(preset, nowMs, zone)
      : startMs !== undefined && endMs !== undefined
        ? { startMs, endMs }
        : undefined;
  if (range === undefined) return undefined;
  const text = (ms: number): string =>
    (DateTime.fromMillis(ms, { zone }).toISO({ suppressMilliseconds: true }) ?? "").replace(/\+00:00$/, "Z");
  const now = nowMs < range.endMs ? { now: text(Math.floor(nowMs / 1_000) * 1_000) } : {};
  return { from: text(range.startMs), until: text(range.endMs), timezone: zone.name, ...now };
}

/** The same for a call that needs one: `usualPreset` where none is named. Throws VALIDATION_ERROR with all that is wrong. */
export function requiredRange(given: JsonObject, usualPreset: string, nowMs = Date.now()): AnsweredRange {
  const { preset, startDate, endDate, timezone } = given;
  const hasDates = startDate !== undefined || endDate !== undefined;
  const range = answeredRange(
    { timezone, ...(preset === undefined && hasDates ? { startDate, endDate } : { preset: preset ?? usualPreset }) },
    nowMs,
  );
  if (range !== undefined) return range;
  const details: ErrorDetail[] = [];
  if (typeof timezone === "string" && timeZoneOf(timezone) === undefined)
    details.push(
      suggested("timezone", "is no IANA name of a time zone, such as Europe/Berlin", timezone, timeZoneNames()),
    );
  if (preset !== undefined && !presetNames.includes(String(preset)))
    details.push({
      field: "preset",
      message: `must be one of ${toolPresets.join(", ")}`,
      ...suggestion(nearestPreset(String(preset), toolPresets)),
    });
  if (preset === undefined && hasDates)
    for (const [field, value] of Object.entries({ startDate, endDate }))
      if (value === undefined) details.push({ field, message: "is required with the other date" });
  throw validationError(details);
}

function suggested(field: string, message: string, value: string, known: readonly string[]): ErrorDetail {
  return { field, message, ...suggestion(nearest(value, known)) };
}

function suggestion(text: string | undefined): Pick<ErrorDetail, "suggestion"> {
  return text === undefined ? {} : { suggestion: text };
}
