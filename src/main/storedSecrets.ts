import { randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import type { Logger } from "pino";
import { forgetGeneratedSecret, renewSecondFactors } from "../accounts/accountSecrets.ts";
import { recordServiceAudit } from "../audit/recordAudit.ts";
import type { Config } from "../config.ts";
import type { Keyring } from "../secrets/keyring.ts";
import { prepareSecrets } from "../secrets/prepareSecrets.ts";
import { type Rotation, rotateSecrets } from "../secrets/rotateSecrets.ts";
import { inTransactionOf } from "../store/postgres/inTransaction.ts";
import { sealMonitors } from "../uptime/manage/sealMonitors.ts";

type Settings = Pick<Config, "accounts">;

/**
 * Encrypts all secrets in PostgreSQL that are not encrypted yet, when an API process starts and under its lock. If it is
 * interrupted, the next start does the rest. Rejects with ConfigError for a wrong key.
 */
export async function prepareStoredSecrets(
  client: PoolClient,
  { accounts }: Settings,
  keyring: Keyring,
  log: Pick<Logger, "warn">,
): Promise<void> {
  await prepareSecrets(client, keyring, log);
  await sealMonitors(client, keyring);
  await inTransactionOf(client, () => renewSecondFactors(accounts, client, keyring));
}

/** Encrypts all secrets in PostgreSQL again, see rotateSecrets, with an entry in the audit log of each organization. */
export async function rotateStoredSecrets(postgres: Pool, { accounts }: Settings, keyring: Keyring): Promise<Rotation> {
  return await rotateSecrets(postgres, keyring, async (client, keyId) => {
    await forgetGeneratedSecret(accounts, client, keyring);
    const { rows } = await client.query<{ id: string }>("SELECT id FROM organizations ORDER BY id");
    const requestId = randomUUID();
    for (const { id } of rows)
      await recordServiceAudit(
        client,
        { organizationId: id, requestId },
        { action: "secrets.rotate", objectId: keyId },
      );
  });
}
