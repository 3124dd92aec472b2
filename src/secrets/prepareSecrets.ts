import type { PoolClient } from "pg";
import type { Logger } from "pino";
import { inTransactionOf } from "../store/postgres/inTransaction.ts";
import type { Keyring } from "./keyring.ts";
import { inTheClear, sealRowsWithin } from "./sealRows.ts";

/**
 * Part of the start of an API process, under its lock: makes the first data key, or makes sure that the keys that are
 * set open those that there are, and encrypts what earlier versions stored in the clear. Whatever ends it, the next
 * start does the rest.
 *
 * Rejects with ConfigError when the secrets were encrypted with a key that is not set; nothing is changed then.
 */
export async function prepareSecrets(client: PoolClient, keyring: Keyring, log: Pick<Logger, "warn">): Promise<void> {
  if (!(await keyring.check(client))) await inTransactionOf(client, () => keyring.addDataKey(client));
  if (!keyring.hasOwnKey)
    log.warn(
      "AUTH_SECRET is not set: the key of the encrypted secrets is in PostgreSQL beside them. See docs/operate/secrets.md",
    );
  await inTransactionOf(client, () => sealRowsWithin(client, keyring, inTheClear));
}
