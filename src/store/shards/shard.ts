import type { Logger } from "pino";
import type { Config, ShardSettings } from "../../config.ts";
import { executeStatement } from "../questdb/executeStatement.ts";
import { readQuestdbAddress } from "../questdb/questdbAddress.ts";
import { QuestdbReader } from "../questdb/questdbReader.ts";
import { tableNames } from "../questdb/tables.ts";
import { whenApplied } from "../questdb/whenApplied.ts";
import { isStoreUnavailable } from "../storeUnavailable.ts";
import { chooseReplica, hasReached, mayServe } from "./chooseReplica.ts";
import type { Offsets, StoredReplica } from "./storeReplicas.ts";

/** One QuestDB. */
export type QuestdbNode = {
  /** Empty where there is only one QuestDB. */
  readonly shard: string;
  /** Such as s1/a. */
  readonly name: string;
  readonly replica: string;
  readonly settings: Config["questdb"];
  readonly reader: QuestdbReader;
  /** Since when a replica does not answer, performance.now(); undefined while it does. */
  readonly lostSinceMs: number | undefined;
};

/** A replica as this process sees it. */
type Replica = QuestdbNode & {
  lostSinceMs: number | undefined;
  misses: number;
  /** Aborts when the replica is lost: what reads it is read from another one. */
  lost: AbortController;
  stored: Pick<StoredReplica, "state" | "erasedUntilMs" | "lagMs" | "offsets">;
};

/** Two looks that fail, and the timeout of both, must leave time for the other replica within three seconds. */
export const probeEveryMs = 500;
const probeTimeoutMs = 700;
const missesUntilLost = 2;

/** How long a read waits for a replica that has everything which the lost one had answered with. */
const catchUpMs = 3_000;
const catchUpPollMs = 100;

/** The replica that was read does not answer, and no other one can take its place now. */
class ReplicaLostError extends Error {
  override name = "ReplicaLostError";
  /** As of a broken connection: the store is unavailable. */
  readonly code = "ECONNRESET";
}

/** The replicas of one shard, and which of them is read. */
export class Shard {
  readonly name: string;
  readonly #replicas: readonly Replica[];
  readonly #maxLagMs: number;
  readonly #refresh: () => Promise<void>;
  readonly #log: Pick<Logger, "info" | "warn">;
  #current: Replica | undefined;
  #switching: Promise<Replica> | undefined;

  /** `refresh` reads what PostgreSQL knows of all replicas and hands it to `note`. */
  constructor(
    { name, replicas }: ShardSettings,
    settings: Config["questdb"],
    refresh: () => Promise<void>,
    log: Pick<Logger, "info" | "warn">,
  ) {
    this.name = name;
    this.#maxLagMs = settings.readMaxLagMs;
    this.#refresh = refresh;
    this.#log = log;
    this.#replicas = replicas.map((replica) => {
      // The files of a QuestDB among several are not looked at: they are on its machine.
      const own = { ...settings, http: replica.http, pg: replica.pg, root: undefined };
      return {
        shard: name,
        name: `${name}/${replica.name}`,
        replica: replica.name,
        settings: own,
        reader: new QuestdbReader(own, name),
        lostSinceMs: undefined,
        misses: 0,
        lost: new AbortController(),
        stored: { state: "serving", erasedUntilMs: null, lagMs: null, offsets: {} },
      };
    });
  }

  get nodes(): readonly QuestdbNode[] {
    return this.#replicas;
  }

  /** The replicas that are not read, and why. */
  get notServing(): readonly { readonly name: string; readonly reason: string }[] {
    return this.#replicas.flatMap(({ name, lostSinceMs, stored }) => {
      if (lostSinceMs !== undefined) return { name, reason: "does not answer" };
      if (stored.erasedUntilMs !== null) return { name, reason: "has to apply erasures that it missed" };
      if (!mayServe(stored)) return { name, reason: "is being rebuilt" };
      const { lagMs } = stored;
      if (lagMs !== null && lagMs > this.#maxLagMs) return { name, reason: `is ${Math.round(lagMs)} ms behind` };
      return [];
    });
  }

  /** Takes over what PostgreSQL knows. */
  note(stored: readonly StoredReplica[]): void {
    for (const replica of this.#replicas)
      replica.stored =
        stored.find((each) => each.shard === this.name && each.replica === replica.replica) ?? replica.stored;
  }

  /** Looks which replicas answer. Never rejects. With one replica there is nothing to choose. */
  async probe(): Promise<void> {
    if (this.#replicas.length > 1) await Promise.all(this.#replicas.map((replica) => this.#probe(replica)));
  }

  /**
   * Runs a read. When its replica is lost before the read has handed on a row, as `mayRepeat` says, it runs once more on another one
   * that has everything the lost one had.
   */
  async run<T>(
    work: (reader: QuestdbReader, signal: AbortSignal | undefined) => Promise<T>,
    mayRepeat: () => boolean,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const replica = await this.#toRead();
    const { lost } = replica;
    const until = this.#replicas.length === 1 ? signal : withLoss(signal, lost.signal);
    try {
      const reading = work(replica.reader, until);
      return await (this.#replicas.length === 1 ? reading : unlessAborted(lost.signal, reading));
    } catch (error) {
      if (this.#replicas.length === 1 || signal?.aborted) throw error;
      const isBroken = isStoreUnavailable(error);
      if (!isBroken && !lost.signal.aborted) throw error;
      this.#lose(replica);
      const failure = isBroken ? error : new ReplicaLostError(`${replica.name} does not answer`, { cause: error });
      if (!mayRepeat()) throw failure;
      const other = await this.#toRead();
      if (other === replica) throw failure;
      return await work(other.reader, signal);
    }
  }

  /** The replica to read. Waits until it has everything that the one before had; rejects when none can. */
  async read(): Promise<QuestdbNode> {
    return await this.#toRead();
  }

  async #toRead(): Promise<Replica> {
    const chosen = this.#choose();
    if (chosen !== undefined && chosen === this.#current && chosen.lostSinceMs === undefined) return chosen;
    this.#switching ??= this.#switch().finally(() => {
      this.#switching = undefined;
    });
    return await this.#switching;
  }

  async close(): Promise<void> {
    await Promise.all(this.#replicas.map(({ reader }) => reader.close()));
  }

  #choose(): Replica | undefined {
    const states = this.#replicas.map((replica) => ({
      ...replica.stored,
      name: replica.name,
      isUp: replica.lostSinceMs === undefined,
      replica,
    }));
    return chooseReplica(states, this.#current?.name, this.#maxLagMs)?.replica;
  }

  async #switch(): Promise<Replica> {
    const before = this.#current;
    // What the replica before may have answered with.
    const had: Offsets = before?.stored.offsets ?? {};
    const deadlineMs = performance.now() + catchUpMs;
    for (;;) {
      // While PostgreSQL is away, what is known of the replicas has to do.
      if (this.#replicas.length > 1) await this.#refresh().catch(() => undefined);
      const chosen = this.#choose();
      // One that does not answer is only tried when no other one has come back in time.
      const isHopeful = chosen?.lostSinceMs === undefined || performance.now() >= deadlineMs;
      if (
        chosen !== undefined &&
        isHopeful &&
        (chosen === before || (await this.#isAsNew(chosen, before, had, deadlineMs)))
      ) {
        if (before !== undefined && chosen !== before)
          this.#log.warn({ from: before.name, to: chosen.name }, "queries go to another replica of the shard");
        this.#current = chosen;
        return chosen;
      }
      if (performance.now() >= deadlineMs)
        throw new ReplicaLostError(`The shard ${this.name} has no replica that has everything which was answered`);
      await new Promise((resolve) => setTimeout(resolve, catchUpPollMs));
    }
  }

  /** Whether queries of a replica see everything that the one before may have answered with. */
  async #isAsNew(
    { reader, stored, name }: Replica,
    before: Replica | undefined,
    had: Offsets,
    deadlineMs: number,
  ): Promise<boolean> {
    if (before === undefined) return true;
    if (!hasReached(stored.offsets, had)) return false;
    const leftMs = Math.max(catchUpPollMs, deadlineMs - performance.now());
    try {
      await whenApplied(reader, tableNames, AbortSignal.timeout(Math.ceil(leftMs)));
      return true;
    } catch (error) {
      this.#log.warn({ err: error, replica: name }, "a replica cannot take over yet");
      return false;
    }
  }

  async #probe(replica: Replica): Promise<void> {
    try {
      await executeStatement(readQuestdbAddress(replica.settings.http), "SELECT 1", probeTimeoutMs);
    } catch {
      replica.misses += 1;
      if (replica.misses >= missesUntilLost) this.#lose(replica);
      return;
    }
    replica.misses = 0;
    if (replica.lostSinceMs === undefined) return;
    // It may have missed an erasure while it was away. If PostgreSQL cannot say so it stays away.
    const known = await this.#refresh().then(
      () => true,
      () => false,
    );
    if (!known) return;
    replica.lostSinceMs = undefined;
    replica.lost = new AbortController();
    this.#log.info({ replica: replica.name }, "a replica answers again");
  }

  #lose(replica: Replica): void {
    if (replica.lostSinceMs !== undefined) return;
    replica.lostSinceMs = performance.now();
    replica.lost.abort();
    this.#log.warn({ replica: replica.name }, "a replica does not answer");
  }
}

/** Rejects as soon as the signal aborts: a read of a machine that is gone may wait for a connection for long. */
async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
    work.catch(() => undefined);
  }
}

function withLoss(signal: AbortSignal | undefined, lost: AbortSignal): AbortSignal {
  return signal === undefined ? lost : AbortSignal.any([signal, lost]);
}
