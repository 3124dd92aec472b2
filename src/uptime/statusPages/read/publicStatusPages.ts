import { setTimeout as pause } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Config } from "../../../config.ts";
import type { Questdbs } from "../../../store/questdb/questdbs.ts";
import { Logos } from "./logos.ts";
import { type PageFacts, readPageFacts, readPreviewFacts } from "./pageFacts.ts";
import { type PageStates, readPageStates } from "./pageStates.ts";

/** Older states are no longer shown as current. */
const currentForMs = 60_000;
/** How long a visitor waits for a page that is read again until the last known one is shown: less while that is still current. */
const patienceMs = { current: 1_000, old: 3_000 };
const maxMissing = 10_000;
/** Renderings of one page in memory: its parts, languages and time zones that are asked for most. */
const mostRenderings = 64;

/** What is known of a published page. */
export type PageSnapshot = {
  readonly facts: PageFacts;
  /** Undefined while they could never be read. */
  readonly states: PageStates | undefined;
};

/** A page in memory. */
export class CachedPage {
  snapshot: PageSnapshot;
  /** What was made of the snapshot, by the caller's choice of key; emptied when the snapshot changes. */
  readonly renderings = new LRUCache<string, object>({ max: mostRenderings });
  /** When the last try to read it ended, Unix ms. */
  triedMs = 0;
  /** Whether that try has failed in part. */
  hasFailed = false;
  reading: Promise<void> | undefined;
  /** Counts changes by callers of this process: what was read before a change is not shown after it. */
  changes = 0;

  constructor(snapshot: PageSnapshot) {
    this.snapshot = snapshot;
  }

  /** Whether the states are those of now. Otherwise they are the last known ones, which must be said. */
  isCurrent(nowMs: number): boolean {
    const { states } = this.snapshot;
    return !this.hasFailed && states !== undefined && nowMs - states.readMs < currentForMs;
  }
}

type Stores = {
  readonly postgres: Pool;
  readonly questdb: Questdbs;
  readonly log: Pick<Logger, "warn">;
};

type CacheSettings = Pick<Config["uptime"], "statusPageCacheMs" | "cachedStatusPages">;

/**
 * The published status pages. They are kept in memory and read again once for all visitors, so that a page is fast however many
 * there are, and so that its last known state is there while a store is not.
 */
export class PublicStatusPages {
  readonly logos: Logos;
  readonly #stores: Stores;
  readonly #cacheMs: number;
  readonly #pages: LRUCache<string, CachedPage>;
  /** Slugs without a published page. */
  readonly #missing: LRUCache<string, true>;
  readonly #loading = new Map<string, Promise<CachedPage | undefined>>();

  constructor(stores: Stores, { statusPageCacheMs, cachedStatusPages }: CacheSettings) {
    this.#stores = stores;
    this.logos = new Logos(stores.postgres);
    this.#cacheMs = statusPageCacheMs;
    this.#pages = new LRUCache({ max: cachedStatusPages });
    this.#missing = new LRUCache({ max: maxMissing, ttl: statusPageCacheMs });
  }

  /** The page if it can be shown without waiting. */
  cached(slug: string): CachedPage | undefined {
    const page = this.#pages.get(slug);
    return page !== undefined && this.#ageMs(page) < this.#cacheMs ? page : undefined;
  }

  /** The page; undefined when there is none that is published. Rejects when it is not known and cannot be read. */
  async find(slug: string): Promise<CachedPage | undefined> {
    const page = this.#pages.get(slug);
    if (page === undefined) return this.#missing.get(slug) ? undefined : await this.#load(slug);
    if (this.#ageMs(page) >= this.#cacheMs) await this.#refreshedSoon(slug, page);
    return this.#pages.get(slug);
  }

  /** A preview, read anew each time; undefined when there is none. */
  async preview(slug: string): Promise<CachedPage | undefined> {
    return await this.#made(await readPreviewFacts(this.#stores.postgres, slug, Date.now()), Date.now());
  }

  /** Shows a change at once in this process; others show it when they read the page again. */
  forget(slug: string): void {
    this.#missing.delete(slug);
    this.#loading.delete(slug);
    const page = this.#pages.peek(slug);
    if (page === undefined) return;
    page.changes += 1;
    // Its states stay: they are the last known ones while QuestDB is unavailable.
    page.triedMs = 0;
  }

  #ageMs(page: CachedPage): number {
    return Date.now() - page.triedMs;
  }

  async #refreshedSoon(slug: string, page: CachedPage): Promise<void> {
    const end = new AbortController();
    const waitMs = this.#ageMs(page) < currentForMs ? patienceMs.current : patienceMs.old;
    const patience = pause(waitMs, undefined, { signal: end.signal }).catch(() => undefined);
    await Promise.race([this.#refresh(slug, page), patience]);
    end.abort();
  }

  #load(slug: string): Promise<CachedPage | undefined> {
    const running = this.#loading.get(slug);
    if (running !== undefined) return running;
    const loading: Promise<CachedPage | undefined> = this.#read(slug).then(
      (page) => {
        // What was read before a change is not shown after it.
        if (this.#loading.get(slug) !== loading) return this.#load(slug);
        this.#loading.delete(slug);
        if (page === undefined) this.#missing.set(slug, true);
        else this.#pages.set(slug, page);
        return page;
      },
      (error: unknown) => {
        if (this.#loading.get(slug) === loading) this.#loading.delete(slug);
        throw error;
      },
    );
    this.#loading.set(slug, loading);
    return loading;
  }

  async #read(slug: string): Promise<CachedPage | undefined> {
    const nowMs = Date.now();
    return await this.#made(await readPageFacts(this.#stores.postgres, slug, nowMs), nowMs);
  }

  async #made(facts: PageFacts | undefined, nowMs: number): Promise<CachedPage | undefined> {
    if (facts === undefined) return undefined;
    const page = new CachedPage({ facts, states: undefined });
    await this.#readStates(page, facts, nowMs);
    page.triedMs = Date.now();
    return page;
  }

  /** Reads a page again, once at a time. Never rejects. */
  #refresh(slug: string, page: CachedPage): Promise<void> {
    page.reading ??= this.#readAgain(slug, page).finally(() => {
      page.reading = undefined;
    });
    return page.reading;
  }

  async #readAgain(slug: string, page: CachedPage): Promise<void> {
    const { changes } = page;
    const nowMs = Date.now();
    try {
      const facts = await readPageFacts(this.#stores.postgres, slug, nowMs);
      if (facts === undefined) {
        this.#pages.delete(slug);
        return;
      }
      await this.#readStates(page, facts, nowMs);
    } catch (error) {
      this.#stores.log.warn({ err: error, slug }, "a status page could not be read; its last known state is shown");
      page.hasFailed = true;
    }
    page.renderings.clear();
    if (page.changes !== changes) await this.#readAgain(slug, page);
    else page.triedMs = Date.now();
  }

  /** Without QuestDB the reports of operators and the incidents are still those of now. */
  async #readStates(page: CachedPage, facts: PageFacts, nowMs: number): Promise<void> {
    try {
      page.snapshot = { facts, states: await readPageStates(this.#stores.questdb, facts, nowMs) };
      page.hasFailed = false;
    } catch (error) {
      this.#stores.log.warn(
        { err: error, slug: facts.page.slug },
        "the checks of a status page could not be read; their last known state is shown",
      );
      page.snapshot = { facts, states: page.snapshot.states };
      page.hasFailed = true;
    }
  }
}
