import type { StatusTexts } from "../texts/en.ts";

/** The names of statuses that a page marks by a colour and a sign. */
const known = ["up", "degraded", "down", "maintenance", "paused", "unknown"] as const;

type KnownStatus = (typeof known)[number];

export function knownStatus(status: string): KnownStatus {
  return known.find((name) => name === status) ?? "unknown";
}

/** A status in words. */
export function statusText(status: string, texts: StatusTexts): string {
  return texts.statuses[knownStatus(status)];
}
