import { expect, test } from "vitest";
import { MovedRowGuard } from "../../../src/lifecycle/move/movedRowGuard.ts";
import type { KeyedRow } from "../../../src/store/write/keyedRow.ts";

const row = (website: string, moved?: KeyedRow["moved"]): KeyedRow => ({
  table: "events",
  tsUs: 1,
  values: { website_id: website, event_key: 1 },
  ...(moved === undefined ? {} : { moved }),
});

function guardOf(gone: readonly { owner: string; beforeMs: number; areMoved: boolean }[]) {
  const inner = { enter: async () => ({ refused: new Set([0]), leave: async () => undefined }) };
  const postgres = { query: async () => ({ rows: gone }) };
  return new MovedRowGuard(inner, postgres as unknown as ConstructorParameters<typeof MovedRowGuard>[1], "s1");
}

test("a replica that is filled again gets no rows of an organization from before it left the shard", async () => {
  const guard = guardOf([{ owner: "left", beforeMs: 100, areMoved: false }]);
  const rows = [row("erased"), row("left"), row("left"), row("left", "row"), row("stays")];
  const { refused } = await guard.enter(rows, [50, 99, 100, 99, 50]);
  expect([...refused].sort()).toEqual([0, 1]);
});

test("nor what a cancelled move had copied", async () => {
  const guard = guardOf([{ owner: "cancelled", beforeMs: 100, areMoved: true }]);
  const rows = [row("erased"), row("cancelled", "copy"), row("cancelled", "row"), row("cancelled")];
  const { refused } = await guard.enter(rows, [50, 99, 100, 99]);
  expect([...refused].sort()).toEqual([0, 1]);
});
