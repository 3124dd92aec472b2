import type { IANAZone } from "luxon";
import type { QueryType } from "../catalogue/queryType.ts";
import type { TimeRange } from "../request/dates.ts";
import type { Filter } from "../sql/filters.ts";
import type { StoredSessions } from "../stored/storedSessions.ts";
import type { BucketUnit } from "./buckets.ts";

/** One parameter of a query, ready to run. `zone` and `bucketUnit` are those of the buckets of a series. */
export type ParameterPlan = {
  readonly type: QueryType;
  readonly websiteIds: readonly string[];
  /** The organization whose own rows, which belong to no website, may be seen too. */
  readonly organizationId?: string | undefined;
  /** The only monitor whose checks may be seen; all of the websites without it. */
  readonly monitorId?: string | undefined;
  /** The only short link whose clicks may be seen; all of the websites without it. */
  readonly linkId?: string | undefined;
  /** The share of all events that the websites have, 0 to 1, which decides how their rows are found fastest; 0 without it. */
  readonly eventShare?: number;
  /** Which sessions are taken from those that are stored; all are made of events without it. */
  readonly stored?: StoredSessions;
  readonly range: TimeRange;
  readonly zone: IANAZone;
  readonly bucketUnit: BucketUnit;
  readonly filters: readonly Filter[];
  readonly limit: number;
  readonly offset: number;
  /** What the rows of a table are ordered by before their usual order, by the name of a field. */
  readonly order?: { readonly field: string; readonly descending: boolean };
};
