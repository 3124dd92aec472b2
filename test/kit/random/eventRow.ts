import type { RowOf } from "../../../src/store/questdb/tables.ts";

const startUs = Date.UTC(2026, 0, 15) * 1_000;

/** An event row for the store; its time follows from its key. */
export function eventRow(
  websiteId: string,
  eventKey: number,
  more: Partial<RowOf<"events">["values"]> & { tsUs?: number; claimCheck?: number } = {},
): RowOf<"events"> {
  const { tsUs = startUs + eventKey, claimCheck, ...values } = more;
  return {
    table: "events",
    tsUs,
    values: { website_id: websiteId, event_key: eventKey, event_type: "custom", name: "signup", ...values },
    ...(claimCheck === undefined ? {} : { claimCheck }),
  };
}
