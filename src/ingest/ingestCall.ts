import type { Logger } from "pino";
import type { AccessCall } from "../access/authorize.ts";
import type { LimitedCall } from "../access/rateLimit/limitCall.ts";
import type { CallContext } from "../call/callContext.ts";
import type { Config } from "../config.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { AcceptedRows } from "../store/write/acceptedRows.ts";
import type { DailySalt } from "../visitors/dailySalt.ts";
import type { ExcludedCounts } from "./excluded/excludedCounts.ts";

/** Where accepted rows go, and where they are counted. */
export type RowStore = {
  readonly rows: AcceptedRows;
  readonly metrics: Metrics;
  readonly excluded: Pick<ExcludedCounts, "count">;
};

/** A call that sends events. */
export type IngestCall = AccessCall &
  LimitedCall &
  CallContext<
    RowStore & {
      readonly config: Config;
      readonly log: Logger;
      readonly salt: DailySalt;
    }
  >;
