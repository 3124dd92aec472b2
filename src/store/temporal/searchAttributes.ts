import { defineSearchAttributeKey, type SearchAttributePair } from "@temporalio/common";

/** What kind of work a run is, for example `daily-aggregation`. */
export const lookoutKind = defineSearchAttributeKey("LookoutKind", "KEYWORD");

/** The UTC day a run works on, YYYY-MM-DD; the current one of several, at the end the last. */
export const lookoutDay = defineSearchAttributeKey("LookoutDay", "KEYWORD");

/** The website a run works for, its id. */
export const lookoutWebsite = defineSearchAttributeKey("LookoutWebsite", "KEYWORD");

/** The organization a run works for, its id. */
export const lookoutOrganization = defineSearchAttributeKey("LookoutOrganization", "KEYWORD");

/** The name of the monitor or website a run works for, cut to what every Temporal store accepts. */
export const lookoutName = defineSearchAttributeKey("LookoutName", "KEYWORD");

/** The status of a monitor: up, down, degraded, unknown, paused or stopped. */
export const lookoutMonitorStatus = defineSearchAttributeKey("LookoutMonitorStatus", "KEYWORD");

/** The URL a monitor checks, without its query, cut to what every Temporal store accepts. */
export const lookoutUrl = defineSearchAttributeKey("LookoutUrl", "KEYWORD");

/** Whether an incident is acknowledged. */
export const lookoutAcknowledged = defineSearchAttributeKey("LookoutAcknowledged", "BOOL");

/** How the work of a run ended (workflows/outcome.ts); unset until then. */
export const lookoutOutcome = defineSearchAttributeKey("LookoutOutcome", "KEYWORD");

/** Every search attribute of our workflows. The worker registers missing ones. */
export const searchAttributes = [
  lookoutKind,
  lookoutDay,
  lookoutWebsite,
  lookoutOrganization,
  lookoutName,
  lookoutMonitorStatus,
  lookoutUrl,
  lookoutAcknowledged,
  lookoutOutcome,
] as const;

/** Whom a run works for. A name is left out where it is personal data that is being erased. */
export type RunSubject = {
  readonly websiteId: string;
  readonly organizationId: string;
  readonly name?: string;
};

/** The search attributes with which a run of a kind starts. */
export function attributesOf(kind: string, subject?: RunSubject): SearchAttributePair[] {
  if (subject === undefined) return [{ key: lookoutKind, value: kind }];
  const { websiteId, organizationId, name } = subject;
  return [
    { key: lookoutKind, value: kind },
    { key: lookoutWebsite, value: websiteId },
    { key: lookoutOrganization, value: organizationId },
    ...(name === undefined ? [] : [{ key: lookoutName, value: keyword(name) }]),
  ];
}

/** A text as a keyword: every Temporal store accepts 255 characters. */
export function keyword(text: string): string {
  return text.slice(0, 255);
}
