import type { Pool } from "pg";
import type { Logger } from "pino";
import type { WebsiteDirectory } from "../access/websiteDirectory.ts";
import type { CallContext } from "../call/callContext.ts";
import type { Config } from "../config.ts";
import type { Keyring } from "../secrets/keyring.ts";
import type { TemporalConnection } from "../store/temporal/temporalConnection.ts";
import type { TrackingStatuses } from "./trackingStatuses.ts";

/** A call that manages websites. */
export type WebsiteCall = CallContext<{
  readonly config: Config;
  readonly log: Logger;
  readonly postgres: Pool;
  readonly keyring: Keyring;
  readonly temporal: TemporalConnection;
  readonly websites: WebsiteDirectory;
  readonly trackingStatuses: TrackingStatuses;
}>;
