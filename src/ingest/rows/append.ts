import type { RowStore } from "../ingestCall.ts";
import type { Validation } from "../validateEvent.ts";
import { rowsOf } from "./eventRows.ts";
import { claimed, type Item, storeItems } from "./storeItems.ts";

/**
 * Stores the accepted events and counts the results of all. Resolves when they are in the log; rejects with
 * SERVICE_UNAVAILABLE when the log cannot take them.
 */
export async function append(app: RowStore, validations: readonly Validation[]): Promise<void> {
  await storeItems(
    app,
    validations.map((validation) => (validation.outcome === "taken" ? itemOf(validation) : validation)),
  );
}

function itemOf({ event, context: { websiteId } }: Extract<Validation, { outcome: "taken" }>): Item {
  const table = event.type === "track" ? "events" : "outgoing_links";
  return { table, rows: claimed(event.type, websiteId, event.eventId, rowsOf(event, websiteId)) };
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
