import { expect, test } from "vitest";
import { eachInSlices, mapInSlices, sortInSlices } from "../../src/concurrency/timeSlices.ts";
import { lowerMedian } from "../../src/query/follow/lowerMedian.ts";
import { Top } from "../../src/query/shapes/top.ts";
import { seededRandom } from "../kit/random/seededRandom.ts";

const random = seededRandom(20_261_123);
const numbers = (count: number, most: number) => Array.from({ length: count }, () => Math.floor(random() * most));

test.each([0, 1, 999, 1_000, 1_001, 12_345])(
  "%i items are sorted in slices as at once, equal ones in their order",
  async (count) => {
    const items = numbers(count, 50).map((key, place) => ({ key, place }));
    const order = (a: { key: number }, b: { key: number }) => a.key - b.key;
    expect(await sortInSlices(items, order)).toEqual(items.toSorted(order));
  },
);

test.each([0, 1, 7, 5_000])("the first ones of %i items are those of all in order", (count) => {
  const items = numbers(count, 1_000);
  const top = new Top<number>(20, (a, b) => a - b);
  for (const item of items) top.add(item);
  expect(top.items).toEqual(items.toSorted((a, b) => a - b).slice(0, 20));
});

test.each([1, 2, 3, 10, 4_321])("the median of %i values is the one in the middle, of two the lower", async (count) => {
  for (const most of [1, 3, 1_000_000]) {
    const values = numbers(count, most);
    expect(await lowerMedian(values)).toBe(values.toSorted((a, b) => a - b)[Math.ceil(count / 2) - 1]);
  }
  expect(await lowerMedian([])).toBeUndefined();
});

test("other work runs while several long computations run", async () => {
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, 0);
  const work = () => eachInSlices(numbers(400_000, 10), () => Math.sqrt(random()));
  await Promise.all([work(), work(), work()]);
  clearInterval(counting);
  expect(turns).toBeGreaterThan(3);
  expect(await mapInSlices(["a", "b"], (item, index) => item + index)).toEqual(["a0", "b1"]);
});
