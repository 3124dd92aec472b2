import type { Pool } from "pg";
import type { Logger } from "pino";
import type { WebsiteDirectory } from "../access/websiteDirectory.ts";
import type { CallContext } from "../call/callContext.ts";
import type { Config } from "../config.ts";
import type { Keyring } from "../secrets/keyring.ts";
import type { Questdbs } from "../store/questdb/questdbs.ts";
import type { RunTools } from "../store/temporal/runs.ts";
import type { TemporalConnection } from "../store/temporal/temporalConnection.ts";

/** A call that looks up a monitor. */
export type MonitorCall = CallContext<{ readonly postgres: Pool; readonly websites: WebsiteDirectory }>;

/** A call that notifies the workflows of monitors. */
export type NotifyCall = CallContext<RunTools & { readonly log: Logger }>;

/** A call about monitors, incidents, maintenance windows or notification channels. */
export type UptimeCall = MonitorCall &
  NotifyCall &
  CallContext<{
    readonly config: Config;
    readonly keyring: Keyring;
    readonly questdb: Questdbs;
    readonly temporal: TemporalConnection;
    /** Shows changes of status pages at once. */
    readonly statusPages: { forget(slug: string): void };
  }>;
