import type { Pool } from "pg";
import type { Logger } from "pino";
import type { PasswordAttempts } from "../access/passwordAttempts.ts";
import type { LimitedCall } from "../access/rateLimit/limitCall.ts";
import type { WebsiteDirectory } from "../access/websiteDirectory.ts";
import type { CallContext } from "../call/callContext.ts";
import type { Config } from "../config.ts";
import type { ExcludedCounts } from "../ingest/excluded/excludedCounts.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { Keyring } from "../secrets/keyring.ts";
import type { Questdbs } from "../store/questdb/questdbs.ts";
import type { AcceptedRows } from "../store/write/acceptedRows.ts";
import type { DailySalt } from "../visitors/dailySalt.ts";
import type { LinkDirectory } from "./follow/linkDirectory.ts";

/** A call that manages, follows or analyses short links. */
export type LinkCall = LimitedCall &
  CallContext<{
    readonly config: Config;
    readonly log: Logger;
    readonly metrics: Metrics;
    readonly postgres: Pool;
    readonly keyring: Keyring;
    readonly questdb: Questdbs;
    readonly rows: AcceptedRows;
    readonly excluded: ExcludedCounts;
    readonly websites: WebsiteDirectory;
    readonly salt: DailySalt;
    readonly links: LinkDirectory;
    readonly linkPasswords: PasswordAttempts;
  }>;
