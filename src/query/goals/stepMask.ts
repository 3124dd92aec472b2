import type { Bindings } from "../sql/bindings.ts";
import { findField } from "../sql/fields.ts";
import { filterSql } from "../sql/filters.ts";
import { visitFilters } from "../visits/splitFilters.ts";
import { textsOf } from "../visits/visitColumns.ts";
import type { EventValues } from "../visits/visitEvents.ts";
import { ownStepSql, type Step } from "./steps.ts";

/** What a statement reads of events and their visits to tell which steps they take, and how. */
export type StepMask = EventValues & {
  /** The events of a statement with these values and texts, and `mask`: a bit for each step that the event takes. */
  readonly of: (events: string) => string;
};

/** The mask of steps, whose filters on fields of visits are met by the event's visit. */
export function stepMask(steps: readonly Step[], bindings: Bindings): StepMask {
  const bits = steps.map((step, index) => `CASE WHEN ${ownStepSql(step, bindings)} THEN ${2 ** index} ELSE 0 END`);
  const ofVisits = steps.map(({ filters }) => visitFilters(filters));
  const texts = textsOf(ofVisits.flat().flatMap(({ field }) => findField("events", field) ?? []));
  const own = `(${bits.join(" + ")})`;
  if (texts.length === 0) return { values: { mask: own }, texts, of: (events) => events };
  const known = ofVisits.map((filters, index) => {
    const condition = filterSql(filters, "events", bindings);
    const bit = `own_mask & ${2 ** index}`;
    return condition === undefined ? `(${bit})` : `CASE WHEN ${condition} THEN ${bit} ELSE 0 END`;
  });
  const named = texts.map((text) => `visit_${text} AS ${text}`).join(", ");
  return {
    values: { own_mask: own },
    texts,
    of: (events) => `SELECT *, (${known.join(" + ")}) AS mask FROM (SELECT *, ${named} FROM (${events}))`,
  };
}
