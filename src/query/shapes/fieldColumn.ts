import type { OutputField } from "../catalogue/queryType.ts";
import type { MeasureName } from "../sql/measures.ts";

/**
 * The result column of a measured statement for a field: `k0`, `k1` … for keys, `m0`, `m1` … for measures. A share uses
 * its measure. Undefined where the statement does not have it.
 */
export function fieldColumn(from: OutputField["from"], measures: readonly MeasureName[]): string | undefined {
  if ("bucket" in from) return "k0";
  if ("dimension" in from) return `k${from.dimension}`;
  if ("dimensions" in from) return `k${from.dimensions[0] ?? 0}`;
  if ("column" in from || "ratio" in from || "notKept" in from || "goal" in from) return undefined;
  const index = measures.indexOf("measure" in from ? from.measure : from.share);
  return index < 0 ? undefined : `m${index}`;
}
