import type { Pool } from "pg";
import type { Logger } from "pino";
import type { KeyDirectory } from "./access/keyDirectory.ts";
import type { WebsiteDirectory } from "./access/websiteDirectory.ts";
import type { Config } from "./config.ts";
import type { Metrics } from "./metrics.ts";
import type { LargeWebsites } from "./query/largeWebsites.ts";
import type { EventChanges } from "./query/watch/eventChanges.ts";
import type { QuestdbReader } from "./store/questdbReader.ts";
import type { RowWriter } from "./store/rowWriter.ts";
import type { TemporalConnection } from "./store/temporalConnection.ts";
import type { TrackingStatuses } from "./websites/trackingStatuses.ts";

/** What one API process works with; made in src/api.ts. */
export type App = {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly postgres: Pool;
  readonly questdb: QuestdbReader;
  readonly rows: RowWriter;
  readonly temporal: TemporalConnection;
  readonly changes: EventChanges;
  readonly largeWebsites: LargeWebsites;
  readonly websites: WebsiteDirectory;
  readonly keys: KeyDirectory;
  readonly trackingStatuses: TrackingStatuses;
};
