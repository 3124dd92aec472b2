import type { App } from "../app.ts";
import { RowsRefusedError } from "../store/rowWriter.ts";
import type { TableRow } from "../store/tables.ts";
import type { DropReason } from "./dropReasons.ts";
import type { IngestEvent } from "./event.ts";
import { claimCheckOf } from "./eventKeys.ts";
import { rowsOf } from "./eventRows.ts";
import type { Verdict } from "./judge.ts";

/**
 * Stores the events that were taken and counts what became of all. Resolves when they are kept, with those that the store refused;
 * rejects with SERVICE_UNAVAILABLE when neither the store nor the spool can take any now.
 */
export async function append(
  app: Pick<App, "rows" | "metrics">,
  verdicts: readonly Verdict[],
): Promise<ReadonlySet<IngestEvent>> {
  const eventOfRow = new Map<TableRow, IngestEvent>();
  const dropped = new Map<DropReason, number>();
  let taken = 0;
  for (const verdict of verdicts) {
    if (verdict.outcome === "taken") {
      taken += 1;
      for (const row of claimedRowsOf(verdict.event, verdict.context.websiteId)) eventOfRow.set(row, verdict.event);
    } else {
      dropped.set(verdict.drop.reason, (dropped.get(verdict.drop.reason) ?? 0) + 1);
    }
  }
  try {
    const refused = await write(app, eventOfRow);
    if (refused.size > 0) dropped.set("refused_by_store", refused.size);
    countAccepted(app, verdicts, refused);
    return refused;
  } catch (error) {
    dropped.set("store_unavailable", taken);
    throw error;
  } finally {
    for (const [reason, count] of dropped) app.metrics.eventsDropped.inc({ reason }, count);
  }
}

/** The rows of an event; with its id they are stored once, however often and with whatever time it is sent. */
function claimedRowsOf(event: IngestEvent, websiteId: string): TableRow[] {
  const rows = rowsOf(event, websiteId);
  if (event.eventId === undefined) return rows;
  const claimCheck = claimCheckOf(websiteId, event.type, event.eventId);
  return rows.map((row) => ({ ...row, claimCheck }));
}

async function write(
  app: Pick<App, "rows">,
  eventOfRow: ReadonlyMap<TableRow, IngestEvent>,
): Promise<ReadonlySet<IngestEvent>> {
  const refused = new Set<IngestEvent>();
  try {
    await app.rows.write([...eventOfRow.keys()]);
  } catch (error) {
    if (!(error instanceof RowsRefusedError)) throw error;
    for (const row of error.refused) {
      const event = eventOfRow.get(row);
      if (event !== undefined) refused.add(event);
    }
  }
  return refused;
}

function countAccepted(
  app: Pick<App, "metrics">,
  verdicts: readonly Verdict[],
  refused: ReadonlySet<IngestEvent>,
): void {
  const { track, outgoingLink } = countStored(verdicts, refused);
  if (track > 0) app.metrics.eventsAccepted.inc({ table: "events" }, track);
  if (outgoingLink > 0) app.metrics.eventsAccepted.inc({ table: "outgoing_links" }, outgoingLink);
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
