import type { Logger } from "pino";
import type { EveryColumn, RowOf } from "../../store/questdb/tables.ts";
import type { AcceptedRows } from "../../store/write/acceptedRows.ts";
import { randomKey } from "../../store/write/eventKeys.ts";
import type { Dropped } from "../dropReasons.ts";

/** What is counted together, and how often. */
type Count = { readonly websiteId: string; readonly quarterMs: number; readonly drop: Dropped["drop"]; events: number };

/**
 * Counts the events that are not stored, in memory until `flush` writes them to the log of accepted rows. A process that is
 * killed loses what it counted since the last flush. No address and no user agent gets here: a bot has a name of a closed list.
 */
export class ExcludedCounts {
  readonly #log: Pick<Logger, "warn">;
  #counts = new Map<string, Count>();
  #lost = 0;

  constructor(log: Pick<Logger, "warn">) {
    this.#log = log;
  }

  /** Counts one event, unless its website is unknown. */
  count({ websiteId, drop }: Dropped, nowMs = Date.now()): void {
    if (websiteId === undefined) return;
    this.#add({ websiteId, quarterMs: nowMs - (nowMs % quarterOfHourMs), drop, events: 1 });
  }

  /** Writes what was counted. If the log does not take it, it is kept for the next time, and this rejects. */
  async flush(rows: Pick<AcceptedRows, "write">): Promise<void> {
    if (this.#lost > 0) this.#log.warn({ events: this.#lost }, "events that are not stored were not counted either");
    this.#lost = 0;
    if (this.#counts.size === 0) return;
    const taken = [...this.#counts.values()];
    this.#counts = new Map();
    try {
      await rows.write(taken.map(rowOf));
    } catch (error) {
      for (const count of taken) this.#add(count);
      throw error;
    }
  }

  #add({ websiteId, quarterMs, drop, events }: Count): void {
    const key = `${websiteId}\n${quarterMs}\n${drop.reason}\n${drop.bot?.name ?? drop.rule ?? ""}`;
    const before = this.#counts.get(key);
    if (before !== undefined) before.events += events;
    else if (this.#counts.size < maxCounts) this.#counts.set(key, { websiteId, quarterMs, drop, events });
    else this.#lost += events;
  }
}

function rowOf({ websiteId, quarterMs, drop: { reason, bot, rule }, events }: Count): RowOf<"excluded_traffic"> {
  return {
    table: "excluded_traffic",
    tsUs: quarterMs * 1_000,
    values: {
      website_id: websiteId,
      event_key: randomKey(),
      reason,
      kind: bot?.kind ?? rule,
      name: bot?.name,
      operator: bot?.operator,
      events,
    } satisfies EveryColumn<"excluded_traffic">,
  };
}

/** Time zones differ by multiples of it. */
const quarterOfHourMs = 900_000;

/** About 5 MB. Within a flush a process sees a few hundred. */
const maxCounts = 20_000;
