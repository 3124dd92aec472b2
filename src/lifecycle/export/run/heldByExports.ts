/** A stretch of time, Unix ms. The start belongs to it, the end does not. */
type Span = { readonly fromMs: number; readonly toMs: number };

/** Where exports hold what was made of erased rows; undefined where they hold nothing of it. */
export type HeldByExports = {
  readonly events: Span | undefined;
  /** Starts of sessions. */
  readonly sessions: Span | undefined;
  /** UTC days of records, by their midnights. */
  readonly aggregated: Span | undefined;
};

const dayMs = 86_400_000;

/** Sessions and daily records are made of these. */
const eventTypes: ReadonlySet<string> = new Set(["events", "outgoing_links"]);

/**
 * What of an erasure's data exports may hold, by its data types (specification 4.17). A session lasts less than two days after its start, since it is
 * cut where it has filled a UTC day; so one that began before the range may hold what was in it.
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
