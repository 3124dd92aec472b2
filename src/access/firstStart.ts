import { randomBytes, randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import type { Config } from "../config.ts";
import { inTransactionOf } from "../store/postgres/inTransaction.ts";
import { writeCredentials } from "./credentialsFile.ts";
import { insertFullKey } from "./fullKey.ts";
import { hashPassword, randomPassword } from "./passwordHash.ts";

/**
 * Creates an organization, a website and an owner with a key when the database has none, and writes them to
 * credentials.json (mode 0600). The file is written before the transaction ends: a crash in between leaves a file
 * without accounts, which the next start replaces, and never accounts with an unknown key.
 */
export async function createFirstAccounts(client: PoolClient, config: Config): Promise<void> {
  const existing = await client.query("SELECT 1 FROM organizations LIMIT 1");
  if (existing.rows.length > 0) return;
  const organizationId = randomUUID();
  const websiteId = randomUUID();
  const email = "owner@localhost";
  const password = randomPassword();
  await inTransactionOf(client, async () => {
    await client.query("INSERT INTO organizations (id, name) VALUES ($1, $2)", [organizationId, "My organization"]);
    await client.query(
      `WITH owner AS (INSERT INTO users (id, email, name, has_generated_password) VALUES ($1, $2, 'Owner', true) RETURNING id),
         member AS (INSERT INTO members (id, organization_id, user_id, role) SELECT $3, $4, id, 'owner' FROM owner)
       INSERT INTO user_accounts (id, user_id, provider_id, account_id, password_hash) SELECT $5, id, 'credential', id, $6 FROM owner`,
      [randomUUID(), email, randomUUID(), organizationId, randomUUID(), await hashPassword(password)],
    );
    await client.query(
      "INSERT INTO websites (id, client_id, organization_id, name, domain) VALUES ($1, $2, $3, $4, $5)",
      [websiteId, randomBytes(12).toString("base64url"), organizationId, "My website", "localhost"],
    );
    const { text: apiKey } = await insertFullKey(client, organizationId, "Owner");
    await writeCredentials(config, { organizationId, websiteId, apiKey, email, password });
  });
}
