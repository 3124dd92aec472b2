import { betterAuth } from "better-auth";
import { getAdapter } from "better-auth/db/adapter";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { SignInLimit } from "../access/signInLimit.ts";
import type { Config } from "../config.ts";
import { authOptions, type MailResetLink } from "./authOptions.ts";
import { withHashedTokens } from "./hashedTokens.ts";
import { mailResetLink } from "./resetMail.ts";
import { readServiceSecret } from "./serviceSecret.ts";
import { SessionDirectory } from "./sessionDirectory.ts";

async function createAuth(config: Config, postgres: Pool, secret: string, log: Logger, mail: MailResetLink) {
  const options = authOptions(config, secret, log, mail);
  const store = withHashedTokens(await getAdapter({ ...options, database: postgres }));
  return betterAuth({ ...options, database: () => store });
}

/** better-auth as it works here. */
export type Auth = Awaited<ReturnType<typeof createAuth>>;

/** What a process needs for people: better-auth, the secret that links are signed with, the sessions, the limits of signing in. */
export class Accounts {
  readonly sessions: SessionDirectory;
  readonly signInLimit: SignInLimit;
  readonly #make: (secret: string) => Promise<Auth>;
  readonly #readSecret: () => Promise<string>;
  #secret: Promise<string> | undefined;
  #auth: Promise<Auth> | undefined;

  constructor(config: Config, postgres: Pool, log: Logger) {
    const given = config.accounts.secret;
    this.#readSecret = () => (given === undefined ? readServiceSecret(postgres) : Promise.resolve(given));
    this.#make = (secret) => createAuth(config, postgres, secret, log, mailResetLink(config, log));
    this.sessions = new SessionDirectory(this, postgres, config.access.keyCacheMs);
    this.signInLimit = new SignInLimit(postgres, config.accounts);
  }

  /** The secret that all processes share. Rejects when it is kept in PostgreSQL and that is away. */
  secret(): Promise<string> {
    this.#secret ??= this.#readSecret().catch((error: unknown) => {
      // A failed look-up must not be remembered: the store may be back for the next call.
      this.#secret = undefined;
      throw error;
    });
    return this.#secret;
  }

  /** better-auth, made on first use. */
  auth(): Promise<Auth> {
    this.#auth ??= this.secret()
      .then(this.#make)
      .catch((error: unknown) => {
        this.#auth = undefined;
        throw error;
      });
    return this.#auth;
  }
}
