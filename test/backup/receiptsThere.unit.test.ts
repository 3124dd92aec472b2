import { expect, test } from "vitest";
import { type DeletionRow, noReceipts, type Receipts, withReceiptsThere } from "../../src/backup/receipts/receipts.ts";

const nowMs = Date.parse("2026-11-26T12:00:00Z");
const deletion = (id: string, completedAt: string | null): DeletionRow => ({
  id,
  website_id: "w",
  completed_at: completedAt,
});
const receipts = (deletions: readonly DeletionRow[], writtenAt: string): Receipts => ({
  ...noReceipts,
  deletions,
  writtenAt,
});

test("receipts that are there stay when an installation that does not know them adds its own", () => {
  const there = receipts([deletion("production", "2026-11-25T00:00:00Z")], "2026-11-26T11:59:00Z");
  const own = receipts([deletion("copy", "2026-11-24T00:00:00Z")], "2026-11-26T12:00:00Z");
  expect(withReceiptsThere(own, there, nowMs).deletions.map(({ id }) => id)).toEqual(["production", "copy"]);
  expect(withReceiptsThere(noReceipts, there, nowMs).deletions).toEqual(there.deletions);
});

test("a deletion is kept as completed, and for 40 days", () => {
  const there = receipts(
    [deletion("a", "2026-11-25T00:00:00Z"), deletion("old", "2026-10-01T00:00:00Z"), deletion("open", null)],
    "2026-11-26T11:59:00Z",
  );
  const own = receipts([deletion("a", null)], "2026-11-26T12:00:00Z");
  const kept = withReceiptsThere(own, there, nowMs).deletions;
  expect(kept).toEqual([deletion("a", "2026-11-25T00:00:00Z"), deletion("open", null)]);
});
