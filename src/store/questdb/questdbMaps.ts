import type { Config } from "../../config.ts";
import type { TimeRange } from "../../time/dates.ts";
import { onFailedMapping } from "./failedMappings.ts";
import { fitsAlone, isShort, lowMapsMessage, type MapsSeen, mayMap } from "./mapBudget.ts";
import { countMaps, findQuestdbProcess, readMapLimit } from "./mapCount.ts";
import { NoRoomForMapsError } from "./mappedFiles.ts";
import { neededMaps, tablesRead } from "./neededMaps.ts";
import type { TableName } from "./tables.ts";

/** A read, and whether it still runs. One that has ended leaves its files mapped for a while, so it counts until they are counted. */
type BegunRead = { readonly needed: number; readonly sinceMs: number; runs: boolean };

type Settings = Pick<Config["questdb"], "http" | "pg" | "maxMaps">;

/** Counting takes a microsecond for each mapping, so it takes a twentieth of the time at most. */
const lookEveryMs = 1_000;
const restsFor = 20;
/** How long to wait until a QuestDB that was not found is looked for again. */
const findEveryMs = 15_000;
/** By then a read has mapped all of its files. */
const mapsWithinMs = 1_000;
const partitionsKeptMs = 60_000;

/**
 * Keeps reads over long ranges from using up the files that QuestDB may map. It counts the mappings of a QuestDB on this machine, and adds what
 * the reads of this process that have just begun may still map. Of a QuestDB elsewhere it knows no count: there the reads that are running
 * count, if QUESTDB_MAX_MAPS says the limit, and a mapping that failed.
 */
export class QuestdbMaps {
  readonly #settings: Settings;
  readonly #countPartitions: (table: TableName) => Promise<number>;
  readonly #partitions = new Map<TableName, { readonly count: number; readonly knownMs: number }>();
  readonly #begun = new Set<BegunRead>();
  readonly #forget: () => void;
  #seen: MapsSeen & { readonly atMs: number } = {
    mapped: undefined,
    limit: undefined,
    atMs: Number.NEGATIVE_INFINITY,
  };
  #nextLookMs = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;
  #processId: number | undefined;
  #nextFindMs = Number.NEGATIVE_INFINITY;
  #failedMs = Number.NEGATIVE_INFINITY;
  #refusedMs = Number.NEGATIVE_INFINITY;
  #refusals = 0;

  constructor(settings: Settings, countPartitions: (table: TableName) => Promise<number>) {
    this.#settings = settings;
    this.#countPartitions = countPartitions;
    const own = new URL(settings.http).host;
    this.#forget = onFailedMapping(({ at }) => {
      if (at === own) this.#failedMs = performance.now();
    });
  }

  /** Reads that were answered with too_many_files. */
  get refusals(): number {
    return this.#refusals;
  }

  /** What is the case while reads over long ranges are refused, as last seen; undefined while they are not. */
  get lowMessage(): string | undefined {
    const nowMs = performance.now();
    return lowMapsMessage(this.#seen, {
      sinceFailureMs: nowMs - this.#failedMs,
      sinceRefusalMs: nowMs - this.#refusedMs,
    });
  }

  noteRefusal(): void {
    this.#refusals += 1;
    this.#refusedMs = performance.now();
  }

  close(): void {
    this.#forget();
  }

  /** Counts, unless it has just been done; if it `matters`, also if counting takes long. Callers at the same time share one count. */
  async look(matters = false): Promise<MapsSeen> {
    const nextMs = matters ? this.#seen.atMs + lookEveryMs : this.#nextLookMs;
    if (this.#looking === undefined && performance.now() < nextMs) return this.#seen;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
    return this.#seen;
  }

  /** How many files a statement over this range needs, at most. */
  async needed(sql: string, range: TimeRange): Promise<number> {
    const tables = tablesRead(sql);
    const atMost = neededMaps(tables, range, new Map());
    if (isShort(atMost)) return atMost;
    const partitions = new Map<TableName, number>();
    for (const table of new Set(tables)) {
      const count = await this.#partitionsOf(table);
      if (count !== undefined) partitions.set(table, count);
    }
    return neededMaps(tables, range, partitions);
  }

  /** Runs a read that needs so many files. Rejects with NoRoomForMapsError if it may not begin now. */
  async run<T>(needed: number, read: () => Promise<T>): Promise<T> {
    if (isShort(needed)) return await read();
    const fits = (seen: MapsSeen, begun: readonly BegunRead[]) =>
      mayMap(seen, sumOf(begun), needed, performance.now() - this.#failedMs);
    if (!fits(await this.look(), this.#uncounted())) {
      const seen = await this.look(true);
      const running = this.#uncounted().filter(({ runs }) => runs);
      if (!fits(seen, running)) throw new NoRoomForMapsError(`${needed} files may be more than QuestDB can map now`);
    }
    const begun: BegunRead = { needed, sinceMs: performance.now(), runs: true };
    this.#begun.add(begun);
    try {
      return await read();
    } finally {
      begun.runs = false;
    }
  }

  /** Whether a read can ever begin. */
  canMap(needed: number): boolean {
    return isShort(needed) || fitsAlone(needed, this.#seen.limit);
  }

  /** The reads that were begun too late to be in the count; where nothing can be counted, those that run. */
  #uncounted(): BegunRead[] {
    const { mapped, atMs } = this.#seen;
    const isUncounted = ({ sinceMs, runs }: BegunRead) => (mapped === undefined ? runs : sinceMs > atMs - mapsWithinMs);
    for (const read of this.#begun) if (!read.runs && !isUncounted(read)) this.#begun.delete(read);
    return [...this.#begun].filter(isUncounted);
  }

  async #look(): Promise<void> {
    const atMs = performance.now();
    const mapped = await this.#count();
    const limit = this.#settings.maxMaps || (mapped === undefined ? undefined : await readMapLimit());
    this.#seen = { mapped, limit, atMs };
    const nowMs = performance.now();
    this.#nextLookMs = nowMs + Math.max(lookEveryMs, restsFor * (nowMs - atMs));
  }

  async #count(): Promise<number | undefined> {
    const known = this.#processId === undefined ? undefined : await countMaps(this.#processId);
    if (known !== undefined) return known;
    this.#processId = undefined;
    if (performance.now() < this.#nextFindMs) return undefined;
    this.#nextFindMs = performance.now() + findEveryMs;
    const { hostname, port } = new URL(this.#settings.pg);
    if (!["127.0.0.1", "localhost", "[::1]"].includes(hostname)) return undefined;
    this.#processId = await findQuestdbProcess(Number(port));
    return this.#processId === undefined ? undefined : await countMaps(this.#processId);
  }

  async #partitionsOf(table: TableName): Promise<number | undefined> {
    const known = this.#partitions.get(table);
    const nowMs = performance.now();
    if (known !== undefined && nowMs - known.knownMs < partitionsKeptMs) return known.count;
    const count = await this.#countPartitions(table).catch(() => undefined);
    if (count !== undefined) this.#partitions.set(table, { count, knownMs: nowMs });
    return count;
  }
}

function sumOf(reads: readonly BegunRead[]): number {
  return reads.reduce((sum, { needed }) => sum + needed, 0);
}
