import { createHmac } from "node:crypto";
import type { Pool } from "pg";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { auditRefusedSignIns } from "../accounts/session/auditSignIn.ts";
import type { Config } from "../config.ts";
import { rateLimitExceeded } from "../errors.ts";
import type { CallContext } from "../gateway/callContext.ts";
import { networkKey } from "./rateLimit/networkKey.ts";

/** What is tried: signing in, or asking for a link to a new password. Each is counted for itself. */
type Attempt = "sign-in" | "reset";

/**
 * Slows down who guesses passwords, in all processes together: attempts count by account and by address, over a window that begins with
 * the first. Accounts that do not exist count like others. What is counted is stored by keyed hashes, whose key is destroyed every day.
 */
export class SignInLimit {
  readonly #perAccount: RateLimiterPostgres;
  readonly #perAddress: RateLimiterPostgres;

  constructor(postgres: Pool, settings: Config["accounts"]) {
    const common = {
      storeClient: postgres,
      storeType: "pool",
      tableName: "sign_in_failures",
      tableCreated: true,
      duration: settings.signInWindowMs / 1_000,
    };
    this.#perAccount = new RateLimiterPostgres({
      ...common,
      keyPrefix: "account",
      points: settings.signInsPerAccount,
    });
    this.#perAddress = new RateLimiterPostgres({
      ...common,
      keyPrefix: "address",
      points: settings.signInsPerAddress,
    });
  }

  /**
   * Counts an attempt before it is made, so that many at once count too. Rejects with RATE_LIMIT_EXCEEDED when there were too many.
   * Resolves with a function that takes it back, for an attempt that turns out to be the right person's.
   */
  async take(attempt: Attempt, account: string, call: CallContext): Promise<() => Promise<void>> {
    const salt = await call.app.salt.at(Date.now());
    const keyOf = (text: string) => createHmac("sha256", salt).update(`${attempt}\0${text}`).digest("base64url");
    const accountKey = keyOf(account.toLowerCase());
    const addressKey = await networkKey(attempt, call);
    await consume(this.#perAddress, addressKey);
    await consume(this.#perAccount, accountKey, () => {
      if (attempt === "sign-in") noteRefusal(account, call);
    });
    return async () => {
      await Promise.all([this.#perAccount.delete(accountKey), this.#perAddress.reward(addressKey)]);
    };
  }
}

/** Nobody waits for it, so the answer takes no longer where there is such an account. */
function noteRefusal(account: string, call: CallContext): void {
  auditRefusedSignIns(account, call).catch((error: unknown) =>
    call.app.log.warn({ err: error, requestId: call.requestId }, "refused sign-ins could not be noted"),
  );
}

/** `onFirstRefusal` is called once in a window, over all processes. */
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
