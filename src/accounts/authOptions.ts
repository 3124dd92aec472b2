import { randomUUID } from "node:crypto";
import type { BetterAuthOptions } from "better-auth";
import { twoFactor } from "better-auth/plugins/two-factor";
import { username } from "better-auth/plugins/username";
import type { Logger } from "pino";
import { hashPassword, verifyPassword } from "../access/passwordHash.ts";
import { sessionCookieName } from "../access/sessionCookie.ts";
import type { Config } from "../config.ts";
import type { AccountSecrets } from "./accountSecrets.ts";
import { versionedSecrets } from "./secondFactorKeys.ts";

/**
 * The minimum length of a new password (NIST SP 800-63B, section 3.1.1, asks for at least 8). The contract has it too
 * (test/passwordLengths.unit.test.ts).
 */
export const minPasswordLength = 12;

export const maxPasswordLength = 256;

export type MailResetLink = (to: { readonly userId: string; readonly email: string; readonly token: string }) => void;

/**
 * The options of better-auth: people and sessions are in our tables (src/store/postgres/migrations), tokens and links are
 * hashed, no address is stored, and there is no self sign-up. Its own HTTP endpoints are not served, so its rate limits
 * and request checks are unused: handlers call its functions. Its organization plugin is left out: members change in
 * one transaction with the audit log, which the plugin cannot join.
 */
export function authOptions(config: Config, secrets: AccountSecrets, log: Logger, mailResetLink: MailResetLink) {
  const { accounts, server } = config;
  return {
    appName: "Lookout",
    baseURL: server.baseUrl,
    basePath: "/auth",
    // Cookies are signed with the first one.
    secret: secrets[0],
    secrets: versionedSecrets(secrets),
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    // Its messages may name people; the library's name is enough.
    logger: { level: "error", log: (_level, message) => log.error({ library: "better-auth" }, message) },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength,
      maxPasswordLength,
      resetPasswordTokenExpiresIn: accounts.passwordResetMs / 1_000,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: async ({ user, token }) => mailResetLink({ userId: user.id, email: user.email, token }),
      password: { hash: hashPassword, verify: ({ hash, password }) => verifyPassword(hash, password) },
    },
    session: {
      modelName: "sessions",
      fields: {
        userId: "user_id",
        token: "token_hash",
        userAgent: "device",
        expiresAt: "expires_at",
        createdAt: "created_at",
        updatedAt: "updated_at",
      },
      expiresIn: accounts.sessionMs / 1_000,
      // A session in use is extended once per seventh of its lifetime.
      updateAge: accounts.sessionMs / 7_000,
    },
    user: {
      modelName: "users",
      fields: { emailVerified: "email_verified", createdAt: "created_at", updatedAt: "updated_at" },
    },
    account: {
      modelName: "user_accounts",
      fields: {
        userId: "user_id",
        providerId: "provider_id",
        accountId: "account_id",
        password: "password_hash",
        createdAt: "created_at",
        updatedAt: "updated_at",
      },
    },
    verification: {
      modelName: "verifications",
      fields: { expiresAt: "expires_at", createdAt: "created_at", updatedAt: "updated_at" },
      storeIdentifier: "hashed",
    },
    advanced: {
      database: { generateId: () => randomUUID() },
      ipAddress: { disableIpTracking: true },
      // Secure is added per answer: behind a proxy the service's address does not show it
      // (src/access/sessionCookie.ts).
      useSecureCookies: false,
      cookies: { session_token: { name: sessionCookieName } },
    },
    plugins: [
      twoFactor({
        issuer: "Lookout",
        schema: {
          user: { fields: { twoFactorEnabled: "two_factor_enabled" } },
          twoFactor: {
            modelName: "second_factors",
            fields: {
              userId: "user_id",
              backupCodes: "backup_codes",
              failedVerificationCount: "failed_verification_count",
              lockedUntil: "locked_until",
            },
          },
        },
      }),
      // Addresses such as the first owner's owner@localhost are no full e-mail addresses, so better-auth treats them as
      // user names.
      username({
        displayUsername: false,
        minUsernameLength: 1,
        maxUsernameLength: 254,
        usernameValidator: () => true,
        schema: { user: { fields: { username: "sign_in_name" } } },
      }),
    ],
  } satisfies BetterAuthOptions;
}
