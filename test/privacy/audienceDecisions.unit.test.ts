import { expect, test } from "vitest";
import { services } from "../../src/gen/lookout/services.ts";
import { decisions, withoutRows } from "./audienceDecisions.ts";

test("it is decided of each call what it answers where only the audience is measured", () => {
  const decided = [...Object.values(decisions).flat(), ...withoutRows.trim().split(/\s+/)];
  const all = services.flatMap(({ methods }) => methods.map(({ name }) => name));
  expect(decided.sort()).toEqual(all.sort());
});
