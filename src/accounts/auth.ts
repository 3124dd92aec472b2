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

/** Creates better-auth on our tables. */
export async function createAuth(
  config: Config,
  postgres: Pool,
  secrets: AccountSecrets,
  log: Logger,
  mail: MailResetLink,
) {
  const options = authOptions(config, secrets, log, mail);
  const store = withoutSecrets(await getAdapter({ ...options, database: postgres }));
  return betterAuth({ ...options, database: () => store });
}

/** The part of better-auth that is used here. */
export type Auth = Awaited<ReturnType<typeof createAuth>>;

/**
 * A separate better-auth for people from an OpenID Connect provider. Creating it calls the provider, and a provider
 * that does not answer must not block sign-ins with passwords.
 */
export async function createOidcAuth(
  config: Config,
  postgres: Pool,
  secrets: AccountSecrets,
  log: Logger,
  mail: MailResetLink,
) {
  const { oidc } = config.accounts;
  if (oidc === undefined) return undefined;
  const options = authOptions(config, secrets, log, mail);
  const store = withoutSecrets(await getAdapter({ ...options, database: postgres }));
  return betterAuth({
    ...options,
    plugins: [
      ...options.plugins,
      genericOAuth({
        config: [
          {
            providerId: oidcProviderId,
            discoveryUrl: `${oidc.issuer}/.well-known/openid-configuration`,
            clientId: oidc.clientId,
            clientSecret: oidc.clientSecret,
            redirectURI: `${config.server.baseUrl}/auth/oidc/callback`,
            scopes: ["openid", "email", "profile"],
            pkce: true,
            requireIdTokenVerification: true,
          },
        ],
      }),
    ],
    database: () => store,
  });
}

export type OidcAuth = Awaited<ReturnType<typeof createOidcAuth>>;
