import { eachInSlices } from "../../concurrency/timeSlices.ts";
import { ApiError } from "../../errors/errors.ts";
import { Top } from "../shapes/top.ts";

/**
 * A run of pages; undefined stands for the beginning of a session before the first page and for its end after the last.
 */
export type Run = { readonly pages: readonly (string | undefined)[]; readonly count: number };

/** Limits the memory of one call, at about 100 bytes each. */
const maxRuns = 500_000;

const outside = -1;

/**
 * Counts which pages follow one another. Takes page views ordered by session and time and holds only the last pages of
 * a session. Consecutive views of the same page count once. With a page, only transitions to and from it, and runs that
 * begin with it, are counted.
 */
export class JourneyCounter {
  readonly #length: number;
  readonly #page: string | undefined;
  readonly #numbers = new Map<string, number>();
  readonly #pages: string[] = [];
  readonly #transitions = new Map<string, number>();
  readonly #runs = new Map<string, number>();
  #sessions = 0;
  #session: string | undefined;
  /** The last pages of the current session, the latest at the end. */
  #recent: number[] = [];
  #sawPage = false;

  constructor(length: number, page: string | undefined) {
    this.#length = length;
    this.#page = page;
  }

  /** Counts a page view. Throws QUERY_ERROR when there are too many different runs to hold. */
  add(session: string, path: string): void {
    if (session !== this.#session) {
      this.#finishSession();
      this.#session = session;
    }
    const page = this.#numberOf(path);
    const last = this.#recent.at(-1) ?? outside;
    if (page === last) return;
    this.#sawPage ||= this.#page === undefined || path === this.#page;
    this.#countTransition(last, page);
    this.#recent.push(page);
    if (this.#recent.length > this.#length) this.#recent.shift();
    if (this.#recent.length === this.#length && this.#isAsked(this.#recent[0] ?? outside))
      increment(this.#runs, this.#recent.join());
  }

  /** The counts, most frequent first, at most `limit` of each. */
  async finish(
    limit: number,
  ): Promise<{ readonly sessions: number; readonly transitions: Run[]; readonly runs: Run[] }> {
    this.#finishSession();
    return {
      sessions: this.#sessions,
      transitions: await this.#mostFrequent(this.#transitions, limit),
      runs: await this.#mostFrequent(this.#runs, limit),
    };
  }

  #finishSession(): void {
    const last = this.#recent.at(-1);
    if (last !== undefined) this.#countTransition(last, outside);
    if (this.#sawPage) this.#sessions += 1;
    this.#recent = [];
    this.#sawPage = false;
  }

  #countTransition(from: number, to: number): void {
    if (this.#isAsked(from) || this.#isAsked(to)) increment(this.#transitions, `${from},${to}`);
  }

  #isAsked(page: number): boolean {
    return this.#page === undefined || (page !== outside && this.#pages[page] === this.#page);
  }

  #numberOf(path: string): number {
    const known = this.#numbers.get(path);
    if (known !== undefined) return known;
    const number = this.#pages.length;
    this.#numbers.set(path, number);
    this.#pages.push(path);
    return number;
  }

  async #mostFrequent(counts: ReadonlyMap<string, number>, limit: number): Promise<Run[]> {
    const top = new Top<readonly [string, number]>(
      limit,
      ([a, countA], [b, countB]) => countB - countA || compareRuns(this.#pagesOf(a), this.#pagesOf(b)),
    );
    await eachInSlices(counts, (entry) => top.add(entry));
    return top.items.map(([key, count]) => ({ pages: this.#pagesOf(key), count }));
  }

  #pagesOf(key: string): (string | undefined)[] {
    return key.split(",").map((number) => this.#pages[Number(number)]);
  }
}

function increment(counts: Map<string, number>, key: string): void {
  const before = counts.get(key);
  if (before === undefined && counts.size >= maxRuns)
    throw new ApiError(
      "QUERY_ERROR",
      `There are more than ${maxRuns.toLocaleString("en")} different runs of pages. Name a page, ask for shorter runs or narrow the range`,
    );
  counts.set(key, (before ?? 0) + 1);
}

/** By the pages' text; the beginning or end of a session comes first. */
function compareRuns(a: readonly (string | undefined)[], b: readonly (string | undefined)[]): number {
  const at = a.findIndex((page, index) => page !== b[index]);
  if (at < 0) return 0;
  return (a[at] ?? "") < (b[at] ?? "") ? -1 : 1;
}
