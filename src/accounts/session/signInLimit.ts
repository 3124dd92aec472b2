import { createHmac } from "node:crypto";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { networkKey, type SaltedCall } from "../../access/rateLimit/networkKey.ts";
import type { CallContext } from "../../call/callContext.ts";
import type { Config } from "../../config.ts";
import { rateLimitExceeded } from "../../errors/errors.ts";
import { type AuditedCall, auditRefusedSignIns } from "./auditSignIn.ts";

/** A call that attempts to sign in, or for a password reset link. */
type AttemptCall = SaltedCall & AuditedCall & CallContext<{ readonly log: Pick<Logger, "warn"> }>;

/** What is attempted: a sign-in, or a request for a password reset link. Each has its own counts. */
type Attempt = "sign-in" | "reset";

/**
 * Slows down guessing of passwords, across all processes: attempts are counted by account and by address, over a window
 * that begins with the first. Accounts that do not exist are counted like others. Counts are stored under keyed hashes,
 * whose key is destroyed every day.
 */
export class SignInLimit {
  readonly #perAccount: RateLimiterPostgres;
  readonly #perAddress: RateLimiterPostgres;

  constructor(postgres: Pool, settings: Config["accounts"]) {
    const limiter = (keyPrefix: string, points: number) =>
      new RateLimiterPostgres({
        storeClient: postgres,
        storeType: "pool",
        tableName: "sign_in_failures",
        tableCreated: true,
        duration: settings.signInWindowMs / 1_000,
        keyPrefix,
        points,
      });
    this.#perAccount = limiter("account", settings.signInsPerAccount);
    this.#perAddress = limiter("address", settings.signInsPerAddress);
  }

  /**
   * Counts an attempt before it is made, so that simultaneous ones count too. Rejects with RATE_LIMIT_EXCEEDED when
   * there were too many. Resolves with a function that takes the count back, for an attempt that succeeds.
   */
  async take(attempt: Attempt, account: string, call: AttemptCall): Promise<() => Promise<void>> {
    const salt = await call.app.salt.at(Date.now());
    const keyOf = (text: string) => createHmac("sha256", salt).update(`${attempt}\0${text}`).digest("base64url");
    const accountKey = keyOf(account.toLowerCase());
    const addressKey = await networkKey(attempt, call);
    await consume(this.#perAddress, addressKey);
    await consume(this.#perAccount, accountKey, () => {
      if (attempt === "sign-in") auditRefusal(account, call);
    });
    return async () => {
      await Promise.all([this.#perAccount.delete(accountKey), this.#perAddress.reward(addressKey)]);
    };
  }
}

/** Not awaited, so the answer takes no longer if the account exists. */
function auditRefusal(account: string, call: AttemptCall): void {
  auditRefusedSignIns(account, call).catch((error: unknown) =>
    call.app.log.warn({ err: error, requestId: call.requestId }, "refused sign-ins could not be recorded"),
  );
}

/** `onFirstRefusal` is called once per window, across all processes. */
async function consume(limiter: RateLimiterPostgres, key: string, onFirstRefusal?: () => void): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    if (refusal.consumedPoints === limiter.points + 1) onFirstRefusal?.();
    throw rateLimitExceeded("Too many attempts to sign in. Wait before the next one, or ask for a new password", {
      limit: limiter.points,
      waitMs: refusal.msBeforeNext,
    });
  }
}
