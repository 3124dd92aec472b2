import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import { writeCredentials } from "../../access/credentialsFile.ts";
import { insertFullKey } from "../../access/fullKey.ts";
import { hashPassword, randomPassword } from "../../access/passwordHash.ts";
import { recordServiceAudit } from "../../audit/recordAudit.ts";
import { scopes } from "../../call/caller.ts";
import type { Config } from "../../config.ts";

/** An owner of an organization. */
export type Owner = {
  readonly userId: string;
  readonly email: string;
  readonly organizationId: string;
  readonly organization: string;
};

/** All owners, those of the oldest organization first. */
export async function listOwners(client: PoolClient): Promise<Owner[]> {
  const { rows } = await client.query<Owner>(
    `SELECT users.id AS "userId", users.email, organizations.id AS "organizationId", organizations.name AS organization
     FROM members JOIN users ON users.id = members.user_id JOIN organizations ON organizations.id = members.organization_id
     WHERE members.role = 'owner' ORDER BY organizations.created_at, members.created_at, users.id`,
  );
  return rows;
}

/**
 * Gives an owner a new password and the organization a new key with every scope, and writes both to credentials.json.
 * Ends the owner's sessions, and removes the second factor if asked for. Other keys and passwords stay.
 *
 * Part of a transaction that the caller ends: the file is written last, so that it never holds what does not work,
 * unless this process ends before the commit.
 */
export async function recoverAccess(
  client: PoolClient,
  config: Config,
  { userId, email, organizationId }: Owner,
  removeSecondFactor: boolean,
): Promise<void> {
  const password = randomPassword();
  const hash = await hashPassword(password);
  const { rowCount } = await client.query(
    "UPDATE user_accounts SET password_hash = $2, updated_at = now() WHERE user_id = $1 AND provider_id = 'credential'",
    [userId, hash],
  );
  if (rowCount === 0)
    await client.query(
      "INSERT INTO user_accounts (id, user_id, provider_id, account_id, password_hash) VALUES ($1, $2, 'credential', $2, $3)",
      [randomUUID(), userId, hash],
    );
  await client.query("UPDATE users SET has_generated_password = true WHERE id = $1", [userId]);
  await client.query("DELETE FROM sessions WHERE user_id = $1", [userId]);
  if (removeSecondFactor) {
    await client.query("DELETE FROM second_factors WHERE user_id = $1", [userId]);
    await client.query("UPDATE users SET two_factor_enabled = false WHERE id = $1", [userId]);
  }
  const key = await insertFullKey(client, organizationId, "Recovered");
  const origin = { organizationId, requestId: randomUUID() };
  await recordServiceAudit(client, origin, {
    action: "member.recover_access",
    objectId: userId,
    after: { secondFactorRemoved: removeSecondFactor },
  });
  await recordServiceAudit(client, origin, {
    action: "api_key.create",
    objectId: key.id,
    after: { name: "Recovered", scopes: [...scopes] },
  });
  const { rows } = await client.query<{ id: string }>(
    "SELECT id FROM websites WHERE organization_id = $1 AND deleted_at IS NULL ORDER BY created_at LIMIT 1",
    [organizationId],
  );
  await writeCredentials(config, { organizationId, websiteId: rows[0]?.id ?? "", apiKey: key.text, email, password });
}
