/**
 * The columns that stored sessions share with events: facts about the visitor and its source. The order
 * is that of the bits below. Changing the list changes sessionsVersion, so that all stored sessions are recomputed.
 */
export const contextColumns = [
  "country",
  "region",
  "city",
  "browser",
  "browser_version",
  "os",
  "os_version",
  "device",
  "timezone",
  "referrer_group",
  "referrer_source",
  "utm_source",
  "utm_campaign",
] as const;

export type ContextColumn = (typeof contextColumns)[number];

/** A value for each of `contextColumns`, undefined where there is none. */
export type Context = readonly (string | undefined)[];

/**
 * The context of a session: for each column the first value that an event has. `bits` mark sessions whose events
 * differ, so that a count by value knows which sessions to recompute from events. page_exit events do not set them.
 */
export type SessionContext = { readonly values: Context; readonly bits: number };

/**
 * What is stored about each column that has a value, a bit each. All bits are in one number, so that queries read a
 * single column.
 */
export const flags = [
  /** An event has a second value, or no counted event has the first one (only a page_exit has it). */
  "varied",
  /** Some event has no value. */
  "partly",
  /** Some page view has no value. */
  "viewsWithout",
] as const;

export type ContextFlag = (typeof flags)[number];

/**
 * Set when the columns cannot say where the session's events count a visitor: they have several visitors, only link
 * clicks have one, or a page_exit has another value than the first. No query reads it.
 */
export const irregularBit = 2 ** (contextColumns.length * flags.length);

/** The bit of a flag of a column in `context_bits`, as a power of two. It may exceed the 32 bits of bit operators. */
export function contextBit(column: ContextColumn, flag: ContextFlag): number {
  return 2 ** (contextColumns.indexOf(column) * flags.length + flags.indexOf(flag));
}

/** What kind of event an activity is: a view, the end of a view, a custom event or a click on a link. */
export type ActivityKind = "page_view" | "page_exit" | "custom" | "link";

/** Builds the context of one session from its activities, in order. */
export class ContextBuilder {
  readonly #values: (string | undefined)[] = contextColumns.map(() => undefined);
  #first = 0;
  #others = 0;
  #lacking = 0;
  #lackingViews = 0;
  #visitorKey: number | undefined;
  #hasEvents = false;
  #isIrregular = false;

  add(activity: { kind: ActivityKind; visitorKey: number | undefined; context: Context }): void {
    const { kind, context, visitorKey } = activity;
    // Link clicks are not events and do not carry a context.
    if (kind === "link") return;
    if (this.#hasEvents && visitorKey !== this.#visitorKey) this.#isIrregular = true;
    this.#hasEvents = true;
    this.#visitorKey = visitorKey;
    let bit = 1;
    for (const [index, value] of context.entries()) {
      if (value !== undefined) this.#values[index] ??= value;
      if (kind !== "page_exit") this.#count(bit, value, this.#values[index], kind === "page_view");
      else if (value !== undefined && value !== this.#values[index]) this.#isIrregular = true;
      bit *= 2;
    }
  }

  /** `visitorKey` is that of the session. */
  finish(visitorKey: number | undefined): SessionContext {
    const found: Readonly<Record<ContextFlag, number>> = {
      varied: this.#others | ~this.#first,
      partly: this.#lacking,
      viewsWithout: this.#lackingViews,
    };
    let bits = this.#isIrregular || visitorKey !== this.#visitorKey ? irregularBit : 0;
    for (const [index, column] of contextColumns.entries())
      for (const flag of flags)
        if (this.#values[index] !== undefined && (found[flag] >> index) & 1) bits += contextBit(column, flag);
    return { values: this.#values, bits };
  }

  #count(bit: number, value: string | undefined, first: string | undefined, isView: boolean): void {
    if (value === undefined) {
      this.#lacking |= bit;
      if (isView) this.#lackingViews |= bit;
    } else if (value === first) this.#first |= bit;
    else this.#others |= bit;
  }
}
