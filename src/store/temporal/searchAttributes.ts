import { defineSearchAttributeKey } from "@temporalio/common";

/** What kind of work a run is, for example `daily-aggregation`. */
export const lookoutKind = defineSearchAttributeKey("LookoutKind", "KEYWORD");

/** The UTC day a run works on, YYYY-MM-DD; the current one of several, at the end the last. */
export const lookoutDay = defineSearchAttributeKey("LookoutDay", "KEYWORD");

/** The website a run works for. */
export const lookoutWebsite = defineSearchAttributeKey("LookoutWebsite", "KEYWORD");

/** The status of a monitor: up, down, degraded, unknown, paused or stopped. */
export const lookoutMonitorStatus = defineSearchAttributeKey("LookoutMonitorStatus", "KEYWORD");

/** The URL a monitor checks, without its query, cut to what every Temporal store accepts. */
export const lookoutUrl = defineSearchAttributeKey("LookoutUrl", "KEYWORD");

/** Every search attribute of our workflows. The worker registers missing ones. */
export const searchAttributes = [lookoutKind, lookoutDay, lookoutWebsite, lookoutMonitorStatus, lookoutUrl] as const;
