import { dayMs } from "../../time/utcDay.ts";
import type { PrivacyFacts } from "../facts.ts";
import type { PrivacyTexts } from "../texts/en.ts";

export type PointId = keyof PrivacyTexts["points"];

export type Authority = keyof PrivacyTexts["authorities"];

/** `unknown`: it cannot be measured, or could not be now. */
export type PointState = keyof PrivacyTexts["page"]["states"];

/** A figure that proves a verdict; `value` is undefined if it is unknown. `oldestMs` is Unix ms. */
export type Count = {
  readonly name: string;
  readonly value: number | undefined;
  readonly oldestMs?: number | undefined;
};

/** What was found about a point. */
export type Verdict = {
  readonly state: PointState;
  /** The sentence, in the language of the texts. `show` writes numbers and days. */
  readonly finding: (texts: PrivacyTexts["findings"], show: Show) => string;
  /** The settings that break it; empty where none does, or where no setting would change it. */
  readonly brokenBy: readonly string[];
};

/** Writes values in the language of the report. */
export type Show = {
  readonly number: (value: number) => string;
  /** A number of days, with the word. */
  readonly days: (value: number) => string;
  readonly day: (timeMs: number) => string;
  readonly list: (values: readonly string[]) => string;
};

/** A point that authorities ask for, and how it is judged. */
export type Point = {
  readonly id: PointId;
  readonly authorities: readonly Authority[];
  /** The settings in force that concern it, by their names. */
  readonly settings?: (facts: PrivacyFacts) => Readonly<Record<string, string>>;
  readonly counts?: (facts: PrivacyFacts) => readonly Count[];
  readonly judge: (facts: PrivacyFacts) => Verdict;
};

export const fulfilled = (finding: Verdict["finding"]): Verdict => ({ state: "fulfilled", finding, brokenBy: [] });
export const unknown = (finding: Verdict["finding"]): Verdict => ({ state: "unknown", finding, brokenBy: [] });

export function broken(brokenBy: readonly string[], finding: Verdict["finding"]): Verdict {
  return { state: "broken", finding, brokenBy };
}

export const notCounted = unknown((texts) => texts.notCounted);
export const noRows = unknown((texts) => texts.noRows);

/** Whole days of a duration, rounded up: what lasted an hour, or a moment, lasted a day. */
export function daysOf(durationMs: number): number {
  return Math.max(1, Math.ceil(durationMs / dayMs));
}
