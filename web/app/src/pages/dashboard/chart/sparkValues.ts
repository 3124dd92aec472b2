import type { EventsByDateRow } from "../../../../../../packages/client-js/src/rows.ts";
import { fullBuckets } from "../../../ui/plot/fullBuckets.ts";
import type { Metric } from "../view/view.ts";

/** The values of one figure up to the last bucket that is over; undefined until they are here. */
export function sparkValues(
  rows: readonly EventsByDateRow[] | undefined,
  current: number,
  metric: Metric,
): readonly (number | null)[] | undefined {
  if (rows === undefined) return undefined;
  const values = fullBuckets(
    rows.map((row) => row[metric]),
    current,
  );
  return current < 0 ? values : values.slice(0, current);
}
