import { betterAuth } from "better-auth";
import { getAdapter } from "better-auth/db/adapter";
import { genericOAuth } from "better-auth/plugins/generic-oauth";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { SignInLimit } from "../access/signInLimit.ts";
import type { Config } from "../config.ts";
import { authOptions, type MailResetLink } from "./authOptions.ts";
import { withoutSecrets } from "./authStore.ts";
import { mailResetLink } from "./password/resetMail.ts";
import { readServiceSecret } from "./serviceSecret.ts";
import { SessionDirectory } from "./session/sessionDirectory.ts";

async function createAuth(config: Config, postgres: Pool, secret: string, log: Logger, mail: MailResetLink) {
  const options = authOptions(config, secret, log, mail);
  const store = withoutSecrets(await getAdapter({ ...options, database: postgres }));
  return betterAuth({ ...options, database: () => store });
}

/** better-auth as it works here. */
export type Auth = Awaited<ReturnType<typeof createAuth>>;

/**
 * The same for people who come from an OpenID Connect provider. It stands beside the other because it begins with a call to the provider:
 * one that does not answer must not keep people from their passwords.
 */
async function createOidcAuth(config: Config, postgres: Pool, secret: string, log: Logger, mail: MailResetLink) {
  const { oidc } = config.accounts;
  if (oidc === undefined) return undefined;
  const options = authOptions(config, secret, log, mail);
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

export const oidcProviderId = "oidc";

type OidcAuth = Awaited<ReturnType<typeof createOidcAuth>>;

/** What a process needs for people: better-auth, the secret that links are signed with, the sessions, the limits of signing in. */
export class Accounts {
  /** The secret that all processes share. Rejects when it is kept in PostgreSQL and that is away. */
  readonly secret: () => Promise<string>;
  /** better-auth, made on first use. Rejects like `secret`. */
  readonly auth: () => Promise<Auth>;
  /** The same for people from an OpenID Connect provider; undefined where none is set. */
  readonly oidcAuth: () => Promise<OidcAuth>;
  readonly sessions: SessionDirectory;
  readonly signInLimit: SignInLimit;

  constructor(config: Config, postgres: Pool, log: Logger) {
    const given = config.accounts.secret;
    const mail = mailResetLink(config, log);
    this.secret = once(async () => given ?? (await readServiceSecret(postgres)));
    this.auth = once(async () => createAuth(config, postgres, await this.secret(), log, mail));
    this.oidcAuth = once(async () => createOidcAuth(config, postgres, await this.secret(), log, mail));
    this.sessions = new SessionDirectory(this, postgres, config.access.keyCacheMs);
    this.signInLimit = new SignInLimit(postgres, config.accounts);
  }
}

/** Makes something on first use and keeps it. A failure is not kept: the store may be back for the next use. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined;
  return () => {
    kept ??= make().catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
}
