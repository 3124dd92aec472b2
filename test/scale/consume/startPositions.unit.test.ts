import { expect, test } from "vitest";
import { decideStart } from "../../../src/scale/consume/startPositions.ts";

const at = (...offsets: number[]) => new Map(offsets.map((offset, partition) => [partition, BigInt(offset)]));
const first = at(5, 0);
const end = at(100, 50);

test("an empty QuestDB takes all that the log has, lacks what was deleted from it, and forgets the ids of another history", () => {
  expect(decideStart({ stored: new Map(), known: at(90, 40), first, end })).toEqual({
    from: first,
    idsFrom: undefined,
    forgetsIds: true,
    lost: [0],
  });
  expect(decideStart({ stored: new Map(), known: at(90, 40), first: at(0, 0), end })).toMatchObject({ lost: [] });
});

test("a consumer goes on where QuestDB is", () => {
  const start = decideStart({ stored: at(80, 40), known: at(80, 41), first, end });
  expect(start).toEqual({ from: at(80, 40), idsFrom: undefined, forgetsIds: false, lost: [] });
});

test("ids that are not known are read from the log first", () => {
  expect(decideStart({ stored: at(80, 40), known: at(70, 40), first, end }).idsFrom).toEqual(at(70, 40));
  expect(decideStart({ stored: at(80, 40), known: new Map(), first, end })).toMatchObject({
    idsFrom: first,
    forgetsIds: true,
  });
});

test("what the brokers have deleted before it was stored is named, and the rest is stored", () => {
  expect(decideStart({ stored: at(3, 40), known: at(3, 40), first, end })).toMatchObject({
    from: at(5, 40),
    lost: [0],
  });
});

test("a topic that was made again is stored from its beginning", () => {
  expect(decideStart({ stored: at(101, 40), known: at(101, 40), first, end }).from).toEqual(at(5, 40));
});

test("a new partition is stored from its beginning", () => {
  expect(decideStart({ stored: at(80), known: at(80), first, end })).toMatchObject({ from: at(80, 0), lost: [] });
});
