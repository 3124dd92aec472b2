import type { Pool } from "pg";
import type { Logger } from "pino";
import type { WebsiteDirectory } from "../access/websiteDirectory.ts";
import type { CallContext } from "../call/callContext.ts";
import type { Caller } from "../call/caller.ts";
import type { Config } from "../config.ts";
import type { Questdbs } from "../store/questdb/questdbs.ts";
import type { LargeWebsites } from "./sql/largeWebsites.ts";

/**
 * Finds the link that a query is about; undefined if the caller may not see its clicks. Links lie above queries, since
 * their analytics are queries, so the process hands this in.
 */
export type FindClickedLink = (
  id: string,
  caller: Caller,
) => Promise<{ readonly id: string; readonly websiteId: string | null } | undefined>;

/** A call that queries. */
export type QueryCall = CallContext<{
  readonly config: Config;
  readonly log: Logger;
  readonly postgres: Pool;
  readonly questdb: Questdbs;
  readonly websites: WebsiteDirectory;
  readonly largeWebsites: LargeWebsites;
  readonly findClickedLink: FindClickedLink;
}>;
