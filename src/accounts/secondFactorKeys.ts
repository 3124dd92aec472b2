import { type SecretConfig, symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import type { Pool } from "pg";
import { wrappingKey } from "../secrets/wrappingKeys.ts";

/**
 * The secrets of accounts in the form of better-auth, the current one first. It writes the version before what it
 * encrypts, so a version must mean the same secret in every process: it is derived from the secret.
 */
export function versionedSecrets(secrets: readonly string[]): { version: number; value: string }[] {
  return secrets.map((value) => ({ version: Number.parseInt(wrappingKey(value).id.slice(0, 7), 16), value }));
}

type Row = { readonly id: string; readonly secret: string; readonly codes: string };

/**
 * Encrypts second factors with the current secret of accounts that another one encrypted, or that an earlier version
 * stored without naming which. Those that none of the secrets opens stay as they are. Part of a transaction.
 */
export async function sealSecondFactors(client: Pick<Pool, "query">, secrets: readonly string[]): Promise<void> {
  const [current] = versionedSecrets(secrets);
  if (current === undefined) return;
  const { rows } = await client.query<Row>(
    `SELECT id, secret, backup_codes AS codes FROM second_factors
     WHERE secret NOT LIKE $1 OR backup_codes NOT LIKE $1 ORDER BY id FOR UPDATE`,
    [`$ba$${current.version}$%`],
  );
  for (const { id, secret, codes } of rows) {
    const opened = await openAny(secrets, secret);
    const openedCodes = await openAny(secrets, codes);
    if (opened === undefined || openedCodes === undefined) continue;
    const key = keyOf(secrets, undefined);
    await client.query("UPDATE second_factors SET secret = $2, backup_codes = $3 WHERE id = $1", [
      id,
      await symmetricEncrypt({ key, data: opened }),
      await symmetricEncrypt({ key, data: openedCodes }),
    ]);
  }
}

/** What one of the secrets encrypted, with or without its version. */
async function openAny(secrets: readonly string[], data: string): Promise<string | undefined> {
  for (const legacySecret of secrets)
    try {
      return await symmetricDecrypt({ key: keyOf(secrets, legacySecret), data });
    } catch {
      // The next one may open it.
    }
  return undefined;
}

function keyOf(secrets: readonly string[], legacySecret: string | undefined): SecretConfig {
  const versions = versionedSecrets(secrets);
  const keys = new Map(versions.map(({ version, value }) => [version, value]));
  return { keys, currentVersion: versions[0]?.version ?? 0, ...(legacySecret === undefined ? {} : { legacySecret }) };
}
