import { expect, test } from "vitest";
import { seededRandom } from "../kit/random/seededRandom.ts";
import { chooseFaults, type ScaleFaultMeans } from "../kit/scale/randomFaults.ts";

const parts = ["api-1", "broker-1", "broker-2", "questdb-s1-a", "postgres"];
const disk = { directory: "", fill: () => undefined, free: () => undefined, remove: () => undefined };
const maps = { env: { JAVA_HOME: "" }, begin: async () => {}, end: async () => {}, remove: async () => {} };
const means: ScaleFaultMeans = { disks: new Map([["questdb-s1-a", disk]]), maps };
const chosen = (seed: number, count: number, given = means) => chooseFaults(seededRandom(seed), count, parts, given);

test("a seed gives the same faults again, another one others", () => {
  expect(chosen(7, 30)).toEqual(chosen(7, 30));
  expect(chosen(8, 30)).not.toEqual(chosen(7, 30));
});

const always = [
  ...parts.flatMap((part) => [`kill ${part}`, `stop ${part}`]),
  ...["broker-1", "broker-2", "questdb-s1-a"].map((part) => `lose ${part}`),
  ...["broker-1", "broker-2"].map((part) => `flip ${part}`),
];

test.each([
  { given: means, expected: [...always, "fill questdb-s1-a", "maps questdb"] },
  { given: { disks: new Map(), maps: undefined }, expected: always },
])("every fault that can be caused comes before one comes twice: $expected.length", ({ given, expected }) => {
  const named = chosen(7, expected.length, given).map(({ kind, part }) => `${kind} ${part}`);
  expect(named.toSorted()).toEqual(expected.toSorted());
});
