import type { Pool } from "pg";
import type { Logger } from "pino";
import type { WebsiteDirectory } from "../access/websiteDirectory.ts";
import type { CallContext } from "../call/callContext.ts";
import type { Config } from "../config.ts";
import type { Keyring } from "../secrets/keyring.ts";
import type { Questdbs } from "../store/questdb/questdbs.ts";
import type { TemporalConnection } from "../store/temporal/temporalConnection.ts";

import type { TrackingStatuses } from "../websites/trackingStatuses.ts";

/** A call about the data of websites: deletions, exports and retention. */
export type DataCall = CallContext<{
  readonly config: Config;
  readonly log: Logger;
  readonly postgres: Pool;
  readonly keyring: Keyring;
  readonly questdb: Questdbs;
  readonly temporal: TemporalConnection;
  readonly websites: WebsiteDirectory;
  readonly trackingStatuses: TrackingStatuses;
}>;
