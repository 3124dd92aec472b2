import type { Pool } from "pg";
import { isStoreAway } from "../store/storeAway.ts";
import { LinkReader, type LiveLink, type ReadLink } from "./linkReader.ts";

/** What a look-up has found. */
export type Found = { readonly link: LiveLink | undefined };

type Kept = ReadLink & { isRefreshing: boolean };

/**
 * Looks links up in PostgreSQL by their slug and keeps each answer, also "there is none", for `cacheMs`, so that a changed or deleted link
 * stops within that time in every process. A link in use is read again before its time is up, so its visitors do not wait for that. Kept
 * answers are bounded: slugs come from strangers, whose guesses do not drive out links.
 */
export class LinkDirectory {
  readonly #reader: LinkReader;
  readonly #cacheMs: number;
  readonly #links = new Map<string, Kept>();
  readonly #unknown = new Map<string, Kept>();
  readonly #reading = new Map<string, Promise<ReadLink>>();

  constructor(pool: Pick<Pool, "query">, cacheMs: number) {
    this.#reader = new LinkReader(pool);
    this.#cacheMs = cacheMs;
  }

  /** What was found within the last `cacheMs`; undefined when it has to be looked up. */
  remembered(slug: string): Found | undefined {
    const key = slug.toLowerCase();
    const kept = this.#links.get(key) ?? this.#unknown.get(key);
    if (kept === undefined) return undefined;
    const ageMs = Date.now() - kept.readMs;
    if (ageMs >= this.#cacheMs) return undefined;
    if (ageMs >= this.#cacheMs / 2 && kept.link !== undefined && !kept.isRefreshing) {
      kept.isRefreshing = true;
      this.#lookUp(key, this.#cacheMs / 10).catch(() => undefined);
    }
    return kept;
  }

  /** Looks a link up. While PostgreSQL is away links are served as they were last, for up to ten minutes; nobody can change them then. */
  async find(slug: string): Promise<Found> {
    if (!slugPattern.test(slug)) return { link: undefined };
    const key = slug.toLowerCase();
    const known = this.#links.get(key);
    try {
      return await this.#lookUp(key, 0);
    } catch (error) {
      if (known === undefined || known.readMs + maxStaleMs < Date.now() || !isStoreAway(error)) throw error;
      return known;
    }
  }

  /** Makes this process see a change at once; others see it within `cacheMs`. */
  forget(slug: string): void {
    const key = slug.toLowerCase();
    this.#links.delete(key);
    this.#unknown.delete(key);
    // What is on its way may be from before the change.
    this.#reading.delete(key);
  }

  #lookUp(key: string, waitMs: number): Promise<ReadLink> {
    const running = this.#reading.get(key);
    if (running !== undefined) return running;
    const reading: Promise<ReadLink> = this.#reader.read(key, waitMs).then(
      (read) => {
        if (this.#ended(key, reading)) this.#keep(key, { ...read, isRefreshing: false });
        return read;
      },
      (error: unknown) => {
        this.#ended(key, reading);
        throw error;
      },
    );
    this.#reading.set(key, reading);
    return reading;
  }

  /** Whether what was read still counts: not when the link was changed here meanwhile. */
  #ended(key: string, reading: Promise<ReadLink>): boolean {
    return this.#reading.get(key) === reading && this.#reading.delete(key);
  }

  #keep(key: string, kept: Kept): void {
    const [into, other, most] =
      kept.link === undefined ? [this.#unknown, this.#links, maxUnknown] : [this.#links, this.#unknown, maxLinks];
    other.delete(key);
    if (into.size >= most && !into.has(key)) {
      const [oldest] = into.keys();
      if (oldest !== undefined) into.delete(oldest);
    }
    into.set(key, kept);
  }
}

/** What a slug can be at all; anything else is not looked up. */
const slugPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** How long an outage of PostgreSQL may last before links are no longer served from memory. */
const maxStaleMs = 600_000;

/** About 75 MB at 1.5 kB each. */
const maxLinks = 50_000;

/** About 2 MB. */
const maxUnknown = 10_000;
