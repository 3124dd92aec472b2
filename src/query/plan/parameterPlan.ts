import type { IANAZone } from "luxon";
import type { QueryType } from "../catalogue/queryType.ts";
import type { StoredSessions } from "../sessions/storedSessions.ts";
import type { Filter } from "../sql/filters.ts";
import type { EventShare, RowScope } from "../sql/rowScope.ts";
import type { BucketUnit } from "./buckets.ts";

/** One parameter of a query, ready to run. `zone` and `bucketUnit` are those of the buckets of a series. */
export type ParameterPlan = RowScope &
  EventShare & {
    readonly type: QueryType;
    /** Which sessions are read from stored ones; without it all are computed from events. */
    readonly stored?: StoredSessions;
    readonly zone: IANAZone;
    readonly bucketUnit: BucketUnit;
    readonly filters: readonly Filter[];
    readonly limit: number;
    readonly offset: number;
    /** The field that the rows of a table are sorted by before their usual order. */
    readonly order?: { readonly field: string; readonly descending: boolean };
  };
