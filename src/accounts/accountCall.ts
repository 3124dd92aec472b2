import type { Pool } from "pg";
import type { Logger } from "pino";
import type { SaltedCall } from "../access/rateLimit/networkKey.ts";
import type { CallContext } from "../call/callContext.ts";
import type { Config } from "../config.ts";
import type { Keyring } from "../secrets/keyring.ts";
import type { Accounts } from "./accounts.ts";

/** A call about accounts, sessions, members or invitations. */
export type AccountCall = SaltedCall &
  CallContext<{
    readonly config: Config;
    readonly log: Logger;
    readonly postgres: Pool;
    readonly keyring: Keyring;
    readonly accounts: Accounts;
  }>;
