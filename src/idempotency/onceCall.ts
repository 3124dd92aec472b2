import type { Pool } from "pg";
import type { Logger } from "pino";
import type { CallContext } from "../call/callContext.ts";
import type { Keyring } from "../secrets/keyring.ts";

/** A call that creates something, once for each idempotency key. */
export type OnceCall = CallContext<{
  readonly postgres: Pool;
  readonly keyring: Keyring;
  readonly log: Pick<Logger, "warn">;
}>;
