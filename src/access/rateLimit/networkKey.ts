import { createHmac } from "node:crypto";
import type { CallContext } from "../../call/callContext.ts";
import type { Config } from "../../config.ts";
import { clientNetwork } from "./clientNetwork.ts";

/** A call, and the key of each day for its hashes. */
export type SaltedCall = CallContext<{
  readonly config: Pick<Config, "ingest">;
  readonly salt: { at(timeMs: number): Promise<Buffer> };
}>;

/**
 * The client network of a call in a form that may be shared outside of this process: a hash with a key that is
 * destroyed every day. `purpose` prevents counts of different kinds from being linked to the same network. Rejects when
 * PostgreSQL is unavailable and the day's key is not cached.
 */
export async function networkKey(purpose: string, call: SaltedCall): Promise<string> {
  const salt = await call.app.salt.at(Date.now());
  return createHmac("sha256", salt)
    .update(`${purpose}\0${clientNetwork(call)}`)
    .digest("base64url");
}
