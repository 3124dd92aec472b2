import { describe, expect, test } from "vitest";
import { FairQueue, type FairQueueLimits } from "../../src/concurrency/fairQueue.ts";

const limits: FairQueueLimits = {
  atOnce: 4,
  atOncePerOwner: 3,
  maxWaiting: 1_000,
  maxWaitingPerOwner: 500,
  maxWaitMs: 600_000,
};

/** A queue whose work ends when the test says so; `order` lists the owners in the order in which their work began. */
function heldQueue(own: Partial<FairQueueLimits> = {}) {
  const queue = new FairQueue({ ...limits, ...own });
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const bring = (owner: string, signal?: AbortSignal) =>
    queue.run(owner, signal, () => {
      order.push(owner);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      return promise;
    });
  /** Ends the work that began first and lets the next begin. */
  const endOne = async () => {
    ends.shift()?.();
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return { queue, order, bring, endOne };
}

describe("8 websites take turns at the event store", () => {
  test("one with a hundred queries leaves a slot free, and another's query begins at once", async () => {
    const { order, bring } = heldQueue();
    for (let index = 0; index < 100; index++) void bring("busy");
    void bring("small");
    expect(order).toEqual(["busy", "busy", "busy", "small"]);
  });

  test("waiting websites take turns, however many queries each has", async () => {
    const { order, bring, endOne } = heldQueue({ atOnce: 1 });
    for (let index = 0; index < 50; index++) void bring("a");
    for (const owner of ["b", "b", "c"]) void bring(owner);
    for (let index = 0; index < 6; index++) await endOne();
    expect(order).toEqual(["a", "a", "b", "c", "a", "b", "a"]);
  });

  test("over its own limit one website is refused, over the common limit all are", async () => {
    const { bring } = heldQueue({ atOnce: 1, maxWaitingPerOwner: 2, maxWaiting: 3 });
    for (let index = 0; index < 3; index++) void bring("a");
    await expect(bring("a")).rejects.toMatchObject({ refusal: "owner_full" });
    void bring("b");
    await expect(bring("c")).rejects.toMatchObject({ refusal: "full" });
  });

  test("a cancelled query leaves the queue and never begins", async () => {
    const { queue, order, bring, endOne } = heldQueue({ atOnce: 1 });
    void bring("a");
    const gone = new AbortController();
    const left = bring("b", gone.signal);
    void bring("c");
    gone.abort();
    await expect(left).rejects.toMatchObject({ refusal: "aborted" });
    expect(queue.waiting).toBe(1);
    await endOne();
    expect(order).toEqual(["a", "c"]);
  });

  test("work that waited too long is refused", async () => {
    const { bring } = heldQueue({ atOnce: 1, maxWaitMs: 1 });
    void bring("a");
    await expect(bring("b")).rejects.toMatchObject({ refusal: "waited_too_long" });
  });
});
