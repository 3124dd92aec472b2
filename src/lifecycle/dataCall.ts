import type { Pool } from "pg";
import type { Logger } from "pino";
import type { WebsiteDirectory } from "../access/websiteDirectory.ts";
import type { CallContext } from "../call/callContext.ts";
import type { Config } from "../config.ts";
import type { Keyring } from "../secrets/keyring.ts";
import type { TemporalConnection } from "../store/temporal/temporalConnection.ts";

import type { TrackingStatuses } from "../websites/trackingStatuses.ts";
import type { RowCounts } from "./rowCounts.ts";

/** A call about the data of websites: deletions, exports and retention. It reads no rows but counts them. */
export type DataCall = CallContext<{
  readonly config: Config;
  readonly log: Logger;
  readonly postgres: Pool;
  readonly keyring: Keyring;
  readonly rowCounts: RowCounts;
  readonly temporal: TemporalConnection;
  readonly websites: WebsiteDirectory;
  readonly trackingStatuses: TrackingStatuses;
}>;
