import { dayMs } from "../../../time/utcDay.ts";

/** A time range, Unix ms; `toMs` is exclusive. */
type Span = { readonly fromMs: number; readonly toMs: number };

/** The time ranges in which exports may hold erased data, by kind; undefined where they hold none. */
export type HeldByExports = {
  readonly events: Span | undefined;
  /** By the start of sessions. */
  readonly sessions: Span | undefined;
  /** By the midnights of the records' UTC days. */
  readonly aggregated: Span | undefined;
};

/** Sessions and daily records are computed from these. */
const eventTypes: ReadonlySet<string> = new Set(["events", "outgoing_links"]);

/**
 * Which data of exports an erasure affects, by its data types (specification 4.17). A session lasts less than two days,
 * since it is cut when it has filled a UTC day; so a session that began before the range may contain erased events.
 */
export function heldByExports({ fromMs, toMs }: Span, dataTypes: readonly string[]): HeldByExports {
  const hasEvents = dataTypes.some((type) => eventTypes.has(type));
  const has = (type: string) => hasEvents || dataTypes.includes(type);
  return {
    events: hasEvents ? { fromMs, toMs } : undefined,
    sessions: has("sessions") ? { fromMs: hasEvents ? fromMs - 2 * dayMs : fromMs, toMs } : undefined,
    aggregated: has("aggregated")
      ? { fromMs: Math.floor(fromMs / dayMs) * dayMs, toMs: Math.ceil(toMs / dayMs) * dayMs }
      : undefined,
  };
}
