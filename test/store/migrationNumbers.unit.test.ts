import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Numbers that no migration has, and why. */
const skipped: Readonly<Record<number, string>> = {
  17: "later ones were released without it, and a migration that comes before one that was run is refused",
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
