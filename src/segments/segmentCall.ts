import type { Pool } from "pg";
import type { WebsiteDirectory } from "../access/websiteDirectory.ts";
import type { CallContext } from "../call/callContext.ts";
import type { Config } from "../config.ts";
import type { OnceCall } from "../idempotency/onceCall.ts";

/** A call that manages saved filters. */
export type SegmentCall = OnceCall &
  CallContext<{
    readonly config: Config;
    readonly postgres: Pool;
    readonly websites: WebsiteDirectory;
  }>;
