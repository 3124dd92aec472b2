import { randomBytes } from "node:crypto";
import type { Pool } from "pg";
import type { Config } from "../config.ts";
import type { Keyring } from "../secrets/keyring.ts";
import { inTransaction } from "../store/postgres/inTransaction.ts";
import { sealSecondFactors } from "./secondFactorKeys.ts";

/** The secrets that sign cookies and links and encrypt second factors: the current one, then former ones. */
export type AccountSecrets = readonly [string, ...string[]];

/** The name of the generated secret in the table service_secrets. */
const name = "accounts";
const place = "service_secrets.secret";

type SecretSettings = Pick<Config["accounts"], "secret" | "oldSecrets">;

/**
 * AUTH_SECRET, or without it a secret that the first process generates and stores encrypted; then the former ones.
 * Rejects when PostgreSQL is unavailable.
 */
export async function readAccountSecrets(
  settings: SecretSettings,
  postgres: Pick<Pool, "query" | "connect">,
  keyring: Keyring,
): Promise<AccountSecrets> {
  const known = await knownAccountSecrets(settings, postgres, keyring);
  return known ?? [await generate(postgres, keyring), ...settings.oldSecrets];
}

/** Like readAccountSecrets; undefined where AUTH_SECRET is not set and no process has generated one yet. */
export async function knownAccountSecrets(
  { secret, oldSecrets }: SecretSettings,
  postgres: Pick<Pool, "query">,
  keyring: Keyring,
): Promise<AccountSecrets | undefined> {
  const generated = await readGenerated(postgres, keyring);
  const current = secret ?? generated;
  if (current === undefined) return undefined;
  const former = [...oldSecrets, ...(generated === undefined ? [] : [generated])];
  return [current, ...new Set(former.filter((text) => text !== current))];
}

/** Encrypts second factors with the current secret, as part of a start. Part of a transaction. */
export async function renewSecondFactors(
  settings: SecretSettings,
  client: Pick<Pool, "query">,
  keyring: Keyring,
): Promise<void> {
  const secrets = await knownAccountSecrets(settings, client, keyring);
  if (secrets !== undefined) await sealSecondFactors(client, secrets);
}

/**
 * Removes the generated secret where AUTH_SECRET has replaced it, as part of a rotation. While AUTH_SECRET_OLD is set there
 * may be processes that know no other secret of second factors.
 */
export async function forgetGeneratedSecret(
  settings: SecretSettings,
  client: Pick<Pool, "query">,
  keyring: Keyring,
): Promise<void> {
  if (settings.secret === undefined || settings.oldSecrets.length > 0) return;
  await renewSecondFactors(settings, client, keyring);
  await client.query("DELETE FROM service_secrets WHERE name = $1", [name]);
}

async function readGenerated(postgres: Pick<Pool, "query">, keyring: Keyring): Promise<string | undefined> {
  const { rows } = await postgres.query<{ secret: string }>("SELECT secret FROM service_secrets WHERE name = $1", [
    name,
  ]);
  const [row] = rows;
  return row === undefined ? undefined : await keyring.open(postgres, place, name, row.secret);
}

async function generate(postgres: Pick<Pool, "query" | "connect">, keyring: Keyring): Promise<string> {
  await inTransaction(postgres, async (client) =>
    client.query("INSERT INTO service_secrets (name, secret) VALUES ($1, $2) ON CONFLICT DO NOTHING", [
      name,
      await keyring.seal(client, place, name, randomBytes(32).toString("base64url")),
    ]),
  );
  const made = await readGenerated(postgres, keyring);
  if (made === undefined) throw new Error("the secret of the service is missing");
  return made;
}
