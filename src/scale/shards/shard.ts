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
  /** Aborts once another replica has taken over because this one does not answer well. Its reads are repeated there. */
  left: AbortController;
  stored: Omit<StoredReplica, "shard" | "replica">;
  /** When PostgreSQL was asked for `stored`. */
  knownMs: number;
};

/** See lookAtReplica.ts. */
const lookEveryMs = 500;

/** How long a read waits for a replica that has everything the old one has shown. */
const catchUpMs = 3_000;
const catchUpPollMs = 100;

/** After a failed switch from a replica that answers well, reads are not held up again for this long. */
const holdAgainMs = 10_000;

/** What a shard needs of PostgreSQL. */
export type ShardPostgres = {
  /** Reads the state of all replicas and passes it to `note`. */
  readonly refresh: () => Promise<void>;
  /** Records that queries switch to a replica. */
  readonly recordRead: (replica: string) => Promise<void>;
  /** Returns the function that reads the end offsets of the shard's log; undefined without brokers. */
  readonly endOfLog: () => (() => Promise<Offsets>) | undefined;
};

/** The replica that was read is lost, and no other can take its place now. */
class ReplicaLostError extends Error {
  override name = "ReplicaLostError";
  /** The code of a broken connection: the store is unavailable. */
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
  /** Number of switches to another replica. */
  #turn = 0;
  /** Set while reads are held up for a switch from a replica that still answers. Resolves when they may go on. */
  #held: PromiseWithResolvers<void> | undefined;
  /** performance.now() from which reads of a replica that answers well may be held up again. */
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
      // With several QuestDBs their files are not inspected: each QuestDB has its own machine.
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

  /** The replicas that should be readable but are not, and why. */
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

  /** Stores what PostgreSQL knew of the replicas at `askedMs` (performance.now()). */
  note(stored: readonly StoredReplica[], askedMs: number): void {
    for (const replica of this.#replicas) {
      const found = stored.find((each) => each.shard === this.name && each.replica === replica.replica);
      if (found === undefined) continue;
      replica.stored = found;
      replica.knownMs = askedMs;
    }
    this.#reconsider();
  }

  /**
   * Checks how the replicas answer until `stop` aborts. Never rejects. A single replica is not checked: there is nothing to
   * choose.
   */
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
   * Runs a read. Repeats it once if its connection breaks, or if its replica hangs and another takes over, as long as `mayRepeat`
   * says that no row was handed on. The repetition goes to the replica that is read then, which has everything that was answered
   * before.
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
      // Find out whether the replica is unreachable or only this connection broke.
      if (isBroken) await this.#look(replica);
      const next = await this.#toRead();
      return await this.#answered(next, work(next.reader, signal), () => false);
    }
  }

  /** The replica to read. Waits until it has everything the old one has shown; rejects when no replica can take over. */
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
   * The answer of a replica. Waits while another replica may take over. Rejects if one did, unless rows were handed on: the
   * answer may have rows that the new replica does not have yet, and later answers would lack them.
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
    // Keep reading from a slow replica until another takes over; the whole machine may be busy.
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
    // Start from the replica that all processes read, so that their answers agree.
    const read = this.#replicas.find(({ stored }) => stored.isRead) ?? this.#replicas[0];
    return chooseReplica(states, read?.name, this.#maxLagMs)?.replica;
  }

  /** Switches if another replica is better now, and cancels reads of replicas that hang. */
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
      // Without PostgreSQL, use the last known state.
      if (!this.#isAlone) await this.#postgres.refresh().catch(() => undefined);
      const chosen = this.#choose();
      const isLate = performance.now() >= deadlineMs;
      // Try an unreachable replica only after the deadline.
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
        throw new ReplicaLostError(`The shard ${this.name} has no replica with everything that was answered before`);
      await pause(catchUpPollMs);
    }
  }

  /**
   * Publishes the switch. Without PostgreSQL other processes do not see it, and this one switches back when the old replica
   * recovers.
   */
  #noteSwitch(before: Replica, chosen: Replica): void {
    this.#log.warn({ from: before.name, to: chosen.name }, "queries go to another replica of the shard");
    if (chosen.stored.isRead) return;
    this.#postgres.recordRead(chosen.replica).catch((error: unknown) => {
      this.#log.warn(
        { err: error, replica: chosen.name },
        "the switch could not be published; other processes may still read the old replica",
      );
    });
  }

  /** Whether queries of a replica see everything that the old one may have shown. */
  async #canTakeOver(replica: Replica, before: Replica | undefined, deadlineMs: number): Promise<boolean> {
    if (before === undefined || before === replica) return true;
    // An unreachable replica answers nothing more, and its reads already wait for this switch.
    if (before.answers === "not") return await this.#catchesUp(replica, before, deadlineMs);
    if (!this.#mayHold(before, replica)) return false;
    // Otherwise the old replica would go on answering with newer rows, and no other could ever catch up.
    this.#hold();
    const isDone = await this.#catchesUp(replica, before, performance.now() + catchUpMs);
    if (!isDone) this.#mayHoldMs = performance.now() + holdAgainMs;
    return isDone;
  }

  /** Waits until a replica has stored what the old one may have shown. The old one answers nothing more meanwhile. */
  async #catchesUp(replica: Replica, before: Replica, deadlineMs: number): Promise<boolean> {
    const endOf = this.#postgres.endOfLog();
    let log: LogEnd | undefined;
    for (;;) {
      // Ask again if the old replica has answered since, as it may on a connection that is still open.
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

  /**
   * Whether it is worth holding up reads of a replica that answers: not for another that is far behind, nor soon after a failed
   * attempt.
   */
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
      // It may have missed an erasure meanwhile. Only PostgreSQL knows; without it the state stays as it is.
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
