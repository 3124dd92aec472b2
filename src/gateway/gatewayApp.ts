import type { Logger } from "pino";
import type { AccessCall } from "../access/authorize.ts";
import type { LimitedCall } from "../access/rateLimit/limitCall.ts";
import type { Config } from "../config.ts";
import type { Metrics } from "../observability/metrics.ts";

/** What the gateway itself uses of the process; handlers use more of it. */
export type GatewayApp = AccessCall["app"] &
  LimitedCall["app"] & {
    readonly config: Pick<Config, "server" | "operations">;
    readonly log: Logger;
    readonly metrics: Metrics;
  };
