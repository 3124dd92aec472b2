import { createHmac } from "node:crypto";
import { isIPv6 } from "node:net";
import type { Pool } from "pg";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Config } from "../config.ts";
import { rateLimitExceeded } from "../errors.ts";
import type { CallContext } from "../gateway/callContext.ts";
import { readClientAddress } from "../ingest/clientAddress.ts";

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
    const address = readClientAddress(call, call.app.config.ingest.trustedProxies) ?? "unknown";
    const addressKey = keyOf(networkOf(address));
    await consume(this.#perAddress, addressKey);
    await consume(this.#perAccount, accountKey);
    return async () => {
      await Promise.all([this.#perAccount.delete(accountKey), this.#perAddress.reward(addressKey)]);
    };
  }
}

async function consume(limiter: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw rateLimitExceeded("Too many attempts to sign in. Wait before the next one, or ask for a new password", {
      limit: limiter.points,
      waitMs: refusal.msBeforeNext,
    });
  }
}

/** An IPv6 address stands for its /64: whoever has one address of it has them all. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [left = "", right] = address.split("::");
  const head = left === "" ? [] : left.split(":");
  const tail = right === undefined || right === "" ? [] : right.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => "0");
  return [...head, ...zeros, ...tail].slice(0, 4).join(":");
}
