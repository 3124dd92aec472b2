/** What says where a visit came from. */
export const sourceColumns = [
  "referrer_source",
  "referrer_group",
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "utm_term",
  "utm_content",
] as const;

/**
 * The columns that stored sessions share with events: facts about the visitor and where the visit came from. Changing the list changes
 * sessionsVersion, so that all stored sessions are recomputed.
 */
export const contextColumns = [
  "country",
  "region",
  "city",
  "language",
  "timezone",
  "browser",
  "browser_version",
  "os",
  "os_version",
  "device",
  "connection",
  "screen",
  "viewport",
  "referrer",
  ...sourceColumns,
] as const;

export type ContextColumn = (typeof contextColumns)[number];

/** A value for each of `contextColumns`, undefined where there is none. */
export type Context = readonly (string | undefined)[];

/** The group of an event without any referrer. A visit has it only if none of its events has another one. */
export const directGroup = "direct";

/** What kind of event an activity is: a view, the end of a view, a custom event or a click on a link. */
export type ActivityKind = "page_view" | "page_exit" | "custom" | "link";

const groupIndex = contextColumns.indexOf("referrer_group");

/** Builds the context of one session from its activities, in order: for each column the first value that an event has. */
export class ContextBuilder {
  readonly #values: (string | undefined)[] = contextColumns.map(() => undefined);

  add({ kind, context }: { kind: ActivityKind; context: Context }): void {
    // Link clicks are not events and do not carry a context.
    if (kind === "link") return;
    for (const [index, value] of context.entries())
      if (value !== undefined && !(index === groupIndex && value === directGroup)) this.#values[index] ??= value;
  }

  finish(): Context {
    return this.#values;
  }
}
