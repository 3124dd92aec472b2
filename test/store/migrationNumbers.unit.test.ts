import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const meanwhile =
  "given to a change that is made at the same time; take it out of this list when that is there, or say why it stays free";

/** Numbers that no migration has, or has yet, and why. */
const skipped: Readonly<Record<number, string>> = {
  17: "later ones were released without it, and a migration that comes before one that was run is refused",
  27: meanwhile,
  28: meanwhile,
  29: meanwhile,
  31: meanwhile,
};

test("PostgreSQL migrations are numbered one after the other, and no number is used twice", () => {
  const folder = join(import.meta.dirname, "../../src/store/postgres/migrations");
  const numbers = readdirSync(folder).map((name) => Number(/^(\d{4})_\w+\.sql$/.exec(name)?.[1]));
  const last = Math.max(...numbers);
  const expected = Array.from({ length: last }, (_, index) => index + 1).filter(
    (number) => numbers.includes(number) || !(number in skipped),
  );
  expect(numbers.sort((a, b) => a - b)).toEqual(expected);
});
