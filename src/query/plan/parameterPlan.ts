import type { IANAZone } from "luxon";
import type { TimeRange } from "../../time/dates.ts";
import type { QueryType } from "../catalogue/queryType.ts";
import type { Filter } from "../sql/filters.ts";
import type { StoredSessions } from "../stored/storedSessions.ts";
import type { BucketUnit } from "./buckets.ts";

/** One parameter of a query, ready to run. `zone` and `bucketUnit` are those of the buckets of a series. */
export type ParameterPlan = {
  readonly type: QueryType;
  readonly websiteIds: readonly string[];
  /** The organization whose own rows, of no website, are included. */
  readonly organizationId?: string | undefined;
  /** Restricts checks to one monitor. */
  readonly monitorId?: string | undefined;
  /** Restricts clicks to one short link. */
  readonly linkId?: string | undefined;
  /**
   * The share of all events that the websites have, 0 to 1; it decides the fastest way to find their rows. 0 if absent.
   */
  readonly eventShare?: number;
  /** Which sessions are read from stored ones; without it all are computed from events. */
  readonly stored?: StoredSessions;
  readonly range: TimeRange;
  readonly zone: IANAZone;
  readonly bucketUnit: BucketUnit;
  readonly filters: readonly Filter[];
  readonly limit: number;
  readonly offset: number;
  /** The field that the rows of a table are sorted by before their usual order. */
  readonly order?: { readonly field: string; readonly descending: boolean };
};
