import { describe, expect, test } from "vitest";
import {
  addGroup,
  type Groups,
  hideMonitor,
  moveGroup,
  moveMonitor,
  putMonitor,
  removeGroup,
  renameGroup,
  showMonitor,
  storedGroups,
} from "../../web/app/src/pages/statusPages/groupOrder.ts";

const groups: Groups = [
  { key: 1, name: "Shop", monitorIds: ["a", "b"] },
  { key: 2, name: "", monitorIds: ["c"] },
];

const order = (of: Groups) => of.map(({ monitorIds }) => monitorIds.join("")).join("|");

describe("the order of monitors on a status page", () => {
  test.each([
    ["b", -1, "ba|c"],
    ["a", 1, "ba|c"],
    ["a", -1, "ab|c"],
    ["b", 1, "a|bc"],
    ["c", -1, "abc|"],
    ["c", 1, "ab|c"],
    ["x", 1, "ab|c"],
  ] as const)("moving %s by %i", (id, by, moved) => {
    expect(order(moveMonitor(groups, id, by))).toBe(moved);
  });

  test("dropping a monitor at a place", () => {
    expect(order(putMonitor(groups, "c", 0, 1))).toBe("acb|");
    expect(order(putMonitor(groups, "a", 0, 1))).toBe("ba|c");
  });

  test("hiding and showing one", () => {
    expect(order(hideMonitor(groups, "a"))).toBe("b|c");
    expect(order(showMonitor(groups, "d"))).toBe("ab|cd");
    expect(order(showMonitor([], "d"))).toBe("d");
  });

  test("groups are moved, named, added and removed; one without monitors is not stored", () => {
    expect(order(moveGroup(groups, 2, -1))).toBe("c|ab");
    expect(order(moveGroup(groups, 1, -1))).toBe("ab|c");
    const more = renameGroup(addGroup(groups), 3, " New ");
    expect(more.at(-1)).toEqual({ key: 3, name: " New ", monitorIds: [] });
    expect(storedGroups(more)).toEqual([
      { name: "Shop", monitorIds: ["a", "b"] },
      { name: "", monitorIds: ["c"] },
    ]);
    expect(storedGroups(putMonitor(more, "c", 2, 0)).at(-1)).toEqual({ name: "New", monitorIds: ["c"] });
    expect(order(removeGroup(groups, 1))).toBe("c");
  });
});
