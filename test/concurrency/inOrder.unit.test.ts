import { expect, test } from "vitest";
import { inOrder } from "../../src/concurrency/inOrder.ts";

test("8 results come in the order of the items, and only a few begin before the reader takes them", async () => {
  let begun = 0;
  let running = 0;
  let most = 0;
  const items = Array.from({ length: 50 }, (_, index) => index);
  const results = inOrder(items, { atOnce: 4, ahead: 8 }, async (item) => {
    begun += 1;
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < (item * 7) % 5; turn++) await Promise.resolve();
    running -= 1;
    return item;
  });
  expect((await results.next()).value).toBe(0);
  // The second result is not read for a long time.
  for (let turn = 0; turn < 1_000; turn++) await Promise.resolve();
  expect(begun).toBe(9);
  const rest: number[] = [];
  for await (const result of results) rest.push(result);
  expect(rest).toEqual(items.slice(1));
  expect(most).toBe(4);
});

test("8 a failure comes in order and ends the work", async () => {
  const results = inOrder([1, 2, 3, 4, 5, 6], { atOnce: 2, ahead: 2 }, async (item) => {
    if (item === 2) throw new Error("second");
    return item;
  });
  expect((await results.next()).value).toBe(1);
  await expect(results.next()).rejects.toThrow("second");
  expect(await results.next()).toEqual({ done: true, value: undefined });
});
