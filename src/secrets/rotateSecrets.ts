import type { Pool, PoolClient } from "pg";
import { ConfigError } from "../config.ts";
import { advisoryLocks } from "../store/postgres/advisoryLocks.ts";
import { inTransaction } from "../store/postgres/inTransaction.ts";
import type { Keyring } from "./keyring.ts";
import { notUnder, sealRows, sealRowsWithin } from "./sealRows.ts";

export type Rotation = {
  /** The id of the new data key. */
  readonly keyId: string;
  /** How many secrets were encrypted anew. */
  readonly secrets: number;
  /** Whether a former key opens the new data key as well, since it is still set. */
  readonly opensWithFormerKey: boolean;
};

/**
 * Encrypts every secret with a new data key, which the keys that are set open and no other, and removes the data keys
 * before it. `atTheEnd` is part of the transaction that removes them.
 *
 * Other processes keep reading and writing: they read the new key when they first meet it, with the key they were
 * started with. Whatever ends it, the next rotation does the whole again, and until then all is readable.
 *
 * Rejects with ConfigError when no key opens a secret, or while another rotation runs.
 */
export async function rotateSecrets(
  postgres: Pool,
  keyring: Keyring,
  atTheEnd: (client: PoolClient, keyId: string) => Promise<void>,
): Promise<Rotation> {
  const holder = await postgres.connect();
  try {
    const { rows } = await holder.query<{ isFree: boolean }>(`SELECT pg_try_advisory_lock($1) AS "isFree"`, [
      advisoryLocks.rotation,
    ]);
    if (rows[0]?.isFree !== true)
      throw new ConfigError("The secrets are being encrypted anew already. Wait for its end.");
    if (!(await keyring.check(holder)))
      throw new ConfigError("There are no secrets yet. Start the product once, then try again.");
    const keyId = await inTransaction(postgres, (client) => keyring.addDataKey(client));
    const secrets = await sealRows(postgres, keyring, notUnder(keyId));
    await inTransaction(postgres, async (client) => {
      // Waits for transactions that store a secret with an older key.
      await client.query("SELECT 1 FROM secret_keys WHERE id <> $1 FOR UPDATE", [keyId]);
      await sealRowsWithin(client, keyring, notUnder(keyId));
      await client.query("DELETE FROM secret_keys WHERE id <> $1", [keyId]);
      // Processes that were started with it know it. Who has set a key wants none beside what it protects.
      if (keyring.hasOwnKey) await client.query("DELETE FROM generated_keys");
      await atTheEnd(client, keyId);
    });
    return { keyId, secrets, opensWithFormerKey: (await keyring.wrappingKeys(holder)).length > 1 };
  } finally {
    await holder.query("SELECT pg_advisory_unlock($1)", [advisoryLocks.rotation]).catch(() => undefined);
    holder.release();
  }
}
