import type { IANAZone } from "luxon";
import type { BucketUnit } from "./buckets.ts";
import type { QueryType } from "./catalogue/queryType.ts";
import type { TimeRange } from "./dates.ts";
import type { Filter } from "./filters.ts";

/** One parameter of a query, ready to run. `zone` and `bucketUnit` are those of the buckets of a series. */
export type ParameterPlan = {
  readonly type: QueryType;
  readonly websiteIds: readonly string[];
  readonly range: TimeRange;
  readonly zone: IANAZone;
  readonly bucketUnit: BucketUnit;
  readonly filters: readonly Filter[];
  readonly limit: number;
  readonly offset: number;
};
