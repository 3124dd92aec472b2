import type { Activity } from "./sessions.ts";

/**
 * What events tell of a visitor and of where it came from, as far as stored sessions tell it too: columns of both tables. The order is that
 * of the bits below and never changes; a new column comes last, with a new sessionsVersion.
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
 * The context of a session: of each column the first value that an event has. `bits` say which events tell something else, so that whoever
 * counts sessions by value knows where the events must be asked. Ends of page views do not count there.
 */
export type SessionContext = { readonly values: Context; readonly bits: number };

/** What is said of each column that has a value, by a bit each. They are one number, so that it is read once for all columns. */
const signs = [
  /** An event has a second value, or no event that counts has the first. */
  "varied",
  /** Some event lacks it. */
  "partly",
  /** Some page view lacks it. */
  "viewsWithout",
] as const;

export type ContextSign = (typeof signs)[number];

/**
 * The bit of a session whose visitor and values do not tell where its events count a visitor: they are not all of one visitor, clicks on links
 * alone have one, or the end of a page view has another value.
 */
export const strayBit = 2 ** (contextColumns.length * signs.length);

export function contextBit(column: ContextColumn, sign: ContextSign): number {
  return bitAt(contextColumns.indexOf(column), sign);
}

/** Past the 32 bits of JavaScript's operators. */
function bitAt(index: number, sign: ContextSign): number {
  return 2 ** (index * signs.length + signs.indexOf(sign));
}

/** Makes the context of one session from its activities in order. */
export class ContextBuilder {
  readonly #values: (string | undefined)[] = contextColumns.map(() => undefined);
  #told = 0;
  #others = 0;
  #lacking = 0;
  #lackingViews = 0;
  #visitorKey: number | undefined;
  #hasEvents = false;
  #isStray = false;

  add({ kind, context, visitorKey }: Pick<Activity, "kind" | "context" | "visitorKey">): void {
    // Clicks on links are no events and tell nothing of their visitor.
    if (kind === "link") return;
    if (this.#hasEvents && visitorKey !== this.#visitorKey) this.#isStray = true;
    this.#hasEvents = true;
    this.#visitorKey = visitorKey;
    let bit = 1;
    for (const [index, value] of context.entries()) {
      if (value !== undefined) this.#values[index] ??= value;
      if (kind !== "page_exit") this.#count(bit, value, this.#values[index], kind === "page_view");
      else if (value !== undefined && value !== this.#values[index]) this.#isStray = true;
      bit *= 2;
    }
  }

  /** `visitorKey` is that of the session. */
  finish(visitorKey: number | undefined): SessionContext {
    const found: Readonly<Record<ContextSign, number>> = {
      varied: this.#others | ~this.#told,
      partly: this.#lacking,
      viewsWithout: this.#lackingViews,
    };
    let bits = this.#isStray || visitorKey !== this.#visitorKey ? strayBit : 0;
    for (const [index, value] of this.#values.entries())
      if (value !== undefined) for (const sign of signs) if ((found[sign] >> index) & 1) bits += bitAt(index, sign);
    return { values: this.#values, bits };
  }

  #count(bit: number, value: string | undefined, first: string | undefined, isView: boolean): void {
    if (value === undefined) {
      this.#lacking |= bit;
      if (isView) this.#lackingViews |= bit;
    } else if (value === first) this.#told |= bit;
    else this.#others |= bit;
  }
}
