import type { Pool } from "pg";
import type { Logger } from "pino";
import type { KeyDirectory } from "./access/keyDirectory.ts";
import type { RateLimits } from "./access/rateLimit/rateLimits.ts";
import type { WebsiteDirectory } from "./access/websiteDirectory.ts";
import type { Accounts } from "./accounts/accounts.ts";
import type { Config } from "./config.ts";
import type { DailySalt } from "./ingest/facts/dailySalt.ts";
import type { LinkDirectory } from "./links/follow/linkDirectory.ts";
import type { PasswordAttempts } from "./links/follow/passwordAttempts.ts";
import type { Metrics } from "./observability/metrics.ts";
import type { LargeWebsites } from "./query/sql/largeWebsites.ts";
import type { EventChanges } from "./query/watch/eventChanges.ts";
import type { QuestdbReader } from "./store/questdb/questdbReader.ts";
import type { TemporalConnection } from "./store/temporal/temporalConnection.ts";
import type { RowLog } from "./store/write/rowLog.ts";
import type { TrackingStatuses } from "./websites/trackingStatuses.ts";

/** What one API process works with; made in src/api.ts. */
export type App = {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly postgres: Pool;
  readonly questdb: QuestdbReader;
  readonly rows: RowLog;
  readonly temporal: TemporalConnection;
  readonly changes: EventChanges;
  readonly largeWebsites: LargeWebsites;
  readonly websites: WebsiteDirectory;
  readonly keys: KeyDirectory;
  readonly accounts: Accounts;
  readonly rateLimits: RateLimits;
  readonly trackingStatuses: TrackingStatuses;
  readonly salt: DailySalt;
  readonly links: LinkDirectory;
  readonly linkPasswords: PasswordAttempts;
};
