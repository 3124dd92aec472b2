import { LRUCache } from "lru-cache";
import { isStoreAway } from "./storeAway.ts";

/** What a look-up answered, as the store had it at `readMs` (Unix ms). A failed renewal moves `freshUntilMs` on. */
type Answer<Value> = {
  readonly value: Value | undefined;
  readonly readMs: number;
  freshUntilMs: number;
  isRenewing: boolean;
};

export type LookUps<Value> = {
  /** Looks a key up in the store. `isRenewal` says that no caller waits for it. */
  read(key: string, isRenewal: boolean): Promise<Value | undefined>;
  /** How long an answer is good. */
  readonly ttlMs: number;
  /** An answer in use is renewed from this age on, so that its callers do not wait for the store. */
  readonly renewAfterMs?: number;
  /** How old an answer may get while the store is away. */
  readonly maxStaleMs?: number;
  /** Answers that are kept: of keys that exist, and of keys that do not. */
  readonly maxFound: number;
  readonly maxMissing: number;
};

/**
 * Look-ups by a key that callers name, such as an API key, a cookie or a slug. Answers are kept for `ttlMs`, "there is none" too; look-ups of
 * one key at the same time share one read. The least recently used answer goes first. Keys that do not exist are kept apart: guesses never
 * evict keys that do.
 */
export class LookUpCache<Value extends object> {
  readonly #lookUps: LookUps<Value>;
  readonly #found: LRUCache<string, Answer<Value>>;
  readonly #missing: LRUCache<string, Answer<Value>>;
  readonly #reading = new Map<string, Promise<Answer<Value>>>();

  constructor(lookUps: LookUps<Value>) {
    this.#lookUps = lookUps;
    this.#found = new LRUCache({ max: lookUps.maxFound });
    this.#missing = new LRUCache({ max: lookUps.maxMissing });
  }

  /** The answer that is kept; undefined when the key has to be looked up. */
  cached(key: string): { readonly value: Value | undefined } | undefined {
    const answer = this.#found.get(key) ?? this.#missing.get(key);
    if (answer === undefined) return undefined;
    const nowMs = Date.now();
    if (nowMs >= answer.freshUntilMs) return undefined;
    const { renewAfterMs = Number.POSITIVE_INFINITY } = this.#lookUps;
    if (answer.value !== undefined && nowMs >= answer.readMs + renewAfterMs && !answer.isRenewing) {
      answer.isRenewing = true;
      this.#read(key, true).catch(() => undefined);
    }
    return answer;
  }

  /** The answer, from the store unless it is kept. Rejects when the store fails and no answer is young enough to do instead. */
  async find(key: string): Promise<Value | undefined> {
    const cached = this.cached(key);
    if (cached !== undefined) return cached.value;
    const stale = this.#found.peek(key) ?? this.#missing.peek(key);
    try {
      return (await this.#read(key, false)).value;
    } catch (error) {
      const { maxStaleMs = 0, ttlMs } = this.#lookUps;
      const nowMs = Date.now();
      if (stale === undefined || stale.readMs + maxStaleMs < nowMs || !isStoreAway(error)) throw error;
      stale.freshUntilMs = Math.min(nowMs + ttlMs, stale.readMs + maxStaleMs);
      return stale.value;
    }
  }

  /** Makes this process see a change at once; others see it within `ttlMs`. */
  forget(key: string): void {
    this.#found.delete(key);
    this.#missing.delete(key);
    // What is being read may be from before the change.
    this.#reading.delete(key);
  }

  #read(key: string, isRenewal: boolean): Promise<Answer<Value>> {
    const running = this.#reading.get(key);
    if (running !== undefined) return running;
    const readMs = Date.now();
    const reading: Promise<Answer<Value>> = this.#lookUps.read(key, isRenewal).then(
      (value) => {
        const answer = { value, readMs, freshUntilMs: readMs + this.#lookUps.ttlMs, isRenewing: false };
        if (this.#ended(key, reading)) this.#keep(key, answer);
        return answer;
      },
      (error: unknown) => {
        this.#ended(key, reading);
        throw error;
      },
    );
    this.#reading.set(key, reading);
    return reading;
  }

  /** Whether what was read still counts: not when the key was forgotten meanwhile. */
  #ended(key: string, reading: Promise<Answer<Value>>): boolean {
    return this.#reading.get(key) === reading && this.#reading.delete(key);
  }

  #keep(key: string, answer: Answer<Value>): void {
    const [into, other] = answer.value === undefined ? [this.#missing, this.#found] : [this.#found, this.#missing];
    other.delete(key);
    into.set(key, answer);
  }
}
