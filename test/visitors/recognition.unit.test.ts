import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { countPeople, recognitionTable } from "../kit/visitors/recognition.ts";

test("The docs state what the ways to recognise visitors count, as the simulation finds it", async () => {
  const page = await readFile(new URL("../../docs/user/events.md", import.meta.url), "utf8");
  for (const row of recognitionTable()) expect(page).toContain(row);
});

test("Without shared addresses and changes of address the hash counts each device of a day once", () => {
  const alone = { name: "", count: 500, perAddress: 1, changesAddress: 0, agents: 500 };
  const { hash, daily } = countPeople(alone, 1);
  expect(Math.abs(hash.perDay - daily.perDay)).toBeLessThan(0.01);
});
