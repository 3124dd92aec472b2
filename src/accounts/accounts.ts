import { randomBytes } from "node:crypto";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { Auth, OidcAuth } from "./auth.ts";
import { mailResetLink } from "./password/resetMail.ts";
import { SessionDirectory } from "./session/sessionDirectory.ts";
import { SignInLimit } from "./session/signInLimit.ts";

/** What a process needs for accounts: better-auth, the secret that signs links, the sessions, the sign-in limits. */
export class Accounts {
  /** The secret that all processes share. Rejects when it is stored in PostgreSQL and PostgreSQL is unavailable. */
  readonly secret: () => Promise<string>;
  /** better-auth, created on first use. Rejects like `secret`. */
  readonly auth: () => Promise<Auth>;
  /** better-auth for people from an OpenID Connect provider; undefined without a provider. */
  readonly oidcAuth: () => Promise<OidcAuth>;
  readonly sessions: SessionDirectory;
  readonly signInLimit: SignInLimit;

  constructor(config: Config, postgres: Pool, log: Logger, { caches }: Pick<Metrics, "caches">) {
    const given = config.accounts.secret;
    const mail = mailResetLink(config, log);
    this.secret = once(async () => given ?? (await readServiceSecret(postgres)));
    // Loaded with the first sign-in: it takes 45 MB.
    const library = () => import("./auth.ts");
    this.auth = once(async () => (await library()).createAuth(config, postgres, await this.secret(), log, mail));
    this.oidcAuth = once(async () =>
      (await library()).createOidcAuth(config, postgres, await this.secret(), log, mail),
    );
    this.sessions = new SessionDirectory(this, postgres, config.access.keyCacheMs, caches.sessions);
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

/** The secret shared by all processes without AUTH_SECRET: created at the first use and stored in PostgreSQL. */
async function readServiceSecret(postgres: Pick<Pool, "query">): Promise<string> {
  await postgres.query("INSERT INTO service_secrets (name, secret) VALUES ('accounts', $1) ON CONFLICT DO NOTHING", [
    randomBytes(32).toString("base64url"),
  ]);
  const { rows } = await postgres.query<{ secret: string }>(
    "SELECT secret FROM service_secrets WHERE name = 'accounts'",
  );
  const [row] = rows;
  if (row === undefined) throw new Error("the secret of the service is missing");
  return row.secret;
}
