import { betterAuth } from "better-auth";
import { getAdapter } from "better-auth/db/adapter";
import { genericOAuth } from "better-auth/plugins/generic-oauth";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { AccountSecrets } from "./accountSecrets.ts";
import { authOptions, type MailResetLink } from "./authOptions.ts";
import { withoutSecrets } from "./authStore.ts";
import { oidcProviderId } from "./oidcProvider.ts";

/** The options of better-auth with our tables as its store. */
async function optionsOnTables(
  config: Config,
  postgres: Pool,
  secrets: AccountSecrets,
  log: Logger,
  mail: MailResetLink,
) {
  const options = authOptions(config, secrets, log, mail);
  const store = withoutSecrets(await getAdapter({ ...options, database: postgres }));
  return { ...options, database: () => store };
}

/** Creates better-auth. */
export async function createAuth(...given: Parameters<typeof optionsOnTables>) {
  return betterAuth(await optionsOnTables(...given));
}

/** The part of better-auth that is used here. */
export type Auth = Awaited<ReturnType<typeof createAuth>>;

/**
 * A separate better-auth for people from an OpenID Connect provider. Creating it calls the provider, and a provider
 * that does not answer must not block sign-ins with passwords.
 */
export async function createOidcAuth(...given: Parameters<typeof optionsOnTables>) {
  const [{ accounts, server }] = given;
  const { oidc } = accounts;
  if (oidc === undefined) return undefined;
  const options = await optionsOnTables(...given);
  const provider = {
    providerId: oidcProviderId,
    discoveryUrl: `${oidc.issuer}/.well-known/openid-configuration`,
    clientId: oidc.clientId,
    clientSecret: oidc.clientSecret,
    redirectURI: `${server.baseUrl}/auth/oidc/callback`,
    scopes: ["openid", "email", "profile"],
    pkce: true,
    requireIdTokenVerification: true,
  };
  return betterAuth({ ...options, plugins: [...options.plugins, genericOAuth({ config: [provider] })] });
}

export type OidcAuth = Awaited<ReturnType<typeof createOidcAuth>>;
