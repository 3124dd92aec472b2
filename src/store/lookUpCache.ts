import { LRUCache } from "lru-cache";
import { within } from "../concurrency/within.ts";
import type { CacheCounts } from "../observability/cacheCounts.ts";
import { isStoreUnavailable } from "./storeUnavailable.ts";

/** A cached look-up, as the store answered it at `readMs` (Unix ms). A failed renewal extends `freshUntilMs`. */
type Answer<Value> = {
  readonly value: Value | undefined;
  readonly readMs: number;
  freshUntilMs: number;
  isRenewing: boolean;
};

/** A look-up under way. `isLate`: a caller has waited for it in vain, so others take an older answer at once. */
type Reading<Value> = { readonly answer: Promise<Answer<Value>>; isLate: boolean };

/** An older answer, until when it may be taken, and after how long. */
type StandIn<Value> = { readonly answer: Answer<Value>; readonly untilMs: number; readonly afterMs: number };

/** The part of LookUps that operators set. */
export type CacheSize = { readonly cacheMs: number; readonly maxCached: number };

export type LookUps<Value> = {
  /** Reads a key from the store. `isRenewal`: no caller waits for it. */
  read(key: string, isRenewal: boolean): Promise<Value | undefined>;
  /** How long an answer is fresh. */
  readonly ttlMs: number;
  /** From this age on an answer in use is renewed in the background, so that its callers do not wait for the store. */
  readonly renewAfterMs?: number;
  /** How old an answer may get while the store is unavailable, and how long a caller waits until such an answer is taken. */
  readonly stale?: { readonly maxAgeMs: number; readonly afterMs: number };
  /** Number of cached answers: of keys that exist, and of keys that do not. */
  readonly maxFound: number;
  readonly maxMissing: number;
  /** Counts what the cache answers and what not. */
  readonly counts: CacheCounts;
};

/**
 * A cache for look-ups by keys that callers name, such as API keys, cookies or slugs. Answers are cached for `ttlMs`,
 * misses too; simultaneous look-ups of one key share one read. The least recently used answer is evicted first. Keys
 * that do not exist have a cache of their own, so that guesses never evict keys that do.
 */
export class LookUpCache<Value extends object> {
  readonly #lookUps: LookUps<Value>;
  readonly #found: LRUCache<string, Answer<Value>>;
  readonly #missing: LRUCache<string, Answer<Value>>;
  readonly #reading = new Map<string, Reading<Value>>();

  constructor(lookUps: LookUps<Value>) {
    this.#lookUps = lookUps;
    this.#found = new LRUCache({ max: lookUps.maxFound });
    this.#missing = new LRUCache({ max: lookUps.maxMissing });
  }

  /** The cached answer; undefined when the key has to be looked up. Starts a renewal when one is due. */
  cached(key: string): { readonly value: Value | undefined } | undefined {
    const answer = this.#found.get(key) ?? this.#missing.get(key);
    if (answer === undefined) return undefined;
    const nowMs = Date.now();
    if (nowMs >= answer.freshUntilMs) return undefined;
    const { renewAfterMs = Number.POSITIVE_INFINITY } = this.#lookUps;
    if (answer.value !== undefined && nowMs >= answer.readMs + renewAfterMs && !answer.isRenewing) {
      answer.isRenewing = true;
      this.#read(key, true);
    }
    this.#lookUps.counts.hits += 1;
    return answer;
  }

  /**
   * The answer, from the cache or the store. Rejects when the store fails and no cached answer is young enough to stand
   * in.
   */
  async find(key: string): Promise<Value | undefined> {
    const cached = this.cached(key);
    if (cached !== undefined) return cached.value;
    this.#lookUps.counts.misses += 1;
    const standIn = this.#standIn(key);
    const reading = this.#read(key, false);
    if (standIn === undefined) return (await reading.answer).value;
    if (reading.isLate) return this.#keep(standIn);
    try {
      return (await within(standIn.afterMs, reading.answer)).value;
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      // A store that hangs, unlike one that refuses, is waited for once, not by each caller.
      reading.isLate = true;
      return this.#keep(standIn);
    }
  }

  /** The answer that is taken while the store is unavailable; undefined if there is none that is young enough. */
  #standIn(key: string): StandIn<Value> | undefined {
    const { stale } = this.#lookUps;
    const answer = this.#found.peek(key) ?? this.#missing.peek(key);
    if (stale === undefined || answer === undefined) return undefined;
    const untilMs = answer.readMs + stale.maxAgeMs;
    return untilMs < Date.now() ? undefined : { answer, untilMs, afterMs: stale.afterMs };
  }

  /** Takes an older answer for fresh once more. */
  #keep({ answer, untilMs }: StandIn<Value>): Value | undefined {
    answer.freshUntilMs = Math.min(Date.now() + this.#lookUps.ttlMs, untilMs);
    return answer.value;
  }

  /** Drops a key from this process's cache, so that a change shows at once; other processes see it within `ttlMs`. */
  forget(key: string): void {
    this.#found.delete(key);
    this.#missing.delete(key);
    // A read in flight may be from before the change.
    this.#reading.delete(key);
  }

  /** Forgets all keys. */
  clear(): void {
    this.#found.clear();
    this.#missing.clear();
    this.#reading.clear();
  }

  #read(key: string, isRenewal: boolean): Reading<Value> {
    const running = this.#reading.get(key);
    if (running !== undefined) return running;
    const readMs = Date.now();
    const answer: Promise<Answer<Value>> = this.#lookUps.read(key, isRenewal).then(
      (value) => {
        const found = { value, readMs, freshUntilMs: readMs + this.#lookUps.ttlMs, isRenewing: false };
        if (this.#isCurrent(key, reading)) this.#store(key, found);
        return found;
      },
      (error: unknown) => {
        this.#isCurrent(key, reading);
        throw error;
      },
    );
    const reading: Reading<Value> = { answer, isLate: false };
    // A renewal, and a caller that takes an older answer, do not wait for it.
    answer.catch(() => undefined);
    this.#reading.set(key, reading);
    return reading;
  }

  /** Whether the result of a read may be cached: not when the key was forgotten meanwhile. */
  #isCurrent(key: string, reading: Reading<Value>): boolean {
    return this.#reading.get(key) === reading && this.#reading.delete(key);
  }

  #store(key: string, answer: Answer<Value>): void {
    const [into, other] = answer.value === undefined ? [this.#missing, this.#found] : [this.#found, this.#missing];
    other.delete(key);
    into.set(key, answer);
  }
}
