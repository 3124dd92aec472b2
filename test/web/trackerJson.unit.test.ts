import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { sendable, toJson } from "../../web/tracker/json.ts";

type Prototype = { toJSON?: unknown };
const prototypes = [Array, String, Object, Number, Boolean].map((type) => type.prototype as Prototype);

afterEach(() => {
  for (const prototype of prototypes) delete prototype.toJSON;
});

test("part 1: what the tracker sends is the JSON of JSON.stringify", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      expect(JSON.parse(toJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
  const date = new Date(0);
  const mixed = { text: '"\\\n\u0001 é😀\ud83d', none: undefined, date, list: [undefined, () => 1, Number.NaN] };
  expect(JSON.parse(toJson(mixed))).toEqual(JSON.parse(JSON.stringify(mixed)));
  // JSON.stringify throws for 1n.
  expect(toJson({ big: 1n, sign: Symbol("s"), bare: Object.create(null) })).toBe('{"big":null,"sign":null,"bare":{}}');
});

test("part 1: built-ins that a page has changed change nothing that is sent", () => {
  const value = { text: 'a"b', list: ["c", 1, true, { d: null }], date: new Date(0) };
  const expected = JSON.stringify(value);
  const { stringify } = JSON;
  for (const prototype of prototypes) prototype.toJSON = () => "changed";
  JSON.stringify = () => "replaced";
  try {
    expect(JSON.parse(toJson(value))).toEqual(JSON.parse(expected));
  } finally {
    JSON.stringify = stringify;
  }
});

test("part 1: properties that hold themselves are left out, and the page's developer learns it", () => {
  const told = vi.spyOn(console, "error").mockReturnValue();
  const circle: Record<string, unknown> = { name: "a" };
  circle["self"] = { list: [circle] };
  expect(sendable(circle)).toBeUndefined();
  expect(told).toHaveBeenCalledOnce();
  const plain = { name: "a", shared: [told, told] };
  expect(sendable(plain)).toBe(plain);
  expect(sendable(undefined)).toBeUndefined();
  expect(told).toHaveBeenCalledOnce();
  told.mockRestore();
});
