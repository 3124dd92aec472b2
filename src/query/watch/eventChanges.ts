import type { Logger } from "pino";
import type { Row } from "../../store/questdb/questdbReader.ts";
import type { Questdbs } from "../../store/questdb/questdbs.ts";
import { readWalStates } from "../../store/questdb/walStates.ts";
import type { AfterCommit } from "../../store/write/commitStep.ts";

/** Tables whose rows are the source of answers, as far as they come from events. */
const watchedTables: ReadonlySet<string> = new Set([
  "events",
  "outgoing_links",
  "link_clicks",
  "performance_metrics",
  "script_errors",
  "llm_calls",
]);

/** Events stored by other processes are searched among those of the last minutes. */
const recentMs = 15 * 60_000;

/** What is watched; `strangerAt` is the network of a caller who may see public figures only. */
export type Watched = { readonly websiteIds: readonly string[]; readonly strangerAt: string | undefined };

/** Polls after which answers may have changed, whatever was found. */
const ticksUntilDue = 30;

/** "changed": there may be changes since the last "changed"; "closed": there will be none any more. */
type News = "changed" | "same" | "closed";

/** What a caller waits with. `next` resolves at the next poll, or when its signal aborts; `stop` must be called in the end. */
type Watch = { next(signal: AbortSignal): Promise<News>; stop(): void };

/** A caller that waits for changes of websites. */
type Watcher = Watched & { changed: boolean; ticks: number; wake: () => void };

/** What QuestDB has committed, and how much of it queries see; on which nodes, since each counts for itself. */
type Progress = { readonly nodes: string; readonly taken: number; readonly applied: number };

/**
 * Detects which websites have new events that queries see. This process's own commits are known exactly. Those of
 * others are found by polling, every `intervalMs` and only while someone waits: first whether QuestDB has applied
 * anything, then the number and the last time of the watched websites' recent events.
 */
export class EventChanges {
  readonly #questdb: Pick<Questdbs, "nodeOfEach">;
  readonly #intervalMs: number;
  readonly #log: Pick<Logger, "warn">;
  readonly #watchers = new Set<Watcher>();
  /**
   * Websites of commits that queries may not see yet, with the progress from which they do; unknown until the next
   * poll.
   */
  readonly #committed = new Map<string, number | undefined>();
  #recent = new Map<string, string>();
  #applied = -1;
  #nodes = "";
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(questdb: Pick<Questdbs, "nodeOfEach">, intervalMs: number, log: Pick<Logger, "warn">) {
    this.#questdb = questdb;
    this.#intervalMs = intervalMs;
    this.#log = log;
  }

  /** What is watched now, once for each watcher. */
  get watched(): Iterable<Watched> {
    return this.#watchers;
  }

  /** Records the websites of rows that this process has committed. */
  readonly afterCommit: AfterCommit = (rows) => {
    if (this.#watchers.size === 0) return;
    for (const { values } of rows)
      if ("website_id" in values && values.website_id !== undefined) this.#committed.set(values.website_id, undefined);
  };

  /** Begins to watch websites. */
  watch(watched: Watched): Watch {
    const watcher: Watcher = { ...watched, changed: false, ticks: 0, wake: () => undefined };
    this.#watchers.add(watcher);
    this.#timer ??= setTimeout(() => void this.#look(), this.#intervalMs);
    return { next: (signal) => this.#next(watcher, signal), stop: () => this.#watchers.delete(watcher) };
  }

  async #next(watcher: Watcher, signal: AbortSignal): Promise<News> {
    if (this.#isClosed || signal.aborted) return "closed";
    const { promise, resolve } = Promise.withResolvers<void>();
    watcher.wake = resolve;
    const onAbort = (): void => resolve();
    signal.addEventListener("abort", onAbort, { once: true });
    await promise;
    signal.removeEventListener("abort", onAbort);
    if (this.#isClosed || signal.aborted) return "closed";
    // Late events, other tables, a new day: whatever polling misses is covered after a while.
    const isDue = watcher.changed || watcher.ticks >= ticksUntilDue;
    if (!isDue) return "same";
    watcher.changed = false;
    watcher.ticks = 0;
    return "changed";
  }

  /** Ends all waiting. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers) watcher.wake();
  }

  async #look(): Promise<void> {
    try {
      await this.#markChanged();
    } catch (error) {
      this.#log.warn({ err: error }, "QuestDB could not be polled for new events, trying again");
    }
    for (const watcher of this.#watchers) {
      watcher.ticks += 1;
      watcher.wake();
    }
    const goesOn = this.#watchers.size > 0 && !this.#isClosed;
    this.#timer = goesOn ? setTimeout(() => void this.#look(), this.#intervalMs) : undefined;
  }

  async #markChanged(): Promise<void> {
    // Taken before the poll: later commits may be beyond its answer.
    const committed = [...this.#committed];
    const { nodes, taken, applied } = await this.#progress();
    if (nodes !== this.#nodes) {
      this.#nodes = nodes;
      this.#applied = -1;
      for (const entry of committed) entry[1] = undefined;
    }
    if (applied === this.#applied && committed.length === 0) return;
    const changed = new Set(committed.map(([id]) => id));
    if (applied !== this.#applied) for (const id of await this.#changedByOthers()) changed.add(id);
    this.#applied = applied;
    for (const watcher of this.#watchers) if (watcher.websiteIds.some((id) => changed.has(id))) watcher.changed = true;
    for (const [id, visibleAt = taken] of committed) {
      if (applied >= visibleAt) this.#committed.delete(id);
      else this.#committed.set(id, visibleAt);
    }
  }

  async #progress(): Promise<Progress> {
    const nodes = await this.#questdb.nodeOfEach();
    const states = await Promise.all(nodes.map(({ reader }) => readWalStates(reader)));
    const watched = states.flatMap((each) => [...each]).filter(([table]) => watchedTables.has(table));
    return {
      nodes: nodes.map(({ name }) => name).join(),
      taken: watched.reduce((total, [, { committed }]) => total + committed, 0),
      applied: watched.reduce((total, [, { applied }]) => total + applied, 0),
    };
  }

  /** Websites whose recent events differ from those of the last poll. */
  async #changedByOthers(): Promise<string[]> {
    const ids = [...new Set([...this.#watchers].flatMap(({ websiteIds }) => websiteIds))];
    if (ids.length === 0) return [];
    const since = new Date(Math.floor(Date.now() / recentMs - 1) * recentMs).toISOString();
    const places = ids.map((_, index) => `$${index + 2}`).join(", ");
    const sql = `SELECT website_id, count() AS n, max(ts) AS last FROM events WHERE ts >= $1 AND website_id IN (${places})`;
    const nodes = await this.#questdb.nodeOfEach();
    const rows = await Promise.all(nodes.map(({ reader }) => reader.read(sql, [since, ...ids])));
    const before = this.#recent;
    this.#recent = new Map();
    // While an organization moves two shards have rows of its websites.
    for (const row of rows.flat()) {
      const id = String(row["website_id"]);
      this.#recent.set(id, `${this.#recent.get(id) ?? ""} ${signature(row)}`);
    }
    return ids.filter((id) => this.#recent.get(id) !== before.get(id));
  }
}

function signature(row: Row): string {
  return `${row["n"]} ${row["last"]}`;
}
