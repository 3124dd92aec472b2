import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { Keyring } from "../secrets/keyring.ts";
import { type AccountSecrets, readAccountSecrets } from "./accountSecrets.ts";
import type { Auth, OidcAuth } from "./auth.ts";
import { mailResetLink } from "./password/resetMail.ts";
import { SessionDirectory } from "./session/sessionDirectory.ts";
import { SignInLimit } from "./session/signInLimit.ts";

/** What a process needs for accounts: better-auth, the secrets that sign links, the sessions, the sign-in limits. */
export class Accounts {
  /** The secrets that all processes share, the current one first. Rejects when PostgreSQL is unavailable. */
  readonly secrets: () => Promise<AccountSecrets>;
  /** better-auth, created on first use. Rejects like `secrets`. */
  readonly auth: () => Promise<Auth>;
  /** better-auth for people from an OpenID Connect provider; undefined without a provider. */
  readonly oidcAuth: () => Promise<OidcAuth>;
  readonly sessions: SessionDirectory;
  readonly signInLimit: SignInLimit;

  constructor(config: Config, postgres: Pool, keyring: Keyring, log: Logger, { caches }: Pick<Metrics, "caches">) {
    const mail = mailResetLink(config, postgres, log);
    this.secrets = once(async () => readAccountSecrets(config.accounts, postgres, keyring));
    // Loaded with the first sign-in: it takes 45 MB.
    const library = () => import("./auth.ts");
    this.auth = once(async () => (await library()).createAuth(config, postgres, await this.secrets(), log, mail));
    this.oidcAuth = once(async () =>
      (await library()).createOidcAuth(config, postgres, await this.secrets(), log, mail),
    );
    const { keyCacheMs, cachedKeys } = config.access;
    this.sessions = new SessionDirectory(
      this,
      postgres,
      { cacheMs: keyCacheMs, maxCached: cachedKeys },
      caches.sessions,
    );
    this.signInLimit = new SignInLimit(postgres, config.accounts);
  }
}

/** Creates something on first use and caches it. A failure is not cached: the store may be back for the next use. */
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
