import type { IANAZone } from "luxon";
import type { TimeRange } from "../../time/dates.ts";
import type { BucketUnit } from "../sql/buckets.ts";
import type { Aggregate } from "./aggregates.ts";
import type { CustomColumn, CustomTable } from "./customTable.ts";
import type { Comparison } from "./operators.ts";

/** A structured query, checked: every name in it is a known one; the caller's own text is only in `label` and in values. */
export type CustomPlan = {
  readonly table: CustomTable;
  readonly range: TimeRange;
  readonly zone: IANAZone;
  readonly bucketUnit: BucketUnit | undefined;
  /** Whether rows are groups. Otherwise they are the table's own. */
  readonly isGrouped: boolean;
  /** Columns to group by, or those of the rows. */
  readonly keys: readonly CustomColumn[];
  readonly measures: readonly PlannedMeasure[];
  readonly outputs: readonly Output[];
  readonly filters: readonly { readonly column: CustomColumn; readonly condition: Condition }[];
  readonly having: readonly { readonly at: Place; readonly condition: Condition }[];
  readonly order: readonly { readonly at: Place; readonly descending: boolean }[];
  readonly limit: number;
};

export type PlannedMeasure = { readonly aggregate: Aggregate; readonly column: CustomColumn | undefined };

/** Where a field of the answer comes from: the name of its bucket, a key or a measure. */
export type Place = { readonly bucket: true } | { readonly key: number } | { readonly measure: number };

/** A field of the answer. */
export type Output = { readonly label: string; readonly at: Place };

/** A comparison with values; times are Unix ms. */
export type Condition = {
  readonly comparison: Comparison;
  readonly values: readonly (string | number)[];
};
