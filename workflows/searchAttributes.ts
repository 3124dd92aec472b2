import { defineSearchAttributeKey } from "@temporalio/common";

/** What kind of work a run is, for example `daily-aggregation`. */
export const lookoutKind = defineSearchAttributeKey("LookoutKind", "KEYWORD");

/** The UTC day a run works on, YYYY-MM-DD; of several days the one it is at, in the end the last. */
export const lookoutDay = defineSearchAttributeKey("LookoutDay", "KEYWORD");

/** Every search attribute of our workflows. The worker registers what is missing. */
export const searchAttributes = [lookoutKind, lookoutDay] as const;
