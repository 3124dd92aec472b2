import type { Monitor } from "../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import type { Website } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";

/** Properties of each part of the pages about uptime. */
export type PartProps = { readonly website: Website };

/** Properties of each part of a monitor's page. */
export type MonitorPartProps = {
  readonly monitor: Monitor;
  /** The website's time zone. */
  readonly zone: string;
  /** Asks again when it changes. */
  readonly refresh: number;
};
