import type { IANAZone } from "luxon";
import type { TimeRange } from "../../time/dates.ts";
import type { Monitoring } from "../../uptime/figures/siteUptime.ts";
import type { QueryType } from "../catalogue/queryType.ts";
import type { Goal } from "../goals/goal.ts";
import type { BucketUnit } from "../sql/buckets.ts";
import type { Field } from "../sql/fields.ts";
import type { EventRecord } from "../unknown/unknownTimes.ts";
import type { Attribution } from "../visits/attributedVisits.ts";
import type { OtherVisits, VisitScope } from "../visits/visitsSql.ts";

/** One parameter of a query, ready to run. `zone` and `bucketUnit` are those of the buckets of a series. */
export type ParameterPlan = VisitScope & {
  readonly type: QueryType;
  /** Times whose events are unknown, sorted and disjoint: a bucket within them and without rows has no figures. */
  readonly unknown?: readonly TimeRange[];
  readonly zone: IANAZone;
  readonly bucketUnit: BucketUnit;
  /** The days that make what is usual, for types that show it; without them computed from events. */
  readonly usual?: readonly OtherVisits[];
  /** What is stored of each website by itself, for types with a row for each; without it all is known. */
  readonly records?: ReadonlyMap<string, Omit<EventRecord, "readMs">>;
  /** The monitors of the websites, for the type that shows their state; without it there are none. */
  readonly monitoring?: Monitoring;
  /** Which source a visit has in a split. */
  readonly attribution?: Attribution;
  /** Whose conversions are counted: of a breakdown of visits one goal. */
  readonly goals?: readonly Goal[];
  /** The field of visits that the figures of goals are split by. */
  readonly split?: Field;
  readonly limit: number;
  readonly offset: number;
  /** The field that the rows of a table are sorted by before their usual order. */
  readonly order?: { readonly field: string; readonly descending: boolean };
};
