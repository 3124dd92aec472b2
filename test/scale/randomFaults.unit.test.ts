import { expect, test } from "vitest";
import { chooseFaults } from "../kit/scale/randomFaults.ts";

const parts = ["api-1", "broker-1", "broker-2", "questdb-s1-a", "postgres"];

test("a seed gives the same faults again, another one others", () => {
  expect(chooseFaults(7, 30, parts)).toEqual(chooseFaults(7, 30, parts));
  expect(chooseFaults(8, 30, parts)).not.toEqual(chooseFaults(7, 30, parts));
});

test("every fault of every part comes before one comes twice, and only disks whose content others have are lost", () => {
  const named = chooseFaults(7, 13, parts).map(({ kind, part }) => `${kind} ${part}`);
  expect(named.toSorted()).toEqual(
    [
      ...parts.flatMap((part) => [`kill ${part}`, `stop ${part}`]),
      ...["broker-1", "broker-2", "questdb-s1-a"].map((part) => `lose ${part}`),
    ].toSorted(),
  );
});
