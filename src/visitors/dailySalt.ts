import { hash, randomBytes } from "node:crypto";
import type { Pool } from "pg";
import { within } from "../concurrency/within.ts";
import { advisoryLocks } from "../store/postgres/advisoryLocks.ts";
import { inTransaction } from "../store/postgres/inTransaction.ts";

const dayMs = 86_400_000;

/** A day's salt; `value` once it was read. */
type CachedSalt = { readonly day: string; readonly salt: Promise<Buffer>; readonly untilMs: number; value?: Buffer };

/**
 * The random salt of the UTC day, the same for all processes with one PostgreSQL. The salt of the day before is
 * destroyed at the first use on the next day, or by `destroyOld` at midnight. Its file is removed and it was never in a
 * log, so that hashes made with it can no longer be checked against anyone.
 */
export class DailySalt {
  readonly #pool: Pool;
  #cached: CachedSalt | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** The salt for a time, 32 bytes. Rejects when PostgreSQL is unavailable and the day's salt is not cached. */
  at(timeMs: number): Promise<Buffer> {
    const day = dayOf(timeMs);
    // A clock slightly behind must not bring back yesterday's salt.
    if (this.#cached !== undefined && this.#cached.day >= day) return this.#cached.salt;
    const cached: CachedSalt = {
      day,
      salt: this.#rotate(day),
      untilMs: Date.parse(day) + dayMs,
    };
    this.#cached = cached;
    cached.salt.then(
      (salt) => {
        cached.value = salt;
      },
      () => {
        // A failed look-up is not cached: the store may be back for the next call.
        if (this.#cached === cached) this.#cached = undefined;
      },
    );
    return cached.salt;
  }

  /** The cached salt; undefined when it has to be read. */
  known(timeMs: number): Buffer | undefined {
    const cached = this.#cached;
    return cached !== undefined && timeMs < cached.untilMs ? cached.value : undefined;
  }

  /**
   * The salt for a time, for what a visitor waits for. Cached but for the first call of a day; undefined when PostgreSQL
   * does not answer within `timeoutMs`. Never rejects.
   */
  async inTime(timeMs: number, timeoutMs: number): Promise<Buffer | undefined> {
    return this.known(timeMs) ?? (await within(timeoutMs, this.at(timeMs)).catch(() => undefined));
  }

  /** Destroys the salts of earlier days, even if today's is not used. */
  async destroyOld(timeMs: number): Promise<void> {
    await this.at(timeMs);
  }

  async #rotate(day: string): Promise<Buffer> {
    return await inTransaction(this.#pool, async (client) => {
      await client.query("SELECT pg_advisory_xact_lock($1)", [advisoryLocks.dailySalt]);
      const found = await client.query<{ salt: Buffer }>("SELECT salt FROM daily_salts WHERE day >= $1", [day]);
      const [current] = found.rows;
      if (current !== undefined) return current.salt;
      const salt = randomBytes(32);
      // Not DELETE, which would leave the old bytes in the table's file.
      await client.query("TRUNCATE daily_salts");
      await client.query("INSERT INTO daily_salts (day, salt) VALUES ($1, $2)", [day, salt]);
      return salt;
    });
  }
}

/**
 * Identifies a visitor of a website within a day: 52 bits, so that it fits into a LONG column. Meaningless without the
 * salt.
 *
 * A plain hash that begins with the salt rather than an HMAC, which is sixteen times slower in Node: length extension
 * is impossible because the hash is truncated.
 */
export function visitorHash(salt: Buffer, websiteId: string, address: string, userAgent: string): number {
  // A letter per byte ("binary"), which takes Node half the time of a Buffer.
  const bytes = hash("sha256", saltedText(salt, [websiteId, address, userAgent]), "binary");
  let key = 0;
  for (let index = 0; index < 6; index += 1) key = key * 256 + bytes.charCodeAt(index);
  return key * 16 + (bytes.charCodeAt(6) >> 4);
}

/**
 * The id of a visitor who sends none: the same within a UTC day at one website, for one address and user agent. Eight
 * characters of 6 bits, as long as the tracker's random ids, since QuestDB stores up to nine characters within the row.
 * It cannot be compared with the hash of clicks, nor with the ids at other websites or of other days.
 */
export function dailyVisitorId(salt: Buffer, websiteId: string, address: string, userAgent: string): string {
  return hash("sha256", saltedText(salt, ["visitor", websiteId, address, userAgent]), "base64url").slice(0, 8);
}

function saltedText(salt: Buffer, parts: readonly string[]): string {
  return [salt.toString("base64"), ...parts].join("\0");
}

/**
 * What stands for an id that a page or program sent: the same at one website for events of one UTC day that arrive on one UTC day. It cannot be
 * traced to the id once the salt is destroyed, and cannot be compared with that of another website or day. As long as the id of a visitor who
 * sends none.
 */
export function endingId(salt: Buffer, websiteId: string, timeMs: number, id: string): string {
  return hash("sha256", saltedText(salt, ["id", websiteId, dayOf(timeMs), id]), "base64url").slice(0, 8);
}

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
