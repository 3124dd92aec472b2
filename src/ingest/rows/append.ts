import type { App } from "../../app.ts";
import type { TableRow } from "../../store/questdb/tables.ts";
import type { IngestEvent } from "../event.ts";
import type { Verdict } from "../judge.ts";
import { claimCheckOf } from "./eventKeys.ts";
import { rowsOf } from "./eventRows.ts";
import { type Item, storeItems } from "./storeItems.ts";

/**
 * Keeps the events that were taken and counts what became of all. Resolves when they are in the log; rejects with SERVICE_UNAVAILABLE
 * when the log cannot take them.
 */
export async function append(app: Pick<App, "rows" | "metrics">, verdicts: readonly Verdict[]): Promise<void> {
  const items = verdicts.flatMap((verdict) => (verdict.outcome === "taken" ? itemOf(verdict) : []));
  const drops = verdicts.flatMap((verdict) => (verdict.outcome === "taken" ? [] : verdict.drop.reason));
  await storeItems(app, items, drops);
}

function itemOf({ event, context }: Extract<Verdict, { outcome: "taken" }>): Item {
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

/** Events that are stored now, by type. */
export function countStored(verdicts: readonly Verdict[]): { track: number; outgoingLink: number } {
  let track = 0;
  let outgoingLink = 0;
  for (const verdict of verdicts) {
    if (verdict.outcome !== "taken") continue;
    if (verdict.event.type === "track") track += 1;
    else outgoingLink += 1;
  }
  return { track, outgoingLink };
}
