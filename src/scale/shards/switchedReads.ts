import { LRUCache } from "lru-cache";
import { type Placement, readLeaseMs } from "./placements.ts";

/** Far more moves than are under way at a time. */
const maxMoves = 10_000;

/**
 * Holds up reads of organizations that have just been switched to another shard, so that no answer is older than an earlier one.
 * While both shards are written (`switched`):
 *
 * - Other processes may read the old shard until their placements have expired, so the new one is not read before that.
 * - A row is in the log of the new shard before it is in that of the old one. So a read waits until the new shard has stored what
 *   its log has when the read begins. Reads that arrive during a wait share the next one.
 *
 * Once only the new shard is written (`leaving`), a process that has not waited since the switch waits once: all of its reads
 * until then may have been slow ones of the old shard.
 */
export class SwitchedReads {
  readonly #whenCaughtUp: (shard: string) => Promise<void>;
  /** performance.now() of the first read after the switch, by move. */
  readonly #seenMs = new LRUCache<string, number>({ max: maxMoves });
  /** The moves after whose switch a read has waited to its end. */
  readonly #reached = new LRUCache<string, true>({ max: maxMoves });
  readonly #waits = new Map<string, { readonly current: Promise<void>; next: Promise<void> | undefined }>();

  /** `whenCaughtUp` resolves when queries of a shard see all that its log has at the call. */
  constructor(whenCaughtUp: (shard: string) => Promise<void>) {
    this.#whenCaughtUp = whenCaughtUp;
  }

  /** Resolves at once for organizations that do not move, or whose reads have not been switched yet. */
  async whenReadable({ organizationId, shard, movingSince, movingState }: Placement): Promise<void> {
    const key = `${organizationId} ${movingSince}`;
    if (movingState === "switched") await this.#whenLeaseIsOver(key);
    else if (movingState !== "leaving" || this.#reached.has(key)) return;
    await this.#wait(shard);
    this.#reached.set(key, true);
  }

  async #whenLeaseIsOver(key: string): Promise<void> {
    const seenMs = this.#seenMs.get(key) ?? performance.now();
    this.#seenMs.set(key, seenMs);
    const leftMs = seenMs + readLeaseMs - performance.now();
    if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, leftMs));
  }

  #wait(shard: string): Promise<void> {
    const running = this.#waits.get(shard);
    if (running === undefined) return this.#begin(shard);
    running.next ??= running.current.then(
      () => this.#begin(shard),
      () => this.#begin(shard),
    );
    return running.next;
  }

  #begin(shard: string): Promise<void> {
    const current = this.#whenCaughtUp(shard);
    const wait = { current, next: undefined };
    this.#waits.set(shard, wait);
    const forget = (): void => {
      if (this.#waits.get(shard) === wait && wait.next === undefined) this.#waits.delete(shard);
    };
    current.then(forget, forget);
    return current;
  }
}
