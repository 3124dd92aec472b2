import type { App } from "../app.ts";
import type { TableRow } from "../store/tables.ts";
import type { IngestEvent } from "./event.ts";
import { claimCheckOf } from "./eventKeys.ts";
import { rowsOf } from "./eventRows.ts";
import type { Verdict } from "./judge.ts";
import { type Item, storeItems } from "./storeItems.ts";

/**
 * Stores the events that were taken and counts what became of all. Resolves when they are kept, with those that the store refused;
 * rejects with SERVICE_UNAVAILABLE when neither the store nor the spool can take any now.
 */
export async function append(
  app: Pick<App, "rows" | "metrics">,
  verdicts: readonly Verdict[],
): Promise<ReadonlySet<IngestEvent>> {
  const items = verdicts.flatMap((verdict) => (verdict.outcome === "taken" ? itemOf(verdict) : []));
  const drops = verdicts.flatMap((verdict) => (verdict.outcome === "taken" ? [] : verdict.drop.reason));
  const refused = await storeItems(app, items, drops);
  return new Set([...refused].map(({ event }) => event));
}

type EventItem = Item & { readonly event: IngestEvent };

function itemOf({ event, context }: Extract<Verdict, { outcome: "taken" }>): EventItem {
  const table = event.type === "track" ? "events" : "outgoing_links";
  return { event, table, rows: claimedRowsOf(event, context.websiteId) };
}

/** The rows of an event; with its id they are stored once, however often and with whatever time it is sent. */
function claimedRowsOf(event: IngestEvent, websiteId: string): TableRow[] {
  const rows = rowsOf(event, websiteId);
  if (event.eventId === undefined) return rows;
  const claimCheck = claimCheckOf(websiteId, event.type, event.eventId);
  return rows.map((row) => ({ ...row, claimCheck }));
}

/** Events that are stored now, by type. */
export function countStored(
  verdicts: readonly Verdict[],
  refused: ReadonlySet<IngestEvent>,
): { track: number; outgoingLink: number } {
  let track = 0;
  let outgoingLink = 0;
  for (const verdict of verdicts) {
    if (verdict.outcome !== "taken" || refused.has(verdict.event)) continue;
    if (verdict.event.type === "track") track += 1;
    else outgoingLink += 1;
  }
  return { track, outgoingLink };
}
