import { hash, randomBytes } from "node:crypto";
import type { Pool } from "pg";
import { advisoryLocks } from "../../store/postgres/advisoryLocks.ts";

const dayMs = 86_400_000;

/** A day's salt; `known` once it was read. */
type Kept = { readonly day: string; readonly salt: Promise<Buffer>; readonly untilMs: number; known?: Buffer };

/**
 * The random salt of the UTC day, the same for all processes on one PostgreSQL. The day before's is destroyed at the first use on the
 * next day, or by `destroyOld` each midnight: its file is removed and it never was in a log, so that what was hashed with it can be tried on no one.
 */
export class DailySalt {
  readonly #pool: Pool;
  #kept: Kept | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** The salt for a time, 32 bytes. Rejects when PostgreSQL is away and the day's salt is not known yet. */
  at(timeMs: number): Promise<Buffer> {
    const day = dayOf(timeMs);
    // A clock that is a little behind must not bring yesterday back.
    if (this.#kept !== undefined && this.#kept.day >= day) return this.#kept.salt;
    const kept: Kept = {
      day,
      salt: this.#rotate(day),
      untilMs: Date.parse(day) + dayMs,
    };
    this.#kept = kept;
    kept.salt.then(
      (salt) => {
        kept.known = salt;
      },
      () => {
        // A failed look-up must not be remembered: the store may be back for the next call.
        if (this.#kept === kept) this.#kept = undefined;
      },
    );
    return kept.salt;
  }

  /** The same where it is at hand; undefined when it has to be asked for. */
  known(timeMs: number): Buffer | undefined {
    const kept = this.#kept;
    return kept !== undefined && timeMs < kept.untilMs ? kept.known : undefined;
  }

  /** Destroys the salts of earlier days, for a day on which nobody asks for one. */
  async destroyOld(timeMs: number): Promise<void> {
    await this.at(timeMs);
  }

  async #rotate(day: string): Promise<Buffer> {
    const client = await this.#pool.connect();
    try {
      await client.query("BEGIN");
      await client.query("SELECT pg_advisory_xact_lock($1)", [advisoryLocks.dailySalt]);
      const found = await client.query<{ salt: Buffer }>("SELECT salt FROM daily_salts WHERE day >= $1", [day]);
      let salt = found.rows[0]?.salt;
      if (salt === undefined) {
        salt = randomBytes(32);
        // Not DELETE, which would leave the old bytes in the table's file.
        await client.query("TRUNCATE daily_salts");
        await client.query("INSERT INTO daily_salts (day, salt) VALUES ($1, $2)", [day, salt]);
      }
      await client.query("COMMIT");
      return salt;
    } catch (error) {
      await client.query("ROLLBACK").catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  }
}

/**
 * Tells one visitor of a website from another for a day: 52 bits, so that a LONG column takes it. Says nothing without the salt.
 *
 * A plain hash that begins with the salt, not an HMAC, which takes sixteen times as long in Node: nobody can add to a text whose hash is
 * cut.
 */
export function visitorHash(salt: Buffer, websiteId: string, address: string, userAgent: string): number {
  // A letter for each byte ("binary"), which Node makes in half the time of a Buffer.
  const bytes = hash("sha256", `${beginningOf(salt, websiteId)}${address}\0${userAgent}`, "binary");
  let key = 0;
  for (let index = 0; index < 6; index += 1) key = key * 256 + bytes.charCodeAt(index);
  return key * 16 + (bytes.charCodeAt(6) >> 4);
}

/** What is hashed of all visitors of a website. Putting a text of seven parts together takes as long as hashing it. */
function beginningOf(salt: Buffer, websiteId: string): string {
  const known = beginnings.get(salt) ?? new Map<string, string>();
  const before = known.get(websiteId);
  if (before !== undefined) return before;
  const beginning = [salt.toString("base64"), websiteId, ""].join("\0");
  if (known.size >= maxBeginnings) known.clear();
  known.set(websiteId, beginning);
  beginnings.set(salt, known);
  return beginning;
}

/** Go with the salt. */
const beginnings = new WeakMap<Buffer, Map<string, string>>();

/** About 2 MB. */
const maxBeginnings = 10_000;

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
