import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { repeat } from "../../concurrency/poll.ts";
import type { Config } from "../../config.ts";
import type { Offsets } from "../../durableLog/offsets.ts";
import { StartFailure } from "../../errors/startFailure.ts";
import type { OwnerReader, QuestdbNode, Questdbs } from "../../store/questdb/questdbs.ts";
import { keepsLog } from "./keepsLog.ts";
import { type Placement, Placements } from "./placements.ts";
import { Shard } from "./shard.ts";
import { readReplicas, recordReadReplica } from "./storeReplicas.ts";
import { SwitchedReads } from "./switchedReads.ts";
import { whenLogStored } from "./whenLogStored.ts";

/** How often a process reads the state of the replicas from PostgreSQL. */
const refreshEveryMs = 1_000;

/**
 * The QuestDBs of SHARDS. A shard has the rows of some organizations, in all of its replicas. A read names the owner of its rows
 * (a website or an organization) and goes to one replica of the owner's shard.
 */
export class ShardedQuestdbs implements Questdbs {
  readonly #shards: ReadonlyMap<string, Shard>;
  readonly #placements: Placements;
  readonly #postgres: Pick<Pool, "query">;
  readonly #switched: SwitchedReads;
  #logEndOf: ((shard: string) => Promise<Offsets>) | undefined;
  #refreshing: Promise<void> | undefined;

  constructor(
    settings: Config["questdb"],
    postgres: Pick<Pool, "query">,
    log: Pick<Logger, "info" | "warn">,
    lookUpTimeoutMs: number,
  ) {
    const { shards } = settings;
    this.#postgres = postgres;
    this.#placements = new Placements(postgres, shards, lookUpTimeoutMs);
    this.#switched = new SwitchedReads((shard) => this.#whenCaughtUp(shard));
    const refresh = () => this.#refresh();
    this.#shards = new Map(
      shards.map((shard) => {
        const recordRead = (replica: string) => recordReadReplica(postgres, { shard: shard.name, replica });
        const endOfLog = () => {
          const endOf = this.#logEndOf;
          return endOf && (() => endOf(shard.name));
        };
        return [shard.name, new Shard(shard, settings, { refresh, recordRead, endOfLog }, log)];
      }),
    );
  }

  /** The reader for the rows of an owner, a website or an organization. A read may be repeated on another replica. */
  of(owner: string): OwnerReader {
    return {
      read: async (sql, values, options = {}) => {
        const shard = await this.#shardOf(owner);
        return await shard.run(
          (reader, signal) => reader.read(sql, values, withSignal(options, signal)),
          () => true,
          options.signal,
        );
      },
      readEach: async (sql, values, take, options = {}) => {
        let hasTaken = false;
        let attempts = 0;
        /** Rows of a cancelled attempt may still arrive. */
        const takeOfAttempt = (): typeof take => {
          attempts += 1;
          const attempt = attempts;
          return (row) => {
            if (attempt !== attempts) return;
            hasTaken = true;
            take(row);
          };
        };
        const shard = await this.#shardOf(owner);
        await shard.run(
          (reader, signal) => reader.readEach(sql, values, takeOfAttempt(), withSignal(options, signal)),
          () => !hasTaken,
          options.signal,
        );
      },
    };
  }

  /** The node that an owner is read from now, for several statements that belong together. */
  async nodeOf(owner: string): Promise<QuestdbNode> {
    return await (await this.#shardOf(owner)).read();
  }

  /** The node that a shard is read from now. Rejects when SHARDS does not name the shard. */
  async nodeOfShard(name: string): Promise<QuestdbNode> {
    return await this.#shardNamed(name).read();
  }

  /** The node that each shard is read from now. */
  async nodeOfEach(): Promise<readonly QuestdbNode[]> {
    return await Promise.all([...this.#shards.values()].map((shard) => shard.read()));
  }

  /** All nodes, reachable or not. */
  get nodes(): readonly QuestdbNode[] {
    return [...this.#shards.values()].flatMap(({ nodes }) => nodes);
  }

  /** All replicas that may have rows of an owner, reachable or not. */
  async replicasOf(owner: string): Promise<readonly QuestdbNode[]> {
    const [first = ""] = this.shards;
    const found = await this.#placements.shardsWithRows(owner);
    const shards = found.length === 0 ? [first] : found;
    return this.nodes.filter(({ shard }) => shards.includes(shard));
  }

  /** The shards that get new rows of an owner. If there are two, the second must not get a row before the first has it. */
  async shardsToWrite(owner: string): Promise<readonly string[]> {
    const [first = ""] = this.shards;
    const shards = await this.#placements.shardsToWrite(owner);
    return shards.length === 0 ? [first] : shards;
  }

  /** The number of changes of placements that this process knows. */
  get followedPlacements(): number {
    return this.#placements.followed;
  }

  /** Sets the function that returns the end offsets of a shard's log: reads that switch to another shard wait for them. */
  useLog(endOf: (shard: string) => Promise<Offsets>): void {
    this.#logEndOf = endOf;
  }

  /** Whether a node stores, within `withinMs` and for good, all that its shard's log has at the call (keepsLog.ts). */
  async keepsLog(node: QuestdbNode, withinMs: number, signal: AbortSignal): Promise<boolean> {
    const endOf = this.#logEndOf;
    return endOf === undefined || (await keepsLog(node, endOf, withinMs, signal));
  }

  /** The names of the shards. */
  get shards(): readonly string[] {
    return [...this.#shards.keys()];
  }

  /** The replicas that should be readable but are not, and why. */
  get notServing(): readonly { readonly name: string; readonly reason: string }[] {
    return [...this.#shards.values()].flatMap(({ notServing }) => notServing);
  }

  only(what: string): never {
    throw new StartFailure(`${what} works with one QuestDB only, and SHARDS names more`);
  }

  /** Polls the state and lag of the replicas, and the placements, until `stop` aborts. Never rejects. */
  async watch(stop: AbortSignal): Promise<void> {
    const shards = [...this.#shards.values()];
    await Promise.all([
      repeat(
        () => this.#refresh(),
        refreshEveryMs,
        stop,
        () => undefined,
      ),
      repeat(
        () => this.#placements.follow(),
        refreshEveryMs,
        stop,
        () => undefined,
      ),
      ...shards.map((shard) => shard.watch(stop)),
    ]);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#shards.values()].map((shard) => shard.close()));
  }

  async #shardOf(owner: string): Promise<Shard> {
    const placement: Placement | undefined = await this.#placements.toRead(owner);
    if (placement !== undefined) await this.#switched.whenReadable(placement);
    return this.#shardNamed(placement?.shard ?? this.shards[0]);
  }

  #shardNamed(name: string | undefined): Shard {
    const shard = name === undefined ? undefined : this.#shards.get(name);
    if (shard === undefined) throw new Error(`SHARDS names no shard ${name}`);
    return shard;
  }

  async #whenCaughtUp(name: string): Promise<void> {
    const endOf = this.#logEndOf;
    if (endOf !== undefined) await whenLogStored(this.#shardNamed(name), this.#postgres, () => endOf(name));
  }

  /** Concurrent callers share one read. */
  async #refresh(): Promise<void> {
    this.#refreshing ??= this.#read().finally(() => {
      this.#refreshing = undefined;
    });
    // A PostgreSQL that hangs must not hold up a read for longer.
    await Promise.race([this.#refreshing, pause(refreshEveryMs, undefined, { ref: false }).then(tooLate)]);
  }

  async #read(): Promise<void> {
    const askedMs = performance.now();
    const stored = await readReplicas(this.#postgres);
    for (const shard of this.#shards.values()) shard.note(stored, askedMs);
  }
}

function tooLate(): never {
  throw new Error("PostgreSQL does not answer in time");
}

function withSignal<O extends object>(options: O, signal: AbortSignal | undefined): O & { signal?: AbortSignal } {
  return signal === undefined ? options : { ...options, signal };
}
