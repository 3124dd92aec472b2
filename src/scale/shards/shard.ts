import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { repeat } from "../../concurrency/poll.ts";
import { unlessAborted } from "../../concurrency/unlessAborted.ts";
import { within } from "../../concurrency/within.ts";
import type { Config, ShardSettings } from "../../config.ts";
import type { Offsets } from "../../durableLog/offsets.ts";
import { QuestdbReader } from "../../store/questdb/questdbReader.ts";
import type { QuestdbNode } from "../../store/questdb/questdbs.ts";
import { tableNames } from "../../store/questdb/tables.ts";
import { whenApplied } from "../../store/questdb/whenApplied.ts";
import { isStoreUnavailable } from "../../store/storeUnavailable.ts";
import { type Answering, chooseReplica, hasReached, isAsNew, type LogEnd, mayServe } from "./chooseReplica.ts";
import { lookAtReplica } from "./lookAtReplica.ts";
import type { StoredReplica } from "./storeReplicas.ts";

/** A replica as this process sees it; times are performance.now(). */
type Replica = QuestdbNode & {
  answers: Answering;
  lostSinceMs: number | undefined;
  /** When it last answered a query. */
  answeredMs: number;
  /** Aborts once another replica has taken over from this one, which does not answer well: its reads are repeated there. */
  left: AbortController;
  stored: Omit<StoredReplica, "shard" | "replica">;
  /** When PostgreSQL was asked for that. */
  knownMs: number;
};

/** See lookAtReplica.ts. */
const lookEveryMs = 500;

/** How long a read waits for a replica that has everything which the one before had answered with. */
const catchUpMs = 3_000;
const catchUpPollMs = 100;

/** After another replica could not take over from one that answers well, reads are not held up again for this long. */
const holdAgainMs = 10_000;

/** What a shard needs of PostgreSQL. */
export type ShardPostgres = {
  /** Reads what is known of all replicas and hands it to `note`. */
  readonly refresh: () => Promise<void>;
  /** Records that queries go over to a replica. */
  readonly recordRead: (replica: string) => Promise<void>;
  /** Reads where the log of the shard ends; undefined without brokers. */
  readonly endOfLog: () => (() => Promise<Offsets>) | undefined;
};

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
  readonly #postgres: ShardPostgres;
  readonly #log: Pick<Logger, "info" | "warn">;
  #current: Replica | undefined;
  #switching: Promise<Replica> | undefined;
  /** Counts how often another replica took over. */
  #turn = 0;
  /** Resolves when reads may go on, while another replica takes over from one that still answers. */
  #held: PromiseWithResolvers<void> | undefined;
  /** performance.now() from which reads may be held up for a replica that answers well. */
  #mayHoldMs = 0;

  constructor(
    { name, replicas }: ShardSettings,
    settings: Config["questdb"],
    postgres: ShardPostgres,
    log: Pick<Logger, "info" | "warn">,
  ) {
    this.name = name;
    this.#maxLagMs = settings.readMaxLagMs;
    this.#postgres = postgres;
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
        answers: "well",
        lostSinceMs: undefined,
        answeredMs: Number.NEGATIVE_INFINITY,
        left: new AbortController(),
        stored: { state: "serving", erasedUntilMs: null, lagMs: null, reportAgeMs: null, offsets: {}, isRead: false },
        knownMs: performance.now(),
      };
    });
  }

  get nodes(): readonly QuestdbNode[] {
    return this.#replicas;
  }

  /** The replicas that are not read although they should be, and why. */
  get notServing(): readonly { readonly name: string; readonly reason: string }[] {
    return this.#replicas.flatMap((replica) => {
      const { name, answers, stored } = replica;
      if (answers === "not" || (answers === "badly" && replica !== this.#current))
        return { name, reason: "does not answer" };
      if (stored.erasedUntilMs !== null) return { name, reason: "has to apply erasures that it missed" };
      if (!mayServe(stored)) return { name, reason: "is being rebuilt" };
      const { lagMs } = stored;
      if (lagMs !== null && lagMs > this.#maxLagMs) return { name, reason: `is ${Math.round(lagMs)} ms behind` };
      return [];
    });
  }

  /** Takes over what PostgreSQL knew when it was asked, performance.now(). */
  note(stored: readonly StoredReplica[], askedMs: number): void {
    for (const replica of this.#replicas) {
      const found = stored.find((each) => each.shard === this.name && each.replica === replica.replica);
      if (found === undefined) continue;
      replica.stored = found;
      replica.knownMs = askedMs;
    }
    this.#reconsider();
  }

  /** Looks how the replicas answer until `stop` aborts. Never rejects. With one replica there is nothing to choose. */
  async watch(stop: AbortSignal): Promise<void> {
    if (this.#isAlone) return;
    const looks = this.#replicas.map((replica) =>
      repeat(
        () => this.#look(replica),
        lookEveryMs,
        stop,
        () => undefined,
      ),
    );
    await Promise.all(looks);
  }

  /**
   * Runs a read. When its connection breaks, or its replica hangs and another one takes over, and it has not handed on a row, as
   * `mayRepeat` says, it runs once more: on the replica that is read then, which has everything that was answered before.
   */
  async run<T>(
    work: (reader: QuestdbReader, signal: AbortSignal | undefined) => Promise<T>,
    mayRepeat: () => boolean,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const replica = await this.#toRead();
    if (this.#isAlone) return await work(replica.reader, signal);
    if (replica.left.signal.aborted) replica.left = new AbortController();
    const left = replica.left.signal;
    try {
      const until = signal === undefined ? left : AbortSignal.any([signal, left]);
      return await this.#answered(replica, unlessAborted(left, work(replica.reader, until)), mayRepeat);
    } catch (error) {
      const isBroken = isStoreUnavailable(error);
      if (signal?.aborted || (!isBroken && !left.aborted)) throw error;
      const failure = isBroken ? error : new ReplicaLostError(`${replica.name} does not answer`, { cause: error });
      if (!mayRepeat()) throw failure;
      // Whether the replica is gone, or only this connection.
      if (isBroken) await this.#look(replica);
      const next = await this.#toRead();
      return await this.#answered(next, work(next.reader, signal), () => false);
    }
  }

  /** The replica to read. Waits until it has everything that the one before had; rejects when none can. */
  async read(): Promise<QuestdbNode> {
    return await this.#toRead();
  }

  async close(): Promise<void> {
    await Promise.all(this.#replicas.map(({ reader }) => reader.close()));
  }

  get #isAlone(): boolean {
    return this.#replicas.length === 1;
  }

  /**
   * The answer of a replica. It waits while another replica may take over, and rejects if one did, unless rows were handed on: it may have rows
   * that the other one does not have yet, and later answers would lack them.
   */
  async #answered<T>(replica: Replica, reading: Promise<T>, mayRepeat: () => boolean): Promise<T> {
    const turn = this.#turn;
    const answer = await reading;
    while (this.#held !== undefined) await this.#held.promise;
    if (turn !== this.#turn && mayRepeat()) throw new ReplicaLostError(`${replica.name} is no longer read`);
    replica.answeredMs = performance.now();
    return answer;
  }

  async #toRead(): Promise<Replica> {
    while (this.#held !== undefined) await this.#held.promise;
    const current = this.#current;
    // One that answers badly is read until another one has taken over: it may be the machine that is busy.
    if (current !== undefined && mayServe(current.stored) && current.answers !== "not") return current;
    return await this.#switched();
  }

  async #switched(): Promise<Replica> {
    this.#switching ??= this.#switch().finally(() => {
      this.#switching = undefined;
    });
    return await this.#switching;
  }

  #choose(): Replica | undefined {
    const states = this.#replicas.map((replica) => ({
      ...replica.stored,
      name: replica.name,
      answers: replica.answers,
      replica,
    }));
    // That of all processes, so that their answers agree.
    const read = this.#replicas.find(({ stored }) => stored.isRead) ?? this.#replicas[0];
    return chooseReplica(states, read?.name, this.#maxLagMs)?.replica;
  }

  /** Has another replica take over if that is better now, and takes reads away from replicas that hang. */
  #reconsider(): void {
    if (this.#current === undefined) return;
    if (this.#choose() !== this.#current) this.#switched().catch(() => undefined);
    if (this.#current.answers !== "well") return;
    for (const replica of this.#replicas)
      if (replica !== this.#current && replica.answers !== "well") replica.left.abort();
  }

  async #switch(): Promise<Replica> {
    const before = this.#current;
    const deadlineMs = performance.now() + catchUpMs;
    for (;;) {
      // While PostgreSQL is away, what is known of the replicas has to do.
      if (!this.#isAlone) await this.#postgres.refresh().catch(() => undefined);
      const chosen = this.#choose();
      const isLate = performance.now() >= deadlineMs;
      // One that takes no connections is only tried when no other one has come back in time.
      const isHopeful = (replica: Replica) => replica.answers !== "not" || isLate;
      if (chosen !== undefined && isHopeful(chosen) && (await this.#canTakeOver(chosen, before, deadlineMs))) {
        if (before !== undefined && chosen !== before) this.#noteSwitch(before, chosen);
        if (chosen !== before) this.#turn += 1;
        this.#current = chosen;
        this.#release();
        this.#reconsider();
        return chosen;
      }
      this.#release();
      if (before !== undefined && mayServe(before.stored) && isHopeful(before)) return before;
      if (isLate)
        throw new ReplicaLostError(`The shard ${this.name} has no replica that has everything which was answered`);
      await pause(catchUpPollMs);
    }
  }

  /** Other processes follow. While PostgreSQL is away they do not, and this one goes back once the replica before answers well. */
  #noteSwitch(before: Replica, chosen: Replica): void {
    this.#log.warn({ from: before.name, to: chosen.name }, "queries go to another replica of the shard");
    if (chosen.stored.isRead) return;
    this.#postgres.recordRead(chosen.replica).catch((error: unknown) => {
      this.#log.warn({ err: error, replica: chosen.name }, "other processes do not follow");
    });
  }

  /** Whether queries of a replica see everything that the one before may have answered with. */
  async #canTakeOver(replica: Replica, before: Replica | undefined, deadlineMs: number): Promise<boolean> {
    if (before === undefined || before === replica) return true;
    // Nothing is answered by one that takes no connections, and what waits for it waits for this.
    if (before.answers === "not") return await this.#catchesUp(replica, before, deadlineMs);
    if (!this.#mayHold(before, replica)) return false;
    // Else it would go on answering, with newer rows each time, and nothing could ever reach it.
    this.#hold();
    const isDone = await this.#catchesUp(replica, before, performance.now() + catchUpMs);
    if (!isDone) this.#mayHoldMs = performance.now() + holdAgainMs;
    return isDone;
  }

  /** Waits until a replica has stored what the one before, which gives no more answers, may have answered with. */
  async #catchesUp(replica: Replica, before: Replica, deadlineMs: number): Promise<boolean> {
    const endOf = this.#postgres.endOfLog();
    let log: LogEnd | undefined;
    for (;;) {
      // Again if the one before has answered since, as it may on a connection that is still open.
      if (endOf !== undefined && (log?.offsets === undefined || log.askedMs < before.answeredMs)) {
        const askedMs = performance.now();
        log = { offsets: await within(catchUpMs, endOf()).catch(() => undefined), askedMs };
      }
      if (isAsNew(replica.stored, { ...before.stored, ...before }, log))
        return await this.#isApplied(replica, deadlineMs);
      if (performance.now() >= deadlineMs) return false;
      await pause(catchUpPollMs);
      await this.#postgres.refresh().catch(() => undefined);
    }
  }

  async #isApplied(replica: Replica, deadlineMs: number): Promise<boolean> {
    const leftMs = Math.max(catchUpPollMs, deadlineMs - performance.now());
    try {
      await whenApplied(replica.reader, tableNames, AbortSignal.timeout(Math.ceil(leftMs)));
      return true;
    } catch (error) {
      this.#log.warn({ err: error, replica: replica.name }, "a replica cannot take over yet");
      return false;
    }
  }

  /** Whether reads of a replica that answers are worth holding up: not for one that is far behind, nor again soon after it was in vain. */
  #mayHold(before: Replica, { stored: { offsets, lagMs } }: Replica): boolean {
    if (before.answers === "well" && performance.now() < this.#mayHoldMs) return false;
    return (lagMs ?? 0) <= this.#maxLagMs && hasReached(offsets, before.stored.offsets);
  }

  /** From now on new reads and answers wait. */
  #hold(): void {
    this.#held ??= Promise.withResolvers();
  }

  #release(): void {
    this.#held?.resolve();
    this.#held = undefined;
  }

  /** Never rejects. */
  async #look(replica: Replica): Promise<void> {
    const answers = await lookAtReplica(replica.settings.http);
    if (answers === "well" && replica.answers !== "well") {
      // It may have missed an erasure while it was away. If PostgreSQL cannot say so it stays away.
      const isKnown = await this.#postgres.refresh().then(
        () => true,
        () => false,
      );
      if (!isKnown) return;
    }
    if (answers !== replica.answers) this.#noteAnswers(replica, answers);
    this.#reconsider();
  }

  #noteAnswers(replica: Replica, answers: Answering): void {
    replica.answers = answers;
    if (answers === "well") {
      replica.lostSinceMs = undefined;
      this.#log.info({ replica: replica.name }, "a replica answers again");
      return;
    }
    replica.lostSinceMs ??= performance.now();
    this.#log.warn({ replica: replica.name, answers }, "a replica does not answer well");
  }
}
