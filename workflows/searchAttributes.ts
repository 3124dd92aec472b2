import { defineSearchAttributeKey } from "@temporalio/common";

/** What kind of work a run is, for example `daily-aggregation`. */
export const lookoutKind = defineSearchAttributeKey("LookoutKind", "KEYWORD");

/** The UTC day a run works on, YYYY-MM-DD; of several days the one it is at, in the end the last. */
export const lookoutDay = defineSearchAttributeKey("LookoutDay", "KEYWORD");

/** The website a run works for. */
export const lookoutWebsite = defineSearchAttributeKey("LookoutWebsite", "KEYWORD");

/** How a monitor is: up, down, degraded, unknown, paused or stopped. */
export const lookoutMonitorStatus = defineSearchAttributeKey("LookoutMonitorStatus", "KEYWORD");

/** The URL a monitor checks, without its query, cut to what every store of Temporal takes. */
export const lookoutUrl = defineSearchAttributeKey("LookoutUrl", "KEYWORD");

/** Every search attribute of our workflows. The worker registers what is missing. */
export const searchAttributes = [lookoutKind, lookoutDay, lookoutWebsite, lookoutMonitorStatus, lookoutUrl] as const;
