import type { Pool } from "pg";
import type { PasswordAttempts } from "../access/passwordAttempts.ts";
import type { LimitedCall } from "../access/rateLimit/limitCall.ts";
import type { SaltedCall } from "../access/rateLimit/networkKey.ts";
import type { SharedDashboards } from "../access/sharedDashboards.ts";
import type { WebsiteDirectory } from "../access/websiteDirectory.ts";
import type { CallContext } from "../call/callContext.ts";
import type { Config } from "../config.ts";
import type { OnceCall } from "../idempotency/onceCall.ts";

/** A call about dashboards that are shared by a link. */
export type SharingCall = OnceCall &
  LimitedCall &
  SaltedCall &
  CallContext<{
    readonly config: Config;
    readonly postgres: Pool;
    readonly websites: WebsiteDirectory;
    readonly sharedDashboards: SharedDashboards;
    readonly linkPasswords: PasswordAttempts;
  }>;
