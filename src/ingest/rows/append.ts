import type { TableRow } from "../../store/questdb/tables.ts";
import { claimCheckOf } from "../../store/write/eventKeys.ts";
import type { IngestEvent } from "../event.ts";
import type { RowStore } from "../ingestCall.ts";
import type { Validation } from "../validateEvent.ts";
import { rowsOf } from "./eventRows.ts";
import { type Item, storeItems } from "./storeItems.ts";

/**
 * Stores the accepted events and counts the results of all. Resolves when they are in the log; rejects with
 * SERVICE_UNAVAILABLE when the log cannot take them.
 */
export async function append(app: RowStore, validations: readonly Validation[]): Promise<void> {
  const items = validations.flatMap((validation) => (validation.outcome === "taken" ? itemOf(validation) : []));
  const drops = validations.flatMap((validation) => (validation.outcome === "taken" ? [] : validation));
  await storeItems(app, items, drops);
}

function itemOf({ event, context }: Extract<Validation, { outcome: "taken" }>): Item {
  const table = event.type === "track" ? "events" : "outgoing_links";
  return { table, rows: claimedRowsOf(event, context.websiteId) };
}

/** The rows of an event; with its id they are stored once, however often and with whatever time it is sent. */
function claimedRowsOf(event: IngestEvent, websiteId: string): TableRow[] {
  const rows = rowsOf(event, websiteId);
  if (event.eventId === undefined) return rows;
  const claimCheck = claimCheckOf(websiteId, event.type, event.eventId);
  return rows.map((row) => ({ ...row, claimCheck }));
}

/** The number of events stored by this request, by type. */
export function countStored(validations: readonly Validation[]): { track: number; outgoingLink: number } {
  let track = 0;
  let outgoingLink = 0;
  for (const validation of validations) {
    if (validation.outcome !== "taken") continue;
    if (validation.event.type === "track") track += 1;
    else outgoingLink += 1;
  }
  return { track, outgoingLink };
}
