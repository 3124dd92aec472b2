import { expect, test } from "vitest";
import { hasTooManyNodes, JsonNodes, maxJsonNodes } from "../../src/gateway/json/jsonNodes.ts";

const objectOf = (members: number, value = '"a:{[\\":{["') =>
  `{${Array.from({ length: members }, (_, index) => `"k:${index}":${value}`).join(",")}}`;

test("8 members, objects and lists are counted, but nothing inside texts", () => {
  expect(hasTooManyNodes(Buffer.from(objectOf(maxJsonNodes - 1)))).toBe(false);
  expect(hasTooManyNodes(Buffer.from(objectOf(maxJsonNodes)))).toBe(true);
  const lists = (depth: number) => Buffer.from("[".repeat(depth) + "]".repeat(depth));
  expect(hasTooManyNodes(lists(maxJsonNodes))).toBe(false);
  expect(hasTooManyNodes(lists(maxJsonNodes + 1))).toBe(true);
});

test("8 numbers and texts of a list do not count", () => {
  expect(
    hasTooManyNodes(
      Buffer.from(
        `[${Array(maxJsonNodes * 2)
          .fill('"{"')
          .join(",")}]`,
      ),
    ),
  ).toBe(false);
  expect(
    hasTooManyNodes(
      Buffer.from(
        `[${Array(maxJsonNodes * 2)
          .fill("1")
          .join(",")}]`,
      ),
    ),
  ).toBe(false);
});

test("8 a text has the same count wherever its chunks are split", () => {
  const json = Buffer.from(objectOf(maxJsonNodes - 1));
  const pieces = (bytes: number) =>
    Array.from({ length: Math.ceil(json.length / bytes) }, (_, index) =>
      json.subarray(index * bytes, (index + 1) * bytes),
    );
  for (const bytes of [1, 7, 65_536]) {
    const nodes = new JsonNodes();
    expect(pieces(bytes).some((piece) => nodes.isTooMany(piece))).toBe(false);
    expect(nodes.isTooMany(Buffer.from("["))).toBe(true);
  }
});
